//! A floor of a tower: how the operations of `K = K0[u]/(u^d − …)` are done over `K0`, by chosen formulas.

use num_bigint::BigInt;

use crate::check::{Checked, check, check_against};
use crate::expression::Expression;
use crate::formula::{Constant, Definition, Formula, Known, Line};
use crate::refutation::Refutation;
use crate::verify::Defect;

/// A floor. Formulas that come in are checked against what the floor asks of them, and nothing changes it from outside:
/// what [`flatten`](crate::flatten()) makes rests on it.
#[derive(Clone, Debug)]
pub struct Floor {
    /// Its name, for messages.
    pub(crate) name: String,
    /// The root, the degree and what the root's power is.
    pub(crate) root: (String, u32, Expression),
    /// The constants of `K0` that `is` and others speak of.
    pub(crate) constants: Vec<Constant>,
    /// Products of two elements.
    pub(crate) product: Checked,
    /// Squares; without them products serve.
    pub(crate) square: Option<Checked>,
    /// Inverses.
    pub(crate) inverse: Option<Checked>,
    /// Elements of `K` that are constants there: what they are in `K0[u]`, and how to multiply by them.
    pub(crate) multiples: Vec<Multiple>,
    /// Products and squares are calls in what [`flatten`](crate::flatten()) makes.
    pub(crate) calls: bool,
    /// Calls of formulas stay calls of their forms over the floor.
    pub(crate) keeps_calls: bool,
}

/// A constant of `K`.
#[derive(Clone, Debug)]
pub(crate) struct Multiple {
    /// Its name.
    pub name: String,
    /// What it is, in the root and the constants of `K0`.
    pub is: Expression,
    /// How to multiply by it; without that products serve.
    pub by: Option<Checked>,
}

/// The power basis: `a_0 + a_1·u + …`.
pub(crate) fn combination(names: &[String], root: &str) -> Expression {
    let term = |(k, name): (usize, &String)| {
        let name = Box::new(Expression::Name(name.clone()));
        let root = || Expression::Name(root.to_string());
        match k {
            0 => *name,
            1 => Expression::Product(name, Box::new(root())),
            _ => Expression::Product(name, Box::new(Expression::Power(Box::new(root()), k as u32))),
        }
    };
    let mut terms = names.iter().enumerate().map(term);
    let first = terms.next().unwrap_or(Expression::Integer(BigInt::ZERO));
    terms.fold(first, |sum, term| Expression::Sum(Box::new(sum), Box::new(term)))
}

impl Floor {
    /// A floor with a product.
    ///
    /// # Errors
    /// When the product is none of this extension.
    pub fn new(
        name: &str,
        root: (&str, u32, Expression),
        constants: Vec<Constant>,
        product: &Formula,
    ) -> Result<Floor, Refutation> {
        let root = (root.0.to_string(), root.1, root.2);
        let product = check(product)?;
        let floor = Floor {
            name: name.to_string(),
            root,
            constants,
            product: product.clone(),
            square: None,
            inverse: None,
            multiples: Vec::new(),
            calls: false,
            keeps_calls: false,
        };
        floor.judge(product.formula(), 2, "floor_a*floor_b")?;
        Ok(floor)
    }

    /// Over which formulas that a formula calls are called too, each over this floor.
    #[must_use]
    pub fn keeping_calls(self) -> Floor {
        Floor { keeps_calls: true, ..self }
    }

    /// Whose products and squares stay calls of their formulas.
    #[must_use]
    pub fn with_calls(self) -> Floor {
        Floor { calls: true, ..self }
    }

    /// With squares of their own.
    ///
    /// # Errors
    /// When it is no square of this extension.
    pub fn with_square(mut self, square: &Formula) -> Result<Floor, Refutation> {
        self.judge(square, 1, "floor_a^2")?;
        self.square = Some(check(square)?);
        Ok(self)
    }

    /// With inverses.
    ///
    /// # Errors
    /// When it is no inverse of this extension.
    pub fn with_inverse(mut self, inverse: &Formula) -> Result<Floor, Refutation> {
        self.judge(inverse, 1, "1/a")?;
        self.inverse = Some(check(inverse)?);
        Ok(self)
    }

    /// With a constant, as an expression in the root and the constants of `K0`, and a formula that multiplies by it.
    ///
    /// # Errors
    /// When the formula multiplies by something else.
    pub fn with_constant(mut self, name: &str, is: &str, by: Option<&Formula>) -> Result<Floor, Refutation> {
        let defect = |message: String| Defect { formula: self.name.clone(), message };
        let is = Expression::parse(is).map_err(|e| defect(format!("the constant {name}: {e}")))?;
        if let Some(by) = by {
            self.judge(by, 1, &format!("({is})*floor_a"))?;
        }
        let by = by.map(check).transpose()?;
        self.multiples.push(Multiple { name: name.to_string(), is, by });
        Ok(self)
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.root.1 as usize
    }

    /// Is a formula, by the places of its inputs and outputs, this operation of the extension? What is asked for is
    /// said in the operands `floor_a` and `floor_b`.
    fn judge(&self, formula: &Formula, operands: usize, operation: &str) -> Result<(), Refutation> {
        let degree = self.degree();
        let defect = |message: String| Refutation::Defect(Defect { formula: formula.name.clone(), message });
        let inputs: Vec<String> = formula.input_names().map(str::to_string).collect();
        let outputs: Vec<String> = formula.output_list().map(|o| o.name.clone()).collect();
        if inputs.len() != operands * degree || outputs.len() != degree || !formula.bits.is_empty() {
            let message = format!(
                "it has {} inputs and {} outputs; an operation of {} has {} and {degree}, and no bits",
                inputs.len(),
                outputs.len(),
                self.name,
                operands * degree
            );
            return Err(defect(message));
        }
        // The definition that is asked for has names of its own.
        let taken = |name: &str| name.starts_with("floor_");
        if let Some(constant) = self.constants.iter().find(|c| taken(&c.name)) {
            return Err(defect(format!("{} has a constant {}: names floor_… are taken", self.name, constant.name)));
        }
        for constant in &formula.constants {
            let ours = self.constants.iter().find(|c| c.name == constant.name);
            let fits = ours.is_some_and(|ours| constant.known == Known::Free || constant.known == ours.known);
            let derived = ours.is_none() && matches!(constant.known, Known::Is(_));
            if !fits && !derived {
                return Err(defect(format!("its constant {} is none of {}", constant.name, self.name)));
            }
        }
        check_against(formula, &self.asked(formula, &inputs, &outputs, operation).map_err(defect)?)
    }

    fn asked(
        &self,
        formula: &Formula,
        inputs: &[String],
        outputs: &[String],
        operation: &str,
    ) -> Result<Definition, String> {
        let degree = self.degree();
        // Names of the floor that mean nothing in the formula, or something else, give way.
        let fresh = |name: &str| format!("floor_{name}");
        let root = fresh(&self.root.0);
        let rename = |name: &str| if name == self.root.0 { root.clone() } else { name.to_string() };
        let inner = |e: &Expression| self.without_known(e, formula);
        let mut lines =
            vec![Line::Root { name: root.clone(), power: self.root.1, is: inner(&self.root.2).renamed(&rename) }];
        for (name, elements) in [fresh("a"), fresh("b")].into_iter().zip(inputs.chunks(degree.max(1))) {
            lines.push(Line::Let { name, is: combination(elements, &root) });
        }
        if operation == "1/a" {
            // That of an element with an inverse; the formula's own conditions do not count.
            let is = Expression::Name(fresh("a"));
            lines.push(Line::Nonzero { is, except: "elements without an inverse".to_string() });
        }
        let (left, right) = match operation {
            // No division in the definition: the product with the operand is 1.
            "1/a" => (
                Expression::Product(Box::new(combination(outputs, &root)), Box::new(Expression::Name(fresh("a")))),
                Expression::Integer(BigInt::from(1)),
            ),
            _ => {
                let operation = Expression::parse(operation).map_err(|e| e.to_string())?;
                (combination(outputs, &root), inner(&operation).renamed(&rename))
            }
        };
        lines.push(Line::Gives { left, right, by: None });
        Ok(Definition(lines))
    }

    /// An expression with the constants that the formula does not have replaced by what the floor knows of them.
    fn without_known(&self, e: &Expression, formula: &Formula) -> Expression {
        let has = |name: &str| formula.constants.iter().any(|c| c.name == name);
        substituted(e, &|name| {
            let constant = self.constants.iter().find(|c| c.name == name && !has(name))?;
            match &constant.known {
                Known::Is(is) => Some(is.clone()),
                _ => None,
            }
        })
    }
}

/// An expression with some names replaced by expressions.
pub(crate) fn substituted(e: &Expression, by: &dyn Fn(&str) -> Option<Expression>) -> Expression {
    let go = |e: &Expression| Box::new(substituted(e, by));
    match e {
        Expression::Integer(_) => e.clone(),
        Expression::Name(name) => by(name).unwrap_or_else(|| e.clone()),
        Expression::Negative(a) => Expression::Negative(go(a)),
        Expression::Sum(a, b) => Expression::Sum(go(a), go(b)),
        Expression::Difference(a, b) => Expression::Difference(go(a), go(b)),
        Expression::Product(a, b) => Expression::Product(go(a), go(b)),
        Expression::Quotient(a, b) => Expression::Quotient(go(a), go(b)),
        Expression::Power(a, n) => Expression::Power(go(a), *n),
    }
}

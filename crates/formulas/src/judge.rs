//! What a formula and its definition are as polynomials, and whether equations between them hold.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;

use crate::evaluate::{Failure, evaluate, expression};
use crate::expression::Expression;
use crate::formula::{Characteristic, Definition, Formula, Known, Line};
use crate::polynomial::{Monomial, Polynomial, Variable};
use crate::quantity::{Quantities, Quantity};
use crate::refutation::Refutation;
use crate::relations::Relations;
use crate::verify::Defect;

/// A formula under judgement: its names as polynomials.
pub(crate) struct Judge<'a> {
    formula: &'a Formula,
    definition: &'a Definition,
    pub ring: Quantities,
    pub names: Vec<String>,
    pub known: HashMap<String, Quantity>,
    /// Of each name the outputs that it speaks of.
    outputs: HashMap<String, Vec<String>>,
    /// The roots of extensions with their degrees.
    pub roots: Vec<(Variable, u32)>,
    /// The assumptions: in `by` they stand for left side minus right side.
    assumptions: Vec<String>,
}

impl<'a> Judge<'a> {
    pub fn new(formula: &'a Formula, definition: &'a Definition) -> Judge<'a> {
        let ring = Quantities {
            relations: Relations::new(formula.characteristic == Characteristic::Two),
            conditions: Vec::new(),
            halves: formula.characteristic == Characteristic::NotTwo,
            undeclared: None,
            inverses: Vec::new(),
            next: 0,
            too_large: Cell::new(false),
            in_steps: false,
        };
        let outputs = formula.output_list().map(|o| (o.name.clone(), vec![o.name.clone()])).collect();
        Judge {
            formula,
            definition,
            ring,
            names: Vec::new(),
            known: HashMap::new(),
            outputs,
            roots: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    pub fn variable(&mut self, name: &str) -> Variable {
        let v = Variable(self.names.len() as u32);
        self.names.push(name.to_string());
        self.known.insert(name.to_string(), Quantity::variable(v));
        self.ring.next = v.0 + 1;
        v
    }

    pub fn name(&self) -> String {
        self.formula.name.clone()
    }

    pub fn value(&mut self, e: &Expression, place: &dyn std::fmt::Display) -> Result<Quantity, Refutation> {
        let known = &self.known;
        let result = expression(e, &mut self.ring, &|name| known.get(name).cloned());
        let value = result.map_err(|failure| self.failed(&failure, place))?;
        self.small_enough(place)?;
        Ok(value)
    }

    /// The numerator of a quantity, steps' inverses multiplied away.
    fn cleared(&self, q: &Quantity, place: &dyn std::fmt::Display) -> Result<Polynomial, Refutation> {
        let p = self.ring.cleared(q);
        self.small_enough(place)?;
        Ok(p)
    }

    fn small_enough(&self, place: &dyn std::fmt::Display) -> Result<(), Refutation> {
        if self.ring.too_large.get() {
            return Err(Refutation::TooLarge { formula: self.name(), place: place.to_string() });
        }
        Ok(())
    }

    fn failed(&self, failure: &Failure, place: &dyn std::fmt::Display) -> Refutation {
        match &self.ring.undeclared {
            Some(divisor) => {
                Refutation::Division { formula: self.name(), place: place.to_string(), divisor: self.show(divisor) }
            }
            None => Refutation::Defect(Defect { formula: self.name(), message: format!("{place}: {failure}") }),
        }
    }

    fn relation(&mut self, name: &str, v: Variable, power: u32, is: &Expression) -> Result<(), Refutation> {
        let value = self.value(is, &format!("the relation of {name}"))?;
        let formula = self.name();
        let refuse = |why: String| Refutation::Relation { formula, name: name.to_string(), why };
        if !value.is_whole() {
            return Err(refuse("its right side is a quotient".to_string()));
        }
        self.ring.relations.add(v, power, &value.numerator).map_err(|why| refuse(why.to_string()))
    }

    /// Variables for inputs, bits and constants.
    pub fn constants(&mut self) -> Result<(), Refutation> {
        let formula = self.formula;
        // Roots last in the order of monomials, so that relations read from constants to inputs.
        formula.input_names().for_each(|name| {
            self.variable(name);
        });
        for name in &formula.bits {
            let v = self.variable(name);
            self.relation(name, v, 2, &Expression::Name(name.clone()))?;
        }
        for constant in &formula.constants {
            match &constant.known {
                Known::Free => {
                    self.variable(&constant.name);
                }
                Known::Is(is) => {
                    let value = self.value(is, &format!("the constant {}", constant.name))?;
                    self.known.insert(constant.name.clone(), value);
                }
                Known::Root { power, is } => {
                    let v = self.variable(&constant.name);
                    self.relation(&constant.name, v, *power, is)?;
                }
            }
        }
        Ok(())
    }

    /// What must be known before steps are taken: relations, and conditions and names that speak of no output.
    pub fn relations(&mut self) -> Result<(), Refutation> {
        for line in &self.definition.0 {
            match line {
                Line::Root { name, power, is } => {
                    let v = self.variable(name);
                    self.roots.push((v, *power));
                    self.relation(name, v, *power, is)?;
                }
                Line::Unknown(name) => {
                    self.variable(name);
                }
                Line::Given { name, power, is } => {
                    let v = self.names.iter().position(|n| n == name).ok_or_else(|| Refutation::Relation {
                        formula: self.name(),
                        name: name.clone(),
                        why: "it is neither an input nor an unknown".to_string(),
                    })?;
                    let v = Variable(v as u32);
                    self.relation(name, v, *power, is)?;
                }
                Line::Let { name, is } => {
                    let outputs = self.outputs_in(is);
                    if outputs.is_empty() {
                        let value = self.value(is, &line)?;
                        self.known.insert(name.clone(), value);
                    }
                    self.outputs.insert(name.clone(), outputs);
                }
                Line::Nonzero { is, .. } if self.outputs_in(is).is_empty() => self.condition(line, is)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn condition(&mut self, line: &Line, is: &Expression) -> Result<(), Refutation> {
        let value = self.value(is, line)?;
        let p = self.cleared(&value, line)?;
        if p.is_zero() {
            return Err(Refutation::Condition { formula: self.name(), condition: line.to_string() });
        }
        self.units(p);
        self.small_enough(line)
    }

    /// What has an inverse, and its norms from one extension down to the next: an element has an inverse if and only if
    /// its norm has one.
    fn units(&mut self, mut p: Polynomial) {
        self.ring.conditions.push(p.clone());
        let roots = self.roots.clone();
        while let Some((v, degree)) = roots.iter().rev().find(|(v, _)| p.mentions(*v)) {
            p = self.ring.norm(&p, *v, *degree as usize);
            self.ring.conditions.push(p.clone());
        }
    }

    pub fn outputs_in(&self, e: &Expression) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        e.names(&mut |name| {
            for output in self.outputs.get(name).into_iter().flatten() {
                if !all.contains(output) {
                    all.push(output.clone());
                }
            }
        });
        all
    }

    /// The outputs, by the steps, without their scale.
    pub fn steps(&mut self) -> Result<(), Refutation> {
        let formula = self.formula;
        for (output, value) in formula.output_list().zip(self.outputs_of(formula)?) {
            self.known.insert(output.name.clone(), value);
        }
        Ok(())
    }

    /// The outputs of a formula with these inputs and constants.
    pub fn outputs_of(&mut self, formula: &Formula) -> Result<Vec<Quantity>, Refutation> {
        let known = &self.known;
        let of = |name: &str| known.get(name).cloned();
        let inputs: Vec<Quantity> = formula.input_names().filter_map(of).collect();
        let bits: Vec<Quantity> = formula.bits.iter().filter_map(|name| of(name)).collect();
        self.ring.in_steps = true;
        let outputs = evaluate(formula, &mut self.ring, &inputs, &bits, &of);
        self.ring.in_steps = false;
        // Variables of inverses have no names in formulas.
        while self.names.len() < self.ring.next as usize {
            self.names.push(format!("inverse_{}", self.names.len()));
        }
        let outputs = outputs.map_err(|failure| self.failed(&failure, &"steps"))?;
        self.small_enough(&"steps")?;
        let scale = BigInt::from(formula.scale);
        let unscaled = |q: Quantity| Quantity { denominator: q.denominator.scaled(&scale), ..q };
        Ok(outputs.into_iter().map(unscaled).collect())
    }

    pub fn line(&mut self, line: &Line) -> Result<(), Refutation> {
        match line {
            Line::Let { name, is } if !self.known.contains_key(name) => {
                let value = self.value(is, line)?;
                self.known.insert(name.clone(), value);
            }
            Line::Nonzero { is, .. } if !self.outputs_in(is).is_empty() => self.condition(line, is)?,
            Line::Assume { name, left, right } => {
                let difference = Expression::Difference(Box::new(left.clone()), Box::new(right.clone()));
                let value = self.value(&difference, line)?;
                self.assume(name, value);
            }
            Line::Gives { left, right, by } => self.equation(line, left, right, by.as_ref())?,
            _ => {}
        }
        Ok(())
    }

    /// An assumption, and its coefficients by the powers of the root that was declared last.
    fn assume(&mut self, name: &str, value: Quantity) {
        if let Some((root, degree)) = self.roots.last().copied().filter(|_| value.is_whole()) {
            let reduced = self.ring.relations.reduce(value.numerator.clone());
            let mut coefficients = reduced.coefficients(root);
            coefficients.resize((degree as usize).max(coefficients.len()), Polynomial::default());
            for (k, coefficient) in coefficients.into_iter().enumerate() {
                let name = format!("{name}_{k}");
                self.known.insert(name.clone(), Quantity::whole(coefficient));
                self.assumptions.push(name);
            }
        }
        self.known.insert(name.to_string(), value);
        self.assumptions.push(name.to_string());
    }

    fn equation(
        &mut self,
        line: &Line,
        left: &Expression,
        right: &Expression,
        by: Option<&Expression>,
    ) -> Result<(), Refutation> {
        let mut all = Expression::Difference(Box::new(left.clone()), Box::new(right.clone()));
        if let Some(by) = by {
            // A combination of assumptions vanishes where they all do.
            let (known, assumptions) = (&self.known, &self.assumptions);
            let zero = |name: &String| assumptions.contains(name).then(|| Quantity::whole(Polynomial::default()));
            let vanishing = |name: &str| zero(&name.to_string()).or_else(|| known.get(name).cloned());
            let value = expression(by, &mut self.ring, &vanishing).map_err(|failure| self.failed(&failure, line))?;
            if !self.cleared(&value, line)?.is_zero() {
                return Err(Refutation::By { formula: self.name(), equation: line.to_string() });
            }
            all = Expression::Difference(Box::new(all), Box::new(by.clone()));
        }
        let difference = self.value(&all, line)?;
        let p = self.cleared(&difference, line)?;
        let Some((monomial, coefficient)) = p.first() else { return Ok(()) };
        Err(Refutation::Equation {
            formula: self.name(),
            equation: line.to_string(),
            outputs: self.blamed(left, right, monomial),
            monomial: self.show_monomial(monomial),
            coefficient: coefficient.to_string(),
        })
    }

    /// The outputs of an equation that stand at the powers of roots at which a monomial does; all of them where the
    /// equation does not tell them apart.
    fn blamed(&self, left: &Expression, right: &Expression, monomial: &Monomial) -> String {
        let all = [self.outputs_in(left), self.outputs_in(right)].concat();
        let powers = monomial.only(|v| self.is_root(v));
        let at = |output: &String| {
            let mut other = Judge::new(self.formula, self.definition);
            other.constants().and_then(|()| other.relations()).ok()?;
            // One output is 1, the others are 0.
            for o in self.formula.output_list() {
                let is = Polynomial::constant(i32::from(o.name == *output));
                other.known.insert(o.name.clone(), Quantity::whole(is));
            }
            for line in self.definition.0.iter().filter(|line| matches!(line, Line::Let { .. })) {
                other.line(line).ok()?;
            }
            let value = other.value(left, &"").ok()?;
            let value = other.ring.cleared(&value);
            let here = value.terms().any(|(m, _)| m.only(|v| self.is_root(v)) == powers);
            Some(here)
        };
        let found: Vec<String> = all.iter().filter(|output| at(output) == Some(true)).cloned().collect();
        let mut names = if found.is_empty() { all } else { found };
        names.dedup();
        names.join(", ")
    }

    pub fn is_root(&self, v: Variable) -> bool {
        self.roots.iter().any(|(root, _)| *root == v)
    }

    fn show_monomial(&self, m: &Monomial) -> String {
        let power = |(v, e): &(Variable, u32)| {
            let name = self.names.get(v.0 as usize).map_or("?", |name| name);
            if *e == 1 { name.to_string() } else { format!("{name}^{e}") }
        };
        let all: Vec<String> = m.powers().iter().map(power).collect();
        if all.is_empty() { "1".to_string() } else { all.join("*") }
    }

    fn show(&self, p: &Polynomial) -> String {
        let terms: BTreeMap<&Monomial, &BigInt> = p.terms().collect();
        let show = |(m, c): (&&Monomial, &&BigInt)| match m.powers() {
            [] => c.to_string(),
            _ if **c == BigInt::from(1) => self.show_monomial(m),
            _ => format!("{c}*{}", self.show_monomial(m)),
        };
        let mut all: Vec<String> = terms.iter().take(6).map(show).collect();
        if terms.len() > 6 {
            all.push(format!("… ({} terms)", terms.len()));
        }
        all.join(" + ")
    }
}

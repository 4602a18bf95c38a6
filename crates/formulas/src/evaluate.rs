//! What a formula computes, in any ring: on numbers of toy fields, or on polynomials, which is how it is checked.

use num_bigint::BigInt;

use crate::expression::Expression;
use crate::formula::{Bit, Formula, Known, Step, Value};

/// A commutative ring, as far as formulas need it. Rings may keep books, hence `&mut`.
pub trait Ring {
    /// Its elements.
    type Element: Clone + PartialEq;

    /// The image of an integer.
    fn integer(&mut self, x: &BigInt) -> Self::Element;
    /// `a + b`
    fn add(&mut self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// `a − b`
    fn sub(&mut self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// `a·b`
    fn mul(&mut self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// `a/2`, where 2 has an inverse.
    fn halve(&mut self, a: &Self::Element) -> Option<Self::Element>;
    /// `1/a`, where there is one.
    fn invert(&mut self, a: &Self::Element) -> Option<Self::Element>;

    /// `−a`
    fn neg(&mut self, a: &Self::Element) -> Self::Element {
        let zero = self.integer(&BigInt::ZERO);
        self.sub(&zero, a)
    }
    /// `2a`
    fn double(&mut self, a: &Self::Element) -> Self::Element {
        self.add(a, a)
    }
    /// `k·a`
    fn small(&mut self, k: u32, a: &Self::Element) -> Self::Element {
        let k = self.integer(&BigInt::from(k));
        self.mul(&k, a)
    }
    /// `a²`
    fn square(&mut self, a: &Self::Element) -> Self::Element {
        self.mul(a, a)
    }
    /// A constant times an element.
    fn mul_constant(&mut self, c: &Self::Element, a: &Self::Element) -> Self::Element {
        self.mul(c, a)
    }
    /// `a` for the bit 1, `b` for 0.
    fn select(&mut self, bit: &Self::Element, a: &Self::Element, b: &Self::Element) -> Self::Element {
        let difference = self.sub(a, b);
        let part = self.mul(bit, &difference);
        self.add(&part, b)
    }
    /// The outputs of a formula that another calls, where the ring keeps calls.
    fn call(&mut self, _callee: &Formula, _arguments: &[Self::Element]) -> Option<Vec<Self::Element>> {
        None
    }
    /// `(b, a)` for the bit 1, `(a, b)` for 0.
    fn swap(&mut self, bit: &Self::Element, a: &Self::Element, b: &Self::Element) -> [Self::Element; 2] {
        [self.select(bit, b, a), self.select(bit, a, b)]
    }
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// A constant without a value.
    #[error("the constant {0} has no value")]
    Constant(String),
    /// So many elements for another number of inputs.
    #[error("{given} elements for {asked} inputs")]
    Inputs {
        /// What was given.
        given: usize,
        /// What is asked for.
        asked: usize,
    },
    /// So many bits for another number of them.
    #[error("{given} bits for {asked}")]
    Bits {
        /// What was given.
        given: usize,
        /// What is asked for.
        asked: usize,
    },
    /// A step divides by what has no inverse.
    #[error("step {step} divides by what has no inverse")]
    Division {
        /// Its number.
        step: usize,
    },
    /// A step uses what is not there.
    #[error("step {step} uses what is not there")]
    Missing {
        /// Its number.
        step: usize,
    },
    /// An expression that is none in a ring.
    #[error("{0}")]
    Expression(String),
}

/// Values for names.
pub type Lookup<'a, E> = dyn Fn(&str) -> Option<E> + 'a;

/// The elements of all outputs, in order. `named` gives the constants that a formula does not derive from others (and any other, if it knows better);
/// bits are the ring's 0 and 1.
///
/// # Errors
/// When something is missing, or a division by what has no inverse comes up.
pub fn evaluate<R: Ring>(
    formula: &Formula,
    ring: &mut R,
    inputs: &[R::Element],
    bits: &[R::Element],
    named: &Lookup<R::Element>,
) -> Result<Vec<R::Element>, Failure> {
    if inputs.len() != formula.input_count() {
        return Err(Failure::Inputs { given: inputs.len(), asked: formula.input_count() });
    }
    if bits.len() != formula.bits.len() {
        return Err(Failure::Bits { given: bits.len(), asked: formula.bits.len() });
    }
    let mut constants: Vec<(String, R::Element)> = Vec::new();
    for constant in &formula.constants {
        let value = match (named(&constant.name), &constant.known) {
            (Some(value), _) => value,
            (None, Known::Is(is)) => {
                let known = |name: &str| constants.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
                expression(is, ring, &known)?
            }
            (None, _) => return Err(Failure::Constant(constant.name.clone())),
        };
        constants.push((constant.name.clone(), value));
    }
    let mut run = Run { ring, constants: &constants, bits };
    run.formula(formula, inputs)
}

/// An expression's value: sums, differences, products, powers, and quotients by what has an inverse.
///
/// # Errors
/// When a name has no value, or a divisor no inverse.
pub fn expression<R: Ring>(e: &Expression, ring: &mut R, named: &Lookup<R::Element>) -> Result<R::Element, Failure> {
    let mut go = |e: &Expression| expression(e, ring, named);
    Ok(match e {
        Expression::Integer(x) => ring.integer(x),
        Expression::Name(name) => named(name).ok_or_else(|| Failure::Constant(name.clone()))?,
        Expression::Negative(a) => {
            let a = go(a)?;
            ring.neg(&a)
        }
        Expression::Sum(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            ring.add(&a, &b)
        }
        Expression::Difference(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            ring.sub(&a, &b)
        }
        Expression::Product(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            ring.mul(&a, &b)
        }
        Expression::Quotient(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            let inverse =
                ring.invert(&b).ok_or_else(|| Failure::Expression(format!("{e} divides by what has no inverse")))?;
            ring.mul(&a, &inverse)
        }
        Expression::Power(a, n) => {
            let a = go(a)?;
            power(ring, &a, *n)
        }
    })
}

fn power<R: Ring>(ring: &mut R, a: &R::Element, n: u32) -> R::Element {
    let mut result = ring.integer(&BigInt::from(1));
    for bit in (0..32 - n.leading_zeros()).rev() {
        result = ring.mul(&result, &result);
        if n >> bit & 1 == 1 {
            result = ring.mul(&result, a);
        }
    }
    result
}

struct Run<'a, R: Ring> {
    ring: &'a mut R,
    /// Of the whole formula; those of callees are found by name.
    constants: &'a [(String, R::Element)],
    bits: &'a [R::Element],
}

impl<R: Ring> Run<'_, R> {
    fn formula(&mut self, formula: &Formula, inputs: &[R::Element]) -> Result<Vec<R::Element>, Failure> {
        let mut values = inputs.to_vec();
        for constant in &formula.constants {
            let found = self.constants.iter().find(|(name, _)| *name == constant.name);
            values.push(found.ok_or_else(|| Failure::Constant(constant.name.clone()))?.1.clone());
        }
        for (at, step) in formula.steps.iter().enumerate() {
            let results = self.step(formula, at, step, &values)?;
            values.extend(results);
        }
        let last = formula.steps.len();
        let output = |v: Value| values.get(v.0 as usize).cloned().ok_or(Failure::Missing { step: last });
        formula.output_list().map(|o| output(o.value)).collect()
    }

    fn step(
        &mut self,
        formula: &Formula,
        at: usize,
        step: &Step,
        values: &[R::Element],
    ) -> Result<Vec<R::Element>, Failure> {
        let get = |v: &Value| values.get(v.0 as usize).ok_or(Failure::Missing { step: at });
        let bits = self.bits;
        let bit = |s: &Bit| bits.get(s.0 as usize).ok_or(Failure::Missing { step: at });
        let ring = &mut *self.ring;
        Ok(vec![match step {
            Step::Add(a, b) => ring.add(get(a)?, get(b)?),
            Step::Sub(a, b) => ring.sub(get(a)?, get(b)?),
            Step::Neg(a) => ring.neg(get(a)?),
            Step::Double(a) => ring.double(get(a)?),
            Step::Small(k, a) => ring.small(*k, get(a)?),
            Step::Halve(a) => ring.halve(get(a)?).ok_or(Failure::Division { step: at })?,
            Step::Mul(a, b) => ring.mul(get(a)?, get(b)?),
            Step::MulConstant(c, a) => ring.mul_constant(get(c)?, get(a)?),
            Step::Square(a) => ring.square(get(a)?),
            Step::Invert(a) => ring.invert(get(a)?).ok_or(Failure::Division { step: at })?,
            Step::Select(s, a, b) => ring.select(bit(s)?, get(a)?, get(b)?),
            Step::Swap(s, a, b) => return Ok(ring.swap(bit(s)?, get(a)?, get(b)?).into()),
            Step::Call { callee, arguments } => {
                let callee = formula.callees.get(*callee as usize).ok_or(Failure::Missing { step: at })?;
                let arguments: Vec<R::Element> = arguments.iter().map(|v| get(v).cloned()).collect::<Result<_, _>>()?;
                let kept = self.ring.call(callee, &arguments);
                return kept.map_or_else(|| self.formula(callee, &arguments), Ok);
            }
        }])
    }
}

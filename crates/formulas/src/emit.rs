//! A ring whose elements are steps of a formula in the making: evaluating one formula in it writes another.
//!
//! Signs are carried along, not written (unless `writes_negatives`): a difference takes the place of a sum with a
//! negative. So the negatives that a product with `i` brings cost nothing. Integers and constants are combined among themselves without steps.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::evaluate::Ring;
use crate::expression::Expression;
use crate::formula::{Bit, Constant, Formula, Known, Step, Value};

/// An element: a number, a constant, or a result, maybe negative.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    Integer(BigInt),
    Constant { name: String, negative: bool },
    Value { value: Value, negative: bool },
    Bit(Bit),
}

impl Part {
    pub fn zero() -> Part {
        Part::Integer(BigInt::ZERO)
    }

    fn negated(&self) -> Part {
        match self {
            Part::Integer(x) => Part::Integer(-x),
            Part::Constant { name, negative } => Part::Constant { name: name.clone(), negative: !negative },
            Part::Value { value, negative } => Part::Value { value: *value, negative: !negative },
            Part::Bit(b) => Part::Bit(*b),
        }
    }

    fn signed(self, negative: bool) -> Part {
        if negative { self.negated() } else { self }
    }

    /// What is known without steps, as an expression.
    fn expression(&self) -> Option<Expression> {
        let sign = |e: Expression, negative: bool| if negative { Expression::Negative(Box::new(e)) } else { e };
        match self {
            Part::Integer(x) => Some(sign(Expression::Integer(x.abs()), x.is_negative())),
            Part::Constant { name, negative } => Some(sign(Expression::Name(name.clone()), *negative)),
            _ => None,
        }
    }
}

/// Where steps, and constants that come up, are collected.
#[derive(Default)]
pub(crate) struct Emitter {
    pub steps: Vec<Step>,
    pub constants: Vec<Constant>,
    /// Formulas that are called.
    pub callees: Vec<Arc<Formula>>,
    /// Names that a new constant may not take.
    pub taken: Vec<String>,
    /// Are negatives written as steps where they stand?
    pub writes_negatives: bool,
    results: u32,
}

/// Results and constants are numbered apart until all are known.
const RESULTS: u32 = 1 << 30;
const CONSTANTS: u32 = 1 << 29;

impl Emitter {
    /// With constants that are there from the start, and names that are taken.
    pub fn new(constants: Vec<Constant>, taken: Vec<String>) -> Emitter {
        Emitter { constants, taken, ..Emitter::default() }
    }

    fn push(&mut self, step: Step) -> Value {
        self.steps.push(step);
        self.results += 1;
        Value(RESULTS + self.results - 1)
    }

    fn emit(&mut self, step: Step, negative: bool) -> Part {
        Part::Value { value: self.push(step), negative }
    }

    /// The outputs of a formula by a call, where all inputs are elements.
    pub fn call(&mut self, formula: &Formula, inputs: &[Part]) -> Option<Vec<Part>> {
        if !inputs.iter().all(|part| matches!(part, Part::Value { .. })) {
            return None;
        }
        let arguments = inputs.iter().map(|part| self.plain(part)).collect();
        let known = self.callees.iter().position(|callee| **callee == *formula);
        let callee = known.unwrap_or_else(|| {
            self.callees.push(Arc::new(formula.clone()));
            self.callees.len() - 1
        });
        let first = self.push(Step::Call { callee: callee as u32, arguments });
        let count = formula.output_list().count() as u32;
        self.results += count - 1;
        Some((0..count).map(|i| Part::Value { value: Value(first.0 + i), negative: false }).collect())
    }

    /// A value that is this part without its sign, and the sign.
    fn unsigned(&mut self, part: &Part) -> (Value, bool) {
        match part {
            Part::Value { value, negative } => (*value, *negative),
            Part::Constant { name, negative } => {
                let at = self.constants.iter().position(|c| c.name == *name).unwrap_or(0);
                (Value(CONSTANTS + at as u32), *negative)
            }
            Part::Integer(x) => {
                let part = self.derived(Expression::Integer(x.abs()));
                let (value, _) = self.unsigned(&part);
                (value, x.is_negative())
            }
            Part::Bit(_) => (Value(u32::MAX), false),
        }
    }

    /// A value that is this part.
    pub fn plain(&mut self, part: &Part) -> Value {
        let (value, negative) = self.unsigned(part);
        if negative { self.push(Step::Neg(value)) } else { value }
    }

    /// The constant that an expression in constants is.
    fn derived(&mut self, is: Expression) -> Part {
        let known = Known::Is(is);
        let old = self.constants.iter().find(|c| c.known == known).map(|c| c.name.clone());
        let name = old.unwrap_or_else(|| {
            let free = |name: &String| !self.taken.contains(name) && self.constants.iter().all(|c| c.name != *name);
            let name = (1..).map(|i| format!("derived_{i}")).find(free).unwrap_or_default();
            self.constants.push(Constant { name: name.clone(), known });
            name
        });
        Part::Constant { name, negative: false }
    }

    fn of_constants(
        &mut self,
        a: &Part,
        b: &Part,
        make: fn(Box<Expression>, Box<Expression>) -> Expression,
    ) -> Option<Part> {
        let (a, b) = (a.expression()?, b.expression()?);
        Some(self.derived(make(Box::new(a), Box::new(b))))
    }

    /// The steps and outputs with their final numbers.
    pub fn finish(&self, inputs: u32, outputs: &[Value]) -> (Vec<Step>, Vec<Value>) {
        let first = inputs + self.constants.len() as u32;
        let at = |v: Value| match v.0 {
            n if n >= RESULTS => Value(n - RESULTS + first),
            n if n >= CONSTANTS => Value(n - CONSTANTS + inputs),
            n => Value(n),
        };
        (self.steps.iter().map(|step| step.on(at)).collect(), outputs.iter().map(|v| at(*v)).collect())
    }
}

impl Ring for Emitter {
    type Element = Part;

    fn integer(&mut self, x: &BigInt) -> Part {
        Part::Integer(x.clone())
    }

    fn add(&mut self, a: &Part, b: &Part) -> Part {
        match (a, b) {
            (Part::Integer(x), Part::Integer(y)) => return Part::Integer(x + y),
            (Part::Integer(x), other) | (other, Part::Integer(x)) if x.is_zero() => return other.clone(),
            _ => {}
        }
        if let Some(sum) = self.of_constants(a, b, Expression::Sum) {
            return sum;
        }
        let ((x, minus_x), (y, minus_y)) = (self.unsigned(a), self.unsigned(b));
        match (minus_x, minus_y) {
            (false, false) => self.emit(Step::Add(x, y), false),
            (false, true) => self.emit(Step::Sub(x, y), false),
            (true, false) => self.emit(Step::Sub(y, x), false),
            (true, true) => self.emit(Step::Add(x, y), true),
        }
    }

    fn sub(&mut self, a: &Part, b: &Part) -> Part {
        self.add(a, &b.negated())
    }

    fn neg(&mut self, a: &Part) -> Part {
        match a {
            Part::Value { value, .. } if self.writes_negatives => self.emit(Step::Neg(*value), false),
            _ => a.negated(),
        }
    }

    fn double(&mut self, a: &Part) -> Part {
        self.small(2, a)
    }

    fn small(&mut self, k: u32, a: &Part) -> Part {
        self.mul(&Part::Integer(BigInt::from(k)), a)
    }

    fn mul(&mut self, a: &Part, b: &Part) -> Part {
        match (a, b) {
            (Part::Integer(x), Part::Integer(y)) => return Part::Integer(x * y),
            (Part::Integer(x), other) | (other, Part::Integer(x)) => {
                let small = x.magnitude().to_u32();
                match (small, other) {
                    (Some(0), _) => return Part::zero(),
                    (Some(1), _) => return other.clone().signed(x.is_negative()),
                    (Some(k), Part::Value { value, negative }) => {
                        let step = if k == 2 { Step::Double(*value) } else { Step::Small(k, *value) };
                        return self.emit(step, negative ^ x.is_negative());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if let Some(product) = self.of_constants(a, b, Expression::Product) {
            return product;
        }
        let ((x, minus_x), (y, minus_y)) = (self.unsigned(a), self.unsigned(b));
        let step = match (a.expression().is_some(), b.expression().is_some()) {
            (true, _) => Step::MulConstant(x, y),
            (_, true) => Step::MulConstant(y, x),
            _ if x == y => Step::Square(x),
            _ => Step::Mul(x, y),
        };
        self.emit(step, minus_x ^ minus_y)
    }

    fn square(&mut self, a: &Part) -> Part {
        match a {
            Part::Value { value, .. } => self.emit(Step::Square(*value), false),
            _ => self.mul(a, a),
        }
    }

    fn halve(&mut self, a: &Part) -> Option<Part> {
        Some(match a {
            Part::Integer(x) if x.is_zero() => Part::zero(),
            Part::Value { value, negative } => self.emit(Step::Halve(*value), *negative),
            _ => self.of_constants(a, &Part::Integer(BigInt::from(2)), Expression::Quotient)?,
        })
    }

    fn invert(&mut self, a: &Part) -> Option<Part> {
        Some(match a {
            Part::Integer(x) if x.is_zero() => return None,
            Part::Integer(x) if x.magnitude().is_one() => a.clone(),
            Part::Value { value, negative } => self.emit(Step::Invert(*value), *negative),
            _ => self.of_constants(&Part::Integer(BigInt::one()), a, Expression::Quotient)?,
        })
    }

    fn select(&mut self, bit: &Part, a: &Part, b: &Part) -> Part {
        let Part::Bit(bit) = bit else { return Part::zero() };
        let ((x, minus_x), (y, minus_y)) = (self.unsigned(a), self.unsigned(b));
        if minus_x == minus_y {
            return self.emit(Step::Select(*bit, x, y), minus_x);
        }
        let (x, y) = (self.plain(a), self.plain(b));
        self.emit(Step::Select(*bit, x, y), false)
    }

    fn swap(&mut self, bit: &Part, a: &Part, b: &Part) -> [Part; 2] {
        let Part::Bit(bit) = bit else { return [Part::zero(), Part::zero()] };
        let (x, y) = (self.plain(a), self.plain(b));
        let first = self.push(Step::Swap(*bit, x, y));
        self.results += 1;
        [first, Value(first.0 + 1)].map(|value| Part::Value { value, negative: false })
    }
}

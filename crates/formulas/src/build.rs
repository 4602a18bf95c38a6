//! The builder: formulas are written as mathematics is, `z + xi * (e12 - v1)`.

use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use crate::expression::Expression;
use crate::formula::{
    Bit, Characteristic, Constant, Definition, Formula, Group, Known, Line, Output, OutputGroup, Step, Value,
};
use crate::lexer::SyntaxError;
use crate::verify::{Defect, verify};

/// Builds one formula. Inputs and constants come before the first step.
pub struct Builder {
    inner: RefCell<Inner>,
}

struct Inner {
    formula: Formula,
    next: u32,
    defect: Option<String>,
}

/// An element of a formula in the making.
#[derive(Clone, Copy)]
pub struct Element<'b> {
    builder: &'b Builder,
    value: Value,
}

impl Builder {
    /// An empty formula over every commutative ring.
    pub fn new(name: &str) -> Builder {
        let formula = Formula {
            name: name.to_string(),
            computes: String::new(),
            source: String::new(),
            characteristic: Characteristic::Any,
            inputs: Vec::new(),
            bits: Vec::new(),
            constants: Vec::new(),
            callees: Vec::new(),
            steps: Vec::new(),
            outputs: Vec::new(),
            scale: 1,
            definition: Definition::default(),
        };
        Builder { inner: RefCell::new(Inner { formula, next: 0, defect: None }) }
    }

    fn edit<T>(&self, change: impl FnOnce(&mut Formula) -> T) -> T {
        change(&mut self.inner.borrow_mut().formula)
    }

    fn defect(&self, message: String) {
        self.inner.borrow_mut().defect.get_or_insert(message);
    }

    /// What it computes, in a line.
    pub fn computes(&self, text: &str) {
        self.edit(|f| f.computes = text.to_string());
    }

    /// Where it comes from.
    pub fn source(&self, text: &str) {
        self.edit(|f| f.source = text.to_string());
    }

    /// Over which rings it holds.
    pub fn characteristic(&self, is: Characteristic) {
        self.edit(|f| f.characteristic = is);
    }

    /// The factor that outputs carry.
    pub fn scale(&self, scale: u32) {
        self.edit(|f| f.scale = scale);
    }

    /// The next elements: `count` of them without a step.
    fn declare(&self, count: usize) -> Vec<Element<'_>> {
        if self.edit(|f| !f.steps.is_empty()) {
            self.defect("inputs and constants come before the first step".to_string());
        }
        self.fresh(count)
    }

    fn fresh(&self, count: usize) -> Vec<Element<'_>> {
        let mut inner = self.inner.borrow_mut();
        let first = inner.next;
        inner.next += count as u32;
        (first..inner.next).map(|i| Element { builder: self, value: Value(i) }).collect()
    }

    /// An input of named elements, `"X1 Y1 Z1"`.
    pub fn input(&self, name: &str, elements: &str) -> Vec<Element<'_>> {
        if self.edit(|f| !f.constants.is_empty()) {
            self.defect(format!("the input {name} comes after a constant"));
        }
        let elements: Vec<String> = elements.split_whitespace().map(str::to_string).collect();
        let count = elements.len();
        self.edit(|f| f.inputs.push(Group { name: name.to_string(), elements }));
        self.declare(count)
    }

    /// A secret bit.
    pub fn bit(&self, name: &str) -> Bit {
        self.edit(|f| {
            f.bits.push(name.to_string());
            Bit(f.bits.len() as u32 - 1)
        })
    }

    /// A constant: `"xi"`, `"b3 = 3*b"`, `"i^2 = -1"`.
    pub fn constant(&self, text: &str) -> Element<'_> {
        match constant(text) {
            Ok(constant) => return self.declared(constant),
            Err(e) => self.defect(format!("the constant {text:?}: {e}")),
        }
        self.declare(1)[0]
    }

    /// A constant with what is known of it.
    pub fn declared(&self, constant: Constant) -> Element<'_> {
        self.edit(|f| f.constants.push(constant));
        self.declare(1)[0]
    }

    /// A line of the definition, as the text form has it: `"root x^3 = xi"`, `"let a = a0 + a1*x"`, `"gives r = a*b"`.
    pub fn define(&self, line: &str) {
        match Line::parse(line) {
            Ok(line) => self.edit(|f| f.definition.0.push(line)),
            Err(e) => self.defect(format!("the line {line:?}: {e}")),
        }
    }

    /// Registers a formula to be called.
    pub fn callee(&self, callee: &Arc<Formula>) -> u32 {
        self.edit(|f| {
            let known = f.callees.iter().position(|old| old == callee);
            known.unwrap_or_else(|| {
                f.callees.push(callee.clone());
                f.callees.len() - 1
            }) as u32
        })
    }

    /// Appends any step; its results.
    pub fn step(&self, step: Step) -> Vec<Element<'_>> {
        let count = self.edit(|f| {
            let count = f.results(&step);
            f.steps.push(step);
            count
        });
        self.fresh(count)
    }

    fn one(&self, step: Step) -> Element<'_> {
        self.step(step)[0]
    }

    /// The element of a number that was given out.
    pub fn element(&self, value: Value) -> Element<'_> {
        Element { builder: self, value }
    }

    /// Calls a registered formula.
    pub fn call<'b>(&'b self, callee: u32, arguments: &[Element<'b>]) -> Vec<Element<'b>> {
        self.step(Step::Call { callee, arguments: arguments.iter().map(|a| a.value).collect() })
    }

    /// `a` where the bit is 1, `b` where it is 0.
    pub fn select<'b>(&'b self, bit: Bit, a: Element<'b>, b: Element<'b>) -> Element<'b> {
        self.one(Step::Select(bit, a.value, b.value))
    }

    /// `(b, a)` where the bit is 1, `(a, b)` where it is 0.
    pub fn swap<'b>(&'b self, bit: Bit, a: Element<'b>, b: Element<'b>) -> (Element<'b>, Element<'b>) {
        let both = self.step(Step::Swap(bit, a.value, b.value));
        (both[0], both[1])
    }

    /// An output of named elements, `"X3 Y3 Z3"`.
    pub fn output(&self, name: &str, names: &str, elements: &[Element]) {
        let names: Vec<&str> = names.split_whitespace().collect();
        if names.len() != elements.len() {
            self.defect(format!("the output {name} has {} names for {} elements", names.len(), elements.len()));
        }
        let elements =
            names.iter().zip(elements).map(|(n, e)| Output { name: n.to_string(), value: e.value }).collect();
        self.edit(|f| f.outputs.push(OutputGroup { name: name.to_string(), elements }));
    }

    /// Ends the formula.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn finish(self) -> Result<Formula, Defect> {
        let Inner { formula, defect, .. } = self.inner.into_inner();
        if let Some(message) = defect {
            return Err(Defect { formula: formula.name, message });
        }
        verify(&formula)?;
        Ok(formula)
    }
}

/// `xi`, `b3 = 3*b`, `i^2 = -1`.
fn constant(text: &str) -> Result<Constant, SyntaxError> {
    let Some((left, right)) = text.split_once('=') else {
        return Ok(Constant { name: text.trim().to_string(), known: Known::Free });
    };
    let is = Expression::parse(right)?;
    Ok(match Expression::parse(left)? {
        Expression::Power(base, power) => Constant { name: base.to_string(), known: Known::Root { power, is } },
        name => Constant { name: name.to_string(), known: Known::Is(is) },
    })
}

impl<'b> Element<'b> {
    /// Its number.
    pub fn value(self) -> Value {
        self.value
    }

    fn is_constant(self) -> bool {
        self.builder.edit(|f| f.as_constant(self.value).is_some())
    }

    /// `2·self`
    pub fn double(self) -> Element<'b> {
        self.builder.one(Step::Double(self.value))
    }

    /// `self/2`
    pub fn halve(self) -> Element<'b> {
        self.builder.one(Step::Halve(self.value))
    }

    /// `self²`
    pub fn square(self) -> Element<'b> {
        self.builder.one(Step::Square(self.value))
    }

    /// `1/self`
    pub fn invert(self) -> Element<'b> {
        self.builder.one(Step::Invert(self.value))
    }

    /// `k·self`
    pub fn times(self, k: u32) -> Element<'b> {
        match k {
            1 => self,
            2 => self.double(),
            _ => self.builder.one(Step::Small(k, self.value)),
        }
    }
}

impl<'b> Add for Element<'b> {
    type Output = Element<'b>;
    fn add(self, other: Element<'b>) -> Element<'b> {
        self.builder.one(Step::Add(self.value, other.value))
    }
}

impl<'b> Sub for Element<'b> {
    type Output = Element<'b>;
    fn sub(self, other: Element<'b>) -> Element<'b> {
        self.builder.one(Step::Sub(self.value, other.value))
    }
}

impl<'b> Neg for Element<'b> {
    type Output = Element<'b>;
    fn neg(self) -> Element<'b> {
        self.builder.one(Step::Neg(self.value))
    }
}

/// A product, of a constant where one factor is one.
impl<'b> Mul for Element<'b> {
    type Output = Element<'b>;
    fn mul(self, other: Element<'b>) -> Element<'b> {
        let (a, b) = (self.value, other.value);
        self.builder.one(match (self.is_constant(), other.is_constant()) {
            (true, _) => Step::MulConstant(a, b),
            (false, true) => Step::MulConstant(b, a),
            (false, false) => Step::Mul(a, b),
        })
    }
}

/// A small multiple.
impl<'b> Mul<Element<'b>> for u32 {
    type Output = Element<'b>;
    fn mul(self, of: Element<'b>) -> Element<'b> {
        of.times(self)
    }
}

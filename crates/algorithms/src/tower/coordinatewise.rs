//! Sums, differences, negatives and conjugates of elements of a tower: coordinate by coordinate.
//!
//! * **computes** `a + b`, `a − b`, `−a`; the conjugate `a0 + t·a1 − a1·w` of `a0 + a1·w` for `w² = c + t·w`, t one of −1, 0, 1.
//! * **needs** resting coordinates. Outputs may be an operand.
//! * **gives** resting coordinates.
//! * **cost** one operation of the prime field for each coordinate; half of them for conjugates.
//! * **source** the definition.

use evariste_descriptions::Tower;
use evariste_formulas::{Builder, Formula, check};
use evariste_ir::Kernel;

use super::formula::tower_of;
use super::means::{Means, REDUCED};
use super::shape::Shape;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

/// `a + b`
pub const SUM: Coordinatewise = Coordinatewise { operation: Operation::ADD };
/// `a − b`
pub const SUB: Coordinatewise = Coordinatewise { operation: Operation::SUB };
/// `−a`
pub const OPP: Coordinatewise = Coordinatewise { operation: Operation::OPP };
/// The conjugate over the floor below the highest.
pub const CONJUGATE: Coordinatewise = Coordinatewise { operation: Operation::CONJUGATE };

/// An operation on coordinates.
pub struct Coordinatewise {
    operation: Operation,
}

impl Coordinatewise {
    /// The formula for so many coordinates. A conjugate adds the trace of the highest variable, which is −1, 0 or 1, times
    /// the second half of them to the first half.
    pub(crate) fn formula(&self, coordinates: usize, trace: i8) -> Result<Formula, NotApplicable> {
        let b = Builder::new(&self.operation.name());
        b.computes("coordinate by coordinate");
        b.source("the definition");
        let names = |letter: &str| (0..coordinates).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(" ");
        let x = b.input("a", &names("a"));
        let two = self.operation.is_any(&[Operation::ADD, Operation::SUB]);
        let y = if two { b.input("b", &names("b")) } else { Vec::new() };
        let mut results = Vec::new();
        let (all, half) = (x.clone(), coordinates / 2);
        for (i, x) in x.into_iter().enumerate() {
            let (result, is) = match &self.operation {
                op if *op == Operation::ADD => (x + y[i], format!("a{i} + b{i}")),
                op if *op == Operation::SUB => (x - y[i], format!("a{i} - b{i}")),
                op if *op == Operation::CONJUGATE && i < half => match trace {
                    0 => (x, format!("a{i}")),
                    1.. => (x + all[i + half], format!("a{i} + a{}", i + half)),
                    _ => (x - all[i + half], format!("a{i} - a{}", i + half)),
                },
                _ => (-x, format!("-a{i}")),
            };
            b.define(&format!("gives r{i} = {is}"));
            results.push(result);
        }
        b.output("r", &names("r"), &results);
        b.finish().map_err(|e| NotApplicable(e.to_string()))
    }
}

impl Recipe for Coordinatewise {
    fn name(&self) -> &'static str {
        "coordinatewise"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let tower = s.field.get::<Tower>()?;
        let applies = self.operation != Operation::CONJUGATE || trace(tower).is_some();
        (*s.operation == self.operation && applies).then_some(REDUCED)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let formula = self.formula(tower.degree(), trace(tower).unwrap_or_default())?;
        let checked = check(&formula).map_err(|e| NotApplicable(e.to_string()))?;
        let means = Means { modulus: &tower.base, layout: s.layout, parts, more: 0 };
        means.reduced(&kernel_name(s.operation, algorithm), &checked, &|_| None)
    }
}

/// The trace of the highest variable, where its polynomial is one of degree 2 that formulas know.
fn trace(tower: &Tower) -> Option<i8> {
    let top = tower.height().checked_sub(1)?;
    let quadratic = tower.ring.floors[top].polynomial.len() == 2;
    Shape::of(tower, top).filter(|_| quadratic).map(|shape| shape.trace)
}

//! Sums, differences, negatives and conjugates of elements of a tower: coordinate by coordinate.
//!
//! * **computes** `a + b`, `a − b`, `−a`; the conjugate `a0 − a1·w` of `a0 + a1·w` for `w² = c`.
//! * **needs** resting coordinates. Outputs may be an operand.
//! * **gives** resting coordinates.
//! * **cost** one operation of the prime field for each coordinate; half of them for conjugates.
//! * **source** the definition.

use evariste_descriptions::Tower;
use evariste_formulas::{Builder, Formula, check};
use evariste_ir::Kernel;

use super::floors;
use super::formula::tower_of;
use super::means::{Means, REDUCED};
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
    /// The formula for so many coordinates, the first `kept` of which a conjugate keeps.
    pub(crate) fn formula(&self, coordinates: usize, kept: usize) -> Result<Formula, NotApplicable> {
        let b = Builder::new(&self.operation.name());
        b.computes("coordinate by coordinate");
        b.source("the definition");
        let names = |letter: &str| (0..coordinates).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(" ");
        let x = b.input("a", &names("a"));
        let two = self.operation.is_any(&[Operation::ADD, Operation::SUB]);
        let y = if two { b.input("b", &names("b")) } else { Vec::new() };
        let mut results = Vec::new();
        for (i, x) in x.into_iter().enumerate() {
            let (result, is) = match &self.operation {
                op if *op == Operation::ADD => (x + y[i], format!("a{i} + b{i}")),
                op if *op == Operation::SUB => (x - y[i], format!("a{i} - b{i}")),
                op if *op == Operation::CONJUGATE && i < kept => (x, format!("a{i}")),
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
        let top = tower.ring.floors.last()?;
        let conjugate = top.polynomial.len() == 2 && floors::are_binomial(tower);
        let applies = self.operation != Operation::CONJUGATE || conjugate;
        (*s.operation == self.operation && applies).then_some(REDUCED)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let formula = self.formula(tower.degree(), tower.degree() / 2)?;
        let checked = check(&formula).map_err(|e| NotApplicable(e.to_string()))?;
        let means = Means { modulus: &tower.base, layout: s.layout, parts, more: 0 };
        means.reduced(&kernel_name(s.operation, algorithm), &checked, &|_| None)
    }
}

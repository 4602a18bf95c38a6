//! Miller loops and whole pairings as recipes. How a loop goes is said by the pairing's family.
//!
//! * **computes** the Miller function of one pair of points or the product of those of two, and with the final
//!   exponentiation the pairing.
//! * **needs** what the loop of the family needs: [`super::miller`], [`super::tate`].
//! * **gives** resting coordinates of a value.
//! * **cost** that of the loop, and for pairings that of one exponentiation.
//! * **source** that of the loop.

use evariste_ir::{Builder, Contract, Kernel};

use super::exponent::claims;
use super::miller::Miller;
use super::setting::{Setting, Way};
use super::tate::Tate;
use crate::lowering::{Element, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Pick, Recipe, Setting as Wanted};
use crate::signature::NotApplicable;
use crate::tower::needs;

needs!(REDUCED, WHOLE: IS_ZERO, SELECTZNZ);

/// How many needs these are beside those of formulas.
pub(super) const MORE: usize = 2;

/// The names of a pair of points, and of two.
const PAIR: &[[&str; 2]] = &[["p", "q"]];
const TWO_PAIRS: &[[&str; 2]] = &[["p1", "q1"], ["p2", "q2"]];

/// Loops of a way, and what is made of them.
macro_rules! recipes_of {
    ($way:ident) => {
        [
            &Loop { way: Way::$way, operation: Operation::MILLER, pairs: PAIR, halves: None },
            &Loop { way: Way::$way, operation: Operation::MULTI_MILLER, pairs: TWO_PAIRS, halves: None },
            &Loop {
                way: Way::$way,
                operation: Operation::PAIRING,
                pairs: PAIR,
                halves: Some(&[own(Operation::MILLER), own(Operation::FINAL_EXPONENTIATION)]),
            },
            &Loop {
                way: Way::$way,
                operation: Operation::PAIRING_MULTIPLE,
                pairs: PAIR,
                halves: Some(&[own(Operation::MILLER), own(Operation::FINAL_EXPONENTIATION_MULTIPLE)]),
            },
            &Loop {
                way: Way::$way,
                operation: Operation::MULTI_PAIRING,
                pairs: TWO_PAIRS,
                halves: Some(&[own(Operation::MULTI_MILLER), own(Operation::FINAL_EXPONENTIATION)]),
            },
        ]
    };
}

const fn own(operation: Operation) -> Need {
    Need::new(operation, Pick::First)
}

/// Loops of optimal ate pairings.
pub const OPTIMAL_ATE: [&dyn Recipe; 5] = recipes_of!(OptimalAte);

/// Loops of Tate pairings.
pub const TATE: [&dyn Recipe; 5] = recipes_of!(Tate);

/// A loop, or a whole pairing, as a recipe.
pub struct Loop {
    way: Way,
    operation: Operation,
    pairs: &'static [[&'static str; 2]],
    /// Of a whole pairing the loop and the exponentiation.
    halves: Option<&'static [Need]>,
}

impl Recipe for Loop {
    fn name(&self) -> &'static str {
        self.way.name()
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Wanted) -> Option<&'static [Need]> {
        let setting = Setting::new(s.field, s.layout).ok()?;
        let fits = *s.operation == self.operation && setting.family.way() == self.way;
        let steps = if lazy::takes(setting.modulus(), s.layout) { WHOLE } else { REDUCED };
        fits.then_some(self.halves.unwrap_or(steps))
    }

    fn write(&self, s: Wanted, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let setting = Setting::new(s.field, s.layout)?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let out = Element::output(&mut b, s.layout, "out", setting.target().degree());
        let given = inputs(&mut b, &setting, self.pairs);
        match (self.halves, self.way) {
            (Some(_), _) => whole(&mut b, parts, &out, &given)?,
            (None, Way::OptimalAte) => Miller::new(&mut b, &setting, parts, out.array, &given)?.write(&mut b),
            (None, Way::Tate) => Tate::new(&mut b, &setting, parts, out.array, &given)?.write(&mut b),
        }
        let inputs = given.iter().flatten().flat_map(|element| element.numbered(s.layout)).collect();
        let claims = claims(&out, s.layout, &self.way.name().replace('-', "_"));
        Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
    }
}

/// The points of pairs.
fn inputs(b: &mut Builder, setting: &Setting, pairs: &[[&str; 2]]) -> Vec<[Element; 2]> {
    let [first, second] = setting.coordinates();
    let pair = |[p, q]: &[&str; 2]| {
        [Element::input(b, setting.layout, p, first), Element::input(b, setting.layout, q, second)]
    };
    pairs.iter().map(pair).collect()
}

/// The loop, then the exponentiation.
fn whole(b: &mut Builder, parts: &dyn Parts, out: &Element, given: &[[Element; 2]]) -> Result<(), NotApplicable> {
    let miller = Callee::new(b, parts.kernel(0)?, "miller");
    let exponentiation = Callee::new(b, parts.kernel(1)?, "exponentiation");
    miller.call(b, out.array, &given.iter().flatten().map(|point| point.array).collect::<Vec<_>>());
    exponentiation.call(b, out.array, &[out.array]);
    Ok(())
}

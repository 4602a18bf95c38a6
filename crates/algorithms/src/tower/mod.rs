//! Towers: products, squares and sums of extensions of a prime field, by formulas. A recipe is a formula of the highest
//! floor; [`floors`] chooses those of the floors below. Elements lie as the layouts of the prime field say, coordinate
//! after coordinate.

mod coordinatewise;
mod floors;
mod formula;
mod frobenius;
mod inverse;
mod means;
mod shape;

use evariste_descriptions::{Field, Tower};

pub use self::coordinatewise::{CONJUGATE, Coordinatewise, OPP, SUB, SUM};
pub(crate) use self::floors::{Lowest, number, over_the_lowest, over_the_prime_field, product_of_the_lowest};
pub use self::formula::{Sums, TowerFormula};
pub use self::frobenius::LINEAR;
pub(crate) use self::frobenius::kernel as frobenius_kernel;
pub use self::inverse::NORMS;
pub(crate) use self::inverse::{inverse_kernel, room};
pub(crate) use self::means::{Means, needs};
pub(crate) use self::shape::CUBIC;
use self::shape::Shape;
use crate::layout::Layout;
use crate::layouts;
use crate::recipe::Recipe;

/// The prime field below a tower.
pub fn ground(field: &Field) -> Option<Field> {
    field.get::<Tower>().map(|tower| Field::new(tower.base.clone()))
}

/// Are the polynomials of all floors `x^n − c`, of degrees that formulas know?
pub(crate) fn is_binomial(tower: &Tower) -> bool {
    Shape::are_binomial(tower)
}

/// The layouts of the prime field: digits of a coordinate.
pub fn tower_layouts(field: &Field, word: u32) -> Vec<Layout> {
    ground(field).map(|ground| layouts(&ground, word)).unwrap_or_default()
}

macro_rules! formula {
    ($operation:ident, $name:literal, $sums:ident) => {
        &TowerFormula::new(crate::Operation::$operation, $name, None, lazily!($sums, $name), Sums::$sums)
    };
    ($operation:ident, $name:literal, $sums:ident, $below:literal, $own:literal) => {
        &TowerFormula::new(crate::Operation::$operation, $name, Some($below), lazily!($sums, $own), Sums::$sums)
    };
}

macro_rules! lazily {
    (Reduced, $name:literal) => {
        $name
    };
    (Lazy, $name:literal) => {
        concat!($name, "-lazy")
    };
    (LazyCalls, $name:literal) => {
        concat!($name, "-lazy-calls")
    };
    (Calls, $name:literal) => {
        concat!($name, "-calls")
    };
    (NestedCalls, $name:literal) => {
        concat!($name, "-nested-calls")
    };
    (Sums, $name:literal) => {
        concat!($name, "-sums")
    };
}

macro_rules! formulas {
    ($($operation:ident: $($name:literal $(over $below:literal as $own:literal)?),+;)+) => {
        /// Formulas of highest floors, by operation; each with every product reduced, and with sums of products.
        pub const FORMULAS: &[&dyn Recipe] = &[
            $($(formula!($operation, $name, Reduced $(, $below, $own)?)),+),+,
            $($(formula!($operation, $name, Lazy $(, $below, $own)?)),+),+,
            $($(formula!($operation, $name, LazyCalls $(, $below, $own)?)),+),+,
            $($(formula!($operation, $name, Calls $(, $below, $own)?)),+),+,
            $($(formula!($operation, $name, Sums $(, $below, $own)?)),+),+,
            $($(formula!($operation, $name, NestedCalls $(, $below, $own)?)),+),+,
        ];
    };
}

formulas! {
    MUL: "quadratic-schoolbook",
        "quadratic-karatsuba",
        "quadratic-karatsuba" over "toom-3i" as "quadratic-karatsuba-toom-3i",
        "cubic-schoolbook",
        "karatsuba-3",
        "karatsuba-3-shared",
        "toom-3-tripled-once",
        "toom-3i",
        "karatsuba-2-2",
        "quartic-sixth-roots",
        "karatsuba-2-3",
        "sextic-fifth-roots",
        "sextic-low-norm",
        "third-root-karatsuba",
        "sixth-root-karatsuba",
        "fifth-root-karatsuba";
    SQUARE: "quadratic-schoolbook-square",
        "quadratic-karatsuba-square",
        "quadratic-complex-square",
        "quadratic-complex-square" over "toom-3i" as "quadratic-complex-square-toom-3i",
        "gauss-complex-square",
        "karatsuba-3-square",
        "chung-hasan-1",
        "chung-hasan-2",
        "chung-hasan-3",
        "chung-hasan-3x",
        "toom-3-square",
        "toom-3i-square",
        "karatsuba-2-2-square",
        "quartic-complex-square",
        "quartic-sixth-roots-square",
        "sextic-complex-square",
        "sextic-fifth-roots-square",
        "sextic-low-norm-square",
        "third-root-square",
        "sixth-root-square",
        "fifth-root-karatsuba-square";
}

/// What has no formula: coordinate by coordinate.
pub const COORDINATEWISE: &[&dyn Recipe] = &[&SUM, &SUB, &OPP, &CONJUGATE];

/// What repeats formulas floor by floor.
pub const PROGRAMS: &[&dyn Recipe] = &[&NORMS, &LINEAR];

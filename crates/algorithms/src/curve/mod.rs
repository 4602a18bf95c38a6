//! Elliptic curves over prime fields: sums, doublings and opposites of points by formulas, multiples by windows, ladders.
//!
//! A point is an array of coordinates ([`coordinates`]), each in the digits of a layout of the prime field. What is done
//! with few points is a formula, whose kernel the formula's own polynomials judge ([`formula`]). What repeats formulas is
//! a program with public trip counts; bits and digits of scalars reach choices alone.

pub mod coordinates;
mod digits;
mod exchange;
mod formula;
mod jacobian;
mod ladder;
mod multiple;
mod samples;
mod select;
mod words;

use evariste_descriptions::{Curve, CurveShape, Field, Modulus};

pub use self::digits::unpack_bits;
pub use self::exchange::{DECODE, ENCODE, EXCHANGE, Exchange, PUBLIC_KEY};
pub use self::formula::PointFormula;
pub use self::ladder::{CLAMPED_LADDER, LADDER};
pub use self::multiple::{BASE_MULTIPLE, JACOBIAN_BASE_MULTIPLE, JACOBIAN_MULTIPLE, MULTIPLE};
pub use self::samples::samples;
pub use self::select::SELECT;
use crate::layout::Layout;
use crate::layouts;
use crate::recipe::{Need, Recipe};
use crate::signature::NotApplicable;

/// The prime field below a curve, where it stands on one.
pub fn ground(field: &Field) -> Option<Field> {
    let curve = field.get::<Curve>()?;
    curve.field().get::<Modulus>().is_some().then(|| curve.field().clone())
}

/// The layouts of the prime field: digits of a coordinate. None for curves whose sums have exceptions: there are no
/// kernels of them.
pub fn curve_layouts(field: &Field, word: u32) -> Vec<Layout> {
    let Ok((curve, _)) = curve_of(field) else { return Vec::new() };
    if curve.equation.shape == CurveShape::Weierstrass && !formula::complete(curve) {
        return Vec::new();
    }
    layouts(curve.field(), word)
}

/// A curve with the prime field below it.
fn curve_of(field: &Field) -> Result<(&Curve, &Modulus), NotApplicable> {
    let curve = field.get::<Curve>().and_then(|curve| Some((curve, curve.field().get::<Modulus>()?)));
    curve.ok_or_else(|| NotApplicable("only curves over prime fields have such kernels".into()))
}

/// The operations of the prime field that formulas are made of, in the order of [`crate::lowering::Operations`].
const OPERATIONS: &[Need] = &[
    Need::ground(crate::Operation::MUL),
    Need::ground(crate::Operation::SQUARE),
    Need::ground(crate::Operation::ADD),
    Need::ground(crate::Operation::SUB),
    Need::ground(crate::Operation::OPP),
];

/// How many bits scalars of kernels have: those of the number of points, or of the field where that is more.
pub fn scalar_bits(curve: &Curve) -> u32 {
    let points = curve.order.as_ref().zip(curve.cofactor.as_ref()).map(|(order, cofactor)| (order * cofactor).bits());
    let most = u64::from(curve.field().bits()) + 1;
    points.map_or(most, |bits| bits.max(most - 1)) as u32
}

macro_rules! formulas {
    ($($operation:ident on $shape:ident: $($name:literal if $when:ident),+;)+) => {
        /// Formulas of points, by operation.
        pub const FORMULAS: &[&dyn Recipe] = &[$($(
            &PointFormula::new(
                crate::Operation::$operation,
                $name,
                evariste_descriptions::CurveShape::$shape,
                formula::$when,
            )
        ),+),+];
    };
}

formulas! {
    ADD on Weierstrass:
        "complete-addition-minus-3" if complete_minus_three,
        "complete-addition-0" if complete_zero,
        "complete-addition" if complete;
    ADD on Edwards:
        "edwards-addition-minus-1" if minus_one,
        "edwards-addition" if any;
    DOUBLE on Weierstrass:
        "complete-doubling-minus-3" if complete_minus_three,
        "complete-doubling-0" if complete_zero,
        "complete-doubling" if complete;
    DOUBLE on Edwards:
        "edwards-doubling-minus-1" if minus_one,
        "edwards-doubling" if any;
    OPP on Weierstrass: "opposite" if any;
    OPP on Edwards: "opposite-edwards" if any;
}

/// What repeats formulas, and choices.
pub const PROGRAMS: &[&dyn Recipe] = &[
    &SELECT,
    &MULTIPLE,
    &JACOBIAN_MULTIPLE,
    &BASE_MULTIPLE,
    &JACOBIAN_BASE_MULTIPLE,
    &LADDER,
    &CLAMPED_LADDER,
    &DECODE,
    &ENCODE,
    &EXCHANGE,
    &PUBLIC_KEY,
];

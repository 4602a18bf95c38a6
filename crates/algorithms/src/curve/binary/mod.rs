//! Curves over binary fields: ladders on first coordinates, and what recovers the second one.
//!
//! Points are (X : Y : Z) as on other curves; kernels give Z as 0 or 1.

mod ladder;
mod member;
mod multiple;

use evariste_descriptions::{BinaryField, Curve, CurveShape, Field};
use num_bigint::BigUint;

pub use self::ladder::{LADDER, SLICED_LADDER};
pub(super) use self::member::{Member, Traces, member};
pub use self::multiple::{BASE_MULTIPLE, MULTIPLE, SLICED_BASE_MULTIPLE, SLICED_MULTIPLE};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Need, Of, Pick, Recipe};
use crate::signature::NotApplicable;

/// A curve with the binary field below it.
pub(super) fn curve_of(field: &Field) -> Result<(&Curve, &BinaryField), NotApplicable> {
    let curve = field.get::<Curve>().filter(|curve| curve.equation.shape == CurveShape::Binary);
    let both = curve.and_then(|curve| Some((curve, curve.field().get::<BinaryField>()?)));
    both.ok_or_else(|| NotApplicable("only curves over binary fields have such kernels".into()))
}

/// Is it such a curve?
pub fn is_binary(field: &Field) -> bool {
    curve_of(field).is_ok()
}

/// Is it such a curve, in words?
pub(super) fn has_points(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && curve_of(field).is_ok()
}

/// The layouts of the field that have whole bytes in their words.
pub(super) fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    let all = curve_of(field).map(|(curve, _)| crate::layouts(curve.field(), word)).unwrap_or_default();
    all.into_iter().filter(|layout| layout.word >= 8).collect()
}

/// The operations of the field that ladders are made of.
const OPERATIONS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::INVERSE),
];

/// Those of bit-sliced ladders, whose products are loops: a step has six. Products of the shortest fields have none.
const SLICED_OPERATIONS: &[Need] = &[
    Need { operation: Operation::MUL, pick: Pick::Preferred(ROLLED), of: Of::Ground },
    Need { operation: Operation::SQUARE, pick: Pick::Fewest, of: Of::Ground },
    Need::ground(Operation::ADD),
    Need {
        operation: Operation::INVERSE,
        pick: Pick::Preferred(&[&["itoh-tsujii-rolled"], &["itoh-tsujii"]]),
        of: Of::Ground,
    },
];

const ROLLED: &[&[&str]] =
    &[&["optimal-polynomial-rolled"], &["polynomial-rolled"], &["kwon"], &["matrix"], &["polynomial-blocks"]];

/// Is it such a curve, bit-sliced?
fn has_sliced_points(field: &Field, layout: &Layout) -> bool {
    layout.word == 1 && curve_of(field).is_ok()
}

/// The number of a constant of a curve's formulas: `y² + xy = x³ + a x² + b`, `c² = b`.
fn number(curve: &Curve, f: &BinaryField, name: &str) -> Option<BigUint> {
    let [a, b] = &curve.equation.coefficients;
    match name {
        "a" => Some(a.clone()),
        "b" => Some(b.clone()),
        "c" => Some(f.root(b)),
        _ => None,
    }
}

/// What kernels of binary curves are made of.
pub(super) const RECIPES: &[&dyn Recipe] =
    &[&MULTIPLE, &BASE_MULTIPLE, &LADDER, &SLICED_MULTIPLE, &SLICED_BASE_MULTIPLE, &SLICED_LADDER];

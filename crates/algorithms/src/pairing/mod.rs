//! Pairings: Miller loops and final exponentiations over the prime field, by formulas of towers and of points on twists.
//!
//! A point is its two affine coordinates, each of one or two coordinates over the prime field; the neutral element is
//! (0, 0), which lies on no curve `y² = x³ + b`. A value is an element of the target. The steps are formulas, whose
//! kernels their own polynomials judge; loops run over the bits of the number that defines the curve, which is public.

mod exponent;
mod kernels;
mod miller;
pub mod power;
mod setting;
mod values;

use evariste_descriptions::{Field, Pairing, Part};
use num_bigint::BigUint;

pub use self::exponent::{EXPONENTIATION, EXPONENTIATION_MULTIPLE};
pub use self::miller::{MILLER, MULTI_MILLER, MULTI_PAIRING, PAIRING, PAIRING_MULTIPLE};
pub use self::setting::samples;
use crate::kinds::Given;
use crate::layout::Layout;
use crate::layouts;
use crate::operation::Holds;
use crate::recipe::Recipe;

/// The prime field below a pairing.
pub fn ground(field: &Field) -> Option<Field> {
    field.get::<Pairing>().map(|pairing| Field::new(pairing.target.base.clone()))
}

/// The layouts of the prime field, for pairings that have kernels.
pub fn pairing_layouts(field: &Field, word: u32) -> Vec<Layout> {
    match (setting::loops(field), ground(field)) {
        (Some(_), Some(ground)) if word >= 8 => layouts(&ground, word),
        _ => Vec::new(),
    }
}

/// An operand as kernels have it: a point's affine coordinates, a value's.
pub fn given(field: &Field, holds: Holds, x: &BigUint) -> Option<Given> {
    let pairing = field.get::<Pairing>()?;
    let coordinates = |curve: &evariste_descriptions::Curve| {
        let (x, y) = curve.unpacked(x).unwrap_or_default();
        let of = |x: &BigUint| setting::coordinates(curve.field(), x);
        Given::Elements([of(&x), of(&y)].concat())
    };
    match holds {
        Holds::Part(Part::First) => Some(coordinates(&pairing.first)),
        Holds::Part(Part::Second) => Some(coordinates(&pairing.second)),
        Holds::Part(Part::Target) => Some(Given::Elements(pairing.target.unpacked(x))),
        _ => None,
    }
}

/// What a pairing's kernels are made of.
pub const PROGRAMS: &[&dyn Recipe] =
    &[&MILLER, &MULTI_MILLER, &EXPONENTIATION, &EXPONENTIATION_MULTIPLE, &PAIRING, &PAIRING_MULTIPLE, &MULTI_PAIRING];

//! Pairings: Miller loops and final exponentiations over the prime field, by formulas of towers and of points.
//!
//! A point is its two affine coordinates, each of one or two coordinates over the prime field; the neutral element is
//! (0, 0), which is no point of order r. A value is an element of the target. The steps are formulas, whose
//! kernels their own polynomials judge; loops run over the bits of the number that defines the curve, which is public.

mod checked;
mod compressed;
mod exponent;
mod kernels;
mod loops;
mod miller;
pub mod power;
mod setting;
mod tate;
mod values;
mod work;

use evariste_descriptions::{Field, Pairing, Part};
use num_bigint::BigUint;

pub use self::checked::CHECKED;
pub use self::exponent::{EXPONENTIATION, EXPONENTIATION_MULTIPLE};
pub use self::loops::{OPTIMAL_ATE, TATE};
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

/// The curve of a group of a pairing.
pub fn group(field: &Field, part: Part) -> Option<Field> {
    let pairing = field.get::<Pairing>()?;
    let curve = match part {
        Part::First => &pairing.first,
        Part::Second => &pairing.second,
        _ => return None,
    };
    Some(Field::new(curve.clone()))
}

/// The layouts of the prime field.
pub fn pairing_layouts(field: &Field, word: u32) -> Vec<Layout> {
    let ground = ground(field).filter(|_| word >= 8);
    ground.map_or_else(Vec::new, |ground| layouts(&ground, word))
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

/// Final exponentiations.
pub const EXPONENTIATIONS: &[&dyn Recipe] = &[&EXPONENTIATION, &EXPONENTIATION_MULTIPLE];

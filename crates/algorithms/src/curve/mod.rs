//! Elliptic curves over prime fields and their extensions, and over binary ones ([`binary`]): sums, doublings and opposites
//! of points by formulas, multiples by windows, ladders.
//!
//! A point is an array of coordinates ([`coordinates`]), each in the digits of a layout of the prime field. What is done
//! with few points is a formula, whose kernel the formula's own polynomials judge ([`formula`]). What repeats formulas is
//! a program with public trip counts; bits and digits of scalars reach choices alone.

mod base_windows;
pub mod binary;
mod comb;
pub mod coordinates;
mod decomposition;
mod digits;
mod double_multiple;
mod edwards_base_windows;
mod endomorphism;
mod exceptions;
mod exchange;
mod formula;
mod glv;
mod jacobian;
mod jacobian_multiple;
mod ladder;
mod lattice;
mod look_ups;
mod montgomery_base_multiple;
mod multiple;
mod public_multiple;
mod rungs;
mod samples;
mod select;
mod setting;
mod subgroup;
mod words;

use evariste_descriptions::{Curve, Field};

pub use self::comb::BASE_MULTIPLE;
pub use self::digits::unpack_bits;
pub use self::double_multiple::{DOUBLE_MULTIPLE, JACOBIAN_DOUBLE_MULTIPLE};
pub use self::exceptions::CHOSEN_SUM;
pub use self::exchange::{
    COMPRESS, COMPRESSED_EXCHANGE, DECODE, DECOMPRESS, DECOMPRESS_MEMBER, ENCODE, EXCHANGE, Exchange, MAP, MEMBER,
    PUBLIC_KEY,
};
pub use self::formula::PointFormula;
pub use self::glv::{HALVES, JACOBIAN_HALVES, JACOBIAN_SUMS_OF_HALVES};
pub use self::jacobian_multiple::JACOBIAN_SUMS;
pub use self::ladder::{CLAMPED_LADDER, CLAMPED_SIDE_BY_SIDE, LADDER, LADDER_SIDE_BY_SIDE};
pub use self::multiple::{JACOBIAN_MULTIPLE, MULTIPLE};
pub use self::samples::{samples, uncompressed};
pub use self::select::SELECT;
use self::setting::curve_of;
pub use self::setting::scalar_bits;
pub use self::subgroup::{BY_ENDOMORPHISM, BY_ORDER};
pub(crate) use self::words::Bytes;
use crate::layout::Layout;
use crate::layouts;
use crate::recipe::Recipe;

/// The prime or binary field below a curve, where it stands on one, or on a tower of one floor.
pub fn ground(field: &Field) -> Option<Field> {
    let curve = field.get::<Curve>()?;
    match curve_of(field) {
        Ok((_, prime)) => Some(Field::new(prime.clone())),
        Err(_) => binary::curve_of(field).is_ok().then(|| curve.field().clone()),
    }
}

/// The layouts of the field: digits of a coordinate.
pub fn curve_layouts(field: &Field, word: u32) -> Vec<Layout> {
    if curve_of(field).is_err() {
        return binary::layouts(field, word);
    }
    ground(field).map(|ground| layouts(&ground, word)).unwrap_or_default()
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
        "complete-doubling-minus-3" if minus_three,
        "complete-doubling-0" if zero,
        "complete-doubling" if any;
    DOUBLE on Edwards:
        "edwards-doubling-minus-1" if minus_one,
        "edwards-doubling" if any;
    OPP on Weierstrass: "opposite" if any;
    OPP on Edwards: "opposite-edwards" if any;
}

/// What repeats formulas, and choices.
pub const PROGRAMS: &[&dyn Recipe] = &[
    &CHOSEN_SUM,
    &SELECT,
    &HALVES,
    &JACOBIAN_SUMS_OF_HALVES,
    &JACOBIAN_HALVES,
    &JACOBIAN_SUMS,
    &JACOBIAN_MULTIPLE,
    &MULTIPLE,
    &base_windows::SIX,
    &base_windows::FIVE,
    &base_windows::SEVEN,
    &base_windows::FOUR,
    &edwards_base_windows::FIVE,
    &edwards_base_windows::FOUR,
    &edwards_base_windows::SIX,
    &BASE_MULTIPLE,
    &DOUBLE_MULTIPLE,
    &JACOBIAN_DOUBLE_MULTIPLE,
    &LADDER,
    &CLAMPED_LADDER,
    &LADDER_SIDE_BY_SIDE,
    &CLAMPED_SIDE_BY_SIDE,
    &montgomery_base_multiple::FIVE,
    &montgomery_base_multiple::FOUR,
    &montgomery_base_multiple::SIX,
    &montgomery_base_multiple::BY_LADDER,
    &BY_ENDOMORPHISM,
    &BY_ORDER,
    &DECODE,
    &ENCODE,
    &EXCHANGE,
    &PUBLIC_KEY,
    &MEMBER,
    &MAP,
    &DECOMPRESS,
    &DECOMPRESS_MEMBER,
    &COMPRESS,
    &COMPRESSED_EXCHANGE,
];

/// Those of binary curves.
pub const BINARY: &[&dyn Recipe] = binary::RECIPES;

//! Kinds of descriptions: what a field of each has in words. One file a kind, and one line of the table; the kinds
//! themselves (text, exact arithmetic) are described in `descriptions`.

mod kind;

use evariste_descriptions::Field;

use crate::lanes::layouts::radix_of_words;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};
use num_bigint::BigUint;

pub use kind::{Given, Kind, Mix, curve_mix};

/// Declares the kinds' files and lists them: a line is a file.
macro_rules! kinds {
    ($($file:ident;)+) => {
        $(mod $file;)+

        /// Every kind.
        pub const KINDS: &[Kind] = &[$($file::KIND),+];
    };
}

kinds! {
    modulus;
    binary;
    integers;
    odd_moduli;
    dfc;
    wg;
    mmh;
    tmmh;
    square_hash;
    tower;
    curve;
    pairing;
}

/// The kind of a field. (A test holds that every kind that can be described is here.)
pub fn kind(field: &Field) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| (kind.describes)(field))
}

/// The layouts of a field for one word size, most usual first.
pub fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    kind(field).map(|kind| (kind.layouts)(field, word)).unwrap_or_default()
}

/// The layouts for lanes, in words of `word` bits whose multiply-add takes `radix` bits: see [`crate::lanes::layouts`].
pub fn lane_layouts(field: &Field, word: u32, radix: u32) -> Vec<Layout> {
    kind(field).map(|kind| (kind.lane_layouts)(field, word, radix)).unwrap_or_default()
}

/// The layouts for words of that many bits that multiply by halves, without lanes: those for lanes in Montgomery form and
/// in clean digits, of the radix that [`radix_of_words`] says. None of fields whose elements are a word.
pub fn halved_layouts(field: &Field, word: u32) -> Vec<Layout> {
    let radix = radix_of_words(field.bits(), word).filter(|_| field.bits() > word);
    let all = radix.map(|radix| lane_layouts(field, word, radix)).unwrap_or_default();
    all.into_iter().filter(|layout| layout.montgomery.is_some() && layout.resting.low.is_none()).collect()
}

/// The operations that the reference has of a field whether or not a layout has a plan for them.
pub fn exact(field: &Field) -> Vec<Operation> {
    kind(field).map(|kind| (kind.exact)(field)).unwrap_or_default()
}

/// The field whose operations recipes need: the field below a tower, else the field itself.
pub fn ground(field: &Field) -> Field {
    kind(field).and_then(|kind| (kind.ground)(field)).unwrap_or_else(|| field.clone())
}

/// An operand of a structure, as kernels have it.
pub fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    kind(field).map_or_else(|| kind::element(field, holds, x), |kind| (kind.given)(field, holds, x))
}

/// The result whose elements kernels gave, where they are those of one.
pub fn result(field: &Field, holds: Holds, x: &[BigUint]) -> Option<BigUint> {
    kind(field).and_then(|kind| (kind.result)(field, holds, x))
}

/// Operands of an operation that numbers at random are not, in the order of a contract.
pub fn samples(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Vec<BigUint>> {
    kind(field).map(|kind| (kind.samples)(field, layout, operation)).unwrap_or_default()
}

/// Is an element at rest in this layout the only one of its value? Of integers and polynomials it always is.
pub fn is_canonical(field: &Field, layout: &Layout) -> bool {
    kind(field).is_some_and(|kind| (kind.is_canonical)(field, layout))
}

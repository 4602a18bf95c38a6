//! Binary fields in a normal basis, over one-bit words: one word a coordinate, so that every machine word holds one coordinate of many
//! elements (bit-slicing). Not for a single element on a word machine.

use crate::registry::Whole;

pub mod add;
pub mod aesmpo;
pub mod coordinates;
pub mod squaring;

/// Registry lines of this folder.
pub const WHOLE: &[Whole] = &[aesmpo::ROLLED, aesmpo::UNROLLED, squaring::SQUARING, add::XOR];

//! What points are multiplied by: natural numbers in words.

use std::fmt;

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_descriptions::{Curve, Part};
use num_bigint::BigUint;

use super::Structured;
use crate::storage::Storage;

/// Scalars, one an element or one for all.
#[derive(Clone)]
pub struct Scalars {
    numbers: Vec<BigUint>,
}

impl Structured {
    /// How many bits scalars have that are taken as they are; none of what is no curve.
    pub fn scalar_bits(&self) -> Option<u32> {
        self.field.get::<Curve>().map(evariste_algorithms::curve::scalar_bits)
    }

    /// Scalars from natural numbers; those longer than the group's order are taken modulo it, where it is known.
    pub fn scalars(&self, numbers: &[BigUint]) -> Scalars {
        let one = |k: &BigUint| match kinds::given(&self.field, Holds::Part(Part::Scalars), k) {
            Given::Number(k) => k,
            Given::Elements(_) => k.clone(),
        };
        Scalars { numbers: numbers.iter().map(one).collect() }
    }
}

impl Scalars {
    /// How many.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// In so many words each, in the order of lanes.
    pub(super) fn in_lanes(&self, row: usize, words: usize) -> Result<Storage, String> {
        let mut out = Storage::zeroed(self.numbers.len().div_ceil(row) * row * words);
        for (index, number) in self.numbers.iter().enumerate() {
            if number.bits() > 64 * words as u64 {
                return Err(format!("scalar {index} has {} bits: {} are the most here", number.bits(), 64 * words));
            }
            let start = index / row * row * words + index % row;
            for (i, word) in number.iter_u64_digits().enumerate() {
                out.words_mut()[start + i * row] = word;
            }
        }
        Ok(out)
    }
}

/// How many; never the numbers, which may be secret.
impl fmt::Debug for Scalars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalars({})", self.numbers.len())
    }
}

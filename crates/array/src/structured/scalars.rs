//! What points are multiplied by: natural numbers in words.

use std::fmt;

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_descriptions::{Curve, Part};
use evariste_jit::slices::slice;
use num_bigint::BigUint;

use super::Structured;
use crate::engine::Kernels;
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

    /// In so many digits each, in the order of lanes: words of 64 bits, or bits where elements are bit-sliced.
    pub(super) fn in_lanes(&self, kernels: &Kernels, digits: usize) -> Result<Storage, String> {
        let (row, lanes, bits) = (kernels.row(), kernels.lanes(), kernels.digit_bits() as usize);
        let (groups, n) = (self.numbers.len().div_ceil(lanes), (bits * digits).div_ceil(64));
        let mut words = Storage::zeroed(groups * lanes * n);
        for (index, number) in self.numbers.iter().enumerate() {
            if number.bits() > (bits * digits) as u64 {
                let most = bits * digits;
                return Err(format!("scalar {index} has {} bits: {most} are the most here", number.bits()));
            }
            for (i, word) in number.iter_u64_digits().enumerate() {
                words.words_mut()[(index / lanes * n + i) * lanes + index % lanes] = word;
            }
        }
        if bits > 1 {
            return Ok(words);
        }
        let mut rows = Storage::zeroed(groups * row * digits);
        slice(digits, row, words.words(), rows.words_mut());
        Ok(rows)
    }
}

/// How many; never the numbers, which may be secret.
impl fmt::Debug for Scalars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalars({})", self.numbers.len())
    }
}

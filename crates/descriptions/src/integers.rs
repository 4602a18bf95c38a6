//! Plain integers: products without a reduction.

use crate::{MAXIMUM_BITS, MINIMUM_BITS};
use num_bigint::BigUint;
use num_traits::One;

/// The integers 0 … 2^bits − 1, whose products have 2·bits bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Integers {
    /// Bits of an operand.
    pub bits: u32,
}

impl Integers {
    /// Integers of `bits` bits; `None` outside 2 … 4096.
    pub fn new(bits: u32) -> Option<Self> {
        (MINIMUM_BITS..=MAXIMUM_BITS).contains(&bits).then_some(Self { bits })
    }

    /// The largest operand, 2^bits − 1.
    pub fn maximum(&self) -> BigUint {
        (BigUint::one() << self.bits) - 1u32
    }

    /// a·b, exactly.
    pub fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a * b
    }

    /// a², exactly.
    pub fn square(&self, a: &BigUint) -> BigUint {
        a * a
    }
}

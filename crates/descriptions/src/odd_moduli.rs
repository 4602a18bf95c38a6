//! Odd moduli supplied at run time: of the modulus only its greatest length is known here.

use crate::{MAXIMUM_BITS, MINIMUM_BITS};
use num_bigint::BigUint;
use num_traits::One;

/// Integers modulo any odd number of at most so many bits, with slow and obvious arithmetic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OddModuli {
    /// Bits of the longest modulus.
    pub bits: u32,
}

impl OddModuli {
    /// Moduli below 2^bits; `None` outside 2 … 4096 bits.
    pub fn new(bits: u32) -> Option<Self> {
        (MINIMUM_BITS..=MAXIMUM_BITS).contains(&bits).then_some(Self { bits })
    }

    /// Is it one of them?
    pub fn contains(&self, modulus: &BigUint) -> bool {
        modulus.bit(0) && modulus.bits() <= u64::from(self.bits)
    }

    /// a·b mod m; 0 for m = 0.
    pub fn mul(&self, a: &BigUint, b: &BigUint, modulus: &BigUint) -> BigUint {
        (a * b).modpow(&BigUint::one(), &modulus.max(&BigUint::one()).clone())
    }
}

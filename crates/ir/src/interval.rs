//! Intervals of integers.

use num_bigint::BigInt;
use num_traits::{One, Zero};

/// A closed interval of integers, never empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Least value.
    pub lo: BigInt,
    /// Greatest value.
    pub hi: BigInt,
}

/// `2^k`.
pub fn pow2(k: u32) -> BigInt {
    BigInt::one() << k
}

/// Number of bits of a non-negative integer (0 for 0).
pub fn bit_length(x: &BigInt) -> u32 {
    x.bits() as u32
}

impl Interval {
    /// `[lo, hi]`.
    pub fn new(lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> Interval {
        Interval { lo: lo.into(), hi: hi.into() }
    }

    /// `[0, hi]`.
    pub fn up_to(hi: impl Into<BigInt>) -> Interval {
        Interval { lo: BigInt::zero(), hi: hi.into() }
    }

    /// `[0, 2^k − 1]`.
    pub fn bits(k: u32) -> Interval {
        Interval::up_to(pow2(k) - 1)
    }

    /// `[x, x]`.
    pub fn point(x: impl Into<BigInt>) -> Interval {
        let x = x.into();
        Interval { lo: x.clone(), hi: x }
    }

    /// The single value, if there is only one.
    pub fn constant(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    /// Is every value of `self` in `other`?
    pub fn within(&self, other: &Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// Does it contain `x`?
    pub fn contains(&self, x: &BigInt) -> bool {
        &self.lo <= x && x <= &self.hi
    }

    /// The smallest interval that contains both.
    pub fn hull(&self, other: &Interval) -> Interval {
        Interval { lo: (&self.lo).min(&other.lo).clone(), hi: (&self.hi).max(&other.hi).clone() }
    }

    /// The common part, if any.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let lo = (&self.lo).max(&other.lo).clone();
        let hi = (&self.hi).min(&other.hi).clone();
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// `self + other`.
    pub fn add(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    /// `self − other`.
    pub fn sub(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo - &other.hi, hi: &self.hi - &other.lo }
    }

    /// `self · other`.
    pub fn mul(&self, other: &Interval) -> Interval {
        let products = [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        let lo = products.iter().min().unwrap_or(&products[0]).clone();
        let hi = products.iter().max().unwrap_or(&products[0]).clone();
        Interval { lo, hi }
    }

    /// `⌊self / 2^k⌋`.
    pub fn shr(&self, k: u32) -> Interval {
        Interval { lo: &self.lo >> k, hi: &self.hi >> k }
    }

    /// `self · 2^k`.
    pub fn shl(&self, k: u32) -> Interval {
        Interval { lo: &self.lo << k, hi: &self.hi << k }
    }

    /// `self mod 2^k` (floor modulo).
    pub fn low_bits(&self, k: u32) -> Interval {
        if &self.lo >> k == &self.hi >> k {
            let base = (&self.lo >> k) << k;
            return Interval { lo: &self.lo - &base, hi: &self.hi - &base };
        }
        Interval::bits(k)
    }
}

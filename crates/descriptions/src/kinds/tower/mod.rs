//! Towers of extensions over a prime field, with reference arithmetic: slow and obviously right.
//!
//! An element is a natural number: its coordinates over the prime field at multiples of the prime's bits, lowest first.
//! Coordinates are those of [`Ring`]: of the lowest power of the highest variable first, and so downwards.

mod again;
mod description;
mod irreducible;
mod names;
mod polynomials;
mod ring;
mod structure;
pub(crate) mod text;

use num_bigint::BigUint;
use num_traits::Zero;

pub(crate) use self::description::KIND;
pub use self::names::{NamedTower, named_towers};
pub use self::ring::{Element, Floor, Ring};
use super::modulus::Modulus;

/// The largest degree over the prime field.
pub const MAXIMUM_TOWER_DEGREE: usize = 24;
/// The most bits of the prime that a tower stands on.
pub const MAXIMUM_TOWER_BITS: u32 = 1024;

/// A tower of extensions. Built by parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The prime field.
    pub base: Modulus,
    /// The floors, with arithmetic on lists of coordinates.
    pub ring: Ring,
    /// The floors as a description has them: `[u]/(u^2+1)[v]/(v^3-(1+u))`.
    pub floors: String,
    /// The entry of the table of names that it has.
    pub named: Option<&'static NamedTower>,
}

impl Tower {
    /// How many floors it has.
    pub fn height(&self) -> usize {
        self.ring.floors.len()
    }

    /// The degree over the prime field.
    pub fn degree(&self) -> usize {
        self.ring.size(self.height())
    }

    /// The coordinates of an element, canonical.
    pub fn unpacked(&self, a: &BigUint) -> Element {
        let mask = (BigUint::from(1u32) << self.base.bits) - 1u32;
        (0..self.degree()).map(|i| (a >> (i * self.base.bits as usize) & &mask) % &self.base.value).collect()
    }

    /// The element with these coordinates.
    pub fn packed(&self, coordinates: &[BigUint]) -> BigUint {
        coordinates.iter().rev().fold(BigUint::zero(), |packed, c| (packed << self.base.bits) + c)
    }

    /// `a^p`.
    pub fn frobenius(&self, a: &BigUint) -> BigUint {
        self.packed(&self.ring.frobenius(self.height(), &self.unpacked(a)))
    }

    /// The other root in place of the highest variable, where its polynomial is of degree 2: `a0 − a1·w` for
    /// `a0 + a1·w` and `w^2 = c`.
    pub fn conjugate(&self, a: &BigUint) -> Option<BigUint> {
        let (top, below) = (self.height(), self.height() - 1);
        let [_, linear] = &self.ring.floors[below].polynomial[..] else { return None };
        let a = self.unpacked(a);
        let (low, high) = a.split_at(self.ring.size(below));
        // w·w' is the constant coefficient and w + w' = −linear.
        let low = self.ring.subtract(low, &self.ring.multiply(below, high, linear));
        let conjugate = [low, self.ring.negate(high)].concat();
        debug_assert_eq!(conjugate.len(), self.ring.size(top));
        Some(self.packed(&conjugate))
    }
}

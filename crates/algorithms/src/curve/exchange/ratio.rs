//! Roots of ratios without a division.
//!
//! * **computes** a root of n/d where that is a square, else one of Z·n/d; and which of both.
//! * **needs** Z that is no square, d other than 0, a prime p ≡ 3 modulo 4 or 5 modulo 8; a kernel of the power
//!   [`root_exponent`].
//! * **gives** a resting element. Time does not depend on n and d.
//! * **cost** a power and 8 products or 15.
//! * **source** RFC 9380 (2023), appendices F.2.1.2 and F.2.1.3.

use evariste_descriptions::Modulus;
use evariste_ir::{Array, Builder, Value};
use num_bigint::BigUint;

use super::field::{FieldCalls, FieldOf};
use super::mapped::Constants;
use crate::prime::power::Callee;

/// Are there such roots?
pub(super) fn has_ratios(modulus: &Modulus) -> bool {
    modulus.prime && (is_three(modulus) || &modulus.value % 8u32 == 5u32.into())
}

/// Is p ≡ 3 modulo 4?
fn is_three(modulus: &Modulus) -> bool {
    &modulus.value % 4u32 == 3u32.into()
}

/// `(p − 3)/4` or `(p − 5)/8`.
pub(super) fn root_exponent(modulus: &Modulus) -> BigUint {
    &modulus.value >> if is_three(modulus) { 2u32 } else { 3 }
}

/// Constants of the roots.
pub(super) enum Roots {
    /// Modulo 4 is p = 3: a root of −Z.
    Three(Array),
    /// Modulo 8 is p = 5: a root i of −1, and one of Z/i.
    Five([Array; 2]),
    /// Over a quadratic field: a root of minus the norm of Z, and 1/2.
    Quadratic([Array; 2]),
}

impl FieldCalls<'_> {
    pub(super) fn roots(&self, b: &mut Builder, modulus: &Modulus, z: &BigUint) -> Option<Roots> {
        if let FieldOf::Tower(tower) = self.of {
            return self.quadratic_roots(b, tower, z);
        }
        if is_three(modulus) {
            let root = modulus.root(&modulus.neg(z))?;
            return Some(Roots::Three(self.constant(b, "map_root", &root)));
        }
        let i = modulus.root(&modulus.neg(&1u32.into()))?;
        let other = modulus.root(&modulus.mul(z, &modulus.inverse(&i)?))?;
        let all = [("map_i", i), ("map_root", other)];
        Some(Roots::Five(all.map(|(name, number)| self.constant(b, name, &number))))
    }

    /// A root of n/d where that is a square, else one of Z·n/d; and the word that says which.
    pub(super) fn root_of_ratio(
        &self,
        b: &mut Builder,
        of: &Constants,
        power: &Callee,
        [n, d]: [Array; 2],
    ) -> (Array, Value) {
        if let Roots::Quadratic(constants) = of.roots {
            return self.quadratic_root(b, of, power, constants, [n, d]);
        }
        let [s1, s2, root, other] = ["s1", "s2", "root", "other_root"].map(|name| self.element(b, name));
        self.square.call(b, s1, &[d]);
        match of.roots {
            // n·d·(n·d³)^((p−3)/4)
            Roots::Three(minus_z) => {
                self.mul.call(b, s2, &[n, d]);
                self.mul.call(b, s1, &[s1, s2]);
                power.call(b, root, &[s1]);
                self.mul.call(b, root, &[root, s2]);
                self.mul.call(b, other, &[root, minus_z]);
            }
            // n·d³·(n·d⁷)^((p−5)/8), the fourth power of which is (n/d)² or −(n/d)²
            Roots::Five([i, root_of_z]) => {
                self.mul.call(b, s2, &[s1, d]);
                self.square.call(b, s1, &[s1]);
                self.mul.call(b, s2, &[s2, n]);
                self.mul.call(b, s1, &[s1, s2]);
                power.call(b, root, &[s1]);
                self.mul.call(b, root, &[root, s2]);
                self.mul.call(b, other, &[root, root_of_z]);
                self.mul.call(b, s2, &[n, of.z]);
                self.times_i_unless(b, of, [root, n, d], i, "tested_root");
                self.times_i_unless(b, of, [other, s2, d], i, "tested_other");
            }
            Roots::Quadratic(_) => {}
        }
        let is = self.is_root(b, [root, n, d], s1, "tested_ratio");
        self.chosen(b, of, root, is, [other, root]);
        (root, is)
    }

    /// Is `x²·d = n`? As a word.
    fn is_root(&self, b: &mut Builder, [x, n, d]: [Array; 3], scratch: Array, name: &str) -> Value {
        self.square.call(b, scratch, &[x]);
        self.mul.call(b, scratch, &[scratch, d]);
        self.sub().call(b, scratch, &[scratch, n]);
        self.is_zero(b, scratch, name)
    }

    /// `x = i·x`, but where `x²·d = n`.
    fn times_i_unless(&self, b: &mut Builder, of: &Constants, [x, n, d]: [Array; 3], i: Array, name: &str) {
        let scratch = self.element(b, &format!("{name}_i"));
        let is = self.is_root(b, [x, n, d], scratch, name);
        self.mul.call(b, scratch, &[x, i]);
        self.chosen(b, of, x, is, [scratch, x]);
    }
}

//! Elements of the field as points of Montgomery curves, and of the Edwards curves behind them: Elligator 2.
//!
//! * **computes** the point of RFC 9380 for an element u; on Edwards curves what a map makes of that of the Montgomery
//!   curve: for edwards25519 the birational one, for edwards448 the isogeny of degree 4.
//! * **needs** what [`super::mapped`] needs; curves `y² = x³ + Ax² + x`.
//! * **gives** resting coordinates, (X : Y : Z) on Montgomery curves, (X : Y : Z : T) on Edwards curves; the neutral element
//!   of these where a denominator is 0. No cofactor is cleared. Time does not depend on u.
//! * **cost** the root of a ratio and 8 products; the map to an Edwards curve 6 products, the isogeny 15.
//! * **source** Bernstein, Hamburg, Krasnova and Lange (2013); RFC 9380 (2023), sections 6.7 and 6.8, appendices D.1 and
//!   F.3; RFC 7748 (2016), section 4.2.

use evariste_descriptions::{Modulus, OfMontgomery, ToEdwards};
use evariste_ir::{Array, Builder, View};
use num_bigint::BigUint;

use super::field::FieldCalls;
use super::mapped::Constants;
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

impl FieldCalls<'_> {
    /// x, y and z with the point (x/z, y) on the Montgomery curve of the constants.
    pub(super) fn elligator(&self, b: &mut Builder, of: &Constants, power: &Callee, u: Array) -> [Array; 3] {
        let names = ["t1", "t2", "t3", "factor", "map_x", "map_y", "map_below", "minus"];
        let [t1, t2, t3, factor, x, y, z, minus] = names.map(|name| self.element(b, name));
        self.square.call(b, t1, &[u]);
        self.mul.call(b, t1, &[t1, of.z]);
        self.add.call(b, z, &[t1, of.one]);
        // Where 1 + Zu² is 0, u counts as 0.
        let is_zero = self.is_zero(b, z, "tested_t");
        self.chosen(b, of, z, is_zero, [z, of.one]);
        self.chosen(b, of, t1, is_zero, [t1, of.zero]);
        self.chosen(b, of, factor, is_zero, [u, of.zero]);
        // The right side at −A/z is −A·(z² − A²·Zu²)/z³, that at −A·Zu²/z is Zu² times it.
        self.square.call(b, t2, &[z]);
        self.mul.call(b, t3, &[of.b, t1]);
        self.sub().call(b, t3, &[t2, t3]);
        self.mul.call(b, t3, &[t3, of.a]);
        self.mul.call(b, t2, &[t2, z]);
        let (root, is_square) = self.root_of_ratio(b, of, power, [t3, t2]);
        self.mul.call(b, x, &[t1, of.a]);
        self.mul.call(b, y, &[factor, root]);
        self.chosen(b, of, x, is_square, [x, of.a]);
        self.chosen(b, of, y, is_square, [y, root]);
        // Odd where the first x is taken.
        let bytes = self.leave(b, View::whole(y), "map_y");
        let (odd, ty) = (b.low_bits(bytes[0], 1), b.word_type());
        let odd = if b.word() == 8 { odd } else { b.widen(odd, ty) };
        let differs = b.xor(odd, is_square);
        self.sub().call(b, minus, &[of.zero, y]);
        self.chosen(b, of, y, differs, [y, minus]);
        [x, y, z]
    }

    /// The point of an Edwards curve for (x/z, y).
    pub(super) fn to_edwards(
        &self,
        b: &mut Builder,
        of: &Constants,
        out: Array,
        (from, modulus, a): (&OfMontgomery, &Modulus, &BigUint),
        point: [Array; 3],
    ) -> Result<(), NotApplicable> {
        let [x, below_x, y, below_y] = match from.way {
            ToEdwards::Birational => self.birational(b, modulus, a, point)?,
            ToEdwards::FourIsogeny => self.four_isogeny(b, point),
        };
        let names = ["edwards_x", "edwards_y", "edwards_z", "edwards_t"];
        let [to_x, to_y, to_z, to_t] = names.map(|name| self.element(b, name));
        for (to, factors) in [(to_x, [x, below_y]), (to_y, [y, below_x]), (to_z, [below_x, below_y]), (to_t, [x, y])] {
            self.mul.call(b, to, &factors);
        }
        let is_neutral = self.is_zero(b, to_z, "tested_z");
        let all = [(to_x, of.zero), (to_y, of.one), (to_z, of.one), (to_t, of.zero)];
        for (i, (to, neutral)) in (0..).zip(all) {
            self.chosen(b, of, to, is_neutral, [to, neutral]);
            self.copied(b, out, i, to);
        }
        Ok(())
    }

    /// Numerators and denominators of `c·s/t` and `(s − 1)/(s + 1)`.
    fn birational(
        &self,
        b: &mut Builder,
        modulus: &Modulus,
        a: &BigUint,
        [x, y, z]: [Array; 3],
    ) -> Result<[Array; 4], NotApplicable> {
        let root = modulus.root(&modulus.neg(&modulus.add(a, &2u32.into())));
        let root = root.ok_or_else(|| NotApplicable("−(A + 2) is no square".into()))?;
        let even = if root.bit(0) { modulus.neg(&root) } else { root };
        let c = self.constant(b, "map_c", &even);
        let [n_x, d_x, n_y, d_y] = ["n_x", "d_x", "n_y", "d_y"].map(|name| self.element(b, &format!("edwards_{name}")));
        self.mul.call(b, n_x, &[c, x]);
        self.mul.call(b, d_x, &[y, z]);
        self.sub().call(b, n_y, &[x, z]);
        self.add.call(b, d_y, &[x, z]);
        Ok([n_x, d_x, n_y, d_y])
    }

    /// Numerators and denominators of the isogeny of degree 4: with `e = x² − z²` and `f = 2yz²`
    /// `2ef/(e² + f²)` and `2xz·(f² − e²)/(2xz·e² − f²·(x² + z²))`.
    fn four_isogeny(&self, b: &mut Builder, [x, y, z]: [Array; 3]) -> [Array; 4] {
        let names = ["xx", "zz", "e", "f", "xz", "n_x", "d_x", "n_y", "d_y"];
        let [xx, zz, e, f, xz, n_x, d_x, n_y, d_y] = names.map(|name| self.element(b, &format!("isogeny_{name}")));
        self.square.call(b, xx, &[x]);
        self.square.call(b, zz, &[z]);
        self.mul.call(b, f, &[y, zz]);
        self.add.call(b, f, &[f, f]);
        self.mul.call(b, xz, &[x, z]);
        self.add.call(b, xz, &[xz, xz]);
        self.sub().call(b, e, &[xx, zz]);
        self.add.call(b, xx, &[xx, zz]);
        self.mul.call(b, n_x, &[e, f]);
        self.add.call(b, n_x, &[n_x, n_x]);
        self.square.call(b, e, &[e]);
        self.square.call(b, f, &[f]);
        self.add.call(b, d_x, &[e, f]);
        self.sub().call(b, n_y, &[f, e]);
        self.mul.call(b, n_y, &[n_y, xz]);
        self.mul.call(b, d_y, &[xz, e]);
        self.mul.call(b, xx, &[xx, f]);
        self.sub().call(b, d_y, &[d_y, xx]);
        [n_x, d_x, n_y, d_y]
    }
}

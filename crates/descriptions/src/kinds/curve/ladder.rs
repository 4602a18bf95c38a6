//! The ladders: the first coordinate of `k·P` from that of P alone.
//!
//! Source: RFC 7748, section 5, for Montgomery curves; Lopez and Dahab, "Fast multiplication on elliptic curves over
//! GF(2^m) without precomputation" (1999), for binary ones.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::equation::{CurveShape, Equation};

/// A first coordinate `X/Z`.
type Projective = (BigUint, BigUint);

/// Where a ladder ends: `k·P` and `(k + 1)·P`.
pub type Rungs = [Projective; 2];

impl Equation {
    /// The ladder over so many bits of k, for the point with the first coordinate x; `None` for curves without one.
    pub fn rungs(&self, k: &BigUint, bits: u64, x: &BigUint) -> Option<Rungs> {
        let step: &dyn Fn(&Projective, &Projective) -> Rungs = match self.shape {
            CurveShape::Montgomery => &|low, high| self.montgomery_step(low, high, x),
            CurveShape::Binary => &|low, high| self.binary_step(low, high, x),
            CurveShape::Weierstrass | CurveShape::Edwards => return None,
        };
        let start = [(self.field.one(), BigUint::zero()), (x.clone(), self.field.one())];
        Some((0..bits).rev().fold(start, |[low, high], i| {
            if k.bit(i) {
                let [high, low] = step(&high, &low);
                [low, high]
            } else {
                step(&low, &high)
            }
        }))
    }

    /// The first coordinate of `k·P`, 0 for the neutral element.
    pub fn ladder(&self, k: &BigUint, x: &BigUint) -> Option<BigUint> {
        let [(x, z), _] = self.rungs(k, k.bits(), x)?;
        Some(self.quotient(&x, &z))
    }

    /// `2·low` and `low + high`, whose difference has the first coordinate x.
    fn montgomery_step(&self, low: &Projective, high: &Projective, x: &BigUint) -> Rungs {
        let (a, b) = (self.sum(&low.0, &low.1), self.difference(&low.0, &low.1));
        let (aa, bb) = (self.square(&a), self.square(&b));
        let e = self.difference(&aa, &bb);
        let da = self.product(&self.difference(&high.0, &high.1), &a);
        let cb = self.product(&self.sum(&high.0, &high.1), &b);
        // (A − 2)/4.
        let two = self.sum(&self.field.one(), &self.field.one());
        let quarter = self.quotient(&self.difference(&self.coefficients[0], &two), &self.square(&two));
        let twice = (self.product(&aa, &bb), self.product(&e, &self.sum(&aa, &self.product(&quarter, &e))));
        let sum = self.square(&self.sum(&da, &cb));
        [twice, (sum, self.product(x, &self.square(&self.difference(&da, &cb))))]
    }

    /// The same on a binary curve.
    fn binary_step(&self, low: &Projective, high: &Projective, x: &BigUint) -> Rungs {
        let (a, b) = (self.product(&low.0, &high.1), self.product(&high.0, &low.1));
        let z = self.square(&self.sum(&a, &b));
        let sum = (self.sum(&self.product(x, &z), &self.product(&a, &b)), z);
        let (u, v) = (self.square(&low.0), self.square(&low.1));
        // (U + c·V)² = U² + b·V².
        let twice = self.sum(&self.square(&u), &self.product(&self.coefficients[1], &self.square(&v)));
        [(twice, self.product(&u, &v)), sum]
    }
}

/// The scalar of X25519 and X448: a multiple of the cofactor with its highest bit set, in so many bits.
pub(crate) fn clamped(k: &BigUint, bits: u32, cofactor: &BigUint) -> BigUint {
    let top = BigUint::one() << (bits - 1);
    let low = k % &top;
    &low - &low % cofactor + top
}

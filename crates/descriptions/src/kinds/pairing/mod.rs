//! Pairings of two groups of points, with values in a tower; reference arithmetic, slow and obviously right.
//!
//! A value is an element of the target. Libraries disagree on the power of the pairing that they give:
//! [`Pairing::pairing`] has the exact exponent `(q − 1)/r` for a target of q elements, [`Pairing::multiple`] is the power
//! of it that the usual fast final exponentiations leave.

mod description;
mod miller;
mod settings;
mod structure;

use num_bigint::BigUint;
use num_traits::One;

pub(crate) use self::description::KIND;
use self::miller::{Chain, untwisted};
pub use self::settings::{NamedPairing, Way, named_pairings};
use super::curve::{Curve, Equation};
use super::tower::Tower;
use crate::{Field, Structure};

/// A setting of a pairing.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// Its entry of the table.
    pub named: &'static NamedPairing,
    /// The first group: multiples of the base point.
    pub first: Curve,
    /// The second group.
    pub second: Curve,
    /// The field of values.
    pub target: Tower,
    /// The order of both groups.
    pub order: BigUint,
    /// Which power of the pairing the usual fast final exponentiation gives.
    pub multiple: BigUint,
    /// The first curve over the target.
    over: Equation,
    /// The number that defines curves of a family; 0 for others.
    x: BigUint,
}

impl Pairing {
    /// The Miller function of two points, before the final exponentiation. Other ways to compute it give other values
    /// that differ by what the exponentiation makes 1.
    pub fn miller(&self, p: &BigUint, q: &BigUint) -> BigUint {
        let (Some(p), Some(q)) = (self.first.unpacked(p), self.second.unpacked(q)) else { return self.target.one() };
        match self.named.way {
            Way::Bls12 { .. } => {
                // On an M-twist coordinates are divided by powers of w; x is negative.
                let q = untwisted(&self.over, &self.root(2), &q, true);
                let mut chain = Chain::new(&self.over, q, p);
                chain.run(&self.x);
                self.target.conjugate(&chain.lines()).unwrap_or_default()
            }
            Way::Bn { .. } => {
                let q = untwisted(&self.over, &self.root(2), &q, false);
                let image = |(x, y): &(BigUint, BigUint)| (self.target.frobenius(x), self.target.frobenius(y));
                let once = image(&q);
                let twice = self.over.negate(&Some(image(&once)));
                let mut chain = Chain::new(&self.over, q, p);
                chain.run(&(&self.x * 6u32 + 2u32));
                chain.add(&Some(once));
                chain.add(&twice);
                chain.lines()
            }
            Way::Distorted2 => {
                let [x, y] = [self.over.difference(&BigUint::ZERO, &q.0), self.over.product(&self.root(0), &q.1)];
                let mut chain = Chain::new(&self.over, p, (x, y));
                chain.run(&self.order);
                chain.lines()
            }
            Way::Distorted3 => {
                let mut chain = Chain::new(&self.over, p, self.distorted(&q));
                chain.run(&self.order);
                chain.quotient()
            }
        }
    }

    /// `f^((q − 1)/r)` for a target of q elements.
    pub fn final_exponentiation(&self, f: &BigUint) -> BigUint {
        let exponent = (self.target.order() - 1u32) / &self.order;
        self.target.power(f, &exponent).unwrap_or_default()
    }

    /// The pairing of two points.
    pub fn pairing(&self, p: &BigUint, q: &BigUint) -> BigUint {
        self.final_exponentiation(&self.miller(p, q))
    }

    /// The power of the pairing that the usual fast final exponentiation gives.
    pub fn pairing_multiple(&self, p: &BigUint, q: &BigUint) -> BigUint {
        self.final_exponentiation_multiple(&self.miller(p, q))
    }

    /// The power of [`Pairing::final_exponentiation`] that the usual fast one gives.
    pub fn final_exponentiation_multiple(&self, f: &BigUint) -> BigUint {
        self.target.power(&self.final_exponentiation(f), &self.multiple).unwrap_or_default()
    }

    /// The absolute value of the number that defines curves of a family; 0 for others.
    pub fn parameter(&self) -> &BigUint {
        &self.x
    }

    /// The variable of a floor of the target, lowest 0.
    fn root(&self, floor: usize) -> BigUint {
        BigUint::one() << (self.target.ring.size(floor) * self.target.base.bits as usize)
    }

    /// `(v·x^p/ξ^((2p−1)/3), y^p/ξ^(p−1))` with `v^3 = ξ`.
    fn distorted(&self, (x, y): &(BigUint, BigUint)) -> (BigUint, BigUint) {
        let (p, v) = (&self.target.base.value, self.root(1));
        let power = |a: &BigUint, e: &BigUint| self.target.power(a, e).unwrap_or_default();
        let xi = power(&v, &3u32.into());
        let image = |a: &BigUint| self.target.frobenius(a);
        let x = self.over.quotient(&self.over.product(&v, &image(x)), &power(&xi, &((p * 2u32 - 1u32) / 3u32)));
        (x, self.over.quotient(&image(y), &power(&xi, &(p - 1u32))))
    }

    /// The setting of an entry of the table.
    fn new(named: &'static NamedPairing) -> Option<Pairing> {
        let curve = |name: &str| Some(Field::parse(&format!("curve:{name}")).ok()?.get::<Curve>()?.clone());
        let [first, second] = named.groups.map(curve);
        let (first, second) = (first?.multiples_of_base(), second?.multiples_of_base());
        let target = Field::parse(named.target).ok()?;
        let natural = |text: &str| crate::integer(text).ok()?.to_biguint();
        let x = match named.way {
            Way::Bls12 { x } | Way::Bn { x } => natural(x)?,
            Way::Distorted2 | Way::Distorted3 => BigUint::ZERO,
        };
        // Elements of the fields below have the same numbers in the target.
        let over = Equation { field: target.clone(), ..first.equation.clone() };
        Some(Pairing {
            named,
            order: first.order.clone()?,
            multiple: natural(named.multiple)?,
            target: target.get::<Tower>()?.clone(),
            first,
            second,
            over,
            x,
        })
    }
}

//! Maps of a curve into itself that cost a few products: they are multiplications by numbers on a group of prime order.
//!
//! * **computes** `(βx, y)` with `β³ = 1` on `y² = x³ + b`; on a sextic twist over Fp2 the image of the p-th power map.
//! * **needs** resting projective coordinates.
//! * **gives** resting ones. The output may be the operand.
//! * **cost** a product; on a twist eight products and four sums.
//! * **source** Gallant, Lambert, Vanstone (2001); Galbraith, Lin, Scott (2011).

use std::sync::Arc;

use evariste_descriptions::{Curve, CurveShape, Field, Modulus, Pairing, Tower, Way, named_pairings};
use evariste_ir::{Array, Builder, Kernel, View};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::lattice;
use super::look_ups::further;
use super::setting::{curve_of, over_prime, tower_of};
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, digits_of, lower, named};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// Such a map E, with `E² − tE + q = 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Endomorphism {
    way: Map,
    /// t.
    pub trace: BigInt,
    /// q.
    pub norm: BigInt,
    /// E is the multiplication by this number on the multiples of the base point.
    pub eigenvalue: BigUint,
    /// Short vectors c with `Σ cᵢ·Eⁱ = 0` on the multiples of the base point: two or four.
    pub relations: Vec<Vec<BigInt>>,
}

/// How it is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Map {
    /// By this cube root of 1.
    Cube(BigUint),
    /// By `(x̄·g, ȳ·h)`.
    Twisted { g: [BigUint; 2], h: [BigUint; 2] },
}

impl Endomorphism {
    /// That of a curve with a base point of prime order: of `y² = x³ + b` over a prime field, of the second group of a
    /// BLS12 or BN pairing.
    pub fn of(field: &Field) -> Option<Endomorphism> {
        let (curve, modulus) = curve_of(field).ok()?;
        let is_plain = curve.equation.shape == CurveShape::Weierstrass && curve.equation.coefficients[0].is_zero();
        let order = curve.order.as_ref().filter(|_| is_plain)?;
        match tower_of(curve) {
            Some(tower) => twisted(curve, tower, order),
            None => cube(curve, modulus, order),
        }
    }
}

/// A primitive cube root of 1 modulo a prime that is 1 modulo 3.
fn cube_root_of_one(p: &BigUint) -> Option<BigUint> {
    let third = Some((p - 1u32).div_rem(&3u32.into())).filter(|(_, rest)| rest.is_zero())?.0;
    (2u32..100).map(|g| BigUint::from(g).modpow(&third, p)).find(|root| !root.is_one())
}

fn cube(curve: &Curve, modulus: &Modulus, order: &BigUint) -> Option<Endomorphism> {
    let beta = cube_root_of_one(&modulus.value)?;
    let root = cube_root_of_one(order)?;
    let (x, y) = curve.base.clone()?;
    let image = curve.packed(&Some((modulus.mul(&beta, &x), y)));
    let other = order - 1u32 - &root;
    let eigenvalue = [root, other].into_iter().find(|root| curve.scale_base(root).as_ref() == Some(&image))?;
    let (trace, norm) = ((-1).into(), 1.into());
    let relations = lattice::two(&order.clone().into(), &eigenvalue.clone().into())?;
    Some(Endomorphism { way: Map::Cube(beta), trace, norm, eigenvalue, relations })
}

/// The pairing whose group number i (0 or 1) the curve is.
pub(super) fn pairing_of(curve: &Curve, i: usize) -> Option<Pairing> {
    let name = curve.named?.name;
    let of = |named: &&evariste_descriptions::NamedPairing| {
        named.groups[i] == name && matches!(named.way, Way::Bls12 { .. } | Way::Bn { .. })
    };
    let named = named_pairings().iter().find(of)?;
    Field::parse(&format!("pairing:{}", named.name)).ok()?.get::<Pairing>().cloned()
}

fn twisted(curve: &Curve, tower: &Tower, order: &BigUint) -> Option<Endomorphism> {
    let pairing = pairing_of(curve, 1)?;
    let p = &tower.base.value;
    // ξ^(k(p − 1)/6), on an M-twist its inverse, for the ξ of w^6 = ξ.
    let field = Field::new(pairing.target.clone());
    let v = BigUint::one() << (pairing.target.ring.size(1) * tower.base.bits as usize);
    let gamma = |k: u32| {
        let power = field.power(&v, &((p - 1u32) / 2u32 * k))?;
        let power = if matches!(pairing.named.way, Way::Bls12 { .. }) { field.inverse(&power)? } else { power };
        let all = pairing.target.unpacked(&power);
        Some([all[0].clone(), all[1].clone()])
    };
    let (g, h) = (gamma(2)?, gamma(3)?);
    let points = pairing.first.order.clone()? * pairing.first.cofactor.clone()?;
    let trace = BigInt::from(p.clone()) + 1 - BigInt::from(points);
    let way = Map::Twisted { g, h };
    let relations = lattice::four(&pairing.named.way, &pairing.parameter().clone().into())?;
    let map = Endomorphism { way, trace, norm: p.clone().into(), eigenvalue: p % order, relations };
    map.relations.iter().all(|relation| map.vanishes(relation, order)).then_some(map)
}

impl Endomorphism {
    /// The norm of `Σ cᵢ·Eⁱ`: what is 0 for a point is 0 times it for that multiple of the point.
    pub fn norm_of(&self, coefficients: &[BigInt]) -> BigUint {
        // E^i = a + b·E.
        let (mut power, mut sum) = ((BigInt::one(), BigInt::zero()), (BigInt::zero(), BigInt::zero()));
        for c in coefficients {
            sum = (sum.0 + c * &power.0, sum.1 + c * &power.1);
            power = (-&power.1 * &self.norm, power.0 + &power.1 * &self.trace);
        }
        let (a, b) = sum;
        (&a * &a + &a * &b * &self.trace + &b * &b * &self.norm).abs().magnitude().clone()
    }

    /// Is `Σ cᵢ·Eⁱ` 0 on the multiples of the base point?
    pub fn vanishes(&self, coefficients: &[BigInt], order: &BigUint) -> bool {
        let e = BigInt::from(self.eigenvalue.clone());
        let sum = coefficients.iter().rev().fold(BigInt::zero(), |sum, c| sum * &e + c);
        sum.is_multiple_of(&order.clone().into())
    }
}

/// An endomorphism as kernels call it.
pub(super) struct Images {
    size: u32,
    way: Calls,
}

enum Calls {
    Cube { mul: Callee, beta: Array },
    Twisted { map: u32, opp: Callee },
}

impl Images {
    /// By kernels of the prime field: product, square, sum, difference, opposite.
    pub fn new(
        b: &mut Builder,
        field: &Field,
        layout: &Layout,
        of: &Endomorphism,
        operations: &Operations,
    ) -> Result<Images, NotApplicable> {
        let (_, modulus) = curve_of(field)?;
        let way = match &of.way {
            Map::Cube(beta) => {
                over_prime(field)?;
                let beta = b.table("beta", digits_of(beta, &modulus.value, layout));
                Calls::Cube { mul: Callee::new(b, operations.mul.clone(), "image_mul"), beta }
            }
            Map::Twisted { g, h } => {
                let numbers = |name: &str| {
                    let (of, i) = name.split_once('_')?;
                    let all = if of == "g2" { g } else { h };
                    all.get(i.parse::<usize>().ok()?).cloned()
                };
                let ground = Ground { modulus, layout };
                let map: Kernel = lower("twist_frobenius", &named("twist-frobenius")?, ground, &numbers, operations)?;
                let map = b.callee(Arc::new(map));
                Calls::Twisted { map, opp: Callee::new(b, operations.opp.clone(), "image_opp") }
            }
        };
        Ok(Images { size: layout.digits() as u32, way })
    }

    /// `to = E(from)`; `to` may be `from`.
    pub fn write(&self, b: &mut Builder, to: Array, from: Array) {
        self.write_views(b, &View::whole(to), &View::whole(from));
    }

    /// The same of points that are parts of arrays.
    pub fn write_views(&self, b: &mut Builder, to: &View, from: &View) {
        let at = |view: &View, i: u32| View { start: further(&view.start, i64::from(i * self.size)), ..view.clone() };
        let copied = match &self.way {
            Calls::Cube { mul, beta } => {
                mul.call_views(b, to.clone(), &[from.clone(), View::whole(*beta)]);
                1..3
            }
            Calls::Twisted { map, opp } => {
                b.call(*map, vec![to.clone(), from.clone()]);
                opp.call_views(b, at(to, 5), &[at(from, 5)]);
                4..5
            }
        };
        if to != from {
            for i in copied.start * self.size..copied.end * self.size {
                let digit = b.load(from.array, further(&from.start, i64::from(i)));
                b.store(to.array, further(&to.start, i64::from(i)), digit);
            }
        }
    }

    /// Is a product all that it costs?
    pub fn is_short(&self) -> bool {
        matches!(self.way, Calls::Cube { .. })
    }
}

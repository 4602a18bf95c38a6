//! What everything here asks of a pairing: its prime field, its loop, numbers of its constants, operands for vectors.

use evariste_descriptions::{Curve, Field, Modulus, Pairing, Part, Structure, Tower};
use evariste_ir::{Array, Builder};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::curve::uncompressed;
use crate::form::Form;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};
use crate::recipe::Parts;
use crate::signature::NotApplicable;
use crate::tower::Means;

/// The family of a pairing, and the absolute value of the number x that defines its curve, where one does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// BLS12 with a negative x, on an M-twist.
    Bls12(BigUint),
    /// BN with a positive x, on a D-twist.
    Bn(BigUint),
    /// A supersingular curve over Fp, values in Fp2.
    Distorted2,
    /// A supersingular curve over Fp2, values in Fp6.
    Distorted3,
}

/// How a loop goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Over multiples of the second point, on a twist.
    OptimalAte,
    /// Over multiples of the first point, at the second, distorted.
    Tate,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Way::OptimalAte => "optimal-ate",
            Way::Tate => "tate",
        }
    }
}

impl Family {
    fn of(pairing: &Pairing) -> Family {
        let x = pairing.parameter().clone();
        match pairing.named.way {
            evariste_descriptions::Way::Bls12 { .. } => Family::Bls12(x),
            evariste_descriptions::Way::Bn { .. } => Family::Bn(x),
            evariste_descriptions::Way::Distorted2 => Family::Distorted2,
            evariste_descriptions::Way::Distorted3 => Family::Distorted3,
        }
    }

    pub fn way(&self) -> Way {
        match self {
            Family::Bls12(_) | Family::Bn(_) => Way::OptimalAte,
            Family::Distorted2 | Family::Distorted3 => Way::Tate,
        }
    }
}

/// A pairing with kernels in a layout.
#[derive(Clone)]
pub(super) struct Setting<'a> {
    pub pairing: &'a Pairing,
    pub family: Family,
    pub layout: &'a Layout,
}

impl<'a> Setting<'a> {
    pub fn new(field: &'a Field, layout: &'a Layout) -> Result<Setting<'a>, NotApplicable> {
        let pairing = field.get::<Pairing>().ok_or_else(|| NotApplicable("only pairings have loops".into()))?;
        Ok(Setting { pairing, family: Family::of(pairing), layout })
    }

    pub fn target(&self) -> &'a Tower {
        &self.pairing.target
    }

    pub fn modulus(&self) -> &'a Modulus {
        &self.pairing.target.base
    }

    /// Parts for needs as `needs!` declares them, with so many between.
    pub fn means(&self, parts: &'a dyn Parts, more: usize) -> Means<'a> {
        Means { modulus: self.modulus(), layout: self.layout, parts, more }
    }

    /// Copies so many coordinates over the prime field, from one on to another.
    pub fn copy(&self, b: &mut Builder, to: (Array, u32), from: (Array, u32), count: u32) {
        let n = self.layout.digits() as u32;
        for i in 0..count * n {
            let digit = b.load(from.0, from.1 * n + i);
            b.store(to.0, to.1 * n + i, digit);
        }
    }

    /// How many coordinates over the prime field a point of each group has.
    pub fn coordinates(&self) -> [usize; 2] {
        [&self.pairing.first, &self.pairing.second].map(|curve| 2 * degree(curve.field()))
    }

    /// How many a coordinate of a point of the first group has.
    pub fn below(&self) -> usize {
        degree(self.pairing.first.field())
    }

    /// `b` of the second group's curve, in coordinates.
    pub fn b(&self) -> [BigUint; 2] {
        let curve = &self.pairing.second;
        let all = coordinates(curve.field(), &curve.equation.coefficients[1]);
        [0, 1].map(|i| all.get(i).cloned().unwrap_or_default())
    }

    /// a and b of that curve, as formulas over the prime field name them.
    pub fn constants(&self) -> Vec<(String, BigUint)> {
        let curve = &self.pairing.second;
        let of = |(name, x): (&str, &BigUint)| match &coordinates(curve.field(), x)[..] {
            [x] => vec![(name.to_string(), x.clone())],
            all => (0..).zip(all).map(|(i, x): (u32, _)| (format!("{name}_{i}"), x.clone())).collect(),
        };
        ["a", "b"].into_iter().zip(&curve.equation.coefficients).flat_map(of).collect()
    }

    /// The base point of a group, in coordinates.
    pub fn base_point(&self, curve: &Curve) -> Vec<BigUint> {
        let (x, y) = curve.generator().and_then(|point| curve.unpacked(&point)).unwrap_or_default();
        [x, y].iter().flat_map(|x| coordinates(curve.field(), x)).collect()
    }

    /// `1/ξ^((2p − 1)/3)` and `1/ξ^(p − 1)` in coordinates, for the ξ of `v^3 = ξ`: what distorts a point.
    pub fn distortion(&self) -> [[BigUint; 2]; 2] {
        let (target, p) = (self.target(), &self.modulus().value);
        let v = BigUint::from(1u32) << (target.ring.size(1) * self.modulus().bits as usize);
        let field = Field::new(target.clone());
        // v = ξ^(1/3): exponents of v are three times those of ξ.
        [p * 2u32 - 1u32, (p - 1u32) * 3u32].map(|exponent| {
            let power = field.power(&v, &exponent).and_then(|power| field.inverse(&power)).unwrap_or_default();
            let all = target.unpacked(&power);
            [all[0].clone(), all[1].clone()]
        })
    }

    /// `ξ^(k(p − 1)/6)` in coordinates, for the ξ of `w^6 = ξ`.
    pub fn gamma(&self, k: u32) -> [BigUint; 2] {
        let (target, p) = (self.target(), &self.modulus().value);
        // v = w².
        let v = BigUint::from(1u32) << (target.ring.size(1) * self.modulus().bits as usize);
        let exponent = (p - 1u32) / 2u32 * k;
        let field = Field::new(target.clone());
        let power = field.power(&v, &exponent).unwrap_or_default();
        let all = target.unpacked(&power);
        [all[0].clone(), all[1].clone()]
    }
}

/// How many coordinates over the prime field an element of a prime field or a tower has.
pub(super) fn degree(field: &Field) -> usize {
    field.get::<Tower>().map_or(1, Tower::degree)
}

/// The coordinates of an element of a prime field or a tower.
pub(super) fn coordinates(field: &Field, x: &BigUint) -> Vec<BigUint> {
    field.get::<Tower>().map_or_else(|| vec![x.clone()], |tower| tower.unpacked(x))
}

/// How many operands for vectors there are.
const COUNT: u32 = 3;

/// Operands for vectors: multiples of base points, one of each being neutral, and values.
pub fn samples(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Vec<BigUint>> {
    let Ok(setting) = Setting::new(field, layout) else { return Vec::new() };
    let pairing = setting.pairing;
    let form = Form::modulo(Some(&setting.modulus().value), layout);
    // Multiples that no rule connects: powers of a number modulo the order.
    let scalar = |i: u32| BigUint::from(0x9e37_79b9_7f4a_7c15u64).modpow(&(3 * i + 1).into(), &pairing.order);
    let point = |curve: &Curve, i: u32| {
        let k = if i == COUNT { BigUint::zero() } else { scalar(i) };
        let point = curve.scale_base(&k).unwrap_or_default();
        let (x, y) = curve.unpacked(&point).unwrap_or_default();
        [coordinates(curve.field(), &x), coordinates(curve.field(), &y)].concat()
    };
    let operands = |i: u32| -> Option<Vec<BigUint>> {
        let (mut all, mut bytes) = (Vec::new(), Vec::new());
        for (place, slot) in (0..).zip(operation.row().inputs) {
            match slot.holds {
                Holds::Part(Part::First) => all.extend(point(&pairing.first, i + place)),
                Holds::Part(Part::Second) => all.extend(point(&pairing.second, i + place)),
                Holds::Part(Part::Target) => {
                    let one = |j: u32| scalar(12 * i + j) * scalar(j) % &setting.modulus().value;
                    all.extend((0..setting.target().degree() as u32).map(one));
                }
                Holds::Bytes => {
                    let curve = if slot.name.starts_with('p') { &pairing.first } else { &pairing.second };
                    bytes.push(uncompressed(curve, &curve.scale_base(&scalar(i + place))?)?);
                }
                _ => return None,
            }
        }
        Some(all.iter().map(|x| form.held(x)).chain(bytes).collect())
    };
    (0..COUNT).filter_map(operands).collect()
}

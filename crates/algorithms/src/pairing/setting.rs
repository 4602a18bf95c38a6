//! What everything here asks of a pairing: its prime field, its loop, numbers of its constants, operands for vectors.

use evariste_descriptions::{Curve, Field, Modulus, Pairing, Part, Tower, Way};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::form::Form;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};
use crate::recipe::Parts;
use crate::signature::NotApplicable;
use crate::tower::Means;

/// The family of a pairing that has kernels, and the absolute value of the number x that defines its curve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// BLS12 with a negative x, on an M-twist.
    Bls12(BigUint),
    /// BN with a positive x, on a D-twist.
    Bn(BigUint),
}

/// The loop of a pairing, where kernels have it.
pub(super) fn loops(field: &Field) -> Option<Family> {
    let pairing = field.get::<Pairing>()?;
    let x = pairing.parameter().clone();
    match pairing.named.way {
        Way::Bls12 { .. } => Some(Family::Bls12(x)),
        Way::Bn { .. } => Some(Family::Bn(x)),
        Way::Distorted2 | Way::Distorted3 => None,
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
        let found = field.get::<Pairing>().zip(loops(field));
        let (pairing, family) = found.ok_or_else(|| NotApplicable("no loop of this pairing has kernels".into()))?;
        Ok(Setting { pairing, family, layout })
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

    /// `b` of the twist, in coordinates.
    pub fn b(&self) -> [BigUint; 2] {
        let curve = &self.pairing.second;
        let all = coordinates(curve.field(), &curve.equation.coefficients[1]);
        [0, 1].map(|i| all.get(i).cloned().unwrap_or_default())
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
        let mut all = Vec::new();
        for (place, slot) in (0..).zip(operation.row().inputs) {
            match slot.holds {
                Holds::Part(Part::First) => all.extend(point(&pairing.first, i + place)),
                Holds::Part(Part::Second) => all.extend(point(&pairing.second, i + place)),
                Holds::Part(Part::Target) => {
                    let one = |j: u32| scalar(12 * i + j) * scalar(j) % &setting.modulus().value;
                    all.extend((0..setting.target().degree() as u32).map(one));
                }
                _ => return None,
            }
        }
        Some(all.iter().map(|x| form.held(x)).collect())
    };
    (0..COUNT).filter_map(operands).collect()
}

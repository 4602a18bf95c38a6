//! Elements of the field as points: the last step of hashing to a curve.
//!
//! * **computes** the point of RFC 9380 for an element u: on the curve itself, or on one from which an isogeny leads;
//!   Montgomery and Edwards curves see [`super::elligator`].
//! * **needs** a curve of RFC 9380's suites over a prime field, whose roots `ratio` has, or over `Fp[i]` (`quadratic`); words
//!   of whole bytes; u at rest.
//! * **gives** resting coordinates (X : Y : Z); no cofactor is cleared. Time does not depend on u.
//! * **cost** the root of a ratio and about 20 products; for an isogeny two products for each coefficient.
//! * **source** RFC 9380 (2023), appendix F.2 (Wahby and Boneh, 2019); appendix E for isogenies.

use std::sync::Arc;

use evariste_descriptions::{Curve, CurveMap, CurveShape, Modulus, Tower};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Value, View};
use num_bigint::BigUint;
use num_traits::One;

use super::super::coordinates;
use super::super::words::{are_zero, truth};
use super::field::{FieldCalls, FieldOf};
use super::quadratic;
use super::ratio::{Roots, has_ratios, root_exponent};
use crate::lowering::Element;
use crate::prime::power::{Callee, power_kernel};
use crate::signature::NotApplicable;

/// The map of a curve that has such kernels, and its prime field or that below its quadratic one.
pub(super) fn map_of(curve: &Curve) -> Option<(&'static CurveMap, &Modulus)> {
    let modulus = match curve.field().get::<Tower>() {
        Some(tower) => quadratic::prime_of(tower)?,
        None => curve.field().get::<Modulus>().filter(|m| has_ratios(m))?,
    };
    Some((curve.map()?, modulus))
}

/// The constants of a map.
pub(super) struct Constants {
    pub(super) z: Array,
    /// A, or −A where Elligator 2 takes it.
    pub(super) a: Array,
    /// B, or A².
    pub(super) b: Array,
    pub(super) roots: Roots,
    pub(super) zero: Array,
    pub(super) one: Array,
    /// A flag for choices.
    cond: Array,
}

impl FieldCalls<'_> {
    /// The point of an element, by kernels of the product and the square too.
    pub(super) fn mapped(
        &self,
        b: &mut Builder,
        curve: &Curve,
        products: &[Arc<Kernel>],
    ) -> Result<Contract, NotApplicable> {
        let (map, modulus) = map_of(curve).ok_or_else(|| NotApplicable("no map to this curve".into()))?;
        let out = Element::output(b, self.layout, "out", coordinates::count(curve));
        let u = Element::input(b, self.layout, "u", self.degree());
        let power = power_kernel("root_power", &root_exponent(modulus), products, modulus, self.layout)?;
        let power = Callee::new(b, Arc::new(power), "power");
        let constants = self.constants(b, curve, map, modulus)?;
        let simplified = curve.equation.shape == CurveShape::Weierstrass;
        let [x, y, z] = match simplified {
            true => self.simplified(b, &constants, &power, u.array),
            false => self.elligator(b, &constants, &power, u.array),
        };
        match &map.isogeny {
            None if curve.equation.shape == CurveShape::Edwards => {
                let from = map.montgomery.as_ref().ok_or_else(|| NotApplicable("no map to this curve".into()))?;
                let a = curve.element_of_text(from.a).unwrap_or_default();
                self.to_edwards(b, &constants, out.array, (from, modulus, &a), [x, y, z])?;
            }
            None => {
                self.copied(b, out.array, 0, x);
                self.mul.call_views(b, View::from(out.array, self.size()), &[View::whole(y), View::whole(z)]);
                self.copied(b, out.array, 2, z);
            }
            Some(isogeny) => {
                let texts = isogeny.polynomials.map(|all| {
                    all.iter().map(|text| curve.element_of_text(text).unwrap_or_default()).collect::<Vec<_>>()
                });
                self.image(b, &constants, out.array, &texts, [x, y, z]);
            }
        }
        let claims = out.numbered(self.layout).into_iter();
        let claims = claims.map(|output| Claim::Step { output, name: "map_to_curve".into() }).collect();
        Ok(Contract { facts: Vec::new(), inputs: u.numbered(self.layout), claims })
    }

    fn constants(
        &self,
        b: &mut Builder,
        curve: &Curve,
        map: &CurveMap,
        modulus: &Modulus,
    ) -> Result<Constants, NotApplicable> {
        let wrong = || NotApplicable("a constant of the map is no element".into());
        let number = |text: &str| curve.element_of_text(text).ok_or_else(wrong);
        let z = number(map.z)?;
        let [a1, b1] = match (&map.isogeny, &map.montgomery) {
            (Some(isogeny), _) => [number(isogeny.coefficients[0])?, number(isogeny.coefficients[1])?],
            (_, Some(from)) => [number(from.a)?, BigUint::one()],
            _ => curve.equation.coefficients.clone(),
        };
        let [a1, b1] = match curve.equation.shape {
            CurveShape::Weierstrass => [a1, b1],
            // What Elligator 2 takes: −A and A².
            _ => [modulus.neg(&a1), modulus.square(&a1)],
        };
        let cond = b.local("chosen", 1, Interval::bits(1));
        let [z_element, a, b_element] =
            [("map_z", &z), ("map_a", &a1), ("map_b", &b1)].map(|(name, number)| self.constant(b, name, number));
        let roots = self.roots(b, modulus, &z).ok_or_else(wrong)?;
        let [zero, one] = [("map_zero", 0u32), ("map_one", 1)].map(|(name, n)| self.constant(b, name, &n.into()));
        Ok(Constants { z: z_element, a, b: b_element, roots, zero, one, cond })
    }

    /// x, y and z with the point (x/z, y) on the curve of the constants.
    fn simplified(&self, b: &mut Builder, of: &Constants, power: &Callee, u: Array) -> [Array; 3] {
        let names = ["t1", "t2", "t3", "t4", "t5", "t6", "map_x", "map_y", "minus"];
        let [t1, t2, t3, t4, t5, t6, x, y, minus] = names.map(|name| self.element(b, name));
        let mul = |b: &mut Builder, to: Array, x: Array, y: Array| self.mul.call(b, to, &[x, y]);
        let add = |b: &mut Builder, to: Array, x: Array, y: Array| self.add.call(b, to, &[x, y]);
        self.square.call(b, t1, &[u]);
        mul(b, t1, t1, of.z);
        self.square.call(b, t2, &[t1]);
        add(b, t2, t2, t1);
        add(b, t3, t2, of.one);
        mul(b, t3, t3, of.b);
        self.sub().call(b, minus, &[of.zero, t2]);
        let is_zero = self.is_zero(b, t2, "tested_t");
        self.chosen(b, of, t4, is_zero, [minus, of.z]);
        mul(b, t4, t4, of.a);
        // ((t3² + A·t4²)·t3 + B·t4³)/t4³ is the right side at t3/t4.
        self.square.call(b, t2, &[t3]);
        self.square.call(b, t6, &[t4]);
        mul(b, t5, of.a, t6);
        add(b, t2, t2, t5);
        mul(b, t2, t2, t3);
        mul(b, t6, t6, t4);
        mul(b, t5, of.b, t6);
        add(b, t2, t2, t5);
        mul(b, x, t1, t3);
        let (root, is_square) = self.root_of_ratio(b, of, power, [t2, t6]);
        mul(b, y, t1, u);
        mul(b, y, y, root);
        self.chosen(b, of, x, is_square, [x, t3]);
        self.chosen(b, of, y, is_square, [y, root]);
        let [odd, wanted] = [(y, "map_y"), (u, "map_u")].map(|(element, name)| self.sign(b, element, name));
        let differs = b.xor(odd, wanted);
        let ty = b.word_type();
        let differs = if b.ty(differs) == ty { differs } else { b.widen(differs, ty) };
        self.sub().call(b, minus, &[of.zero, y]);
        self.chosen(b, of, y, differs, [y, minus]);
        [x, y, t4]
    }

    /// Is an element 0? As a word.
    pub(super) fn is_zero(&self, b: &mut Builder, element: Array, name: &str) -> Value {
        let bytes = self.left(b, element, name).concat();
        let is = are_zero(b, &bytes);
        truth(b, is)
    }

    /// The parity of the first coordinate that is not 0: as a byte where there is one coordinate, else as a word.
    pub(super) fn sign(&self, b: &mut Builder, element: Array, name: &str) -> Value {
        let mut parts = self.left(b, element, name);
        let last = parts.pop().unwrap_or_default();
        let odd = b.low_bits(last[0], 1);
        if parts.is_empty() {
            return odd;
        }
        let ty = b.word_type();
        let word = |b: &mut Builder, odd: Value| if b.word() == 8 { odd } else { b.widen(odd, ty) };
        let odd = word(b, odd);
        parts.iter().rev().fold(odd, |rest, bytes| {
            let (odd, is_zero) = (b.low_bits(bytes[0], 1), are_zero(b, bytes));
            let (odd, is_zero) = (word(b, odd), truth(b, is_zero));
            let rest = b.and(is_zero, rest);
            let sign = b.or(odd, rest);
            b.low_bits(sign, 1)
        })
    }

    /// `to = y` where the word is 1, else x.
    pub(super) fn chosen(&self, b: &mut Builder, of: &Constants, to: Array, is: Value, [x, y]: [Array; 2]) {
        if let FieldOf::Prime { select, .. } = &self.prime().of {
            b.store(of.cond, 0u32, is);
            let [to, x, y] = [to, x, y].map(|element| self.views(element));
            for ((to, x), y) in to.into_iter().zip(x).zip(y) {
                select.call_views(b, to, &[View::whole(of.cond), x, y]);
            }
        }
    }

    /// Coordinate i of a point.
    pub(super) fn copied(&self, b: &mut Builder, point: Array, i: u32, from: Array) {
        for j in 0..self.size() {
            let digit = b.load(from, j);
            b.store(point, i * self.size() + j, digit);
        }
    }

    /// The image of (x/z, y) under an isogeny `(N(x)/D(x), y·M(x)/E(x))`; the neutral element where a denominator is 0.
    fn image(&self, b: &mut Builder, of: &Constants, out: Array, all: &[Vec<BigUint>; 4], [x, y, z]: [Array; 3]) {
        let highest = all.iter().map(Vec::len).max().unwrap_or(1) - 1;
        // z, z², …
        let mut powers = vec![z];
        for i in 2..=highest {
            let next = self.element(b, &format!("z_power{i}"));
            self.mul.call(b, next, &[powers[i - 2], z]);
            powers.push(next);
        }
        let names = ["isogeny_n", "isogeny_d", "isogeny_m", "isogeny_e"];
        let values = [0, 1, 2, 3].map(|i| self.homogeneous(b, names[i], &all[i], x, &powers));
        let [n, d, m, e] = values;
        let degree = |i: usize| all[i].len();
        // Times z as often as a numerator is longer than its denominator.
        for (denominator, count) in [(d, degree(0) - degree(1)), (e, degree(2) - degree(3))] {
            (0..count).for_each(|_| self.mul.call(b, denominator, &[denominator, z]));
        }
        self.mul.call(b, n, &[n, e]);
        self.mul.call(b, m, &[m, d]);
        self.mul.call(b, m, &[m, y]);
        self.mul.call(b, d, &[d, e]);
        let is_neutral = self.is_zero(b, d, "tested_z");
        self.chosen(b, of, n, is_neutral, [n, of.zero]);
        self.chosen(b, of, m, is_neutral, [m, of.one]);
        for (i, from) in (0..).zip([n, m, d]) {
            self.copied(b, out, i, from);
        }
    }

    /// `Σ cᵢ·xⁱ·z^(n−i)`.
    fn homogeneous(&self, b: &mut Builder, name: &str, all: &[BigUint], x: Array, powers: &[Array]) -> Array {
        let [sum, term] = ["", "_term"].map(|end| self.element(b, &format!("{name}{end}")));
        let mut coefficients = all.iter().enumerate().rev();
        let constant = |b: &mut Builder, (i, c): (usize, &BigUint)| self.constant(b, &format!("{name}{i}"), c);
        let Some(first) = coefficients.next() else { return sum };
        let from = constant(b, first);
        self.copied(b, sum, 0, from);
        for (count, (i, c)) in coefficients.enumerate() {
            let c = constant(b, (i, c));
            self.mul.call(b, sum, &[sum, x]);
            self.mul.call(b, term, &[c, powers[count]]);
            self.add.call(b, sum, &[sum, term]);
        }
        sum
    }
}

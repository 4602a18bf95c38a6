//! Roots of ratios in quadratic fields, and the operations of such a field as kernels.
//!
//! * **computes** a root of n/d in `Fp[i]` where that is a square, else one of Z·n/d; and which of both.
//! * **needs** `i² = −1`, so p ≡ 3 modulo 4; Z that is no square, d other than 0; a kernel of the power `a^((p−3)/4)`.
//! * **gives** a resting element. Time does not depend on n and d.
//! * **cost** two powers and an inverse in the prime field, about 25 products.
//! * **source** the complex method: Scott, Implementing cryptographic pairings (2007), with the norm's root taken for both
//!   cases at once.

use std::sync::Arc;

use evariste_descriptions::{Modulus, Tower};
use evariste_formulas::check;
use evariste_ir::{Array, Builder, Kernel, Value, View};
use num_bigint::BigUint;

use super::field::FieldCalls;
use super::mapped::Constants;
use super::ratio::Roots;
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, lower, named};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;
use crate::tower;

/// The prime below a field `Fp[i]` with `i² = −1`.
pub(super) fn prime_of(tower: &Tower) -> Option<&Modulus> {
    let quadratic = tower.height() == 1 && tower.degree() == 2 && tower::is_binomial(tower);
    let gauss = quadratic && tower::number(tower, "beta") == Some(&tower.base.value - 1u32);
    (gauss && &tower.base.value % 4u32 == 3u32.into()).then_some(&tower.base)
}

/// The product, the square, the sum and the difference of the field, by kernels of these and the opposite below it.
pub(super) fn callees(
    b: &mut Builder,
    tower: &Tower,
    layout: &Layout,
    kernels: &[Arc<Kernel>],
) -> Result<[Callee; 4], NotApplicable> {
    let [opp, mul, square, add, sub, ..] = kernels else { return Err(NotApplicable("a part is missing".into())) };
    let [mul, square, add, sub, opp] = [mul, square, add, sub, opp].map(Clone::clone);
    let operations = Operations { mul, square, add, sub, opp };
    let ground = Ground { modulus: &tower.base, layout };
    let coordinatewise =
        |of: &tower::Coordinatewise| check(&of.formula(2, 0)?).map_err(|e| NotApplicable(e.to_string()));
    let formulas = [
        ("quadratic_product", named("quadratic-karatsuba")?),
        ("quadratic_square", named("gauss-complex-square")?),
        ("quadratic_sum", coordinatewise(&tower::SUM)?),
        ("quadratic_difference", coordinatewise(&tower::SUB)?),
    ];
    let mut callees = Vec::new();
    for (name, formula) in formulas {
        let kernel = lower(name, &formula, ground, &|name| tower::number(tower, name), &operations)?;
        callees.push(Callee::new(b, Arc::new(kernel), name));
    }
    callees.try_into().map_err(|_| NotApplicable("a part is missing".into()))
}

impl FieldCalls<'_> {
    pub(super) fn quadratic_roots(&self, b: &mut Builder, tower: &Tower, z: &BigUint) -> Option<Roots> {
        let p = &tower.base;
        let [z0, z1] = <[BigUint; 2]>::try_from(tower.unpacked(z)).ok()?;
        let norm = p.add(&p.square(&z0), &p.square(&z1));
        let all = [("map_root", p.root(&p.neg(&norm))?), ("map_half", p.inverse(&2u32.into())?)];
        Some(Roots::Quadratic(all.map(|(name, number)| self.prime().constant(b, name, &number))))
    }

    /// A root of n/d where that is a square, else one of Z·n/d; and the word that says which.
    pub(super) fn quadratic_root(
        &self,
        b: &mut Builder,
        of: &Constants,
        power: &Callee,
        [root_of_norm, half]: [Array; 2],
        ratio: [Array; 2],
    ) -> (Array, Value) {
        let below = self.prime();
        let names = ["norm", "alpha", "beta", "delta"].map(|name| below.element(b, &format!("root_{name}")));
        let [norm, alpha, beta, delta] = names;
        let [v, other] = ["root_v", "root_other"].map(|name| self.element(b, name));
        self.quotient(b, of.zero, v, ratio);
        // A root of the norm of n/d, or of that of Z·n/d: one of both is a square.
        self.norm(b, norm, beta, v);
        power.call(b, alpha, &[norm]);
        below.mul.call(b, alpha, &[alpha, norm]);
        below.square.call(b, delta, &[alpha]);
        below.sub().call(b, delta, &[delta, norm]);
        let is_square = below.is_zero(b, delta, "tested_norm");
        below.mul.call(b, beta, &[alpha, root_of_norm]);
        below.chosen(b, of, alpha, is_square, [beta, alpha]);
        self.mul.call(b, other, &[v, of.z]);
        self.chosen(b, of, v, is_square, [other, v]);
        // δ = (v0 + α)/2, or (v0 − α)/2 where that is 0.
        let [v0, v1] = [0, 1].map(|i| self.part(b, v, i));
        below.add.call(b, delta, &[v0, alpha]);
        below.mul.call(b, delta, &[delta, half]);
        let is_zero = below.is_zero(b, delta, "tested_delta");
        below.chosen(b, of, delta, is_zero, [delta, v0]);
        // With t = δ^((p+1)/4) and s = v1/2·δ^((p−3)/4) the root is t + s·i, or −s + t·i where −δ is the square.
        power.call(b, beta, &[delta]);
        below.mul.call(b, v1, &[v1, half]);
        below.mul.call(b, v1, &[v1, beta]);
        below.mul.call(b, beta, &[beta, delta]);
        below.square.call(b, norm, &[beta]);
        below.sub().call(b, norm, &[norm, delta]);
        let is_first = below.is_zero(b, norm, "tested_root");
        below.sub().call_views(b, View::whole(norm), &[self.views(of.zero)[0].clone(), View::whole(v1)]);
        below.chosen(b, of, alpha, is_first, [norm, beta]);
        below.chosen(b, of, delta, is_first, [beta, v1]);
        below.copied(b, other, 0, alpha);
        below.copied(b, other, 1, delta);
        (other, is_square)
    }

    /// `to = 1/x`, 0 of 0.
    pub(super) fn invert(&self, b: &mut Builder, to: Array, x: &View) {
        let below = self.prime();
        if self.degree() == 1 {
            return self.inverse.call_views(b, View::whole(to), std::slice::from_ref(x));
        }
        let [of, norm, scratch] =
            [self.element(b, "inverted"), below.element(b, "norm"), below.element(b, "norm_scratch")];
        for i in 0..self.size() {
            let digit = b.load(x.array, x.start.clone().offset(i.into()));
            b.store(of, i, digit);
        }
        self.norm(b, norm, scratch, of);
        below.inverse.call(b, norm, &[norm]);
        for (to, from) in self.views(to).into_iter().zip(self.views(of)) {
            below.mul.call_views(b, to, &[from, View::whole(norm)]);
        }
        let (zero, last) = (below.constant(b, "zero", &BigUint::ZERO), self.views(to)[1].clone());
        below.sub().call_views(b, last.clone(), &[View::whole(zero), last]);
    }

    /// A coordinate of an element, in a place of its own.
    fn part(&self, b: &mut Builder, element: Array, i: u32) -> Array {
        let (below, to) = (self.prime(), self.prime().element(b, &format!("root_v{i}")));
        for j in 0..below.size() {
            let digit = b.load(element, i * below.size() + j);
            b.store(to, j, digit);
        }
        to
    }

    /// `to = x0² + x1²`; scratch is lost.
    fn norm(&self, b: &mut Builder, to: Array, scratch: Array, x: Array) {
        let (below, parts) = (self.prime(), self.views(x));
        below.square.call_views(b, View::whole(to), &parts[..1]);
        below.square.call_views(b, View::whole(scratch), &parts[1..]);
        below.add.call(b, to, &[to, scratch]);
    }

    /// `to = n/d`.
    fn quotient(&self, b: &mut Builder, zero: Array, to: Array, [n, d]: [Array; 2]) {
        let below = self.prime();
        let [norm, scratch] = ["norm_d", "norm_scratch"].map(|name| below.element(b, name));
        self.norm(b, norm, scratch, d);
        below.inverse.call(b, norm, &[norm]);
        let [d0, d1] = [0, 1].map(|i| self.views(d)[i].clone());
        let parts = self.views(to);
        below.mul.call_views(b, parts[0].clone(), &[d0, View::whole(norm)]);
        below.mul.call_views(b, parts[1].clone(), &[d1, View::whole(norm)]);
        let zero = self.views(zero)[0].clone();
        below.sub().call_views(b, parts[1].clone(), &[zero, parts[1].clone()]);
        self.mul.call(b, to, &[to, n]);
    }
}

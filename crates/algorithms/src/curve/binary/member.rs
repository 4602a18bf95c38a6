//! Is a point of a binary curve one of the base point's group?
//!
//! * **computes** whether `n·P` is the neutral element for the odd order n of the base point.
//! * **needs** affine coordinates of a point of the curve.
//! * **gives** a flag.
//! * **cost** cofactor 2: a trace, which is a parity; cofactor 4: two traces, a half-trace of m − 1 squares and (m − 1)/2
//!   sums, and a product; otherwise a multiple.
//! * **source** Knudsen, "Elliptic scalar multiplication using point halving" (1999): `P = 2Q` has a Q where `Tr(x) = Tr(a)`,
//!   and then `u² = y + (λ + 1)x` for its first coordinate u, with `λ² + λ = x + a`. Multiples of the cofactor are the
//!   group, since the points of even order are cyclic. With a cofactor of 4 both Q are halves of points or neither is.

use evariste_descriptions::{BinaryField, Curve};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Value, View};
use num_bigint::BigInt;

use super::super::rungs::local;
use crate::layout::Layout;
use crate::lowering::digits_of;
use crate::prime::power::Callee;

/// How that is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Member {
    /// By `Tr(x) = Tr(a)`.
    Half,
    /// By that and the half of the half.
    Quarter,
    /// By the multiple.
    Multiple,
}

/// The way for a curve whose order is known.
pub(crate) fn member(curve: &Curve) -> Option<Member> {
    let f = curve.field().get::<BinaryField>()?;
    curve.order.as_ref().filter(|order| order.bit(0))?;
    let is = |h: u32| curve.cofactor.as_ref().is_some_and(|cofactor| *cofactor == h.into());
    Some(match f.degree % 2 {
        _ if is(2) => Member::Half,
        1 if is(4) => Member::Quarter,
        _ => Member::Multiple,
    })
}

/// What the ways by traces call.
pub(crate) struct Traces<'a> {
    pub f: &'a BinaryField,
    pub layout: &'a Layout,
    pub mul: &'a Callee,
    pub square: &'a Callee,
    pub add: &'a Callee,
}

impl Traces<'_> {
    /// The flag of a point of the curve that is in the group; cofactors 2 and 4.
    pub(crate) fn is_member(&self, b: &mut Builder, curve: &Curve, way: Member, x: Array, y: Array) -> Value {
        let [a, _] = &curve.equation.coefficients;
        let wanted = self.f.trace(a);
        let is_half = self.trace_is(b, x, wanted);
        if way == Member::Half {
            return is_half;
        }
        let limit = pow2(self.f.degree).magnitude().clone();
        let a = b.table("a_of_halves", digits_of(a, &limit, self.layout));
        let [from, root, u] = ["halved", "root", "square_of_half"].map(|name| local(b, self.layout, name, 1));
        self.add.call(b, from, &[x, a]);
        self.copy(b, from, root);
        b.repeat((self.f.degree - 1) / 2, &[], |b, _, _| {
            self.square.call(b, root, &[root]);
            self.square.call(b, root, &[root]);
            self.add.call(b, root, &[root, from]);
            Vec::new()
        });
        // y + (λ + 1)·x
        self.mul.call(b, u, &[root, x]);
        self.add.call(b, u, &[u, x]);
        self.add.call(b, u, &[u, y]);
        let is_quarter = self.trace_is(b, u, wanted);
        b.and(is_half, is_quarter)
    }

    fn copy(&self, b: &mut Builder, from: Array, to: Array) {
        let [from, to] = [from, to].map(View::whole);
        for i in 0..self.layout.digits() as u32 {
            let digit = b.load(from.array, i);
            b.store(to.array, i, digit);
        }
    }

    /// Is the trace of an element that bit? The parity of its coordinates at basis elements of trace 1.
    fn trace_is(&self, b: &mut Builder, x: Array, wanted: bool) -> Value {
        let word = b.word();
        let traces = self.f.traces();
        let mut sum = b.word_constant(0);
        for i in 0..self.layout.digits() as u32 {
            let bits = (0..word).filter(|k| traces.get((i * word + k) as usize).copied().unwrap_or_default());
            let mask: BigInt = bits.map(pow2).sum();
            if mask == BigInt::ZERO {
                continue;
            }
            let (digit, mask) = (b.load(x, i), b.word_constant(mask));
            let part = b.and(digit, mask);
            sum = b.xor(sum, part);
        }
        let mut width = word;
        while width > 1 {
            width = width.div_ceil(2);
            let high = b.shr(sum, width);
            sum = b.xor(sum, high);
        }
        let parity = b.low_bits(sum, 1);
        let wanted = b.word_constant(u32::from(wanted));
        let is = b.equal(parity, wanted);
        b.mask_to_flag(is)
    }
}

//! Is a point a multiple of the base point?
//!
//! * **computes** whether `r·P` is the neutral element for the order r of the base point; or whether `Σ cᵢ·Eⁱ(P)` is, for
//!   an endomorphism E and numbers for which that says the same.
//! * **needs** a curve with a cofactor whose sums have no exceptions; coordinates of a point of the curve; words of whole
//!   bytes.
//! * **gives** a flag. Time does not depend on the point.
//! * **cost** a doubling for each bit of r, and a sum for each digit; by an endomorphism for each bit of the number that
//!   defines the family: BLS12 twice its 64 bits on the first group, once on the second, BN once its 63.
//! * **source** the definition; Scott, "A note on group membership tests" (2021); Dai, Lin, Zhao, Zhou (2023) for BN.
//!
//! That the shorter ways say the same is checked before such a kernel is written: with the norm N of `Σ cᵢ·Eⁱ` in
//! `Z[E]/(E² − tE + q)`, `N·P` is neutral where the sum is, and so is `h·r·P`; the greatest common divisor of both is r.

use std::sync::Arc;

use evariste_descriptions::{Curve, CurveShape, Field};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, View};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::endomorphism::{Endomorphism, Images, pairing_of};
use super::public_multiple::Multiples;
use super::setting::curve_of;
use super::words::{are_zero, truth};
use super::{coordinates, multiple};
use crate::layout::Layout;
use crate::lowering::{Element, Operations};
use crate::operation::Operation;
use crate::prime::equal::flag_output;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::prime::to_bytes::{BYTE, byte_count};
use crate::recipe::{Composite, Need, Pick};
use crate::signature::NotApplicable;

const NEEDS: &[Need] = &[
    Need::new(Operation::ADD, Pick::First),
    Need::new(Operation::DOUBLE, Pick::First),
    Need::new(Operation::OPP, Pick::First),
    Need::ground(Operation::TO_BYTES),
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
];

/// By the order.
pub const BY_ORDER: Composite = Composite {
    name: "by-order",
    applies: |f, l, op| applies(f, l, op) && curve_of(f).is_ok_and(|(curve, _)| Criterion::of_order(curve).is_some()),
    needs: NEEDS,
    write: |f, l, op, parts| {
        let criterion = Criterion::of_order(curve_of(f)?.0);
        write(f, l, &kernel_name(op, "by-order"), parts, criterion)
    },
};

/// By an endomorphism.
pub const BY_ENDOMORPHISM: Composite = Composite {
    name: "by-endomorphism",
    applies: |f, l, op| applies(f, l, op) && Criterion::of_endomorphism(f).is_some(),
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "by-endomorphism"), parts, Criterion::of_endomorphism(f)),
};

/// Has the curve points that are no multiples of its base point?
fn applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    *operation == Operation::IN_SUBGROUP
        && curve_of(field).is_ok_and(|(curve, _)| curve.has_other_points())
        && layout.word.is_multiple_of(8)
        && multiple::has_points(field, layout)
}

/// `factor·Eᵖᵒʷᵉʳ(P)`, or of the multiple of P.
struct Term {
    /// Of the multiple, not of P itself?
    multiple: bool,
    /// 1, −1 or −2.
    factor: i32,
    power: u32,
}

/// What is neutral for multiples of the base point alone.
struct Criterion {
    /// The number of the multiple, as a product.
    factors: Vec<BigUint>,
    terms: Vec<Term>,
    endomorphism: Option<Endomorphism>,
}

impl Criterion {
    fn of_order(curve: &Curve) -> Option<Criterion> {
        let order = curve.order.clone()?;
        let terms = vec![Term { multiple: true, factor: 1, power: 0 }];
        Some(Criterion { factors: vec![order], terms, endomorphism: None })
    }

    /// For a group of a pairing of a family, where the greatest common divisor says that it suffices.
    fn of_endomorphism(field: &Field) -> Option<Criterion> {
        let (curve, _) = curve_of(field).ok()?;
        let family = |i| pairing_of(curve, i).map(|pairing| (i, pairing));
        let (group, pairing) = family(0).or_else(|| family(1))?;
        let x = pairing.parameter().clone();
        let bls = matches!(pairing.named.way, evariste_descriptions::Way::Bls12 { .. });
        let of = |multiple, factor, power| Term { multiple, factor, power };
        let (factors, terms) = match (bls, group) {
            // φ(P) = −x²·P
            (true, 0) => (vec![x.clone(), x], vec![of(true, 1, 0), of(false, 1, 1)]),
            // ψ(Q) = x·Q for a negative x
            (true, _) => (vec![x], vec![of(true, 1, 0), of(false, 1, 1)]),
            // (x + 1)·Q + ψ(x·Q) + ψ²(x·Q) = ψ³(2x·Q)
            (false, 1) => {
                let sum = [of(false, 1, 0), of(true, 1, 0), of(true, 1, 1), of(true, 1, 2), of(true, -2, 3)];
                (vec![x], sum.into())
            }
            _ => return None,
        };
        let criterion = Criterion { factors, terms, endomorphism: Some(Endomorphism::of(field)?) };
        criterion.suffices(curve).then_some(criterion)
    }

    /// The numbers cᵢ of `Σ cᵢ·Eⁱ`.
    fn coefficients(&self) -> Vec<BigInt> {
        let highest = self.terms.iter().map(|term| term.power).max().unwrap_or(0);
        let number: BigInt = self.factors.iter().product::<BigUint>().into();
        let mut all = vec![BigInt::zero(); highest as usize + 1];
        for term in &self.terms {
            let one = BigInt::one();
            all[term.power as usize] += term.factor * if term.multiple { &number } else { &one };
        }
        all
    }

    /// Is it 0 for all multiples of the base point, and for no other point?
    fn suffices(&self, curve: &Curve) -> bool {
        let (Some(e), Some(order), Some(cofactor)) = (&self.endomorphism, &curve.order, &curve.cofactor) else {
            return false;
        };
        let coefficients = self.coefficients();
        e.vanishes(&coefficients, order) && e.norm_of(&coefficients).gcd(&(order * cofactor)) == *order
    }
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    criterion: Option<Criterion>,
) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = curve_of(field)?;
    let [add, double, opp, to_bytes, ground @ ..] = parts else { return Err(missing()) };
    let [mul, square, sum, sub, minus] = ground else { return Err(missing()) };
    let operations =
        Operations { mul: mul.clone(), square: square.clone(), add: sum.clone(), sub: sub.clone(), opp: minus.clone() };
    let criterion = criterion.ok_or_else(|| NotApplicable("nothing tells the base point's group".into()))?;
    let count = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let (out, output) = flag_output(b);
    let a = Element::input(b, layout, "a", count);
    let mut callee = |kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
    let calls = [callee(add, "add"), callee(double, "double"), callee(opp, "opp")];
    let (to_bytes, sub) = (callee(to_bytes, "to_bytes"), callee(sub, "sub"));
    let multiples = Multiples::new(b, layout, count, calls);
    let images = criterion.endomorphism.as_ref();
    let images = images.map(|of| Images::new(b, field, layout, of, &operations)).transpose()?;
    let sum = summed(b, &multiples, &criterion, images.as_ref(), a.array)?;
    let bytes = b.array("bytes", BYTE, byte_count(modulus), ArrayKind::Local, vec![Interval::bits(8)]);
    let test = Test { size: layout.digits() as u32, length: byte_count(modulus), to_bytes, sub, bytes };
    let is = test.is_neutral(b, curve, count as u32, sum);
    b.store(out, 0u32, is);
    let claims = vec![Claim::Step { output, name: "in_subgroup".into() }];
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: a.numbered(layout), claims }))
}

fn missing() -> NotApplicable {
    NotApplicable("a part is missing".into())
}

/// The sum of a criterion's terms.
fn summed(
    b: &mut Builder,
    multiples: &Multiples,
    criterion: &Criterion,
    images: Option<&Images>,
    point: Array,
) -> Result<Array, NotApplicable> {
    let [multiple, term, sum] = ["of_number", "term", "sum"].map(|name| multiples.room(b, name));
    let mut from = point;
    for factor in &criterion.factors {
        multiples.write(b, multiple, from, factor);
        from = multiple;
    }
    for (i, of) in criterion.terms.iter().enumerate() {
        let to = if i == 0 { sum } else { term };
        multiples.copy(b, to, if of.multiple { multiple } else { point });
        if of.factor.abs() == 2 {
            multiples.double(b, to, to);
        }
        if of.factor < 0 {
            multiples.negate(b, to, to);
        }
        for _ in 0..of.power {
            images.ok_or_else(missing)?.write(b, to, to);
        }
        if i > 0 {
            multiples.add.call(b, sum, &[sum, term]);
        }
    }
    Ok(sum)
}

/// What a test for the neutral element calls.
struct Test {
    size: u32,
    length: u32,
    to_bytes: Callee,
    sub: Callee,
    bytes: Array,
}

impl Test {
    /// Is a point the neutral element? As a word.
    fn is_neutral(&self, b: &mut Builder, curve: &Curve, count: u32, point: Array) -> evariste_ir::Value {
        let at = |i: u32| View::from(point, i * self.size);
        let zero = match curve.equation.shape {
            // x = 0 and y = 1
            CurveShape::Edwards => {
                self.sub.call_views(b, at(1), &[at(1), at(2)]);
                0..2
            }
            _ => count / 3 * 2..count,
        };
        let mut all = Vec::new();
        for i in zero {
            self.to_bytes.call_views(b, View::whole(self.bytes), &[at(i)]);
            all.extend((0..self.length).map(|i| b.load(self.bytes, i)));
        }
        let is = are_zero(b, &all);
        truth(b, is)
    }
}

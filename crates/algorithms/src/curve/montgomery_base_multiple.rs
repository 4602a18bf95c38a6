//! Multiples of a Montgomery curve's base point by clamped scalars: by tables of the Edwards curve behind it, or by the ladder.
//!
//! * **computes** u of `k·G` for the base point G, with k clamped: public keys of X25519 and X448.
//! * **needs** for tables a curve `B v² = u³ + A u² + u` over a prime field of which `A² − 4` is no square; k in words.
//! * **gives** a resting u, 0 for the neutral element.
//! * **cost** of tables that of the Edwards curve's multiple ([`super::edwards_base_windows`]), an inverse and a product.
//! * **source** Bernstein, Lange, "Faster addition and doubling on elliptic curves" (2007); RFC 7748 (2016), section 4.1.
//!
//! One of `(A + 2)/B` and `(A − 2)/B` is a square `s²` then, the other, e, is none. With `x = s·u/v` and `y = (u − 1)/(u + 1)` for
//! the first, `y = (u + 1)/(u − 1)` for the second, `x² + y² = 1 + (e/s²)·x² y²`, whose sums have no exceptions. Where p is 1 modulo 4, x
//! times a root of −1 makes a = −1 of it. The neutral element goes to (0, 1). Then u is `(Z + Y)/(Z − Y)` or its opposite.

use std::sync::Arc;

use evariste_descriptions::{Curve, CurveShape, Field, Modulus, Point};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, View};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::base_windows::{Digits, by_width};
use super::comb::base;
use super::digits::scalar;
use super::edwards_base_windows::{COORDINATES, Form, PARTS, Tables};
use super::look_ups::points;
use super::setting::over_prime;
use crate::layout::Layout;
use crate::lowering::digits_of;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::{NotApplicable, output};

/// The operations that tables need, and the way back to u.
const NEEDS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::SELECTZNZ),
    Need::ground(Operation::INVERSE),
];

by_width! {
    FOUR "edwards-windows-of-the-base-4" 4;
    FIVE "edwards-windows-of-the-base-5" 5;
    SIX "edwards-windows-of-the-base-6" 6;
}

/// By the ladder: no tables.
pub const BY_LADDER: Composite = Composite {
    name: "ladder-of-the-base",
    applies: is_of_base,
    needs: &[Need::new(Operation::CLAMPED_LADDER, Pick::First)],
    write: |f, l, op, parts| by_ladder(f, l, &kernel_name(op, "ladder-of-the-base"), parts),
};

/// Is it a multiple of the base point by a clamped scalar?
fn is_of_base(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    let has = |curve: &Curve| curve.clamps() && curve.base.is_some();
    *operation == Operation::CLAMPED_MUL_BASE && layout.word >= 8 && over_prime(field).is_ok_and(|(c, _)| has(c))
}

/// Is there an Edwards curve, and are the tables not too long?
fn applies(field: &Field, layout: &Layout, operation: &Operation, w: u32) -> bool {
    let behind = |(curve, modulus): (&Curve, &Modulus)| {
        Digits::of(curve.field().bits(), w).fit(layout, COORDINATES) && Behind::new(curve, modulus).is_some()
    };
    is_of_base(field, layout, operation) && over_prime(field).is_ok_and(behind)
}

/// The Edwards curve behind a Montgomery curve, and the way there.
struct Behind {
    form: Form,
    /// `x = s·u/v`.
    s: BigUint,
    /// Is y `(u + 1)/(u − 1)` instead of `(u − 1)/(u + 1)`?
    inverted: bool,
}

impl Behind {
    fn new(curve: &Curve, m: &Modulus) -> Option<Behind> {
        if curve.equation.shape != CurveShape::Montgomery {
            return None;
        }
        let [a, b] = &curve.equation.coefficients;
        let (two, inverse) = (BigUint::from(2u32), m.inverse(b)?);
        let [above, below] = [m.add(a, &two), m.sub(a, &two)].map(|x| m.mul(&x, &inverse));
        let (s, square, other, inverted) = match (m.root(&above), m.root(&below)) {
            (Some(s), None) => (s, above, below, false),
            (None, Some(s)) => (s, below, above, true),
            _ => return None,
        };
        let d = m.mul(&other, &m.inverse(&square)?);
        let minus_one = m.neg(&BigUint::one());
        Some(match m.root(&minus_one) {
            Some(i) => {
                let form = Form { minus_one: true, a: minus_one, d: m.neg(&d) };
                Behind { form, s: m.mul(&s, &i), inverted }
            }
            None => Behind { form: Form { minus_one: false, a: BigUint::one(), d }, s, inverted },
        })
    }

    /// The point there of one, but for the other one of order two.
    fn point(&self, m: &Modulus, point: &Point) -> Option<[BigUint; 2]> {
        let one = BigUint::one();
        let Some((u, v)) = point else { return Some([BigUint::zero(), one]) };
        let (below, above) = (m.sub(u, &one), m.add(u, &one));
        let (n, d) = if self.inverted { (above, below) } else { (below, above) };
        let x = m.mul(&self.s, &m.mul(u, &m.inverse(v)?));
        Some([x, m.mul(&n, &m.inverse(&d)?)])
    }
}

fn write(field: &Field, layout: &Layout, name: &str, w: u32, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = over_prime(field)?;
    let [sums @ .., inverse] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let [mul, _, add, sub, ..] = sums else { return Err(NotApplicable("a part is missing".into())) };
    let behind = Behind::new(curve, modulus);
    let behind =
        behind.ok_or_else(|| NotApplicable("there is no Edwards curve without exceptions behind it".into()))?;
    let plan = Digits::of(curve.field().bits(), w);
    let points_there: Option<Vec<_>> = plan.points(field)?.iter().map(|point| behind.point(modulus, point)).collect();
    let all = points_there.ok_or_else(|| NotApplicable("a multiple of the base point has order two".into()))?;
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let (out, result) = output(b, "out", &layout.weights, &layout.resting);
    let (k, k_operand) = scalar(b, "k", plan.bits.next_multiple_of(8));
    let [mul, add, sub, inverse] = [(mul, "mul"), (add, "add"), (sub, "sub"), (inverse, "inverse")]
        .map(|(kernel, name)| Callee::new(b, kernel.clone(), name));
    let clamped = clamped(b, curve, k);
    let inverted = behind.inverted;
    let tables = Tables { form: behind.form, modulus, layout, plan, points: all };
    let sum = tables.sum(b, &sums[..PARTS], clamped)?;
    let [above, below] = ["above", "below"].map(|name| points(b, layout, name, 1, 1));
    let n = layout.digits() as u32;
    let (y, z) = (View::from(sum, n), View::from(sum, 2 * n));
    add.call_views(b, View::whole(above), &[z.clone(), y.clone()]);
    sub.call_views(b, View::whole(below), &if inverted { [y, z] } else { [z, y] });
    inverse.call(b, below, &[below]);
    mul.call(b, out, &[above, below]);
    let claims = vec![Claim::Step { output: result, name: "windows_of_the_base".into() }];
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![k_operand], claims }))
}

/// The clamped scalar: a multiple of the cofactor with the highest bit of the field's length set.
fn clamped(b: &mut Builder, curve: &Curve, k: Array) -> Array {
    let (word, bits) = (b.word(), curve.field().bits());
    let low = curve.cofactor.as_ref().and_then(BigUint::trailing_zeros).unwrap_or_default() as u32;
    let lengths: Vec<u32> = (0..bits.div_ceil(word)).map(|i| (bits - i * word).min(word)).collect();
    let ranges = lengths.iter().map(|bits| Interval::bits(*bits)).collect();
    let ty = b.word_type();
    let to = b.array("clamped", ty, lengths.len() as u32, ArrayKind::Local, ranges);
    for (i, length) in (0u32..).zip(lengths) {
        let mut x = b.load(k, i);
        x = b.low_bits(x, length);
        let zeros = low.saturating_sub(i * word).min(length);
        if zeros > 0 {
            let mask = b.word_constant((BigInt::one() << length) - (BigInt::one() << zeros));
            x = b.and(x, mask);
        }
        if i * word + length == bits {
            let top = b.word_constant(BigInt::one() << (length - 1));
            x = b.or(x, top);
        }
        b.store(to, i, x);
    }
    to
}

fn by_ladder(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = over_prime(field)?;
    let [ladder] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let (u, _) = base(field)?.ok_or_else(|| NotApplicable("the base point is neutral".into()))?;
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let (out, result) = output(b, "out", &layout.weights, &layout.resting);
    let (k, k_operand) = scalar(b, "k", curve.field().bits().next_multiple_of(8));
    let ladder = Callee::new(b, ladder.clone(), "ladder");
    // (In an array, as a given coordinate is, so that machine code has one ladder.)
    let from = points(b, layout, "base", 1, 1);
    for (i, digit) in (0u32..).zip(digits_of(&u, &modulus.value, layout)) {
        let digit = b.word_constant(digit);
        b.store(from, i, digit);
    }
    ladder.call(b, out, &[k, from]);
    let claims = vec![Claim::Step { output: result, name: "montgomery_ladder".into() }];
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![k_operand], claims }))
}

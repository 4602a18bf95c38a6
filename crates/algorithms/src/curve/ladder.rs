//! Ladders on Montgomery curves: the first coordinate of `k·P` from that of P.
//!
//! * **computes** u of `k·P` from u of P, 0 for the neutral element; X25519 and X448 with k clamped.
//! * **needs** k below `2^bits`, in words; a resting u.
//! * **gives** a resting u.
//! * **cost** a step of 5M + 4S + 1·a24 + 8A and an exchange of two points a bit; an inverse and a product.
//! * **source** Montgomery (1987); RFC 7748.
//!
//! The loop is proved to be the recurrence of the formula's step ([`Recurrence`]); that this gives `k·P` is tested, on
//! every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{CurveShape, Field};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{
    Array, ArrayKind, BitOf, Builder, Claim, Contract, Index, Kernel, Operand, Polynomial, Recurrence, View,
};
use num_bigint::BigUint;

use super::digits::{scalar, unpack_bits};
use super::formula::number;
use super::select::exchange;
use super::setting::{OPERATIONS, curve_of, scalar_bits};
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, digits_of, lower, named, step_polynomials};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need};
use crate::signature::{NotApplicable, input, output};

/// The formula of a step.
const STEP: &str = "montgomery-ladder-step";

/// What formulas are made of, and the way back to an affine coordinate.
const NEEDS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::INVERSE),
];

/// Any scalar.
pub const LADDER: Composite = Composite {
    name: "montgomery-ladder",
    applies: |f, l, op| *op == Operation::LADDER && has_ladder(f, l),
    needs: NEEDS,
    write: |f, l, op, parts| {
        let bits = scalar_bits(curve_of(f)?.0);
        write(f, l, &kernel_name(op, "montgomery-ladder"), parts, bits, None)
    },
};

/// Clamped scalars.
pub const CLAMPED_LADDER: Composite = Composite {
    name: "montgomery-ladder",
    applies: |f, l, op| {
        *op == Operation::CLAMPED_LADDER && has_ladder(f, l) && curve_of(f).is_ok_and(|(curve, _)| curve.clamps())
    },
    needs: NEEDS,
    write: |f, l, op, parts| {
        let curve = curve_of(f)?.0;
        let low = curve.cofactor.as_ref().map_or(0, |cofactor| cofactor.trailing_zeros().unwrap_or_default() as u32);
        let bits = curve.field().bits();
        write(f, l, &kernel_name(op, "montgomery-ladder"), parts, bits, Some(low))
    },
};

fn has_ladder(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && curve_of(field).is_ok_and(|(curve, _)| curve.equation.shape == CurveShape::Montgomery)
}

/// The ladder over so many bits; `clamped`: how many of the lowest are 0, where the highest is 1.
fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    bits: u32,
    clamped: Option<u32>,
) -> Result<Kernel, NotApplicable> {
    let [mul, .., inverse] = parts else { return Err(NotApplicable("ladders have six parts".into())) };
    let mut b = Builder::new(name, layout.word);
    let (out, output) = output(&mut b, "out", &layout.weights, &layout.resting);
    // Bits above the highest are ignored where scalars are clamped.
    let given = if clamped.is_some() { bits.next_multiple_of(8) } else { bits };
    let (k, k_operand) = scalar(&mut b, given);
    let u = input(&mut b, "u", &layout.weights, &layout.resting);
    let unpack = Callee::new(&mut b, Arc::new(unpack_bits(layout.word, given)?), "unpack");
    let rungs = b.callee(Arc::new(rungs(field, layout, bits, &parts[..OPERATIONS.len()])?));
    let exchange = b.callee(Arc::new(exchange(layout)));
    let (mul, inverse) = (Callee::new(&mut b, mul.clone(), "mul"), Callee::new(&mut b, inverse.clone(), "inverse"));
    let all = b.local("bits", given, Interval::bits(1));
    let exchanges = b.local("exchanges", bits, Interval::bits(1));
    let [low, high] = ["R0", "R1"].map(|name| local(&mut b, layout, name, 2));
    unpack.call(&mut b, all, &[k]);
    if let Some(low) = clamped {
        let (zero, one) = (b.word_constant(0), b.word_constant(1));
        (0..low).for_each(|i| b.store(all, i, zero));
        b.store(all, bits - 1, one);
    }
    // The points stay exchanged until a bit differs from the one above it.
    for i in 0..bits {
        let bit = b.load(all, i);
        let differs = if i + 1 < bits {
            let above = b.load(all, i + 1);
            b.xor(bit, above)
        } else {
            bit
        };
        b.store(exchanges, i, differs);
    }
    let n = layout.digits() as u32;
    let [x, z] = [0, n].map(|at| View::from(low, at));
    let states = [x.clone(), z.clone(), View::whole(high), View::from(high, n)];
    b.call(rungs, states.into_iter().chain([exchanges, u.array].map(View::whole)).collect());
    b.call(exchange, [low, high, all, low, high].map(View::whole).to_vec());
    inverse.call_views(&mut b, z.clone(), std::slice::from_ref(&z));
    mul.call_views(&mut b, View::whole(out), &[x, z]);
    let claims = vec![Claim::Step { output, name: "montgomery_ladder".into() }];
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![k_operand, u.operand], claims }))
}

fn local(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize) -> Array {
    let one = &layout.resting.digit_max;
    let ranges: Vec<Interval> = (0..coordinates).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
    let ty = b.word_type();
    b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
}

/// The kernel of all steps: of each whether the points are exchanged before it, and u in; R0 and R1 out.
fn rungs(field: &Field, layout: &Layout, bits: u32, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = curve_of(field)?;
    let [mul, square, add, sub, opp] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let operations =
        Operations { mul: mul.clone(), square: square.clone(), add: add.clone(), sub: sub.clone(), opp: opp.clone() };
    let ground = Ground { modulus, layout };
    let formula = named(STEP)?;
    let numbers = |name: &str| number(curve, name);
    let step = Arc::new(lower("montgomery_ladder_step", &formula, ground, &numbers, &operations)?);
    let mut b = Builder::new("montgomery_ladder_steps", layout.word);
    let outputs = ["X0", "Z0", "X1", "Z1"].map(|name| output(&mut b, name, &layout.weights, &layout.resting));
    let all = b.input("bits", bits, &[1.into()]);
    let weights: Vec<u32> = (0..bits).collect();
    let k = Operand::new("bits", all, &weights, &vec![1.into(); bits as usize], pow2(bits) - 1);
    let u = input(&mut b, "u", &layout.weights, &layout.resting);
    let step = b.callee(step);
    let exchange = b.callee(Arc::new(exchange(layout)));
    let bit = b.local("bit", 1, Interval::bits(1));
    let [low, high] = ["R0", "R1"].map(|name| local(&mut b, layout, name, 2));
    let n = layout.digits() as u32;
    let part = |point: Array, i: u32| View::from(point, i * n);
    let constant = |b: &mut Builder, number: u32, to: View| {
        for (i, digit) in (0..).zip(digits_of(&BigUint::from(number), &modulus.value, layout)) {
            let digit = b.word_constant(digit);
            b.store(to.array, Index { base: to.start.base + i, ..to.start.clone() }, digit);
        }
    };
    constant(&mut b, 1, part(low, 0));
    constant(&mut b, 0, part(low, 1));
    for i in 0..n {
        let digit = b.load(u.array, i);
        b.store(high, i, digit);
    }
    constant(&mut b, 1, part(high, 1));
    let last = i64::from(bits) - 1;
    b.repeat(bits, &[], |b, i, _| {
        let is = b.load(all, Index::at(last).plus(i, -1));
        b.store(bit, 0u32, is);
        b.call(exchange, [low, high, bit, low, high].map(View::whole).to_vec());
        b.call(step, [low, high, u.array, low, high].map(View::whole).to_vec());
        Vec::new()
    });
    for (i, j) in (0..4).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let digit = b.load([low, high][i as usize / 2], i % 2 * n + j);
        b.store(outputs[i as usize].0, j, digit);
    }
    let one = Polynomial::constant(layout.factor());
    let recurrence = Arc::new(Recurrence {
        start: vec![one.clone(), Polynomial::default(), Polynomial::input(1), one],
        step: step_polynomials(&formula, ground, &numbers)?,
        bits: vec![BitOf { number: 0, first: bits - 1, stride: -1 }],
        count: bits,
        modulus: modulus.value.clone().into(),
    });
    let claim = |(output, component)| Claim::Iterate { output, recurrence: recurrence.clone(), component };
    let claims = outputs.into_iter().map(|(_, operand)| operand).zip(0..).map(claim).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![k, u.operand], claims }))
}

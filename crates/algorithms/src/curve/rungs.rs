//! The loop of a ladder, over any field: R0 and R1 from the bits of a scalar, by a step that doubles the one and adds the
//! other to it.
//!
//! * **computes** from the base's first coordinate u and k: R0 = k·P and R1 = (k + 1)·P, first coordinates X/Z.
//! * **needs** the bits of k, one a word, and a step for points whose difference has the first coordinate u.
//! * **gives** two coordinates for each of the two points.
//! * **cost** a step and an exchange of two points a bit, whatever the bits are.
//! * **source** Montgomery (1987); the exchange by masks: RFC 7748, section 5.
//!
//! The loop is proved to be the recurrence of the step's polynomials ([`Recurrence`]).

use std::ops::Range;
use std::sync::Arc;

use evariste_ir::range::Interval;
use evariste_ir::{
    Array, ArrayKind, BitOf, Builder, Claim, Contract, Index, Kernel, Operand, Polynomial, Recurrence, Ring, View,
};
use num_bigint::BigInt;

use super::digits::one_bit_each;
use super::select::{choice, exchange};
use crate::layout::Layout;
use crate::lowering::Element;
use crate::signature::{ValueClaim, input, input_flag, output};

/// A step, and where a ladder of it starts.
pub(super) struct Rung {
    /// S0 and S1 from the base, R0 and R1.
    pub step: Arc<Kernel>,
    /// What an exchange and the step give, by the base, R0, R1 and the bit, where one kernel does both.
    pub exchanged: Option<Vec<ValueClaim>>,
    /// Are points chosen coordinate by coordinate, in calls of one kernel that do not wait for each other?
    pub by_coordinates: bool,
    /// What the kernel of all steps is called.
    pub name: &'static str,
    /// What the step does to its state, in the bits' number, the base, the state and a bit.
    pub polynomials: Vec<Polynomial>,
    /// What they are over.
    pub ring: Ring,
    /// The digits of 1.
    pub one: Vec<BigInt>,
    /// 1 and the base.
    pub start: [Polynomial; 2],
}

/// What a kernel calls to go up a ladder.
pub(super) struct Climb<'a> {
    layout: &'a Layout,
    bits: u32,
    rungs: u32,
    exchange: u32,
}

impl<'a> Climb<'a> {
    /// Over so many bits.
    pub(super) fn new(b: &mut Builder, layout: &'a Layout, bits: u32, rung: Rung) -> Climb<'a> {
        let rungs = b.callee(Arc::new(rungs(layout, bits, rung)));
        let exchange = b.callee(Arc::new(exchange(layout, 2)));
        Climb { layout, bits, rungs, exchange }
    }

    /// R0 and R1 for these bits, one a word, and the base's first coordinate.
    pub(super) fn write(&self, b: &mut Builder, all: Array, base: View) -> [Array; 2] {
        let exchanges = b.local("exchanges", self.bits, Interval::bits(1));
        let [low, high] = ["R0", "R1"].map(|name| local(b, self.layout, name, 2));
        // The points stay exchanged until a bit differs from the one above it.
        let last = self.bits - 1;
        let called = if self.layout.word == 1 { 0 } else { last / PIECE };
        if called > 0 {
            let differences = b.callee(Arc::new(differences(self.layout.word)));
            let views = |i: u32| [exchanges, all].map(|array| View::from(array, i * PIECE)).to_vec();
            (0..called).for_each(|i| b.call(differences, views(i)));
        }
        differ(b, exchanges, all, called * PIECE..last);
        let highest = b.load(all, last);
        b.store(exchanges, last, highest);
        let n = self.layout.digits() as u32;
        let [x, z] = [0, n].map(|at| View::from(low, at));
        let states = [x, z, View::whole(high), View::from(high, n)];
        b.call(self.rungs, states.into_iter().chain([View::whole(exchanges), base]).collect());
        b.call(self.exchange, [low, high, all, low, high].map(View::whole).to_vec());
        [low, high]
    }
}

/// Bits that one call compares.
const PIECE: u32 = 64;

/// Whether each of these bits is another than the one above it.
fn differ(b: &mut Builder, out: Array, bits: Array, range: Range<u32>) {
    for i in range {
        let [bit, above] = [i, i + 1].map(|i| b.load(bits, i));
        let differs = b.xor(bit, above);
        b.store(out, i, differs);
    }
}

/// The kernel of [`differ`] for a piece of bits and one more: code for all of them is long, and runs once.
fn differences(word: u32) -> Kernel {
    let mut b = Builder::new("differences", word);
    let out = b.output("out", PIECE, &[1.into()]);
    let bits = b.input("bits", PIECE + 1, &[1.into()]);
    differ(&mut b, out, bits, 0..PIECE);
    let claim = Claim::Step { output: one_bit_each("out", out, PIECE), name: "differences".into() };
    let inputs = vec![one_bit_each("bits", bits, PIECE + 1)];
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// A local array for an element of so many coordinates.
pub(super) fn local(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize) -> Array {
    let one = &layout.resting.digit_max;
    let ranges: Vec<Interval> = (0..coordinates).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
    let ty = b.word_type();
    b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
}

/// How the state goes up by a bit.
#[derive(Clone, Copy)]
enum Up {
    /// One callee exchanges and steps.
    Both(u32),
    /// Two callees.
    Each { exchange: u32, step: u32 },
}

/// The kernel of an exchange and a step: S0 and S1 from the base, R0, R1 and the bit.
fn exchanged_step(layout: &Layout, step: Arc<Kernel>, claims: Vec<ValueClaim>, by_coordinates: bool) -> Kernel {
    let mut b = Builder::new(format!("exchange_{}", step.name), layout.word);
    let outputs = ["S0", "S1"].map(|name| Element::output(&mut b, layout, name, 2));
    let u = input(&mut b, "base", &layout.weights, &layout.resting);
    let state = ["R0", "R1"].map(|name| Element::input(&mut b, layout, name, 2));
    let bit = input_flag(&mut b, "bit");
    let [low, high] = ["E0", "E1"].map(|name| local(&mut b, layout, name, 2));
    let [(s0, s1), (r0, r1)] = [&outputs, &state].map(|[a, b]| (a.array, b.array));
    if by_coordinates {
        let choice = b.callee(Arc::new(choice("choice", layout, 1)));
        for (to, from, other) in [(low, r0, r1), (high, r1, r0)] {
            for at in [0, layout.digits() as u32] {
                let [to, from, other] = [to, from, other].map(|array| View::from(array, at));
                b.call(choice, vec![to, View::whole(bit.array), from, other]);
            }
        }
    } else {
        let exchange = b.callee(Arc::new(exchange(layout, 2)));
        b.call(exchange, [low, high, bit.array, r0, r1].map(View::whole).to_vec());
    }
    let step = b.callee(step);
    b.call(step, [s0, s1, u.array, low, high].map(View::whole).to_vec());
    let numbered = |elements: &[Element; 2]| elements.iter().flat_map(|e| e.numbered(layout)).collect::<Vec<Operand>>();
    let claims = numbered(&outputs).into_iter().zip(claims).map(|(operand, claim)| claim.on(operand)).collect();
    let inputs = std::iter::once(u.operand).chain(numbered(&state)).chain([bit.operand]).collect();
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// The kernel of all steps: of each whether the points are exchanged before it, and u in; R0 and R1 out.
fn rungs(layout: &Layout, bits: u32, rung: Rung) -> Kernel {
    let mut b = Builder::new(rung.name, layout.word);
    let outputs = ["X0", "Z0", "X1", "Z1"].map(|name| output(&mut b, name, &layout.weights, &layout.resting));
    let all = b.input("bits", bits, &[1.into()]);
    let k = one_bit_each("bits", all, bits);
    let u = input(&mut b, "u", &layout.weights, &layout.resting);
    let up = match rung.exchanged {
        Some(claims) => Up::Both(b.callee(Arc::new(exchanged_step(layout, rung.step, claims, rung.by_coordinates)))),
        None => Up::Each { exchange: b.callee(Arc::new(exchange(layout, 2))), step: b.callee(rung.step) },
    };
    let bit = b.local("bit", 1, Interval::bits(1));
    let [low, high] = ["R0", "R1"].map(|name| local(&mut b, layout, name, 2));
    let n = layout.digits() as u32;
    let part = |point: Array, i: u32| View::from(point, i * n);
    let zero = vec![BigInt::ZERO; n as usize];
    let constant = |b: &mut Builder, digits: &[BigInt], to: View| {
        for (i, digit) in (0..).zip(digits) {
            let digit = b.word_constant(digit.clone());
            b.store(to.array, Index { base: to.start.base + i, ..to.start.clone() }, digit);
        }
    };
    constant(&mut b, &rung.one, part(low, 0));
    constant(&mut b, &zero, part(low, 1));
    for i in 0..n {
        let digit = b.load(u.array, i);
        b.store(high, i, digit);
    }
    constant(&mut b, &rung.one, part(high, 1));
    let last = i64::from(bits) - 1;
    b.repeat(bits, &[], |b, i, _| {
        let is = b.load(all, Index::at(last).plus(i, -1));
        b.store(bit, 0u32, is);
        match up {
            Up::Both(both) => b.call(both, [low, high, u.array, low, high, bit].map(View::whole).to_vec()),
            Up::Each { exchange, step } => {
                b.call(exchange, [low, high, bit, low, high].map(View::whole).to_vec());
                b.call(step, [low, high, u.array, low, high].map(View::whole).to_vec());
            }
        }
        Vec::new()
    });
    for (i, j) in (0..4).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let digit = b.load([low, high][i as usize / 2], i % 2 * n + j);
        b.store(outputs[i as usize].0, j, digit);
    }
    let [one, base] = rung.start;
    let recurrence = Arc::new(Recurrence {
        start: vec![one.clone(), Polynomial::default(), base, one],
        step: rung.polynomials,
        bits: vec![BitOf { number: 0, first: bits - 1, stride: -1 }],
        count: bits,
        ring: rung.ring,
    });
    let claim = |(output, component)| Claim::Iterate { output, recurrence: recurrence.clone(), component };
    let claims = outputs.into_iter().map(|(_, operand)| operand).zip(0..).map(claim).collect();
    b.finish(Contract { facts: Vec::new(), inputs: vec![k, u.operand], claims })
}

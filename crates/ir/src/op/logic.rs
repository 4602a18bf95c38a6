//! Bitwise operations.

use num_bigint::BigInt;

use super::operation::Op;
use super::row::{Applied, Counted, OverBits, Public, Row, row, run};
use super::types;
use crate::interval::{Interval, bit_length, pow2};
use crate::lanes::lane::Word;
use crate::lanes::vectors::{Inst, Vectors};

pub(super) static AND: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Or, Op::AndNot],
    ..row(
        "and",
        Public::Nothing(|| Op::And),
        types::PATTERNS,
        |x| vec![Interval::up_to((&x.range(0).hi).min(&x.range(1).hi).clone())],
        run!(and),
        Counted::Logic,
    )
};

fn and<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map2(x, |a, b| a & b);
}

pub(super) static OR: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::And, Op::Xor],
    ..row(
        "or",
        Public::Nothing(|| Op::Or),
        types::PATTERNS,
        |x| vec![Interval { lo: (&x.range(0).lo).max(&x.range(1).lo).clone(), hi: most_of_or(x) }],
        run!(or),
        Counted::Logic,
    )
};

/// The most that an `or` can be: no more than the sum, and no longer than the longer operand.
fn most_of_or(x: &Applied) -> BigInt {
    let (a, b) = (&x.range(0).hi, &x.range(1).hi);
    std::cmp::min(pow2(bit_length(a).max(bit_length(b))) - 1, a + b)
}

fn or<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map2(x, |a, b| a | b);
}

pub(super) static XOR: Row = Row {
    over_bits: OverBits::Linear,
    symmetric: |_, _| true,
    slips: |_| vec![Op::And, Op::Or],
    ..row(
        "xor",
        Public::Nothing(|| Op::Xor),
        types::PATTERNS,
        |x| vec![Interval::up_to(most_of_or(x))],
        run!(xor),
        Counted::Logic,
    )
};

fn xor<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map2(x, |a, b| a ^ b);
}

pub(super) static NOT: Row = row(
    "not",
    Public::Nothing(|| Op::Not),
    types::PATTERN,
    |x| {
        let top = pow2(x.bits()) - 1;
        vec![Interval { lo: &top - &x.range(0).hi, hi: &top - &x.range(0).lo }]
    },
    run!(not),
    Counted::Logic,
);

fn not<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map1(x, |a| a ^ mask);
}

pub(super) static AND_NOT: Row = Row {
    slips: |_| vec![Op::And],
    ..row(
        "and_not",
        Public::Nothing(|| Op::AndNot),
        types::PATTERNS,
        |x| vec![Interval::up_to(x.range(0).hi.clone())],
        run!(and_not),
        Counted::Logic,
    )
};

fn and_not<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map2(x, |a, b| a & !b);
}

pub(super) static LOW_BITS: Row = Row {
    over_bits: OverBits::Linear,
    reads_numbers: true,
    ..row("low_bits", Public::Bits(Op::LowBits), types::LOW_BITS, kept, run!(low_bits), Counted::Logic)
};

fn kept(x: &Applied) -> Vec<Interval> {
    match x.op {
        Op::LowBits(k) => vec![x.range(0).low_bits(*k)],
        _ => x.full(),
    }
}

fn low_bits<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    if let Op::LowBits(k) = x.op {
        let low = L::mask(k);
        m.map1(x, |a| a & low);
    }
}

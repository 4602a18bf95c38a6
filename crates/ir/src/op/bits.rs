//! Rows of what works on bits: shifts, logic, selections, copies into other types, look-ups.

use num_bigint::BigInt;

use super::operation::Op;
use super::row::{Applied, Counted, OverBits, Public, Row, row};
use super::{arithmetic, types};
use crate::interval::{Interval, bit_length, pow2};

/// What moves bits, repeats them or adds them up.
const fn linear(row: Row) -> Row {
    Row { over_bits: OverBits::Linear, ..row }
}

pub(super) static FLAG_TO_WORD: Row =
    linear(row("flag_to_word", Public::Nothing(|| Op::FlagToWord), types::FLAG_TO_WORD, same, Counted::Move));

pub(super) static FLAG_TO_MASK: Row = linear(row(
    "flag_to_mask",
    Public::Nothing(|| Op::FlagToMask),
    types::FLAG_TO_MASK,
    |x| vec![x.range(0).mul(&Interval::point(pow2(x.bits()) - 1))],
    Counted::Move,
));

pub(super) static MASK_TO_WORD: Row =
    linear(row("mask_to_word", Public::Nothing(|| Op::MaskToWord), types::MASK_TO_WORD, same, Counted::Move));

pub(super) static MASK_TO_FLAG: Row = linear(row(
    "mask_to_flag",
    Public::Nothing(|| Op::MaskToFlag),
    types::MASK_TO_FLAG,
    arithmetic::flag_of,
    Counted::Move,
));

pub(super) static SELECT: Row = Row {
    reads_numbers: true,
    ..row("select", Public::Nothing(|| Op::Select), types::SELECT, select, Counted::Select)
};

pub(super) static SHL: Row = Row {
    exact: true,
    reads_numbers: true,
    slips: |op| op.amount().map(|k| Op::Shr(k.clone())).into_iter().collect(),
    ..linear(row("shl", Public::Amount(Op::Shl), types::INTEGER, |x| vec![x.shifted(Interval::shl)], Counted::Shift))
};

pub(super) static WRAPPING_SHL: Row = Row {
    slips: |op| op.amount().map(|k| Op::Shr(k.clone())).into_iter().collect(),
    ..linear(row(
        "wrapping_shl",
        Public::Amount(Op::WrappingShl),
        types::INTEGER,
        |x| x.wrapped(x.shifted(Interval::shl)),
        Counted::Shift,
    ))
};

pub(super) static SHR: Row = Row {
    slips: |op| op.amount().map(|k| Op::WrappingShl(k.clone())).into_iter().collect(),
    ..linear(row("shr", Public::Amount(Op::Shr), types::INTEGER, |x| vec![x.shifted(Interval::shr)], Counted::Shift))
};

pub(super) static SAR: Row = Row {
    reads_numbers: true,
    ..linear(row("sar", Public::Amount(Op::Sar), types::INTEGER, arithmetic_shift, Counted::Shift))
};

pub(super) static ROTATE: Row =
    linear(row("rotate", Public::Amount(Op::Rotate), types::INTEGER, |x| x.full(), Counted::Shift));

pub(super) static FUNNEL_SHIFT: Row =
    linear(row("funnel_shift", Public::Amount(Op::FunnelShift), types::WORDS, funnel, Counted::Shift));

pub(super) static AND: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Or, Op::AndNot],
    ..row(
        "and",
        Public::Nothing(|| Op::And),
        types::PATTERNS,
        |x| vec![Interval::up_to((&x.range(0).hi).min(&x.range(1).hi).clone())],
        Counted::Logic,
    )
};

pub(super) static OR: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::And, Op::Xor],
    ..row(
        "or",
        Public::Nothing(|| Op::Or),
        types::PATTERNS,
        |x| vec![Interval { lo: (&x.range(0).lo).max(&x.range(1).lo).clone(), hi: most_of_or(x) }],
        Counted::Logic,
    )
};

pub(super) static XOR: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::And, Op::Or],
    ..linear(row(
        "xor",
        Public::Nothing(|| Op::Xor),
        types::PATTERNS,
        |x| vec![Interval::up_to(most_of_or(x))],
        Counted::Logic,
    ))
};

pub(super) static NOT: Row = row(
    "not",
    Public::Nothing(|| Op::Not),
    types::PATTERN,
    |x| {
        let top = pow2(x.bits()) - 1;
        vec![Interval { lo: &top - &x.range(0).hi, hi: &top - &x.range(0).lo }]
    },
    Counted::Logic,
);

pub(super) static AND_NOT: Row = Row {
    slips: |_| vec![Op::And],
    ..row(
        "and_not",
        Public::Nothing(|| Op::AndNot),
        types::PATTERNS,
        |x| vec![Interval::up_to(x.range(0).hi.clone())],
        Counted::Logic,
    )
};

pub(super) static LOW_BITS: Row = Row {
    reads_numbers: true,
    ..linear(row("low_bits", Public::Bits(Op::LowBits), types::LOW_BITS, low_bits, Counted::Logic))
};

pub(super) static WIDEN: Row = linear(row("widen", Public::Nothing(|| Op::Widen), types::WIDER, same, Counted::Move));

pub(super) static NARROW: Row = Row {
    exact: true,
    reads_numbers: true,
    ..linear(row("narrow", Public::Nothing(|| Op::Narrow), types::NARROWER, same, Counted::Move))
};

pub(super) static SPLIT: Row = linear(row("split", Public::Nothing(|| Op::Split), types::SPLIT, split, Counted::Move));

pub(super) static JOIN: Row = linear(row("join", Public::Nothing(|| Op::Join), types::JOIN, join, Counted::Move));

pub(super) static BIT_MATRIX: Row =
    linear(row("bit_matrix", Public::Images(Op::BitMatrix), types::BYTE, |x| x.full(), Counted::Logic));

pub(super) static LOOKUP: Row = row(
    "lookup",
    Public::Table(|table| Op::Lookup { table, vartime: false }),
    types::LOOK_UP,
    |x| x.full(),
    Counted::LookUp,
);

pub(super) static LOOKUP_VARTIME: Row =
    Row { name: "lookup_vartime", public: Public::Table(|table| Op::Lookup { table, vartime: true }), ..LOOKUP };

fn same(x: &Applied) -> Vec<Interval> {
    vec![x.range(0).clone()]
}

fn select(x: &Applied) -> Vec<Interval> {
    let (mask, first, second) = (x.range(0), x.range(1), x.range(2));
    let zero = BigInt::ZERO;
    vec![if mask.hi == zero {
        second.clone()
    } else if mask.lo != zero {
        first.clone()
    } else {
        first.hull(second)
    }]
}

/// Unsigned values with the top bit set are negative in the two's complement reading.
fn arithmetic_shift(x: &Applied) -> Vec<Interval> {
    if x.range(0).hi >= pow2(x.bits() - 1) { x.full() } else { vec![x.shifted(Interval::shr)] }
}

fn funnel(x: &Applied) -> Vec<Interval> {
    if x.shift.0 != x.shift.1 {
        return x.full();
    }
    let n = x.bits();
    vec![x.range(0).shl(n).add(x.range(1)).shr(x.shift.0).low_bits(n)]
}

/// The most that an `or` can be: no more than the sum, and no longer than the longer operand.
fn most_of_or(x: &Applied) -> BigInt {
    let (a, b) = (&x.range(0).hi, &x.range(1).hi);
    std::cmp::min(pow2(bit_length(a).max(bit_length(b))) - 1, a + b)
}

fn low_bits(x: &Applied) -> Vec<Interval> {
    match x.op {
        Op::LowBits(k) => vec![x.range(0).low_bits(*k)],
        _ => x.full(),
    }
}

fn split(x: &Applied) -> Vec<Interval> {
    let mut rest = x.range(0).clone();
    let mut parts = Vec::new();
    for t in x.results {
        parts.push(rest.low_bits(t.bits()));
        rest = rest.shr(t.bits());
    }
    parts
}

fn join(x: &Applied) -> Vec<Interval> {
    let mut sum = Interval::point(0);
    let mut at = 0;
    for (t, part) in x.args {
        sum = sum.add(&part.shl(at));
        at += t.bits();
    }
    vec![sum]
}

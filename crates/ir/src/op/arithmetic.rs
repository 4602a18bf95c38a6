//! Rows of arithmetic: constants, sums, products, carries, comparisons.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::operation::Op;
use super::row::{Applied, Counted, OverBits, Public, Row, row};
use super::types;
use crate::interval::{Interval, bit_length, pow2};

pub(super) static CONST: Row =
    Row { reads_numbers: true, ..row("const", Public::Constant, types::CONSTANT, constant, Counted::Constant) };

pub(super) static ADD: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Sub, Op::WrappingAdd],
    ..row("add", Public::Nothing(|| Op::Add), types::INTEGERS, |x| vec![sum(x)], Counted::Addition)
};

pub(super) static SUB: Row = Row {
    exact: true,
    reads_numbers: true,
    slips: |_| vec![Op::Add, Op::WrappingSub],
    ..row("sub", Public::Nothing(|| Op::Sub), types::INTEGERS, |x| vec![difference(x)], Counted::Addition)
};

pub(super) static MUL: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Add, Op::WrappingMul],
    ..row("mul", Public::Nothing(|| Op::Mul), types::INTEGERS, |x| vec![product(x)], Counted::Product(0))
};

pub(super) static WRAPPING_ADD: Row = Row {
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::WrappingSub],
    ..row(
        "wrapping_add",
        Public::Nothing(|| Op::WrappingAdd),
        types::INTEGERS,
        |x| x.wrapped(sum(x)),
        Counted::Addition,
    )
};

pub(super) static WRAPPING_SUB: Row = Row {
    reads_numbers: true,
    slips: |_| vec![Op::WrappingAdd],
    ..row(
        "wrapping_sub",
        Public::Nothing(|| Op::WrappingSub),
        types::INTEGERS,
        |x| x.wrapped(difference(x)),
        Counted::Addition,
    )
};

pub(super) static WRAPPING_MUL: Row = Row {
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::WrappingAdd],
    ..row(
        "wrapping_mul",
        Public::Nothing(|| Op::WrappingMul),
        types::INTEGERS,
        |x| x.wrapped(product(x)),
        Counted::Product(0),
    )
};

pub(super) static MUL_WIDE: Row = Row {
    symmetric: |_, _| true,
    ..row(
        "mul_wide",
        Public::Nothing(|| Op::MulWide),
        types::WORDS_TO_TWO,
        |x| x.split(product(x)),
        Counted::Product(0),
    )
};

pub(super) static MUL_FULL: Row = Row {
    symmetric: |_, _| true,
    ..row("mul_full", Public::Nothing(|| Op::MulFull), types::TO_WIDE, |x| vec![product(x)], Counted::Product(0))
};

pub(super) static MUL_ADD_ADD: Row = Row {
    symmetric: |i, j| (i < 2) == (j < 2),
    ..row(
        "mul_add_add",
        Public::Nothing(|| Op::MulAddAdd),
        types::FOUR_WORDS_TO_TWO,
        |x| x.split(product(x).add(x.range(2)).add(x.range(3))),
        Counted::Product(2),
    )
};

pub(super) static MADD_LO: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |i, _| i > 0,
    slips: |op| if let Op::MaddLo(k) = op { vec![Op::MaddHi(*k)] } else { Vec::new() },
    ..row("madd_lo", Public::FactorBits(Op::MaddLo), types::MADD, multiply_add, Counted::Product(1))
};

pub(super) static MADD_HI: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |i, _| i > 0,
    slips: |op| if let Op::MaddHi(k) = op { vec![Op::MaddLo(*k)] } else { Vec::new() },
    ..row("madd_hi", Public::FactorBits(Op::MaddHi), types::MADD, multiply_add, Counted::Product(1))
};

pub(super) static ADD_CARRY: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::SubBorrow],
    ..row(
        "add_carry",
        Public::Nothing(|| Op::AddCarry),
        types::CARRY,
        |x| x.split(sum(x).add(x.range(2))),
        Counted::Addition,
    )
};

pub(super) static SUB_BORROW: Row = Row {
    slips: |_| vec![Op::AddCarry],
    ..row("sub_borrow", Public::Nothing(|| Op::SubBorrow), types::CARRY, borrow, Counted::Addition)
};

pub(super) static EQUAL: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::Less],
    ..row("equal", Public::Nothing(|| Op::Equal), types::COMPARISON, equal, Counted::Logic)
};

pub(super) static LESS: Row = Row {
    slips: |_| vec![Op::Equal],
    ..row("less", Public::Nothing(|| Op::Less), types::COMPARISON, less, Counted::Logic)
};

pub(super) static CLMUL: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    ..row(
        "clmul",
        Public::Nothing(|| Op::Clmul),
        types::TO_WIDE,
        |x| {
            let bits = bit_length(&x.range(0).hi) + bit_length(&x.range(1).hi);
            vec![Interval::bits(bits.saturating_sub(1))]
        },
        Counted::Product(0),
    )
};

pub(super) static RIJNDAEL_MUL: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    ..row("rijndael_mul", Public::Nothing(|| Op::RijndaelMul), types::BYTES, |x| x.full(), Counted::Product(0))
};

fn constant(x: &Applied) -> Vec<Interval> {
    match x.op {
        Op::Const(c) => vec![Interval::point(c.clone())],
        _ => x.full(),
    }
}

fn sum(x: &Applied) -> Interval {
    x.range(0).add(x.range(1))
}

fn difference(x: &Applied) -> Interval {
    x.range(0).sub(x.range(1))
}

fn product(x: &Applied) -> Interval {
    x.range(0).mul(x.range(1))
}

/// The accumulator and a part of the product of the factors' low bits.
fn multiply_add(x: &Applied) -> Vec<Interval> {
    let part = match x.op {
        Op::MaddLo(k) => x.range(1).low_bits(*k).mul(&x.range(2).low_bits(*k)).low_bits(*k),
        Op::MaddHi(k) => x.range(1).low_bits(*k).mul(&x.range(2).low_bits(*k)).shr(*k),
        _ => return x.full(),
    };
    vec![x.range(0).add(&part)]
}

fn borrow(x: &Applied) -> Vec<Interval> {
    let (exact, n) = (difference(x).sub(x.range(2)), x.bits());
    let borrow = Interval { lo: -(&exact.hi >> n), hi: -(&exact.lo >> n) };
    vec![exact.low_bits(n), borrow]
}

fn all_ones(x: &Applied) -> Vec<Interval> {
    vec![Interval::point(pow2(x.bits()) - 1)]
}

fn equal(x: &Applied) -> Vec<Interval> {
    if x.range(0).meet(x.range(1)).is_none() {
        vec![Interval::point(0)]
    } else if x.range(0).constant().is_some() && x.range(0) == x.range(1) {
        all_ones(x)
    } else {
        x.full()
    }
}

fn less(x: &Applied) -> Vec<Interval> {
    if x.range(0).hi < x.range(1).lo {
        all_ones(x)
    } else if x.range(0).lo >= x.range(1).hi {
        vec![Interval::point(0)]
    } else {
        x.full()
    }
}

/// 1 where a mask is not 0.
pub(super) fn flag_of(x: &Applied) -> Vec<Interval> {
    let one = |x: &BigInt| if x.is_zero() { BigInt::zero() } else { BigInt::one() };
    vec![Interval { lo: one(&x.range(0).lo), hi: one(&x.range(0).hi) }]
}

//! Rows of operations on floats.

use super::operation::Op;
use super::row::{Applied, Counted, Public, Row, format, row, run};
use super::types;
use crate::float::{Format, Toy};
use crate::interval::Interval;
use crate::lanes::lane::Word;
use crate::lanes::vectors::{Inst, Vectors};

const fn numbers(row: Row) -> Row {
    Row { reads_numbers: true, ..row }
}

pub(super) static BITS_TO_FLOAT: Row = numbers(row(
    "bits_to_float",
    Public::Nothing(|| Op::BitsToFloat),
    types::TO_FLOAT,
    |x| format(x.results[0]).and_then(|f| f.numbers(x.range(0))).map_or_else(|| x.full(), |r| vec![r]),
    run!(copy),
    Counted::Move,
));

pub(super) static FLOAT_TO_BITS: Row = numbers(row(
    "float_to_bits",
    Public::Nothing(|| Op::FloatToBits),
    types::FROM_FLOAT,
    |x| format(x.args[0].0).and_then(|f| f.patterns(x.range(0))).map_or_else(|| x.full(), |r| vec![r]),
    run!(copy),
    Counted::Move,
));

pub(super) static FLOAT_ADD: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::FloatSub, Op::FloatMul],
    ..numbers(row(
        "float_add",
        Public::Nothing(|| Op::FloatAdd),
        types::FLOATS,
        |x| x.rounded(x.range(0).add(x.range(1))),
        run!(add),
        Counted::Addition,
    ))
};

pub(super) static FLOAT_SUB: Row = Row {
    slips: |_| vec![Op::FloatAdd],
    ..numbers(row(
        "float_sub",
        Public::Nothing(|| Op::FloatSub),
        types::FLOATS,
        |x| x.rounded(x.range(0).sub(x.range(1))),
        run!(sub),
        Counted::Addition,
    ))
};

pub(super) static FLOAT_MUL: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::FloatAdd],
    ..numbers(row(
        "float_mul",
        Public::Nothing(|| Op::FloatMul),
        types::FLOATS,
        |x| x.rounded(product(x)),
        run!(mul),
        Counted::Product(0),
    ))
};

pub(super) static FLOAT_FMA: Row = numbers(row(
    "float_fma",
    Public::Nothing(|| Op::FloatFma),
    types::THREE_FLOATS,
    |x| x.rounded(product(x).add(x.range(2))),
    run!(fma),
    Counted::Product(1),
));

fn product(x: &Applied) -> Interval {
    x.range(0).mul(x.range(1))
}

/// Patterns of floats and of words of their size are the same.
fn copy<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.same(x);
}

fn add<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let sum = |toy: Toy, a, b| toy.fma(a, toy.one(), b);
    compute(m, x, |a, b, _| a + b, |a, b, _| a + b, |toy, a, b, _| sum(toy, a, b));
}

fn sub<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let difference = |toy: Toy, a, b| toy.fma(a, toy.one(), toy.negative(b));
    compute(m, x, |a, b, _| a - b, |a, b, _| a - b, |toy, a, b, _| difference(toy, a, b));
}

fn mul<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    compute(m, x, |a, b, _| a * b, |a, b, _| a * b, |toy, a, b, _| toy.fma(a, b, 0));
}

fn fma<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    compute(m, x, f32::mul_add, f64::mul_add, |toy, a, b, c| toy.fma(a, b, c));
}

/// The operation in the format of its operands, of which the last one counts where there are three. A float has several
/// bits, so that a cell is one lane.
#[inline(always)]
fn compute<L: Word>(
    m: &mut Vectors<L>,
    x: &Inst<L>,
    single: impl Fn(f32, f32, f32) -> f32,
    double: impl Fn(f64, f64, f64) -> f64,
    short: impl Fn(Toy, u32, u32, u32) -> u32,
) {
    let two = x.args.len() == 2;
    macro_rules! map {
        (|$a:ident, $b:ident, $c:ident| $body:expr) => {
            if two {
                m.map2(x, |$a, $b| {
                    let $c = L::ZERO;
                    L::broadcast($body.into())
                })
            } else {
                m.map3(x, |$a, $b, $c| L::broadcast($body.into()))
            }
        };
    }
    match x.format {
        Some(Format { mantissa: 24, .. }) => {
            let of = |x: L| f32::from_bits(x.first() as u32);
            map!(|a, b, c| single(of(a), of(b), of(c)).to_bits())
        }
        Some(format) if format.mantissa <= 11 => {
            let of = |x: L| x.first() as u32;
            map!(|a, b, c| short(Toy(format), of(a), of(b), of(c)))
        }
        _ => {
            let of = |x: L| f64::from_bits(x.first() as u64);
            map!(|a, b, c| double(of(a), of(b), of(c)).to_bits())
        }
    }
}

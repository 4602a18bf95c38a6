//! Rows of operations on floats.

use super::operation::Op;
use super::row::{Applied, Counted, Public, Row, format, row};
use super::types;
use crate::interval::Interval;

const fn numbers(row: Row) -> Row {
    Row { reads_numbers: true, ..row }
}

pub(super) static BITS_TO_FLOAT: Row = numbers(row(
    "bits_to_float",
    Public::Nothing(|| Op::BitsToFloat),
    types::TO_FLOAT,
    |x| format(x.results[0]).and_then(|f| f.numbers(x.range(0))).map_or_else(|| x.full(), |r| vec![r]),
    Counted::Move,
));

pub(super) static FLOAT_TO_BITS: Row = numbers(row(
    "float_to_bits",
    Public::Nothing(|| Op::FloatToBits),
    types::FROM_FLOAT,
    |x| format(x.args[0].0).and_then(|f| f.patterns(x.range(0))).map_or_else(|| x.full(), |r| vec![r]),
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
        Counted::Product(0),
    ))
};

pub(super) static FLOAT_FMA: Row = numbers(row(
    "float_fma",
    Public::Nothing(|| Op::FloatFma),
    types::THREE_FLOATS,
    |x| x.rounded(product(x).add(x.range(2))),
    Counted::Product(1),
));

fn product(x: &Applied) -> Interval {
    x.range(0).mul(x.range(1))
}

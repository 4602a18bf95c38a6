//! Shifts by public amounts.

use super::operation::Op;
use super::row::{Applied, Counted, OverBits, Public, Row, row, run};
use super::types;
use crate::interval::{Interval, pow2};
use crate::lanes::lane::Word;
use crate::lanes::sign::Sign;
use crate::lanes::vectors::{Inst, Operand, Vectors};

/// What moves bits, repeats them or adds them up.
const fn linear(row: Row) -> Row {
    Row { over_bits: OverBits::Linear, ..row }
}

pub(super) static SHL: Row = Row {
    exact: true,
    reads_numbers: true,
    slips: |op| op.amount().map(|k| Op::Shr(k.clone())).into_iter().collect(),
    ..linear(row(
        "shl",
        Public::Amount(Op::Shl),
        types::INTEGER,
        |x| vec![x.shifted(Interval::shl)],
        run!(shl),
        Counted::Shift,
    ))
};

/// Exact when shifting back gives the operand, sign included.
fn shl<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    let mask = x.mask();
    let (sa, sr) = (Sign::of(&x.args[0]), Sign::of(&x.results[0]));
    let ones = mask & !mask.shr(k);
    m.exact1(x, |a| {
        let r = a.shl(k) & mask;
        let back = r.shr(k) | sr.all(r) & ones;
        (r, (back ^ a) | (sr.bit(r) ^ sa.bit(a)))
    });
}

pub(super) static WRAPPING_SHL: Row = Row {
    slips: |op| op.amount().map(|k| Op::Shr(k.clone())).into_iter().collect(),
    ..linear(row(
        "wrapping_shl",
        Public::Amount(Op::WrappingShl),
        types::INTEGER,
        |x| x.wrapped(x.shifted(Interval::shl)),
        run!(wrapping_shl),
        Counted::Shift,
    ))
};

fn wrapping_shl<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    let mask = x.mask();
    m.map1(x, |a| a.shl(k) & mask);
}

pub(super) static SHR: Row = Row {
    slips: |op| op.amount().map(|k| Op::WrappingShl(k.clone())).into_iter().collect(),
    ..linear(row(
        "shr",
        Public::Amount(Op::Shr),
        types::INTEGER,
        |x| vec![x.shifted(Interval::shr)],
        run!(shr),
        Counted::Shift,
    ))
};

fn shr<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    m.map1(x, |a| a.shr(k));
}

pub(super) static SAR: Row = Row {
    reads_numbers: true,
    ..linear(row("sar", Public::Amount(Op::Sar), types::INTEGER, arithmetic_shift, run!(sar), Counted::Shift))
};

/// Unsigned values with the top bit set are negative in the two's complement reading.
fn arithmetic_shift(x: &Applied) -> Vec<Interval> {
    if x.range(0).hi >= pow2(x.bits() - 1) { x.full() } else { vec![x.shifted(Interval::shr)] }
}

/// Of the two's complement reading of the pattern, whatever the interval says.
fn sar<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    let sign = Sign::of(&Operand { signed: true, ..x.args[0] });
    let mask = x.mask();
    let ones = mask & !mask.shr(k);
    m.map1(x, |a| a.shr(k) | sign.all(a) & ones);
}

pub(super) static ROTATE: Row =
    linear(row("rotate", Public::Amount(Op::Rotate), types::INTEGER, |x| x.full(), run!(rotate), Counted::Shift));

fn rotate<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    let (n, mask) = (x.bits(), x.mask());
    let k = k % n;
    m.map1(x, |a| (a.shl(k) | a.shr(n - k)) & mask);
}

pub(super) static FUNNEL_SHIFT: Row = linear(row(
    "funnel_shift",
    Public::Amount(Op::FunnelShift),
    types::WORDS,
    funnel,
    run!(funnel_shift),
    Counted::Shift,
));

fn funnel(x: &Applied) -> Vec<Interval> {
    if x.shift.0 != x.shift.1 {
        return x.full();
    }
    let n = x.bits();
    vec![x.range(0).shl(n).add(x.range(1)).shr(x.shift.0).low_bits(n)]
}

fn funnel_shift<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, k: u32) {
    let (n, mask) = (x.bits(), x.mask());
    let k = k.min(n);
    m.map2(x, |hi, lo| (lo.shr(k) | hi.shl(n - k)) & mask);
}

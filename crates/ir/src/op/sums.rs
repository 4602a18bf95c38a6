//! Constants, sums and differences, with carries too.

use super::operation::Op;
use super::row::{Applied, Counted, Public, Row, row, run};
use super::types;
use crate::interval::Interval;
use crate::lanes::lane::Word;
use crate::lanes::sign::Sign;
use crate::lanes::vectors::{Inst, Vectors};

pub(super) static CONST: Row = Row {
    reads_numbers: true,
    ..row("const", Public::Constant, types::CONSTANT, constant, run!(run_constant), Counted::Constant)
};

fn constant(x: &Applied) -> Vec<Interval> {
    match x.op {
        Op::Const(c) => vec![Interval::point(c.clone())],
        _ => x.full(),
    }
}

fn run_constant<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.fill(x.results[0].slot, x.constant);
}

pub(super) static ADD: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Sub, Op::WrappingAdd],
    ..row("add", Public::Nothing(|| Op::Add), types::INTEGERS, |x| vec![sum(x)], run!(add), Counted::Addition)
};

fn sum(x: &Applied) -> Interval {
    x.range(0).add(x.range(1))
}

/// `s = A + B` on patterns: exact when carry + sign(s) = sign(a) + sign(b).
fn add<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    if !x.signed() && x.bits() < L::BITS {
        return m.exact2(x, |a, b| {
            let s = a.add(b);
            (s & mask, s & !mask)
        });
    }
    let (sa, sb, sr) = (Sign::of(&x.args[0]), Sign::of(&x.args[1]), Sign::of(&x.results[0]));
    m.exact2(x, |a, b| {
        let s = a.add(b) & mask;
        (s, s.less(a).add(sr.bit(s)).sub(sa.bit(a)).sub(sb.bit(b)))
    });
}

pub(super) static SUB: Row = Row {
    exact: true,
    reads_numbers: true,
    slips: |_| vec![Op::Add, Op::WrappingSub],
    ..row("sub", Public::Nothing(|| Op::Sub), types::INTEGERS, |x| vec![difference(x)], run!(sub), Counted::Addition)
};

fn difference(x: &Applied) -> Interval {
    x.range(0).sub(x.range(1))
}

/// `d = A − B` on patterns: exact when sign(d) + sign(b) = borrow + sign(a).
fn sub<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    if !x.signed() {
        return m.exact2(x, |a, b| (a.sub(b) & mask, a.less(b)));
    }
    let (sa, sb, sr) = (Sign::of(&x.args[0]), Sign::of(&x.args[1]), Sign::of(&x.results[0]));
    m.exact2(x, |a, b| {
        let d = a.sub(b) & mask;
        (d, sr.bit(d).add(sb.bit(b)).sub(a.less(b)).sub(sa.bit(a)))
    });
}

pub(super) static WRAPPING_ADD: Row = Row {
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::WrappingSub],
    ..row(
        "wrapping_add",
        Public::Nothing(|| Op::WrappingAdd),
        types::INTEGERS,
        |x| x.wrapped(sum(x)),
        run!(wrapping_add),
        Counted::Addition,
    )
};

fn wrapping_add<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map2(x, |a, b| a.add(b) & mask);
}

pub(super) static WRAPPING_SUB: Row = Row {
    reads_numbers: true,
    slips: |_| vec![Op::WrappingAdd],
    ..row(
        "wrapping_sub",
        Public::Nothing(|| Op::WrappingSub),
        types::INTEGERS,
        |x| x.wrapped(difference(x)),
        run!(wrapping_sub),
        Counted::Addition,
    )
};

fn wrapping_sub<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map2(x, |a, b| a.sub(b) & mask);
}

pub(super) static ADD_CARRY: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::SubBorrow],
    ..row(
        "add_carry",
        Public::Nothing(|| Op::AddCarry),
        types::CARRY,
        |x| x.split(sum(x).add(x.range(2))),
        run!(add_carry),
        Counted::Addition,
    )
};

fn add_carry<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let (n, mask) = (x.bits(), x.mask());
    if n < L::BITS {
        m.map3_pair(x, |a, b, c| {
            let s = a.add(b).add(c);
            (s & mask, s.shr(n))
        });
    } else {
        m.map3_pair(x, |a, b, c| {
            let s = a.add(b);
            let t = s.add(c);
            (t, s.less(a) | t.less(s))
        });
    }
}

pub(super) static SUB_BORROW: Row = Row {
    slips: |_| vec![Op::AddCarry],
    ..row("sub_borrow", Public::Nothing(|| Op::SubBorrow), types::CARRY, borrow, run!(sub_borrow), Counted::Addition)
};

fn borrow(x: &Applied) -> Vec<Interval> {
    let (exact, n) = (difference(x).sub(x.range(2)), x.bits());
    let borrow = Interval { lo: -(&exact.hi >> n), hi: -(&exact.lo >> n) };
    vec![exact.low_bits(n), borrow]
}

fn sub_borrow<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map3_pair(x, |a, b, c| {
        let s = a.sub(b);
        (s.sub(c) & mask, a.less(b) | s.less(c))
    });
}

//! Comparisons, selections, look-ups.

use num_bigint::BigInt;

use super::operation::Op;
use super::row::{Applied, Counted, Meaning, Public, Row, row, run};
use super::types;
use crate::interval::{Interval, pow2};
use crate::lanes::lane::Word;
use crate::lanes::vectors::{Inst, Vectors};

pub(super) static EQUAL: Row = Row {
    symmetric: |_, _| true,
    slips: |_| vec![Op::Less],
    ..row("equal", Public::Nothing(|| Op::Equal), types::COMPARISON, equal, run!(run_equal), Counted::Logic)
};

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

fn run_equal<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map2(x, |a, b| L::ZERO.sub(a.equal(b)) & mask);
}

pub(super) static LESS: Row = Row {
    slips: |_| vec![Op::Equal],
    ..row("less", Public::Nothing(|| Op::Less), types::COMPARISON, less, run!(run_less), Counted::Logic)
};

fn less(x: &Applied) -> Vec<Interval> {
    if x.range(0).hi < x.range(1).lo {
        all_ones(x)
    } else if x.range(0).lo >= x.range(1).hi {
        vec![Interval::point(0)]
    } else {
        x.full()
    }
}

fn run_less<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map2(x, |a, b| L::ZERO.sub(a.less(b)) & mask);
}

pub(super) static SELECT: Row = Row {
    reads_numbers: true,
    ..row("select", Public::Nothing(|| Op::Select), types::SELECT, select, run!(run_select), Counted::Select)
};

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

fn run_select<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map3(x, |mask, a, b| mask.choose(a, b));
}

pub(super) static LOOKUP: Row = row(
    "lookup",
    Public::Table(|table| Op::Lookup { table, vartime: false }),
    types::LOOK_UP,
    |x| x.full(),
    Meaning::Entry,
    Counted::LookUp,
);

pub(super) static LOOKUP_VARTIME: Row =
    Row { name: "lookup_vartime", public: Public::Table(|table| Op::Lookup { table, vartime: true }), ..LOOKUP };

//! Copies into other types.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::operation::Op;
use super::row::{Applied, Counted, Meaning, OverBits, Public, Row, Types, row, run};
use super::types;
use crate::interval::{Interval, pow2};
use crate::lanes::lane::Word;
use crate::lanes::sign::Sign;
use crate::lanes::vectors::{Inst, Vectors};

/// Each bit of the result is one of the operands.
const fn moves(
    name: &'static str,
    make: fn() -> Op,
    types: Types,
    transfer: fn(&Applied) -> Vec<Interval>,
    meaning: Meaning,
) -> Row {
    let public = Public::Nothing(make);
    Row { over_bits: OverBits::Linear, ..row(name, public, types, transfer, meaning, Counted::Move) }
}

fn same(x: &Applied) -> Vec<Interval> {
    vec![x.range(0).clone()]
}

fn copy<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.same(x);
}

pub(super) static FLAG_TO_WORD: Row = moves("flag_to_word", || Op::FlagToWord, types::FLAG_TO_WORD, same, run!(copy));

pub(super) static FLAG_TO_MASK: Row = moves(
    "flag_to_mask",
    || Op::FlagToMask,
    types::FLAG_TO_MASK,
    |x| vec![x.range(0).mul(&Interval::point(pow2(x.bits()) - 1))],
    run!(flag_to_mask),
);

fn flag_to_mask<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map1(x, |a| L::ZERO.sub(a) & mask);
}

pub(super) static MASK_TO_WORD: Row = moves("mask_to_word", || Op::MaskToWord, types::MASK_TO_WORD, same, run!(copy));

pub(super) static MASK_TO_FLAG: Row =
    moves("mask_to_flag", || Op::MaskToFlag, types::MASK_TO_FLAG, flag_of, run!(mask_to_flag));

/// 1 where a mask is not 0.
fn flag_of(x: &Applied) -> Vec<Interval> {
    let one = |x: &BigInt| if x.is_zero() { BigInt::zero() } else { BigInt::one() };
    vec![Interval { lo: one(&x.range(0).lo), hi: one(&x.range(0).hi) }]
}

fn mask_to_flag<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map1(x, |a| a & L::ONE);
}

pub(super) static WIDEN: Row = moves("widen", || Op::Widen, types::WIDER, same, run!(copy));

pub(super) static NARROW: Row =
    Row { exact: true, reads_numbers: true, ..moves("narrow", || Op::Narrow, types::NARROWER, same, run!(narrow)) };

/// Exact when the shorter pattern is the same number.
fn narrow<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    let (sa, sr) = (Sign::of(&x.args[0]), Sign::of(&x.results[0]));
    m.exact1(x, |a| {
        let r = a & mask;
        (r, (sr.extend(r) ^ sa.extend(a)) | (sr.bit(r) ^ sa.bit(a)))
    });
}

pub(super) static SPLIT: Row = moves("split", || Op::Split, types::SPLIT, parts, run!(split));

fn parts(x: &Applied) -> Vec<Interval> {
    let mut rest = x.range(0).clone();
    let mut parts = Vec::new();
    for t in x.results {
        parts.push(rest.low_bits(t.bits()));
        rest = rest.shr(t.bits());
    }
    parts
}

fn split<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mut at = 0;
    for r in &x.results {
        let low = L::mask(r.bits);
        m.map_to(r.slot, x, |a| a.shr(at) & low);
        at += r.bits;
    }
}

pub(super) static JOIN: Row = moves("join", || Op::Join, types::JOIN, whole, run!(join));

fn whole(x: &Applied) -> Vec<Interval> {
    let mut sum = Interval::point(0);
    let mut at = 0;
    for (t, part) in x.args {
        sum = sum.add(&part.shl(at));
        at += t.bits();
    }
    vec![sum]
}

fn join<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.fill(x.results[0].slot, L::ZERO);
    let mut at = 0;
    for (i, a) in x.args.iter().enumerate() {
        m.accumulate(x, i, |sum, part| sum | part.shl(at));
        at += a.bits;
    }
}

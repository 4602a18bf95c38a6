//! Products of integers.

use super::operation::Op;
use super::row::{Applied, Counted, Public, Row, row, run};
use super::types;
use crate::interval::Interval;
use crate::lanes::lane::Word;
use crate::lanes::sign::Sign;
use crate::lanes::vectors::{Inst, Vectors};

pub(super) static MUL: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::Add, Op::WrappingMul],
    ..row("mul", Public::Nothing(|| Op::Mul), types::INTEGERS, |x| vec![product(x)], run!(mul), Counted::Product(0))
};

fn product(x: &Applied) -> Interval {
    x.range(0).mul(x.range(1))
}

/// `(lo, hi)` with `lo + 2^n hi = a·b + c + d`, all below `2^n`.
#[inline(always)]
fn multiply_add_add<L: Word>(a: L, b: L, c: L, d: L, n: u32, mask: L) -> (L, L) {
    if 2 * n <= L::BITS {
        let p = a.mul(b).add(c).add(d);
        (p & mask, p.shr(n))
    } else {
        let (lo, hi) = a.widening_mul(b);
        let s = lo.add(c);
        let hi = hi.add(s.less(lo));
        let lo = s.add(d);
        let hi = hi.add(lo.less(s));
        (lo & mask, lo.shr(n) | hi.shl(L::BITS - n))
    }
}

/// `lo + 2^n hi = A·B` on patterns: exact when `hi − sign(a)·B − sign(b)·A ≡ −sign(lo)` modulo `2^n`.
fn mul<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let (n, mask) = (x.bits(), x.mask());
    if !x.signed() {
        return m.exact2(x, |a, b| multiply_add_add(a, b, L::ZERO, L::ZERO, n, mask));
    }
    let (sa, sb, sr) = (Sign::of(&x.args[0]), Sign::of(&x.args[1]), Sign::of(&x.results[0]));
    m.exact2(x, |a, b| {
        let (lo, hi) = multiply_add_add(a, b, L::ZERO, L::ZERO, n, mask);
        let high = hi.sub(sa.all(a) & b).sub(sb.all(b) & a);
        (lo, high.add(sr.bit(lo)) & mask)
    });
}

pub(super) static WRAPPING_MUL: Row = Row {
    reads_numbers: true,
    symmetric: |_, _| true,
    slips: |_| vec![Op::WrappingAdd],
    ..row(
        "wrapping_mul",
        Public::Nothing(|| Op::WrappingMul),
        types::INTEGERS,
        |x| x.wrapped(product(x)),
        run!(wrapping_mul),
        Counted::Product(0),
    )
};

fn wrapping_mul<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let mask = x.mask();
    m.map2(x, |a, b| a.mul(b) & mask);
}

pub(super) static MUL_WIDE: Row = Row {
    symmetric: |_, _| true,
    ..row(
        "mul_wide",
        Public::Nothing(|| Op::MulWide),
        types::WORDS_TO_TWO,
        |x| x.split(product(x)),
        run!(mul_wide),
        Counted::Product(0),
    )
};

fn mul_wide<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let (n, mask) = (x.bits(), x.mask());
    m.map2_pair(x, |a, b| multiply_add_add(a, b, L::ZERO, L::ZERO, n, mask));
}

/// The double word of a product fits the lane, which holds every type of the kernel.
pub(super) static MUL_FULL: Row = Row {
    symmetric: |_, _| true,
    ..row(
        "mul_full",
        Public::Nothing(|| Op::MulFull),
        types::TO_WIDE,
        |x| vec![product(x)],
        run!(wrapping_mul),
        Counted::Product(0),
    )
};

pub(super) static MUL_ADD_ADD: Row = Row {
    symmetric: |i, j| (i < 2) == (j < 2),
    ..row(
        "mul_add_add",
        Public::Nothing(|| Op::MulAddAdd),
        types::FOUR_WORDS_TO_TWO,
        |x| x.split(product(x).add(x.range(2)).add(x.range(3))),
        run!(mul_add_add),
        Counted::Product(2),
    )
};

fn mul_add_add<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let (n, mask) = (x.bits(), x.mask());
    m.map4_pair(x, |a, b, c, d| multiply_add_add(a, b, c, d, n, mask));
}

pub(super) static MADD_LO: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |i, _| i > 0,
    slips: |op| if let Op::MaddLo(k) = op { vec![Op::MaddHi(*k)] } else { Vec::new() },
    ..row("madd_lo", Public::FactorBits(Op::MaddLo), types::MADD, multiply_add, run!(madd_lo), Counted::Product(1))
};

pub(super) static MADD_HI: Row = Row {
    exact: true,
    reads_numbers: true,
    symmetric: |i, _| i > 0,
    slips: |op| if let Op::MaddHi(k) = op { vec![Op::MaddLo(*k)] } else { Vec::new() },
    ..row("madd_hi", Public::FactorBits(Op::MaddHi), types::MADD, multiply_add, run!(madd_hi), Counted::Product(1))
};

/// The accumulator and a part of the product of the factors' low bits.
fn multiply_add(x: &Applied) -> Vec<Interval> {
    let part = match x.op {
        Op::MaddLo(k) => x.range(1).low_bits(*k).mul(&x.range(2).low_bits(*k)).low_bits(*k),
        Op::MaddHi(k) => x.range(1).low_bits(*k).mul(&x.range(2).low_bits(*k)).shr(*k),
        _ => return x.full(),
    };
    vec![x.range(0).add(&part)]
}

fn madd_lo<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    if let Op::MaddLo(k) = x.op {
        let low = L::mask(k);
        madd(m, x, |a, b| multiply_add_add(a & low, b & low, L::ZERO, L::ZERO, k, low).0);
    }
}

fn madd_hi<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    if let Op::MaddHi(k) = x.op {
        let low = L::mask(k);
        madd(m, x, |a, b| multiply_add_add(a & low, b & low, L::ZERO, L::ZERO, k, low).1);
    }
}

/// `acc + f(a, b)` with an unsigned product part below `2^n`.
#[inline(always)]
fn madd<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, f: impl Fn(L, L) -> L) {
    let mask = x.mask();
    let (sa, sr) = (Sign::of(&x.args[0]), Sign::of(&x.results[0]));
    m.exact3(x, |acc, a, b| {
        let s = acc.add(f(a, b)) & mask;
        (s, s.less(acc).add(sr.bit(s)).sub(sa.bit(acc)))
    });
}

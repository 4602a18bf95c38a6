//! The operations on integer lanes. Inner loops are branch-free so that they vectorise; masks and shapes are settled
//! outside of them.

use super::lane::Word;
use super::machine::{Execute, Leftover, Machine};
use super::program::{Check, Inst, Operand};
use crate::float::{Format, Toy};
use crate::op::Op;

macro_rules! leftover {
    ($($t:ty),*) => {$(
        impl Leftover for $t {
            #[inline(always)]
            fn or(self, other: $t) -> $t {
                self | other
            }
            fn any(self) -> bool {
                self != 0
            }
            fn lane(self, _: usize) -> bool {
                self != 0
            }
        }

        impl Execute for $t {
            fn execute(machine: &mut Machine<$t>, inst: &Inst<$t>, shift: u32) {
                execute(machine, inst, shift);
            }
            fn check(machine: &mut Machine<$t>, checked: &Check<$t>) {
                check(machine, checked);
            }
        }
    )*};
}
leftover!(u16, u64, u128);

/// The sign bit's position and mask of an operand: `sign(x) = (x & top) >> (bits − 1)`, zero for unsigned ones.
#[derive(Clone, Copy)]
struct Sign<L> {
    top: L,
    at: u32,
}

impl<L: Word> Sign<L> {
    fn of(o: &Operand) -> Sign<L> {
        let top = if o.signed { L::ONE.shl(o.bits - 1) } else { L::ZERO };
        Sign { top, at: o.bits - 1 }
    }

    /// 1 when `x` is a negative pattern.
    #[inline(always)]
    fn bit(self, x: L) -> L {
        (x & self.top).shr(self.at)
    }

    /// All ones when `x` is a negative pattern.
    #[inline(always)]
    fn all(self, x: L) -> L {
        L::ZERO.sub(self.bit(x))
    }

    /// The sign extended to the whole lane.
    #[inline(always)]
    fn extend(self, x: L) -> L {
        x | self.all(x & self.top).shl(self.at)
    }
}

/// `(lo, hi)` with `lo + 2^n hi = a·b + c + d`, all below `2^n`.
#[inline(always)]
fn mul_add<L: Word>(a: L, b: L, c: L, d: L, n: u32, mask: L) -> (L, L) {
    if 2 * n <= L::BITS {
        let p = a.mul(b).add(c).add(d);
        (p & mask, p.shr(n))
    } else {
        let (lo, hi) = a.widening_mul(b);
        let s = lo.add(c);
        let hi = hi.add(L::from_bool(s < lo));
        let lo = s.add(d);
        let hi = hi.add(L::from_bool(lo < s));
        (lo & mask, lo.shr(n) | hi.shl(L::BITS - n))
    }
}

/// Runs one operation on every lane.
fn execute<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>, shift: u32) {
    let d = inst.results[0].slot;
    let n = inst.results[0].bits;
    let mask = L::mask(n);
    let arg = |i: usize| inst.args[i].slot;
    let pair = || [inst.results[0].slot, inst.results[1].slot];
    match &inst.op {
        Op::Const(_) => m.fill(d, inst.constant),
        Op::Add => add(m, inst),
        Op::Sub => sub(m, inst),
        Op::Mul => mul(m, inst),
        Op::WrappingAdd => m.map2(d, arg(0), arg(1), |a, b| a.add(b) & mask),
        Op::WrappingSub => m.map2(d, arg(0), arg(1), |a, b| a.sub(b) & mask),
        Op::WrappingMul => m.map2(d, arg(0), arg(1), |a, b| a.mul(b) & mask),
        Op::MulWide => m.map2_pair(pair(), arg(0), arg(1), |a, b| mul_add(a, b, L::ZERO, L::ZERO, n, mask)),
        Op::MulAddAdd => {
            m.map4_pair(pair(), [arg(0), arg(1), arg(2), arg(3)], |a, b, c, e| mul_add(a, b, c, e, n, mask))
        }
        Op::MulFull => m.map2(d, arg(0), arg(1), |a, b| a.mul(b) & mask),
        Op::MaddLo(k) => {
            let (k, low) = (*k, L::mask(*k));
            madd(m, inst, |x, y| mul_add(x & low, y & low, L::ZERO, L::ZERO, k, low).0);
        }
        Op::MaddHi(k) => {
            let (k, low) = (*k, L::mask(*k));
            madd(m, inst, |x, y| mul_add(x & low, y & low, L::ZERO, L::ZERO, k, low).1);
        }
        Op::AddCarry => m.map3_pair(pair(), [arg(0), arg(1), arg(2)], |a, b, c| {
            if n < L::BITS {
                let s = a.add(b).add(c);
                (s & mask, s.shr(n))
            } else {
                let s = a.add(b);
                let t = s.add(c);
                (t, L::from_bool(s < a) | L::from_bool(t < s))
            }
        }),
        Op::SubBorrow => m.map3_pair(pair(), [arg(0), arg(1), arg(2)], |a, b, c| {
            let s = a.sub(b);
            let t = s.sub(c);
            (t & mask, L::from_bool(a < b) | L::from_bool(s < c))
        }),
        Op::FlagToWord | Op::MaskToWord | Op::Widen | Op::BitsToFloat | Op::FloatToBits => m.move_slot(d, arg(0)),
        Op::FlagToMask => m.map1(d, arg(0), |a| L::ZERO.sub(a) & mask),
        Op::MaskToFlag => m.map1(d, arg(0), |a| a & L::ONE),
        Op::Equal => m.map2(d, arg(0), arg(1), |a, b| if a == b { mask } else { L::ZERO }),
        Op::Less => m.map2(d, arg(0), arg(1), |a, b| if a < b { mask } else { L::ZERO }),
        Op::Select => m.map3(d, arg(0), arg(1), arg(2), |s, a, b| if s != L::ZERO { a } else { b }),
        Op::Shl(_) => shl(m, inst, shift),
        Op::WrappingShl(_) => m.map1(d, arg(0), |a| a.shl(shift) & mask),
        Op::Shr(_) => m.map1(d, arg(0), |a| a.shr(shift)),
        Op::Sar(_) => {
            // The two's complement reading of the pattern, whatever the interval says.
            let sign = Sign::of(&Operand { signed: true, ..inst.args[0] });
            let ones = mask & !mask.shr(shift);
            m.map1(d, arg(0), |a| a.shr(shift) | sign.all(a) & ones);
        }
        Op::Rotate(_) => {
            let k = shift % n;
            m.map1(d, arg(0), |a| (a.shl(k) | a.shr(n - k)) & mask);
        }
        Op::FunnelShift(_) => {
            let k = shift.min(n);
            m.map2(d, arg(0), arg(1), |hi, lo| (lo.shr(k) | hi.shl(n - k)) & mask);
        }
        Op::And => m.map2(d, arg(0), arg(1), |a, b| a & b),
        Op::Or => m.map2(d, arg(0), arg(1), |a, b| a | b),
        Op::Xor => m.map2(d, arg(0), arg(1), |a, b| a ^ b),
        Op::Not => m.map1(d, arg(0), |a| a ^ mask),
        Op::AndNot => m.map2(d, arg(0), arg(1), |a, b| a & !b),
        Op::LowBits(k) => {
            let low = L::mask(*k);
            m.map1(d, arg(0), |a| a & low);
        }
        Op::Narrow => {
            let (sa, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.results[0]));
            m.exact1(inst, |a| {
                let r = a & mask;
                (r, (sr.extend(r) ^ sa.extend(a)) | (sr.bit(r) ^ sa.bit(a)))
            });
        }
        Op::Split => {
            let mut at = 0;
            for r in &inst.results {
                let low = L::mask(r.bits);
                m.map1(r.slot, arg(0), |a| a.shr(at) & low);
                at += r.bits;
            }
        }
        Op::Join => {
            m.fill(d, L::ZERO);
            let mut at = 0;
            for a in &inst.args {
                accumulate(m, d, a.slot, |acc, a| acc | a.shl(at));
                at += a.bits;
            }
        }
        Op::Clmul => {
            m.fill(d, L::ZERO);
            // Bit by bit of the second operand: proofs run it on vectors with a single one.
            m.accumulate2(d, arg(0), arg(1), |_, a, mut b| {
                let mut sum = L::ZERO;
                while b != L::ZERO {
                    let bit = b & L::ZERO.sub(b);
                    sum = sum ^ a.mul(bit);
                    b = b ^ bit;
                }
                sum
            });
        }
        Op::RijndaelMul => {
            let (top, rest) = (L::ONE.shl(7), L::from_u128(0x1b));
            m.map2(d, arg(0), arg(1), |mut a, b| {
                let mut sum = L::ZERO;
                for j in 0..8 {
                    sum = sum ^ if b.shr(j) & L::ONE == L::ZERO { L::ZERO } else { a };
                    // Times x.
                    let over = if a & top == L::ZERO { L::ZERO } else { rest };
                    a = (a & !top).shl(1) ^ over;
                }
                sum
            });
        }
        Op::BitMatrix(images) => {
            let images = images.to_le_bytes().map(|image| L::from_u128(image.into()));
            m.map1(d, arg(0), |a| {
                (0u32..)
                    .zip(images)
                    .fold(L::ZERO, |sum, (j, image)| sum ^ if a.shr(j) & L::ONE == L::ZERO { L::ZERO } else { image })
            });
        }
        Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma => float(m, inst),
        // The machine knows the arrays; what has a body was written out.
        Op::Lookup { .. } | Op::Defined(_) => {}
    }
}

/// `d = f(d, a)` on every lane.
fn accumulate<L: Word>(m: &mut Machine<L>, d: u32, a: u32, f: impl Fn(L, L) -> L) {
    m.accumulate2(d, a, a, |acc, a, _| f(acc, a));
}

/// `s = A + B` on patterns: exact when carry + sign(s) = sign(a) + sign(b).
fn add<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>) {
    let n = inst.results[0].bits;
    let mask = L::mask(n);
    let signed = inst.args[0].signed | inst.args[1].signed | inst.results[0].signed;
    if !signed && n < L::BITS {
        return m.exact2(inst, |a, b| {
            let s = a.add(b);
            (s & mask, s & !mask)
        });
    }
    let (sa, sb, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.args[1]), Sign::of(&inst.results[0]));
    m.exact2(inst, |a, b| {
        let s = a.add(b) & mask;
        (s, L::from_bool(s < a).add(sr.bit(s)).sub(sa.bit(a)).sub(sb.bit(b)))
    });
}

/// `d = A − B` on patterns: exact when sign(d) + sign(b) = borrow + sign(a).
fn sub<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>) {
    let mask = L::mask(inst.results[0].bits);
    let (sa, sb, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.args[1]), Sign::of(&inst.results[0]));
    if !(inst.args[0].signed | inst.args[1].signed | inst.results[0].signed) {
        return m.exact2(inst, |a, b| (a.sub(b) & mask, L::from_bool(a < b)));
    }
    m.exact2(inst, |a, b| {
        let d = a.sub(b) & mask;
        (d, sr.bit(d).add(sb.bit(b)).sub(L::from_bool(a < b)).sub(sa.bit(a)))
    });
}

/// `lo + 2^n hi = A·B` on patterns: exact when `hi − sign(a)·B − sign(b)·A ≡ −sign(lo)` modulo `2^n`.
fn mul<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>) {
    let n = inst.results[0].bits;
    let mask = L::mask(n);
    let (sa, sb, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.args[1]), Sign::of(&inst.results[0]));
    if !(inst.args[0].signed | inst.args[1].signed | inst.results[0].signed) {
        return m.exact2(inst, |a, b| mul_add(a, b, L::ZERO, L::ZERO, n, mask));
    }
    m.exact2(inst, |a, b| {
        let (lo, hi) = mul_add(a, b, L::ZERO, L::ZERO, n, mask);
        let high = hi.sub(sa.all(a) & b).sub(sb.all(b) & a);
        (lo, high.add(sr.bit(lo)) & mask)
    });
}

/// `acc + f(x, y)` with an unsigned product part below `2^n`.
fn madd<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>, f: impl Fn(L, L) -> L) {
    let mask = L::mask(inst.results[0].bits);
    let (sa, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.results[0]));
    m.exact3(inst, |acc, x, y| {
        let s = acc.add(f(x, y)) & mask;
        (s, L::from_bool(s < acc).add(sr.bit(s)).sub(sa.bit(acc)))
    });
}

/// Exact when shifting back gives the operand, sign included.
fn shl<L: Word + Leftover>(m: &mut Machine<L>, inst: &Inst<L>, k: u32) {
    let n = inst.results[0].bits;
    let mask = L::mask(n);
    let (sa, sr) = (Sign::of(&inst.args[0]), Sign::of(&inst.results[0]));
    let ones = mask & !mask.shr(k);
    m.exact1(inst, |a| {
        let r = a.shl(k) & mask;
        let back = r.shr(k) | sr.all(r) & ones;
        (r, (back ^ a) | (sr.bit(r) ^ sa.bit(a)))
    });
}

fn float<L: Word>(m: &mut Machine<L>, inst: &Inst<L>) {
    let d = inst.results[0].slot;
    let arg = |i: usize| inst.args[i].slot;
    macro_rules! with {
        ($f:ty, $bits:ty) => {{
            let of = |x: L| <$f>::from_bits(x.to_u128() as $bits);
            let to = |x: $f| L::from_u128(x.to_bits() as u128);
            match inst.op {
                Op::FloatAdd => m.map2(d, arg(0), arg(1), |a, b| to(of(a) + of(b))),
                Op::FloatSub => m.map2(d, arg(0), arg(1), |a, b| to(of(a) - of(b))),
                Op::FloatMul => m.map2(d, arg(0), arg(1), |a, b| to(of(a) * of(b))),
                _ => m.map3(d, arg(0), arg(1), arg(2), |a, b, c| to(of(a).mul_add(of(b), of(c)))),
            }
        }};
    }
    match inst.format {
        Some(Format { mantissa: 24, .. }) => with!(f32, u32),
        Some(format) if format.mantissa <= 11 => {
            let (toy, of, to) = (Toy(format), |x: L| x.to_u128() as u32, |x: u32| L::from_u128(x.into()));
            match inst.op {
                Op::FloatAdd => m.map2(d, arg(0), arg(1), |a, b| to(toy.fma(of(a), toy.one(), of(b)))),
                Op::FloatSub => m.map2(d, arg(0), arg(1), |a, b| to(toy.fma(of(a), toy.one(), toy.negative(of(b))))),
                Op::FloatMul => m.map2(d, arg(0), arg(1), |a, b| to(toy.fma(of(a), of(b), 0))),
                _ => m.map3(d, arg(0), arg(1), arg(2), |a, b, c| to(toy.fma(of(a), of(b), of(c)))),
            }
        }
        _ => with!(f64, u64),
    }
}

/// The number of a pattern.
pub(crate) fn number(bits: u128, mantissa: u8) -> f64 {
    match (mantissa, Format::new(mantissa)) {
        (24, _) => f32::from_bits(bits as u32) as f64,
        (..=11, Some(format)) => Toy(format).number(bits as u32),
        _ => f64::from_bits(bits as u64),
    }
}

/// `(x − lo) mod 2^n ≤ width`, or float bounds.
fn check<L: Word + Leftover>(m: &mut Machine<L>, c: &Check<L>) {
    match c.float {
        None => {
            let (mask, lo, width) = (L::mask(c.bits), c.lo, c.width);
            m.check_cells(c, |x| L::from_bool(x.sub(lo) & mask > width));
        }
        Some((mantissa, lo, hi)) => m.check_cells(c, |x| {
            let bits = x.to_u128();
            let x = number(bits, mantissa);
            L::from_bool(!(lo <= x && x <= hi))
        }),
    }
}

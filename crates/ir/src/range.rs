//! Intervals of integers and the transfer function of every operation: the smallest interval we know for each result,
//! given the operands' intervals. `proof` calls the same functions to compute ranges again.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::float::Format;
pub use crate::interval::{Interval, bit_length, pow2};
use crate::op::Op;
use crate::types::Type;

fn format(ty: Type) -> Option<Format> {
    if let Type::Float(m) = ty { Format::new(m) } else { None }
}

/// The numbers nearest to those of an interval: rounding keeps their order.
fn rounded(exact: Interval, ty: Type) -> Interval {
    format(ty).map_or(exact.clone(), |f| Interval { lo: f.nearest(&exact.lo), hi: f.nearest(&exact.hi) })
}

/// The intervals of an operation's results, given types and intervals of operands and the result types. `shift` is the
/// least and greatest public amount of a shift (equal outside loops).
///
/// For exact operations this is the interval of the exact result, which may leave the type: the caller clips it and
/// owes a proof.
pub fn transfer(op: &Op, args: &[(Type, &Interval)], results: &[Type], shift: (u32, u32)) -> Vec<Interval> {
    use Op::*;
    let r = |i: usize| args[i].1;
    let n = results[0].bits();
    let full = || results[0].full();
    let nonneg = args.iter().all(|(_, x)| x.lo.sign() != Sign::Minus);
    let split = |exact: Interval, k: u32| vec![exact.low_bits(k), exact.shr(k)];
    let wrap = |exact: Interval| vec![if exact.within(&Interval::bits(n)) { exact } else { exact.low_bits(n) }];
    if !nonneg
        && !matches!(
            op,
            Const(_)
                | Add
                | Sub
                | Mul
                | WrappingAdd
                | WrappingSub
                | WrappingMul
                | Shl(_)
                | Sar(_)
                | Select
                | LowBits(_)
                | MaddLo(_)
                | MaddHi(_)
                | Narrow
                | FloatAdd
                | FloatSub
                | FloatMul
                | FloatFma
                | FloatToBits
                | BitsToFloat
        )
    {
        // Bit patterns of negative numbers: nothing better than the type is known.
        return results.iter().map(|t| t.full()).collect();
    }
    match op {
        Const(c) => vec![Interval::point(c.clone())],
        Add => vec![r(0).add(r(1))],
        Sub => vec![r(0).sub(r(1))],
        Mul => vec![r(0).mul(r(1))],
        WrappingAdd => wrap(r(0).add(r(1))),
        WrappingSub => wrap(r(0).sub(r(1))),
        WrappingMul => wrap(r(0).mul(r(1))),
        MulWide => split(r(0).mul(r(1)), n),
        MulFull => vec![r(0).mul(r(1))],
        MulAddAdd => split(r(0).mul(r(1)).add(r(2)).add(r(3)), n),
        MaddLo(k) => vec![r(0).add(&r(1).low_bits(*k).mul(&r(2).low_bits(*k)).low_bits(*k))],
        MaddHi(k) => vec![r(0).add(&r(1).low_bits(*k).mul(&r(2).low_bits(*k)).shr(*k))],
        AddCarry => split(r(0).add(r(1)).add(r(2)), n),
        SubBorrow => {
            let exact = r(0).sub(r(1)).sub(r(2));
            let borrow = Interval { lo: -(&exact.hi >> n), hi: -(&exact.lo >> n) };
            vec![exact.low_bits(n), borrow]
        }
        FlagToWord | MaskToWord | Widen => vec![r(0).clone()],
        FlagToMask => vec![r(0).mul(&Interval::point(pow2(n) - 1))],
        MaskToFlag => vec![Interval {
            lo: if r(0).lo.is_zero() { BigInt::zero() } else { BigInt::one() },
            hi: if r(0).hi.is_zero() { BigInt::zero() } else { BigInt::one() },
        }],
        Equal => vec![if r(0).meet(r(1)).is_none() {
            Interval::point(0)
        } else if r(0).constant().is_some() && r(0) == r(1) {
            Interval::point(pow2(n) - 1)
        } else {
            full()
        }],
        Less => vec![if r(0).hi < r(1).lo {
            Interval::point(pow2(n) - 1)
        } else if r(0).lo >= r(1).hi {
            Interval::point(0)
        } else {
            full()
        }],
        Select => vec![if r(0).hi.is_zero() {
            r(2).clone()
        } else if !r(0).lo.is_zero() {
            r(1).clone()
        } else {
            r(1).hull(r(2))
        }],
        Shl(_) => vec![r(0).shl(shift.0).hull(&r(0).shl(shift.1))],
        WrappingShl(_) => wrap(r(0).shl(shift.0).hull(&r(0).shl(shift.1))),
        // A set top bit reads as a sign.
        Sar(_) if nonneg && r(0).hi >= pow2(n - 1) => vec![full()],
        // Unsigned values with the top bit set are negative in the two's complement reading.
        Sar(_) if r(0).hi >= pow2(n - 1) => vec![full()],
        Shr(_) | Sar(_) => vec![r(0).shr(shift.0).hull(&r(0).shr(shift.1))],
        Rotate(_) => vec![full()],
        FunnelShift(_) => {
            if shift.0 != shift.1 {
                return vec![full()];
            }
            vec![r(0).shl(n).add(r(1)).shr(shift.0).low_bits(n)]
        }
        And => vec![Interval::up_to((&r(0).hi).min(&r(1).hi).clone())],
        Or | Xor => {
            let k = bit_length(&r(0).hi).max(bit_length(&r(1).hi));
            let lo = if matches!(op, Or) { (&r(0).lo).max(&r(1).lo).clone() } else { BigInt::zero() };
            let hi = std::cmp::min(pow2(k) - 1, &r(0).hi + &r(1).hi);
            vec![Interval { lo, hi }]
        }
        Not => {
            let top = pow2(n) - 1;
            vec![Interval { lo: &top - &r(0).hi, hi: &top - &r(0).lo }]
        }
        AndNot => vec![Interval::up_to(r(0).hi.clone())],
        LowBits(k) => vec![r(0).low_bits(*k)],
        Narrow => vec![r(0).clone()],
        Split => {
            let mut rest = r(0).clone();
            let mut parts = Vec::new();
            for t in results {
                parts.push(rest.low_bits(t.bits()));
                rest = rest.shr(t.bits());
            }
            parts
        }
        Join => {
            let mut sum = Interval::point(0);
            let mut at = 0;
            for (t, x) in args {
                sum = sum.add(&x.shl(at));
                at += t.bits();
            }
            vec![sum]
        }
        Clmul => {
            let k = bit_length(&r(0).hi) + bit_length(&r(1).hi);
            vec![Interval::bits(k.saturating_sub(1))]
        }
        RijndaelMul | BitMatrix(_) => vec![Interval::bits(8)],
        FloatAdd => vec![rounded(r(0).add(r(1)), results[0])],
        FloatSub => vec![rounded(r(0).sub(r(1)), results[0])],
        FloatMul => vec![rounded(r(0).mul(r(1)), results[0])],
        FloatFma => vec![rounded(r(0).mul(r(1)).add(r(2)), results[0])],
        BitsToFloat => vec![format(results[0]).and_then(|f| f.numbers(r(0))).unwrap_or_else(full)],
        FloatToBits => vec![format(args[0].0).and_then(|f| f.patterns(r(0))).unwrap_or_else(full)],
        Lookup { .. } => results.iter().map(|t| t.full()).collect(),
    }
}

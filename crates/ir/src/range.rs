//! Intervals of integers and the transfer function of every operation: the smallest interval we know for each result,
//! given the operands' intervals. `proof` calls the same functions to compute ranges again.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::float::Format;
use crate::kernel::Type;
use crate::op::Op;

/// A closed interval of integers, never empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Least value.
    pub lo: BigInt,
    /// Greatest value.
    pub hi: BigInt,
}

/// `2^k`.
pub fn pow2(k: u32) -> BigInt {
    BigInt::one() << k
}

/// Number of bits of a non-negative integer (0 for 0).
pub fn bit_length(x: &BigInt) -> u32 {
    x.bits() as u32
}

impl Interval {
    /// `[lo, hi]`.
    pub fn new(lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> Interval {
        Interval { lo: lo.into(), hi: hi.into() }
    }

    /// `[0, hi]`.
    pub fn up_to(hi: impl Into<BigInt>) -> Interval {
        Interval { lo: BigInt::zero(), hi: hi.into() }
    }

    /// `[0, 2^k − 1]`.
    pub fn bits(k: u32) -> Interval {
        Interval::up_to(pow2(k) - 1)
    }

    /// `[x, x]`.
    pub fn point(x: impl Into<BigInt>) -> Interval {
        let x = x.into();
        Interval { lo: x.clone(), hi: x }
    }

    /// The single value, if there is only one.
    pub fn constant(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    /// Is every value of `self` in `other`?
    pub fn within(&self, other: &Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// Does it contain `x`?
    pub fn contains(&self, x: &BigInt) -> bool {
        &self.lo <= x && x <= &self.hi
    }

    /// The smallest interval that contains both.
    pub fn hull(&self, other: &Interval) -> Interval {
        Interval { lo: (&self.lo).min(&other.lo).clone(), hi: (&self.hi).max(&other.hi).clone() }
    }

    /// The common part, if any.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let lo = (&self.lo).max(&other.lo).clone();
        let hi = (&self.hi).min(&other.hi).clone();
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// Can a type hold every value (in some window of width 2^n: unsigned, or signed when `lo` is negative)? Flags and
    /// masks have no sign.
    pub fn fits(&self, ty: Type) -> bool {
        match ty {
            Type::Float(_) | Type::Flag | Type::Mask(_) => self.within(&ty.full()),
            _ => {
                self.lo.sign() != Sign::Minus && self.hi < pow2(ty.bits())
                    || self.lo.sign() == Sign::Minus && self.lo >= -pow2(ty.bits() - 1) && self.hi < pow2(ty.bits() - 1)
            }
        }
    }

    /// `self + other`.
    pub fn add(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    /// `self − other`.
    pub fn sub(&self, other: &Interval) -> Interval {
        Interval { lo: &self.lo - &other.hi, hi: &self.hi - &other.lo }
    }

    /// `self · other`.
    pub fn mul(&self, other: &Interval) -> Interval {
        let products = [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        let lo = products.iter().min().unwrap_or(&products[0]).clone();
        let hi = products.iter().max().unwrap_or(&products[0]).clone();
        Interval { lo, hi }
    }

    /// `⌊self / 2^k⌋`.
    pub fn shr(&self, k: u32) -> Interval {
        Interval { lo: &self.lo >> k, hi: &self.hi >> k }
    }

    /// `self · 2^k`.
    pub fn shl(&self, k: u32) -> Interval {
        Interval { lo: &self.lo << k, hi: &self.hi << k }
    }

    /// `self mod 2^k` (floor modulo).
    pub fn low_bits(&self, k: u32) -> Interval {
        if &self.lo >> k == &self.hi >> k {
            let base = (&self.lo >> k) << k;
            return Interval { lo: &self.lo - &base, hi: &self.hi - &base };
        }
        Interval::bits(k)
    }
}

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

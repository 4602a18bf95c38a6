//! Binary floating-point formats: patterns, and rounding to nearest with ties to even.
//!
//! A float of m mantissa bits (the hidden one counts) is binary64 for m = 53 and binary32 for m = 24. For 3 ≤ m ≤ 11 it
//! has five exponent bits: m = 11 is binary16, and the shorter ones are toys on which a kernel can be run on every
//! input.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive};

use crate::interval::{Interval, pow2};

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the mantissa with the hidden one.
    pub mantissa: u32,
    /// Bits of the exponent.
    pub exponent: u32,
}

impl Format {
    /// The format of that many mantissa bits, if there is one.
    pub fn new(mantissa: u8) -> Option<Format> {
        let exponent = match mantissa {
            3..=11 => 5,
            24 => 8,
            53 => 11,
            _ => return None,
        };
        Some(Format { mantissa: u32::from(mantissa), exponent })
    }

    /// Bits of a pattern.
    pub fn bits(self) -> u32 {
        self.mantissa + self.exponent
    }

    /// The exponent e of the greatest binade `[2^e, 2^(e+1))`, which is the bias of exponents as well.
    pub fn bias(self) -> u32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The greatest finite number.
    pub fn greatest(self) -> BigInt {
        (pow2(self.mantissa) - 1) << (self.bias() + 1 - self.mantissa)
    }

    /// `x` rounded to nearest, ties to even; not beyond the greatest number.
    pub fn nearest(self, x: &BigInt) -> BigInt {
        let size = x.magnitude().bits() as u32;
        let Some(drop) = size.checked_sub(self.mantissa).filter(|d| *d > 0) else { return x.clone() };
        let (quotient, half) = (x.abs() >> drop, pow2(drop - 1));
        let rest = x.abs() - (&quotient << drop);
        let up = rest > half || rest == half && quotient.bit(0);
        let rounded = (quotient + u32::from(up)) << drop;
        if x.sign() == Sign::Minus { -rounded } else { rounded }
    }

    /// Is the integer a number of the format?
    pub fn holds(self, x: &BigInt) -> bool {
        x.abs() <= self.greatest() && &self.nearest(x) == x
    }

    /// The pattern of `2^e`, for e from 0 to the bias plus one (one binade above the greatest: where infinity begins).
    pub fn pattern_of_power(self, e: u32) -> BigInt {
        BigInt::from(e + self.bias()) << (self.mantissa - 1)
    }

    /// The binade `[2^e, 2^(e+1)]`, ends included, that holds all of a positive interval, where there is one.
    pub fn binade(self, x: &Interval) -> Option<u32> {
        if x.lo < BigInt::one() {
            return None;
        }
        let e = x.lo.bits() as u32 - 1;
        (e <= self.bias() && x.hi <= pow2(e + 1)).then_some(e)
    }

    /// The patterns of the numbers of a positive interval: patterns grow as numbers do.
    pub fn patterns(self, x: &Interval) -> Option<Interval> {
        let pattern = |x: &BigInt| {
            let e = x.bits() as u32 - 1;
            let above = x - pow2(e);
            let ulp = e as i64 + 1 - i64::from(self.mantissa);
            self.pattern_of_power(e) + if ulp >= 0 { above >> ulp } else { above << -ulp }
        };
        (x.lo >= BigInt::one() && x.hi <= self.greatest()).then(|| Interval { lo: pattern(&x.lo), hi: pattern(&x.hi) })
    }

    /// The numbers of an interval of patterns from that of 1 on, rounded outward to integers.
    pub fn numbers(self, patterns: &Interval) -> Option<Interval> {
        if patterns.lo < self.pattern_of_power(0) || patterns.hi >= self.pattern_of_power(self.bias() + 1) {
            return None;
        }
        let number = |pattern: &BigInt, up: bool| {
            let e = (pattern >> (self.mantissa - 1)).to_u32().unwrap_or(0) - self.bias();
            let ulp = e as i64 + 1 - i64::from(self.mantissa);
            let above: BigInt = pattern - self.pattern_of_power(e);
            let part = if ulp >= 0 {
                above << ulp
            } else if up {
                -((-above) >> -ulp)
            } else {
                above >> -ulp
            };
            pow2(e) + part
        };
        Some(Interval { lo: number(&patterns.lo, false), hi: number(&patterns.hi, true) })
    }
}

/// `mantissa · 2^exponent`, exactly.
#[derive(Clone, Copy)]
struct Dyadic {
    mantissa: i128,
    exponent: i32,
}

/// Arithmetic of the short formats on patterns, by exact integers. Infinities and what is not a number all become one
/// pattern, the positive infinity: kernels are refused long before.
#[derive(Clone, Copy)]
pub struct Toy(pub Format);

impl Toy {
    fn decode(self, pattern: u32) -> Option<Dyadic> {
        let Format { mantissa, exponent } = self.0;
        let (sign, e) = (pattern >> (self.0.bits() - 1) & 1, pattern >> (mantissa - 1) & ((1 << exponent) - 1));
        let low = i128::from(pattern & ((1 << (mantissa - 1)) - 1));
        let bias = self.0.bias() as i32 + mantissa as i32 - 1;
        let (m, x) = match e {
            0 => (low, 1 - bias),
            e if e == (1 << exponent) - 1 => return None,
            e => (low | 1 << (mantissa - 1), e as i32 - bias),
        };
        Some(Dyadic { mantissa: if sign == 1 { -m } else { m }, exponent: x })
    }

    /// Exact zeros come out positive: sums of both signs that cancel are, and no kernel reads the sign of another.
    fn encode(self, x: Option<Dyadic>) -> u32 {
        let Format { mantissa, exponent } = self.0;
        let infinite = ((1 << exponent) - 1) << (mantissa - 1);
        let Some(x) = x else { return infinite };
        if x.mantissa == 0 {
            return 0;
        }
        let (sign, size) = (u32::from(x.mantissa < 0) << (self.0.bits() - 1), x.mantissa.unsigned_abs());
        let top = 128 - size.leading_zeros() as i32 + x.exponent;
        // The exponent of the last place: that of the binade, or of the subnormal numbers.
        let place = (top - mantissa as i32).max(2 - self.0.bias() as i32 - mantissa as i32);
        let shift = place - x.exponent;
        let rounded = if shift <= 0 {
            size << -shift
        } else if shift > 126 {
            0
        } else {
            let (quotient, rest) = (size >> shift, size & ((1 << shift) - 1));
            quotient + u128::from(rest > 1 << (shift - 1) || rest == 1 << (shift - 1) && quotient & 1 == 1)
        } as u32;
        // The hidden bit adds to the exponent, as does a carry out of the rounding.
        let least = 2 - self.0.bias() as i32 - mantissa as i32;
        let biased = (place - least) as u32;
        let pattern = (biased << (mantissa - 1)) + rounded;
        if pattern >= infinite { infinite } else { sign | pattern }
    }

    /// `a·b + c`, rounded once.
    pub fn fma(self, a: u32, b: u32, c: u32) -> u32 {
        let exact = || {
            let (a, b, c) = (self.decode(a)?, self.decode(b)?, self.decode(c)?);
            let product = Dyadic { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent };
            let least = product.exponent.min(c.exponent);
            let at = |x: Dyadic| x.mantissa << (x.exponent - least);
            Some(Dyadic { mantissa: at(product) + at(c), exponent: least })
        };
        self.encode(exact())
    }

    /// The pattern of −x.
    pub fn negative(self, x: u32) -> u32 {
        x ^ 1 << (self.0.bits() - 1)
    }

    /// The pattern of 1.
    pub fn one(self) -> u32 {
        self.0.bias() << (self.0.mantissa - 1)
    }

    /// The pattern nearest to an integer.
    pub fn pattern(self, x: &BigInt) -> u32 {
        self.encode(
            x.to_i64().filter(|x| x.unsigned_abs() < 1 << 40).map(|m| Dyadic { mantissa: i128::from(m), exponent: 0 }),
        )
    }

    /// The number as a double, which holds every short format.
    pub fn number(self, pattern: u32) -> f64 {
        self.decode(pattern).map_or(f64::INFINITY, |x| x.mantissa as f64 * f64::from(x.exponent).exp2())
    }
}

/// The number of a pattern in the format of so many mantissa bits.
pub(crate) fn number(pattern: u128, mantissa: u8) -> f64 {
    match (mantissa, Format::new(mantissa)) {
        (24, _) => f32::from_bits(pattern as u32) as f64,
        (..=11, Some(format)) => Toy(format).number(pattern as u32),
        _ => f64::from_bits(pattern as u64),
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Zero;

    use super::*;

    /// The doubles nearest to a double with the mantissa of the format, found by looking at all numbers.
    fn nearest(all: &[(f64, u32)], x: f64) -> u32 {
        let at = all.partition_point(|(y, _)| *y < x);
        let (below, above) = (all[at.saturating_sub(1)], all[at.min(all.len() - 1)]);
        let (down, up) = (x - below.0, above.0 - x);
        if above.0 == x || up < down || up == down && above.1 & 1 == 0 { above.1 } else { below.1 }
    }

    #[test]
    fn toy_arithmetic_rounds_to_nearest() {
        for m in [3u8, 4, 5] {
            let toy = Toy(Format::new(m).expect("a format"));
            let sign = 1 << (toy.0.bits() - 1);
            let finite: Vec<u32> = (0..1 << toy.0.bits()).filter(|p| toy.number(*p) != f64::INFINITY).collect();
            let mut all: Vec<(f64, u32)> =
                finite.iter().filter(|p| **p != sign).map(|p| (toy.number(*p), *p)).collect();
            all.sort_by(|x, y| x.0.total_cmp(&y.0));
            let most = all[all.len() - 1].0;
            let mut state = 1u64;
            for _ in 0..200_000 {
                let mut draw = || {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    finite[(state >> 33) as usize % finite.len()]
                };
                let (a, b, c) = (draw(), draw(), draw());
                // A double holds these sums exactly.
                let exact = toy.number(a).mul_add(toy.number(b), toy.number(c));
                if exact.abs() < most {
                    // What vanishes below 0 is the other zero.
                    let got = toy.fma(a, b, c);
                    let got = if got == sign { 0 } else { got };
                    assert_eq!(got, nearest(&all, exact), "{m}: {a:#x}·{b:#x} + {c:#x} = {exact}");
                }
            }
        }
    }

    #[test]
    fn patterns_and_numbers_are_those_of_the_hardware() {
        let double = Format::new(53).expect("binary64");
        for x in [1u64, 2, 3, 1 << 52, (1 << 53) - 1, 1 << 53, 3 << 60, 1 << 63] {
            let point = Interval::point(x);
            let pattern = double.patterns(&point).expect("positive");
            assert_eq!(pattern, Interval::point((x as f64).to_bits()));
            assert_eq!(double.numbers(&pattern), Some(point));
        }
        let near = |x: u64| double.nearest(&x.into());
        for x in [
            (1u64 << 53) + 1,
            (1 << 53) + 3,
            u64::MAX,
            (1 << 60) + (1 << 7),
            (1 << 60) + (3 << 7),
            (1 << 60) + (1 << 7) + 1,
        ] {
            assert_eq!(near(x), BigInt::from(x as f64 as u128), "{x}");
        }
        let half = Interval::new(double.pattern_of_power(0), double.pattern_of_power(0) + 1);
        assert_eq!(double.numbers(&half), Some(Interval::new(1, 2)));
        assert!(
            double.holds(&(pow2(104) + pow2(52)))
                && !double.holds(&(pow2(104) + pow2(51)))
                && double.holds(&BigInt::zero())
        );
    }
}

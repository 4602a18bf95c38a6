//! Operations on integers of 1 to 128 bits, in one word or two. The bits above the type are zero in every operand and
//! every result.

use super::writer::{Flag, Writer};
use crate::graph::{Id, NONE};

/// A word, or low and high word of a wide one ([`NONE`]: one word).
pub type Limbs = [Id; 2];

const NO: Flag = Flag::Known(false);

fn ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Writer {
    /// A constant of that many bits.
    pub fn constant_limbs(&mut self, c: u128, bits: u32) -> Limbs {
        [self.constant(c as u64), if bits > 64 { self.constant((c >> 64) as u64) } else { NONE }]
    }

    /// The two words, the high one 0 where there is none.
    fn both(&mut self, x: Limbs) -> (Id, Id) {
        let zero = self.constant(0);
        (x[0], if x[1] == NONE { zero } else { x[1] })
    }

    fn of_both(low: Id, high: Id, bits: u32) -> Limbs {
        [low, if bits > 64 { high } else { NONE }]
    }

    /// `x mod 2^k` in the words of a type of `bits` bits.
    pub fn low_bits(&mut self, x: Limbs, k: u32, bits: u32) -> Limbs {
        let (low, high) = self.both(x);
        let (m, n) = (self.constant(ones(k)), self.constant(ones(k.saturating_sub(64))));
        Self::of_both(self.and(low, m), self.and(high, n), bits)
    }

    /// `x + y + carry` modulo 2^bits, and the carry. `fits`: the sum is known to fit.
    pub fn add_limbs(&mut self, x: Limbs, y: Limbs, carry: Flag, bits: u32, fits: bool) -> (Limbs, Flag) {
        let one = bits <= 64;
        // Toy words never carry out of the machine word.
        let (low, carry) = self.add(x[0], y[0], carry, one && (fits || bits < 64));
        let (high, carry) = if one { (NONE, carry) } else { self.add(x[1], y[1], carry, fits || bits < 128) };
        self.carried([low, high], carry, bits, fits)
    }

    /// `x − y − borrow` modulo 2^bits, and the borrow. `fits`: the difference is known to be none below 0.
    pub fn sub_limbs(&mut self, x: Limbs, y: Limbs, borrow: Flag, bits: u32, fits: bool) -> (Limbs, Flag) {
        let one = bits <= 64;
        let (low, borrow) = self.sub(x[0], y[0], borrow, one && fits);
        let (high, borrow) = if one { (NONE, borrow) } else { self.sub(x[1], y[1], borrow, fits) };
        if bits.is_multiple_of(64) || fits {
            return ([low, high], if fits { NO } else { borrow });
        }
        (self.low_bits([low, high], bits, bits), borrow)
    }

    fn carried(&mut self, sum: Limbs, carry: Flag, bits: u32, fits: bool) -> (Limbs, Flag) {
        if fits || bits.is_multiple_of(64) {
            return (sum, if fits { NO } else { carry });
        }
        let top = if bits > 64 { sum[1] } else { sum[0] };
        let above = self.shr(top, bits % 64);
        (self.low_bits(sum, bits, bits), Flag::Bit(above))
    }

    /// `x·y` of two words below 2^64, as two words.
    pub fn product(&mut self, x: Id, y: Id, product_bits: u32) -> Limbs {
        if product_bits <= 64 {
            return [self.mul_low(x, y), self.constant(0)];
        }
        let (low, high) = self.mul(x, y);
        [low, high]
    }

    /// `x·y` modulo 2^bits of a type of `bits` bits.
    pub fn mul_limbs(&mut self, x: Limbs, y: Limbs, bits: u32, fits: bool) -> Limbs {
        let product = if bits <= 64 {
            [self.mul_low(x[0], y[0]), NONE]
        } else {
            let (low, high) = self.mul(x[0], y[0]);
            let (a, b) = (self.mul_low(x[0], y[1]), self.mul_low(x[1], y[0]));
            let high = self.add(high, a, NO, fits).0;
            [low, self.add(high, b, NO, fits).0]
        };
        if fits { product } else { self.low_bits(product, bits, bits) }
    }

    /// `x · 2^k` modulo 2^bits, 0 ≤ k. `fits`: nothing leaves the type.
    pub fn shl_limbs(&mut self, x: Limbs, k: u32, bits: u32, fits: bool) -> Limbs {
        let (low, high) = self.both(x);
        let shifted = if bits <= 64 {
            [self.shl(low, k), NONE]
        } else if k >= 64 {
            [self.constant(0), self.shl(low, k - 64)]
        } else {
            [self.shl(low, k), self.funnel(high, low, 64 - k)]
        };
        if fits { shifted } else { self.low_bits(shifted, bits, bits) }
    }

    /// `⌊x / 2^k⌋` in a type of `bits` bits.
    pub fn shr_limbs(&mut self, x: Limbs, k: u32, bits: u32) -> Limbs {
        let (low, high) = self.both(x);
        let shifted = if k >= 64 {
            (self.shr(high, k - 64), self.constant(0))
        } else {
            (self.funnel(high, low, k), self.shr(high, k))
        };
        Self::of_both(shifted.0, shifted.1, bits)
    }

    /// `⌊x / 2^k⌋` of the signed reading.
    pub fn sar_limbs(&mut self, x: Limbs, k: u32, bits: u32) -> Limbs {
        if bits <= 64 {
            let up = self.shl(x[0], 64 - bits);
            let down = self.sar(up, 64 - bits + k.min(bits - 1));
            return self.low_bits([down, NONE], bits, bits);
        }
        // The sign moves to bit 127, and everything back.
        let up = self.shl_limbs(x, 128 - bits, 128, true);
        let k = (128 - bits + k).min(127);
        let down = if k >= 64 {
            [self.sar(up[1], k - 64), self.sar(up[1], 63)]
        } else {
            [self.funnel(up[1], up[0], k), self.sar(up[1], k)]
        };
        self.low_bits(down, bits, bits)
    }

    /// `x` rotated left by `k < bits`.
    pub fn rotate_limbs(&mut self, x: Limbs, k: u32, bits: u32) -> Limbs {
        if bits == 64 {
            return [self.rol(x[0], k), NONE];
        }
        let up = self.shl_limbs(x, k, bits, false);
        let down = self.shr_limbs(x, bits - k, bits);
        self.zip(up, down, Writer::or)
    }

    /// Low word of `(high·2^bits + low) / 2^k`, words of `bits ≤ 64`.
    pub fn funnel_words(&mut self, high: Id, low: Id, k: u32, bits: u32) -> Id {
        if bits == 64 || k == 0 || k == bits {
            return if k == bits { high } else { self.funnel(high, low, k) };
        }
        let up = self.shl(high, bits - k);
        let up = self.low_bits([up, NONE], bits, bits)[0];
        let down = self.shr(low, k);
        self.or(up, down)
    }

    /// A word operation on each word.
    pub fn zip(&mut self, x: Limbs, y: Limbs, op: fn(&mut Writer, Id, Id) -> Id) -> Limbs {
        [op(self, x[0], y[0]), if x[1] == NONE { NONE } else { op(self, x[1], y[1]) }]
    }

    /// `2^bits − 1 − x`.
    pub fn not_limbs(&mut self, x: Limbs, bits: u32) -> Limbs {
        let all = self.constant_limbs(if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }, bits);
        self.zip(x, all, Writer::xor)
    }

    /// `x = y`.
    pub fn equal(&mut self, x: Limbs, y: Limbs) -> Flag {
        let differ = self.zip(x, y, Writer::xor);
        let differ = if differ[1] == NONE { differ[0] } else { self.or(differ[0], differ[1]) };
        self.is_zero(differ)
    }

    /// `x < y`.
    pub fn less(&mut self, x: Limbs, y: Limbs) -> Flag {
        let (_, borrow) = self.sub(x[0], y[0], NO, false);
        if x[1] == NONE { borrow } else { self.sub(x[1], y[1], borrow, false).1 }
    }

    /// `x` where the flag is set, else `y`.
    pub fn select_limbs(&mut self, flag: Flag, x: Limbs, y: Limbs) -> Limbs {
        [self.select(flag, x[0], y[0]), if x[1] == NONE { NONE } else { self.select(flag, x[1], y[1]) }]
    }

    /// The flag as a mask of `bits` bits.
    pub fn mask_limbs(&mut self, flag: Flag, bits: u32) -> Limbs {
        let mask = self.mask_of(flag);
        self.low_bits([mask, mask], bits, bits)
    }

    /// `x` in the words of a type of `bits` bits that holds it.
    pub fn resize(&mut self, x: Limbs, bits: u32) -> Limbs {
        let (low, high) = self.both(x);
        Self::of_both(low, high, bits)
    }

    /// Bits `at` to `at + bits − 1` of a value of `total` bits.
    pub fn extract(&mut self, x: Limbs, at: u32, bits: u32, total: u32) -> Limbs {
        let shifted = self.shr_limbs(x, at, total);
        let shifted = self.resize(shifted, bits);
        if at + bits >= total { shifted } else { self.low_bits(shifted, bits, bits) }
    }

    /// `Σ parts[i] · 2^(width·i)`, parts of `width` bits, in a type of `bits` bits.
    pub fn join(&mut self, parts: &[Limbs], width: u32, bits: u32) -> Limbs {
        let mut sum = self.constant_limbs(0, bits);
        for (i, part) in parts.iter().enumerate() {
            let part = self.resize(*part, bits);
            let part = self.shl_limbs(part, width * i as u32, bits, true);
            sum = self.zip(sum, part, Writer::or);
        }
        sum
    }
}

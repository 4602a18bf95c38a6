//! Doubles as integers: conversions by magic constants, and products of digits. All is exact, or rounded in a way that
//! is accounted for; `proof` shows it.
//!
//! * **computes** the float of a word below `2^(m−1)` by writing it under the exponent of `2^(m−1)` and subtracting
//!   that; the word of a float in the same binade from its pattern; both halves of a product of two digits of k ≤ m − 1
//!   bits by two multiply-adds that round to nearest: `h = ab + 2^(k+m−1)` rounds `ab` to a multiple of `2^k`,
//!   `l = ab + (2^(k+m−1) − h) + 3·2^(m−2)` is what is left, with a sign.
//! * **needs** a format of m mantissa bits, rounding to nearest.
//! * **gives** patterns, which are integers plus a constant and are summed as integers.
//! * **cost** two operations a conversion; a product takes two multiply-adds and one subtraction, and an addition for k
//!   = m − 1.
//! * **source** Emmart, Zheng, Weems, "Faster modular exponentiation using double precision floating point arithmetic
//!   on the GPU" (2018), there rounded toward zero with k = 52; with k = 51 the constant that makes the rest positive
//!   is a multiple of the last place of h, and one addition is saved.

use evariste_ir::float::Format;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Builder, Type, Value};
use num_bigint::BigInt;

/// The floats that a kernel computes with.
#[derive(Clone, Copy)]
pub struct Floats {
    /// The format.
    pub format: Format,
}

impl Floats {
    /// Doubles for words of 64 bits; for toy words the format of `toy` mantissa bits.
    pub fn new(word: u32, toy: u32) -> Option<Floats> {
        let mantissa = match word {
            64 => 53,
            3..=10 => u8::try_from(toy).ok()?,
            _ => return None,
        };
        Format::new(mantissa).map(|format| Floats { format })
    }

    /// Bits of the mantissa.
    pub fn mantissa(self) -> u32 {
        self.format.mantissa
    }

    /// The type of its floats.
    pub fn ty(self) -> Type {
        Type::Float(self.format.mantissa as u8)
    }

    /// The type of its patterns.
    pub fn pattern_type(self) -> Type {
        Type::Word(self.format.bits() as u8)
    }

    /// A constant float.
    pub fn constant(self, b: &mut Builder, x: BigInt) -> Value {
        b.constant(self.ty(), x)
    }

    /// The float of a word below `2^(m−1)`.
    pub fn number(self, b: &mut Builder, x: Value) -> Value {
        let (base, ty) = (self.mantissa() - 1, self.pattern_type());
        let pattern = b.constant(ty, self.format.pattern_of_power(base));
        let wide = b.widen(x, ty);
        let bits = b.or(wide, pattern);
        let biased = b.bits_to_float(bits, self.ty());
        let base = self.constant(b, pow2(base));
        b.float_sub(biased, base)
    }

    /// The integer of a float that has `2^(m−1)` added to it.
    pub fn word(self, b: &mut Builder, biased: Value) -> Value {
        let bits = b.float_to_bits(biased);
        let pattern = b.constant(self.pattern_type(), self.format.pattern_of_power(self.mantissa() - 1));
        b.sub(bits, pattern)
    }
}

/// Sums of patterns: column i counts `2^(k·i)`, and each holds a constant too much.
pub struct Columns {
    floats: Floats,
    k: u32,
    sums: Vec<Column>,
}

/// A column: the sum of its patterns, the constants among them, how far below 0 what is left may be, and how far above.
#[derive(Clone, Default)]
struct Column {
    sum: Option<Value>,
    constant: BigInt,
    below: BigInt,
    most: BigInt,
}

impl Columns {
    /// `len` columns of digits of k bits, k ≤ m − 1.
    pub fn new(floats: Floats, k: u32, len: usize) -> Columns {
        Columns { floats, k, sums: vec![Column::default(); len] }
    }

    fn add(&mut self, b: &mut Builder, at: usize, bits: Value, constant: BigInt) {
        let column = &mut self.sums[at];
        column.sum = Some(match column.sum {
            Some(sum) => b.wrapping_add(sum, bits),
            None => bits,
        });
        column.constant += constant;
    }

    /// Adds an integer that is not negative.
    pub fn add_word(&mut self, b: &mut Builder, at: usize, x: Value) {
        if !b.is_zero(x) {
            let wide = b.widen(x, self.floats.pattern_type());
            self.sums[at].most += b.max(x);
            self.add(b, at, wide, BigInt::default());
        }
    }

    /// Adds the product of two floats that are integers from 0 to below `2^k`.
    pub fn add_product(&mut self, b: &mut Builder, at: usize, x: Value, y: Value) {
        let (floats, k, m) = (self.floats, self.k, self.floats.mantissa());
        let most = b.max(x) * b.max(y);
        if most < pow2(k) {
            let base = floats.constant(b, pow2(m - 1));
            let sum = b.float_fma(x, y, base);
            let bits = b.float_to_bits(sum);
            self.sums[at].most += most;
            return self.add(b, at, bits, floats.format.pattern_of_power(m - 1));
        }
        let (power, middle) = (pow2(k + m - 1), BigInt::from(3) << (m - 2));
        let start = floats.constant(b, power.clone());
        let high = b.float_fma(x, y, start);
        let rest = if k == m - 1 {
            let rest = b.float_sub(start, high);
            let middle = floats.constant(b, middle);
            b.float_add(rest, middle)
        } else {
            let both = floats.constant(b, power + middle);
            b.float_sub(both, high)
        };
        let low = b.float_fma(x, y, rest);
        let (middle, half) = (BigInt::from(3) << (m - 2), pow2(k - 1));
        let low = b.declare(low, &Interval { lo: &middle - &half, hi: middle + half });
        let (high, low) = (b.float_to_bits(high), b.float_to_bits(low));
        self.add(b, at + 1, high, floats.format.pattern_of_power(k + m - 1));
        self.add(b, at, low, floats.format.pattern_of_power(m - 1) + pow2(m - 2));
        self.sums[at].below += pow2(k - 1);
        self.sums[at].most += pow2(k - 1);
        self.sums[at + 1].most += (most >> k) + 1u32;
    }

    /// Twice the number.
    pub fn double(&mut self, b: &mut Builder) {
        for column in &mut self.sums {
            column.sum = column.sum.map(|sum| b.wrapping_add(sum, sum));
            [&mut column.constant, &mut column.below, &mut column.most].into_iter().for_each(|x| *x *= 2u32);
        }
    }

    /// The columns as integers of the same number: all but the last not negative (each lends the next what it lacks).
    pub fn integers(self, b: &mut Builder) -> Vec<Value> {
        let (ty, k) = (self.floats.pattern_type(), self.k);
        let (modulus, last) = (pow2(ty.bits()), self.sums.len() - 1);
        let mut lent = BigInt::default();
        let mut out = Vec::with_capacity(self.sums.len());
        for (i, column) in self.sums.into_iter().enumerate() {
            let lacking = column.below + &lent;
            let back = if i < last { (lacking + pow2(k) - 1u32) >> k } else { BigInt::default() };
            let constant = column.constant % &modulus - (&back << k) + &lent;
            let sum = column.sum.unwrap_or_else(|| b.zero(ty));
            out.push(if constant.sign() == num_bigint::Sign::Minus {
                let constant = b.constant(ty, -constant);
                b.add(sum, constant)
            } else {
                let constant = b.constant(ty, constant);
                b.sub(sum, constant)
            });
            lent = back;
        }
        out
    }

    /// Columns n to 2n − 1 times c on those from 0 on, and what `cover` gives for columns that are so far below 0 at most:
    /// n integers, none negative. Sums of patterns wrap, and are integers before anything else is done with them.
    pub fn folded(self, b: &mut Builder, c: &BigInt, cover: impl FnOnce(&[BigInt]) -> Vec<BigInt>) -> Vec<Value> {
        let Columns { floats, sums, .. } = self;
        let (low, high) = sums.split_at(sums.len() / 2);
        let below: Vec<BigInt> = low.iter().zip(high).map(|(low, high)| &low.below + &high.below * c).collect();
        let columns = low.iter().zip(high).zip(cover(&below));
        columns
            .map(|((low, high), cover)| {
                let returned = high.raised(b, floats, &high.below);
                let returned = multiple(b, returned, c);
                let own = low.raised(b, floats, &(cover - &high.below * c));
                b.add(own, returned)
            })
            .collect()
    }
}

impl Column {
    /// The column and so much more, which makes it not negative.
    fn raised(&self, b: &mut Builder, floats: Floats, more: &BigInt) -> Value {
        let (ty, modulus) = (floats.pattern_type(), pow2(floats.format.bits()));
        let Some(sum) = self.sum else { return b.constant(ty, more.clone()) };
        let constant = ((&self.constant - more) % &modulus + &modulus) % &modulus;
        let constant = b.constant(ty, constant);
        let integer = b.wrapping_sub(sum, constant);
        b.declare(integer, &Interval::up_to(&self.most + more))
    }
}

/// More bits of a factor that are set than that make a product cheaper than shifts and additions.
const FEW: usize = 3;

/// `x·c`.
fn multiple(b: &mut Builder, x: Value, c: &BigInt) -> Value {
    let places: Vec<u32> = (0..c.bits() as u32).filter(|i| c.bit(u64::from(*i))).collect();
    if places.len() > FEW {
        let c = b.constant(b.ty(x), c.clone());
        return b.mul(x, c);
    }
    let parts: Vec<Value> = places.iter().map(|shift| b.shl(x, *shift)).collect();
    parts.iter().skip(1).fold(parts[0], |all, part| b.add(all, *part))
}

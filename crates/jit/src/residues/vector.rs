//! What vectors of words of 32 bits must have, and the same in plain code.

use std::array::from_fn;

/// Vectors on which residues are computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Width {
    /// Plain code: what the others are tested against.
    Plain,
    /// Vectors of 256 bits.
    Narrow,
    /// Vectors of 512 bits that add up products of 16 bits.
    Wide,
}

/// Something that is computed on vectors of any width.
pub trait Task {
    /// Its result.
    type Output;
    /// Computes it.
    fn run<V: Vector>(self) -> Self::Output;
}

/// A modulus in all lanes.
#[derive(Clone, Copy)]
pub struct Modulus<V: Vector> {
    /// The number.
    pub m: V,
    /// The same in both halves of words.
    pub halves: V,
    /// The nearest number to its inverse.
    pub inverse: V::Floats,
}

/// A vector of words of 32 bits. Nothing wraps but what says so: callers keep every sum below 2^31.
pub trait Vector: Copy {
    /// Words of a vector.
    const LANES: usize;
    /// Rows of two vectors of sums that registers hold, beside what is multiplied.
    const ROWS: usize;
    /// As many numbers of single precision.
    type Floats: Copy;

    /// The same word in all lanes.
    fn all(x: i32) -> Self;
    /// The first words of a slice, which is long enough.
    fn load(from: &[i32]) -> Self;
    /// Writes all words to the start of a slice, which is long enough.
    fn store(self, to: &mut [i32]);
    /// Adds to each word the products of the signed halves of two others: low by low and high by high.
    fn add_products(self, a: Self, b: Self) -> Self;
    /// The sums of words.
    fn add(self, b: Self) -> Self;
    /// The differences of words.
    fn sub(self, b: Self) -> Self;
    /// The products of words.
    fn times(self, b: Self) -> Self;
    /// Bits that both have.
    fn and(self, b: Self) -> Self;
    /// Bits that either has.
    fn or(self, b: Self) -> Self;
    /// Bits that one of them has.
    fn xor(self, b: Self) -> Self;
    /// Shifted left; what leaves the word is lost.
    fn left(self, bits: u32) -> Self;
    /// Shifted right with copies of the sign.
    fn right(self, bits: u32) -> Self;
    /// The words of this vector and then those of another one, as signed halves.
    fn halves(self, high: Self) -> Self;

    /// The residue of each word modulo m of the least size: less than `(1/2 + 3·2^-24·|x|/m)·m`.
    #[inline(always)]
    fn residue(self, m: &Modulus<Self>) -> Self {
        self.sub(Self::nearest(Self::product(self.floats(), m.inverse)).times(m.m))
    }
    /// Numbers that are these words modulo m, of less bits: signed halves times 1 and what 2^16 is modulo m, both in `fold`.
    #[inline(always)]
    fn folded(self, fold: Self) -> Self {
        let half = Self::all(1 << 15);
        Self::all(0).add_products(self.add(half).xor(half), fold)
    }
    /// Residues of these words as the lower halves of words, those of another vector as the upper ones.
    #[inline(always)]
    fn residues_beside(self, other: Self, m: &Modulus<Self>) -> Self {
        self.residue(m).and(Self::all(0xffff)).or(other.residue(m).left(16))
    }
    /// Residues of these words and then those of another vector, as halves.
    #[inline(always)]
    fn residues_then(self, other: Self, m: &Modulus<Self>) -> Self {
        self.residue(m).halves(other.residue(m))
    }
    /// Of each word of `low` and `high << bits` the sum, in words of 64 bits, from the start of a slice on; both are
    /// taken without a sign.
    fn widen(self, high: Self, bits: u32, to: &mut [u64]);
    /// Words of 64 bits, half as many: of each the bits of a mask, shifted right and then left.
    fn part(from: &[u64], mask: u64, shifts: [u32; 2]) -> Self;
    /// Of words of 64 bits the lower halves and, where there is a place for them, the upper ones.
    fn split(self, low: &mut [i32], high: &mut [i32]);
    /// This where the word of `sign` is negative, else the other.
    fn where_negative(self, sign: Self, other: Self) -> Self;
    /// The nearest numbers of single precision.
    fn floats(self) -> Self::Floats;
    /// The same number in all lanes.
    fn all_floats(x: f32) -> Self::Floats;
    /// Products.
    fn product(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Sums.
    fn sum(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The nearest integers, ties to even ones.
    fn nearest(a: Self::Floats) -> Self;
    /// The greatest integers that are not above.
    fn floor(a: Self::Floats) -> Self;
}

/// Vectors of plain code: sums that overflow panic where overflow is tested for, as in the tests.
#[derive(Clone, Copy)]
pub struct Plain([i32; 8]);

impl Plain {
    #[inline(always)]
    fn map(self, b: Plain, f: impl Fn(i32, i32) -> i32) -> Plain {
        Plain(from_fn(|i| f(self.0[i], b.0[i])))
    }
}

/// The signed halves of a word.
#[inline(always)]
fn parts(x: i32) -> [i32; 2] {
    [i32::from(x as i16), x >> 16]
}

impl Vector for Plain {
    const LANES: usize = 8;
    const ROWS: usize = 6;
    type Floats = [f32; 8];

    fn all(x: i32) -> Plain {
        Plain([x; 8])
    }

    fn load(from: &[i32]) -> Plain {
        Plain(from_fn(|i| from[i]))
    }

    fn store(self, to: &mut [i32]) {
        to[..8].copy_from_slice(&self.0);
    }

    fn add_products(self, a: Plain, b: Plain) -> Plain {
        Plain(from_fn(|i| {
            let ([a, c], [b, d]) = (parts(a.0[i]), parts(b.0[i]));
            self.0[i] + (a * b + c * d)
        }))
    }

    fn add(self, b: Plain) -> Plain {
        self.map(b, |a, b| a + b)
    }

    fn sub(self, b: Plain) -> Plain {
        self.map(b, |a, b| a - b)
    }

    fn times(self, b: Plain) -> Plain {
        self.map(b, |a, b| a * b)
    }

    fn and(self, b: Plain) -> Plain {
        self.map(b, |a, b| a & b)
    }

    fn or(self, b: Plain) -> Plain {
        self.map(b, |a, b| a | b)
    }

    fn xor(self, b: Plain) -> Plain {
        self.map(b, |a, b| a ^ b)
    }

    fn left(self, bits: u32) -> Plain {
        Plain(self.0.map(|a| a << bits))
    }

    fn right(self, bits: u32) -> Plain {
        Plain(self.0.map(|a| a >> bits))
    }

    fn halves(self, high: Plain) -> Plain {
        let all: [i32; 16] = from_fn(|i| if i < 8 { self.0[i] } else { high.0[i - 8] });
        Plain(from_fn(|i| all[2 * i] & 0xffff | all[2 * i + 1] << 16))
    }

    fn widen(self, high: Plain, bits: u32, to: &mut [u64]) {
        let wide = |x: i32| u64::from(x.cast_unsigned());
        to[..8].iter_mut().enumerate().for_each(|(i, to)| *to = wide(self.0[i]) | wide(high.0[i]) << bits);
    }

    fn part(from: &[u64], mask: u64, [right, left]: [u32; 2]) -> Plain {
        Plain(from_fn(|i| ((from[i / 2] & mask) >> right << left >> (32 * (i % 2))) as i32))
    }

    fn split(self, low: &mut [i32], high: &mut [i32]) {
        low.iter_mut().zip(self.0.iter().step_by(2)).for_each(|(low, word)| *low = *word);
        high.iter_mut().zip(self.0.iter().skip(1).step_by(2)).for_each(|(high, word)| *high = *word);
    }

    fn where_negative(self, sign: Plain, other: Plain) -> Plain {
        Plain(from_fn(|i| if sign.0[i] < 0 { self.0[i] } else { other.0[i] }))
    }

    fn floats(self) -> [f32; 8] {
        self.0.map(|a| a as f32)
    }

    fn all_floats(x: f32) -> [f32; 8] {
        [x; 8]
    }

    fn product(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] * b[i])
    }

    fn sum(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] + b[i])
    }

    fn nearest(a: [f32; 8]) -> Plain {
        Plain(a.map(|x| x.round_ties_even() as i32))
    }

    fn floor(a: [f32; 8]) -> Plain {
        Plain(a.map(|x| x.floor() as i32))
    }
}

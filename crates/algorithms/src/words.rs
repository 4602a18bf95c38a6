//! Steps on numbers of saturated words that several reductions share: shifts by public amounts, sums and differences of
//! rows, rows times a constant.

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Value};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// `w`-bit words that an integer up to `bound` needs (at least 1).
pub fn words_for(bound: &BigInt, word: u32) -> usize {
    (bound.bits() as u32).div_ceil(word).max(1) as usize
}

/// `⌊x / 2^k⌋` in `len` words; whatever is above them must be zero.
pub fn shift_right(b: &mut Builder, x: &[Value], k: u32, len: usize) -> Vec<Value> {
    let zero = b.word_constant(0);
    let (skip, bits) = ((k / b.word()) as usize, k % b.word());
    let at = |i: usize| x.get(i).copied().unwrap_or(zero);
    (0..len).map(|i| b.funnel_shift(at(i + skip + 1), at(i + skip), bits)).collect()
}

/// `x · 2^k` in `len` words; whatever is above them must be zero.
pub fn shift_left(b: &mut Builder, x: &[Value], k: u32, len: usize) -> Vec<Value> {
    let zero = b.word_constant(0);
    let word = b.word();
    let (skip, bits) = ((k / word) as usize, k % word);
    let at = |i: usize| i.checked_sub(skip).and_then(|i| x.get(i).copied()).unwrap_or(zero);
    (0..len)
        .map(|i| match (bits, i.checked_sub(1).map_or(zero, at)) {
            (0, _) => at(i),
            (_, below) if below == zero => b.wrapping_shl(at(i), bits),
            (_, below) => b.funnel_shift(at(i), below, word - bits),
        })
        .collect()
}

/// `x mod 2^k`, in as many words as k bits need, at most `x.len()`.
pub fn low_bits(b: &mut Builder, x: &[Value], k: u32) -> Vec<Value> {
    let word = b.word();
    let words = (k.div_ceil(word) as usize).min(x.len());
    (0..words).map(|i| b.low_bits(x[i], (k - i as u32 * word).min(word))).collect()
}

/// Adds the words of `y` to those of `t` from word `offset` on and lets the carry run to word `end`; the carry out of
/// it is given back.
pub fn add_row(b: &mut Builder, t: &mut [Value], y: &[Value], offset: usize, end: usize) -> Value {
    let zero = b.word_constant(0);
    let mut carry = b.no_flag();
    for i in offset..end.min(t.len()) {
        let yi = y.get(i - offset).copied().unwrap_or(zero);
        (t[i], carry) = b.add_carry(t[i], yi, carry);
    }
    carry
}

/// As [`add_row`], for a sum whose last word takes every carry: that addition is exact.
pub fn add_row_exact(b: &mut Builder, t: &mut [Value], y: &[Value], offset: usize, end: usize) {
    let end = end.min(t.len());
    if offset >= end {
        return;
    }
    let carry = add_row(b, t, y, offset, end - 1);
    let last = y.get(end - 1 - offset).copied().unwrap_or_else(|| b.word_constant(0));
    let carry = b.flag_to_word(carry, b.word_type());
    let sum = b.add(t[end - 1], last);
    t[end - 1] = b.add(sum, carry);
}

/// Subtracts the words of `y` from those of `t` from word `offset` on; the borrow out of the top is given back.
pub fn sub_row(b: &mut Builder, t: &mut [Value], y: &[Value], offset: usize) -> Value {
    let zero = b.word_constant(0);
    let mut borrow = b.no_flag();
    for i in offset..t.len() {
        let yi = y.get(i - offset).copied().unwrap_or(zero);
        (t[i], borrow) = b.sub_borrow(t[i], yi, borrow);
    }
    borrow
}

/// Adds `x · c` to `t`, whose words must hold the sum: a word of c at a time; words that are powers of two by shifts, a
/// one-word product that fits a word as such. The carries run no further than word `end`.
pub fn add_product(b: &mut Builder, t: &mut [Value], x: &[Value], c: &BigInt, end: usize) {
    let word = b.word();
    let mask: BigInt = pow2(word) - 1;
    for j in 0..words_for(c, word) {
        let digit: BigInt = (c >> (j as u32 * word)) & &mask;
        if digit.is_zero() {
            continue;
        }
        if digit == pow2(digit.bits() as u32 - 1) {
            let shift = digit.bits() as u32 - 1;
            let len = (x.len() + usize::from(shift > 0)).min(t.len() - j);
            let row = shift_left(b, x, shift, len);
            add_row_exact(b, t, &row, j, end);
            continue;
        }
        let factor = b.word_constant(digit);
        if x.len() == 1 && b.fits_mul(x[0], factor) {
            let product = b.mul(x[0], factor);
            add_row_exact(b, t, &[product], j, end);
            continue;
        }
        let mut carry = b.word_constant(0);
        let mut at = j;
        for xi in x {
            if at == t.len() {
                // The sum fits t: this digit of x is zero whenever it would matter.
                break;
            }
            (t[at], carry) = b.mul_add_add(*xi, factor, t[at], carry);
            at += 1;
        }
        add_row_exact(b, t, &[carry], at, end);
    }
}

/// The greatest value of `x mod 2^f + c·⌊x/2^f⌋` for x up to `bound`.
pub fn folded_bound(bound: &BigInt, f: u32, c: &BigInt) -> BigInt {
    let high = bound >> f;
    if high.is_zero() {
        return bound.clone();
    }
    let last: BigInt = c * &high + (bound & (pow2(f) - 1));
    last.max(c * (high - BigInt::one()) + pow2(f) - 1)
}

/// The digits of a non-negative integer, `n` words of `w` bits, as constants.
pub fn constant_digits(b: &mut Builder, x: &BigInt, n: usize) -> Vec<Value> {
    let w = b.word();
    let mask: BigInt = (BigInt::from(1) << w) - 1;
    (0..n as u32).map(|i| b.word_constant((x >> (i * w)) & &mask)).collect()
}

//! Conditional subtraction of multiples of p, until the resting bound is reached.
//!
//! * **computes** `t − k·p` for the k ≥ 0 that brings t down to the target, by subtracting `2^j·p` for falling j, each
//!   only where it does not go below zero.
//! * **needs** saturated words; any bound. Where the top word can be nonzero it takes part: the last borrow alone
//!   decides.
//! * **gives** a number at most `max(target, p − 1)`; nothing is written when the bound says that nothing is needed.
//! * **cost** for a bound below `2^j·p`: j subtractions and selects of n words.
//! * **source** Hamburg, "Faster F_q arithmetic" (2011), section on final subtraction; the range decides, not the
//!   writer.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use crate::words::constant_digits;

/// Subtracts multiples of p until `t` is at most `target`.
pub fn normalise(b: &mut Builder, m: &Modulus, mut t: Number, target: &BigInt) -> Number {
    let p = BigInt::from(m.value.clone());
    while &t.bound > target && t.bound >= p {
        // The largest 2^j·p that may still have to be subtracted.
        let mut multiple = p.clone();
        while &multiple * 2 <= t.bound {
            multiple *= 2;
        }
        let words = t.len().max((multiple.bits() as u32).div_ceil(b.word()) as usize);
        let s = Number::new(constant_digits(b, &multiple, words), b.word(), multiple.clone());
        let bound = std::cmp::max(&multiple - 1, std::cmp::max(&t.bound - &multiple, BigInt::from(0)));
        t = subtract_if_not_below(b, t, &s, bound);
    }
    t
}

/// `t − s` when that is not negative, else `t`: at most `bound`, as the caller knows.
pub fn subtract_if_not_below(b: &mut Builder, t: Number, s: &Number, bound: BigInt) -> Number {
    let words = t.len().max(s.len());
    let mut t = t;
    while t.len() < words {
        let zero = b.word_constant(0);
        let weight = t.len() as u32 * b.word();
        t.digits.push(zero);
        t.weights.push(weight);
    }
    let mut s_digits = s.digits.clone();
    s_digits.resize_with(words, || b.word_constant(0));
    let mut borrow = b.no_flag();
    let mut difference = Vec::with_capacity(words);
    for (x, y) in t.digits.iter().zip(&s_digits) {
        let (d, next) = b.sub_borrow(*x, *y, borrow);
        difference.push(d);
        borrow = next;
    }
    let keep = b.flag_to_mask(borrow);
    let digits = t.digits.iter().zip(&difference).map(|(x, d)| b.select(keep, *x, *d)).collect();
    debug_assert!(bound < pow2(words as u32 * b.word()));
    Number { digits, weights: t.weights, bound }
}

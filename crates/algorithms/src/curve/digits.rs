//! Scalars in digits: single bits, and digits of some bits around 0.
//!
//! * **computes** the bits of k; the digits `e_i` of `k + Σ 2^(w−1)·2^(wi)`, of w bits each: `k = Σ (e_i − 2^(w−1))·2^(wi)`.
//! * **needs** k in words, below `2^bits`.
//! * **gives** one digit a word.
//! * **cost** two operations a digit; one addition with carry for each word.
//! * **source** Joye, Tunstall, "Exponent recoding and regular exponentiation algorithms" (2009).

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Contract, Kernel, Operand, Polynomial, Value, View};
use num_bigint::BigInt;

use crate::layout::Layout;
use crate::signature::{NotApplicable, ValueClaim};

/// A scalar in words, as a parameter.
pub(super) fn scalar(b: &mut Builder, name: &str, bits: u32) -> (Array, Operand) {
    let (word, bound) = (b.word(), pow2(bits) - 1);
    let weights: Vec<u32> = (0..bits.div_ceil(word)).map(|i| i * word).collect();
    let maxima: Vec<BigInt> = weights.iter().map(|w| std::cmp::min(pow2(word) - 1, &bound >> *w)).collect();
    let array = b.input(name, weights.len() as u32, &maxima);
    (array, Operand::new(name, array, &weights, &maxima, bound))
}

/// The kernel that gives the bits of a number of so many bits, one a word, lowest first.
/// Word by word, by calls: code for all of them is long, and runs once.
pub fn unpack_bits(word: u32, bits: u32) -> Result<Kernel, NotApplicable> {
    let of = |bits: u32| digits(word, word, bits, 1, bits, &BigInt::ZERO);
    let (words, rest) = (bits / word, bits % word);
    if words < 2 {
        return of(bits);
    }
    let mut b = Builder::new("bits", word);
    let out = b.output("out", bits, &[1.into()]);
    let (k, operand) = scalar(&mut b, "k", bits);
    let mut unpack = |of: Kernel, from: std::ops::Range<u32>| {
        let callee = b.callee(Arc::new(of));
        from.for_each(|i| b.call(callee, vec![View::from(out, i * word), View::from(k, i)]));
    };
    unpack(of(word)?, 0..words);
    if rest > 0 {
        unpack(of(rest)?, words..words + 1);
    }
    let output = one_bit_each("out", out, bits);
    let claim = ValueClaim::plain(Polynomial::input(0), None).on(output);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![operand], claims: vec![claim] }))
}

/// The number of these bits, one a word.
pub(super) fn one_bit_each(name: &str, array: Array, bits: u32) -> Operand {
    let weights: Vec<u32> = (0..bits).collect();
    Operand::new(name, array, &weights, &vec![1.into(); bits as usize], pow2(bits) - 1)
}

/// How many digits of w bits a scalar of so many bits has.
pub(super) fn count(bits: u32, w: u32) -> u32 {
    (bits + 2).div_ceil(w)
}

/// The kernel that gives the digits `e_i` of a scalar of so many bits. In layouts for lanes, which have no carries, words are
/// added half by half.
pub(super) fn around_zero(layout: &Layout, bits: u32, w: u32) -> Result<Kernel, NotApplicable> {
    let n = count(bits, w);
    let raise = (0..n).map(|i| pow2(w - 1 + w * i)).sum();
    digits(layout.word, piece(layout), bits, w, n, &raise)
}

/// Bits of the pieces in which scalars are reckoned: words, or their halves in layouts for lanes, which have no carries.
pub(super) fn piece(layout: &Layout) -> u32 {
    if layout.radix.is_some() { layout.word / 2 } else { layout.word }
}

/// The n digits of w bits of `k + raise`, which are added in pieces of so many bits: whole words, or halves.
fn digits(word: u32, piece: u32, bits: u32, w: u32, n: u32, raise: &BigInt) -> Result<Kernel, NotApplicable> {
    let mut builder = Builder::new(format!("digits_of_{w}"), word);
    let b = &mut builder;
    let maximum = pow2(w) - 1;
    let out = b.output("out", n, std::slice::from_ref(&maximum));
    let (k, operand) = scalar(b, "k", bits);
    let sum = if piece == word { sum(b, k, bits, n * w, raise) } else { sum_of_halves(b, k, bits, n * w, raise) };
    let digits = cut(b, sum, piece, w, n)?;
    b.store_all(out, &digits);
    let weights: Vec<u32> = (0..n).map(|i| i * w).collect();
    let output = Operand::new("out", out, &weights, &vec![maximum; n as usize], pow2(n * w) - 1);
    let claim = ValueClaim::plain(Polynomial::input(0).plus(raise.clone(), &[]), None).on(output);
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![operand], claims: vec![claim] }))
}

/// The n lowest digits of w bits of these pieces of so many bits each.
pub(super) fn cut(b: &mut Builder, words: Vec<Value>, word: u32, w: u32, n: u32) -> Result<Vec<Value>, NotApplicable> {
    // What is left of a word, and of how many bits.
    let mut words = words.into_iter();
    let (mut rest, mut left) = (words.next(), word);
    let mut digits = Vec::new();
    for _ in 0..n {
        let Some(low) = rest else { return Err(NotApplicable("more digits than words".into())) };
        let digit = if left > w {
            rest = Some(b.shr(low, w));
            left -= w;
            b.low_bits(low, w)
        } else {
            let missing = w - left;
            let next = words.next();
            let digit = match next {
                Some(next) if missing > 0 => {
                    let high = b.low_bits(next, missing);
                    let high = b.shl(high, left);
                    b.add(low, high)
                }
                _ => low,
            };
            rest = next.map(|next| if missing > 0 { b.shr(next, missing) } else { next });
            left = word - missing;
            digit
        };
        digits.push(digit);
    }
    Ok(digits)
}

/// The words of k + raise, as many as so many bits need.
fn sum(b: &mut Builder, k: Array, bits: u32, needed: u32, raise: &BigInt) -> Vec<Value> {
    let word = b.word();
    let mut carry = b.no_flag();
    let mut sum: Vec<Value> = Vec::new();
    for i in 0..needed.div_ceil(word) {
        let x = if i < bits.div_ceil(word) { b.load(k, i) } else { b.word_constant(0) };
        let y = b.word_constant((raise >> (i * word)) % pow2(word));
        let (s, next) = b.add_carry(x, y, carry);
        sum.push(s);
        carry = next;
    }
    sum
}

/// The half words of k + raise: their carries are shifts.
fn sum_of_halves(b: &mut Builder, k: Array, bits: u32, needed: u32, raise: &BigInt) -> Vec<Value> {
    let (word, half) = (b.word(), b.word() / 2);
    let mut carry = b.word_constant(0);
    let mut sum: Vec<Value> = Vec::new();
    for i in 0..needed.div_ceil(half) {
        let x = if i / 2 < bits.div_ceil(word) {
            let x = b.load(k, i / 2);
            if i % 2 == 0 { b.low_bits(x, half) } else { b.shr(x, half) }
        } else {
            b.word_constant(0)
        };
        let y = b.word_constant((raise >> (i * half)) % pow2(half));
        let s = b.add(x, y);
        let s = b.add(s, carry);
        sum.push(b.low_bits(s, half));
        carry = b.shr(s, half);
    }
    sum
}

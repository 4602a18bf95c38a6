//! Reductions of polynomials over GF(2) in whole words.
//!
//! * **computes** `c mod f` of 2n words, f = x^m + Σ x^e of degree m.
//! * **needs** degree of c at most 2m − 2. `fold`: 2e ≤ m + 1 and few terms; `fold-factors`: f = x^m + x^(i+j) + x^i + x^j + 1
//!   and 2(i + j) ≤ m + 1; `word-by-word`: e ≤ m − w and few terms; `barrett`: any f.
//! * **gives** the n words of the remainder.
//! * **cost** fold: n(t + 1) shifts of two words and as many XORs for t terms but the highest, and those of the few
//!   bits that pass m again; by factors 3n of each, since x^(i+j) + x^i + x^j + 1 = (x^i + 1)(x^j + 1) (x^283 has
//!   i = 7, j = 5); word by word: 2t shifts and XORs for each of n words; Barrett: two products by constants,
//!   of as many words as `⌊x^(2m)/f⌋ − x^m` and `f − x^m` have.
//! * **source** word by word: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography" (2004), algorithm
//!   2.41; Barrett: Dhem, "Efficient modular reduction algorithm in F_q\[x\]" (2003), exact for polynomials; fold: all
//!   words at once, the bits that pass m for a second time counted before.

use evariste_descriptions::BinaryField;
use evariste_ir::{Builder, Value};
use num_bigint::{BigInt, BigUint};

use super::carryless::{columns, schoolbook};
use super::words::{at, low_part, shifted_left, shifted_right, shl};
use crate::recipe::CarrylessReduction;

/// Most terms that are shifted one by one.
const FEW: usize = 9;

/// All words at once.
pub const FOLD: CarrylessReduction =
    CarrylessReduction { name: "fold", applies: |f, _| few(f) && 2 * second(f) <= f.degree + 1, reduce: fold };

/// All words at once, the low part of the polynomial by its factors.
pub const FOLD_FACTORS: CarrylessReduction = CarrylessReduction {
    name: "fold-factors",
    applies: |f, _| factors(f).is_some() && 2 * second(f) <= f.degree + 1,
    reduce: fold_factors,
};

/// From the highest word down.
pub const WORD_BY_WORD: CarrylessReduction = CarrylessReduction {
    name: "word-by-word",
    applies: |f, w| few(f) && f.degree - second(f) >= w,
    reduce: word_by_word,
};

/// By two products.
pub const BARRETT: CarrylessReduction =
    CarrylessReduction { name: "barrett", applies: |f, w| f.degree.div_ceil(w) <= 18, reduce: barrett };

fn few(f: &BinaryField) -> bool {
    f.exponents().len() <= FEW
}

/// The highest exponent but one.
fn second(f: &BinaryField) -> u32 {
    f.exponents()[1]
}

fn fold(b: &mut Builder, f: &BinaryField, c: &[Value]) -> Vec<Value> {
    let (m, n) = (f.degree, c.len() / 2);
    let exponents = &f.exponents()[1..];
    let high = shifted_right(b, c, m, n);
    // What a multiple of x^m is congruent to passes x^m again with the top bits: they are added below at once.
    let mut factor = high.clone();
    for e in exponents.iter().filter(|e| **e > 0) {
        let over = shifted_right(b, &high, m - e, n);
        (0..n).for_each(|i| factor[i] = b.xor(factor[i], over[i]));
    }
    let mut out = c[..n].to_vec();
    for e in exponents {
        let term = shifted_left(b, &factor, *e, n);
        (0..n).for_each(|i| out[i] = b.xor(out[i], term[i]));
    }
    low_part(b, &out, m)
}

/// i and j of f = x^m + (x^i + 1)(x^j + 1).
fn factors(f: &BinaryField) -> Option<[u32; 2]> {
    match f.exponents()[..] {
        [_, sum, i, j, 0] if sum == i + j => Some([i, j]),
        _ => None,
    }
}

fn fold_factors(b: &mut Builder, f: &BinaryField, c: &[Value]) -> Vec<Value> {
    let (m, w, n) = (f.degree, b.word(), c.len() / 2);
    let factors = factors(f).unwrap_or_default();
    let words = |bits: u32| bits.div_ceil(w) as usize;
    let times = |b: &mut Builder, x: Vec<Value>, n: usize| {
        factors.iter().fold(x, |x, e| {
            let shifted = shifted_left(b, &x, *e, n);
            shifted.iter().enumerate().map(|(i, s)| x.get(i).map_or(*s, |x| b.xor(*x, *s))).collect()
        })
    };
    let high = shifted_right(b, c, m, words(m - 1));
    let product = times(b, high, words(m - 1 + second(f)));
    // What passes m again is shorter than the low part of f.
    let over = shifted_right(b, &product, m, words(second(f)));
    let over = times(b, over, words(2 * second(f)));
    let mut out = c[..n].to_vec();
    for term in [product, over] {
        out.iter_mut().zip(term).for_each(|(out, term)| *out = b.xor(*out, term));
    }
    low_part(b, &out, m)
}

fn word_by_word(b: &mut Builder, f: &BinaryField, c: &[Value]) -> Vec<Value> {
    let (m, w, n) = (f.degree, b.word(), c.len() / 2);
    let exponents = &f.exponents()[1..];
    let mut c = c.to_vec();
    for i in (n..2 * n).rev() {
        let top = c[i];
        exponents.iter().for_each(|e| add_at(b, &mut c, top, i as u32 * w + e - m));
    }
    if !m.is_multiple_of(w) {
        let top = b.shr(c[n - 1], m % w);
        exponents.iter().for_each(|e| add_at(b, &mut c, top, *e));
    }
    low_part(b, &c[..n], m)
}

/// Adds a word at a bit.
fn add_at(b: &mut Builder, c: &mut [Value], x: Value, bit: u32) {
    let w = b.word();
    let (i, k) = ((bit / w) as usize, bit % w);
    let low = shl(b, x, k);
    c[i] = b.xor(c[i], low);
    if k > 0 {
        let high = b.shr(x, w - k);
        if !b.is_zero(high) {
            c[i + 1] = b.xor(c[i + 1], high);
        }
    }
}

fn barrett(b: &mut Builder, f: &BinaryField, c: &[Value]) -> Vec<Value> {
    let (m, n) = (f.degree, c.len() / 2);
    let high = shifted_right(b, c, m, n);
    // c = q f + r exactly, q = ⌊high·μ / x^m⌋ with μ = ⌊x^(2m)/f⌋ = x^m + …
    let over = times(b, &high, &quotient(f));
    let over = shifted_right(b, &over, m, n);
    let q: Vec<Value> = (0..n).map(|i| b.xor(high[i], over[i])).collect();
    let rest = f.exponents()[1..].iter().fold(BigUint::default(), |sum, e| sum | BigUint::from(1u32) << *e);
    let product = times(b, &q, &rest);
    let out: Vec<Value> = (0..n)
        .map(|i| {
            let p = at(b, &product, i as i64);
            b.xor(c[i], p)
        })
        .collect();
    low_part(b, &out, m)
}

/// The product by a constant polynomial.
fn times(b: &mut Builder, x: &[Value], constant: &BigUint) -> Vec<Value> {
    let w = b.word();
    let digits = constant.bits().div_ceil(u64::from(w)).max(1);
    let mask: BigUint = (BigUint::from(1u32) << w) - 1u32;
    let y: Vec<Value> =
        (0..digits).map(|i| b.word_constant(BigInt::from((constant >> (i * u64::from(w))) & &mask))).collect();
    columns(b, |b| schoolbook(b, x, &y))
}

/// `⌊x^(2m)/f⌋ − x^m`.
fn quotient(f: &BinaryField) -> BigUint {
    let m = u64::from(f.degree);
    let modulus = f.modulus().cloned().unwrap_or_default();
    let mut rest = BigUint::from(1u32) << (2 * m);
    let mut quotient = BigUint::default();
    for i in (0..=m).rev() {
        if rest.bit(m + i) {
            rest ^= &modulus << i;
            quotient.set_bit(i, i < m);
        }
    }
    quotient
}

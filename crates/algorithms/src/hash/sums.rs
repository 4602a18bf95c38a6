//! Sums of products of words, and of squares of sums of two.
//!
//! * **computes** `Σ k_i·m_i`, `Σ (k_i + m_i)²`, `Σ (k_i + m_i mod 2^n)²`, with an addend where there is one.
//! * **needs** words of n bits in one or more words of the kernel.
//! * **gives** the sum, exact, or modulo `2^(2n)`.
//! * **cost** a product (a square) of a word and an addition of twice its length for each word of the message.
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997); Etzel, Patel, Ramzan, "Square Hash" (CRYPTO 1999).

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use super::given::{WORDS, Words};
use crate::integer::operand_scanning;
use crate::prime::representation::sum;
use crate::words::{shift_left, words_for};

/// What is summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Terms {
    /// Products.
    Products,
    /// Products of words in two's complement.
    SignedProducts,
    /// Squares of exact sums.
    Squares,
    /// The same, their carries apart.
    SquaresApart,
    /// Squares of sums modulo `2^n`.
    WrappedSquares,
}

/// The sum over all words, from this number on.
pub(super) fn total(b: &mut Builder, terms: Terms, key: &Words, message: &Words, start: Option<Number>) -> Number {
    if terms == Terms::SquaresApart {
        return squares_apart(b, key, message, start);
    }
    let term = |b: &mut Builder, i: u32| {
        let (k, m) = (key.load(b, i), message.load(b, i));
        match terms {
            Terms::Products | Terms::SignedProducts => product(b, &k, &m),
            Terms::Squares | Terms::SquaresApart => {
                let added = exact(b, &k, &m);
                product(b, &added, &added)
            }
            Terms::WrappedSquares => {
                let added = wrapped(b, &k, &m);
                product(b, &added, &added)
            }
        }
    };
    let mut all = start;
    for i in 0..WORDS {
        let next = term(b, i);
        all = Some(match all {
            Some(all) => exact(b, &all, &next),
            None => next,
        });
    }
    all.unwrap_or_else(|| Number::new(Vec::new(), b.word(), 0.into()))
}

/// The sum of all squares of words that are half a word of the kernel, from this number on: of `k + m = s + 2^n·c` the
/// squares of s, the products `c·s` and the squares of c each have a sum of their own.
fn squares_apart(b: &mut Builder, key: &Words, message: &Words, start: Option<Number>) -> Number {
    let (word, half) = (b.word(), b.word() / 2);
    let nothing = Number::new(Vec::new(), word, 0.into());
    let (mut squares, mut mixed, mut carries) = (start.unwrap_or_else(|| nothing.clone()), nothing.clone(), nothing);
    for i in 0..WORDS {
        let (k, m) = (key.load(b, i), message.load(b, i));
        let whole = exact(b, &k, &m);
        let [digit] = whole.digits[..] else { continue };
        let low = Number::new(vec![b.low_bits(digit, half)], word, pow2(half) - 1);
        let carry = Number::new(vec![b.shr(digit, half)], word, &whole.bound >> half);
        for (sum, x, y) in [(&mut squares, &low, &low), (&mut mixed, &carry, &low), (&mut carries, &carry, &carry)] {
            let next = product(b, x, y);
            *sum = added(b, sum, &next, None);
        }
    }
    let bound: BigInt = &mixed.bound << (half + 1);
    let digits = shift_left(b, &mixed.digits, half + 1, words_for(&bound, word));
    let all = exact(b, &squares, &Number::new(digits, word, bound));
    let zero = b.word_constant(0);
    let above = Number::new([vec![zero], carries.digits].concat(), word, carries.bound << word);
    exact(b, &all, &above)
}

/// The sum of all products modulo `2^(2n)`, of these words one parameter after the other by those of a key from one on.
/// While it fits a word, none of its bits is taken away before the end.
pub(super) fn wrapping_total(b: &mut Builder, bits: u32, (key, first): (&Words, u32), message: &[&Words]) -> Number {
    let mut all = Number::new(Vec::new(), b.word(), 0.into());
    let words = message.iter().flat_map(|words| (0..words.count()).map(move |i| (words, i)));
    for (j, (words, i)) in (first..).zip(words) {
        let (k, m) = (key.load(b, j), words.load(b, i));
        let next = product(b, &k, &m);
        all = added(b, &all, &next, Some(2 * bits));
    }
    cut(b, all, 2 * bits)
}

/// `x + y`; where it wraps at so many bits and does not fit a word, modulo `2^bits`.
pub(super) fn added(b: &mut Builder, x: &Number, y: &Number, wrap: Option<u32>) -> Number {
    match wrap {
        _ if x.digits.is_empty() => y.clone(),
        Some(bits) if &x.bound + &y.bound >= pow2(b.word()) => wrapped_at(b, x, y, bits),
        _ => exact(b, x, y),
    }
}

/// The lowest bits of a number that has no more, or all bits in a word.
pub(super) fn cut(b: &mut Builder, all: Number, bits: u32) -> Number {
    if all.bound < pow2(bits) {
        return all;
    }
    let digits = all.digits.iter().map(|digit| b.low_bits(*digit, bits)).collect();
    Number::new(digits, b.word(), pow2(bits) - 1)
}

/// `x·y`.
pub(super) fn product(b: &mut Builder, x: &Number, y: &Number) -> Number {
    let (word, bound) = (b.word(), &x.bound * &y.bound);
    let digits = match (&x.digits[..], &y.digits[..]) {
        ([x], [y]) if b.fits_mul(*x, *y) => vec![b.mul(*x, *y)],
        ([x], [y]) => {
            let (low, high) = b.mul_wide(*x, *y);
            vec![low, high]
        }
        (x, y) => operand_scanning::multiply(b, x, y),
    };
    let mut digits = digits;
    digits.truncate(words_for(&bound, word).max(1));
    Number::new(digits, word, bound)
}

/// `x + y`.
fn exact(b: &mut Builder, x: &Number, y: &Number) -> Number {
    let word = b.word();
    let bound: BigInt = &x.bound + &y.bound;
    if let ([x], [y]) = (&x.digits[..], &y.digits[..])
        && b.fits_add(*x, *y)
    {
        return Number::new(vec![b.add(*x, *y)], word, bound);
    }
    // The longer one first.
    let (long, short) = if x.len() >= y.len() { (x, y) } else { (y, x) };
    let mut carry = b.no_flag();
    let mut digits = Vec::new();
    let zero = b.word_constant(0);
    for i in 0..long.len() {
        let other = short.digits.get(i).copied().unwrap_or(zero);
        let (digit, next) = b.add_carry(long.digits[i], other, carry);
        digits.push(digit);
        carry = next;
    }
    if words_for(&bound, word) > digits.len() {
        let ty = b.word_type();
        digits.push(b.flag_to_word(carry, ty));
    }
    Number::new(digits, word, bound)
}

/// `x + y mod 2^n` of words of n bits.
fn wrapped(b: &mut Builder, x: &Number, y: &Number) -> Number {
    let bits = x.bound.bits() as u32;
    wrapped_at(b, x, y, bits)
}

/// `x + y mod 2^bits`.
fn wrapped_at(b: &mut Builder, x: &Number, y: &Number, bits: u32) -> Number {
    let word = b.word();
    let mut added = exact_words(b, x, y);
    added.digits.truncate(bits.div_ceil(word) as usize);
    added.weights.truncate(added.digits.len());
    if !bits.is_multiple_of(word)
        && let Some(top) = added.digits.last_mut()
    {
        *top = b.low_bits(*top, bits % word);
    }
    Number::new(added.digits, word, pow2(bits) - 1)
}

/// `x + y`, of one word too where that wraps.
fn exact_words(b: &mut Builder, x: &Number, y: &Number) -> Number {
    match (&x.digits[..], &y.digits[..]) {
        ([x], [y]) if !b.fits_add(*x, *y) => Number::new(vec![b.wrapping_add(*x, *y)], b.word(), pow2(b.word()) - 1),
        _ => sum(b, b.word(), x, y),
    }
}

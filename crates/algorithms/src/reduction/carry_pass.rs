//! One carry pass over unsaturated digits modulo `2^k − c`, and the multiple of p that makes a subtraction of such
//! digits non-negative.
//!
//! * **computes** a number congruent to `Σ digit·2^weight` whose digits are within the layout's resting maxima: carries
//!   run from digit 0 to the top, the carry out of bit k returns as c times itself at digit 0, and runs on from there
//!   only as far as a digit may still exceed its resting maximum.
//! * **needs** an unsaturated layout of `2^k − c`; digits of word or double-word type.
//! * **gives** words within the resting bounds.
//! * **cost** n shifts, masks and additions, one multiplication by c, one or two carries more.
//! * **source** Bernstein, "Curve25519: new Diffie-Hellman speed records" (2006), section 4; the second turn is decided
//!   by ranges.

use evariste_descriptions::{Modulus, Shape};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Type, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::layout::Layout;

/// `(k, c)` of a modulus `2^k − c`.
pub fn pseudo_mersenne(m: &Modulus) -> Option<(u32, BigInt)> {
    m.shapes.iter().find_map(|s| match s {
        Shape::PseudoMersenne { k, c } => Some((*k, BigInt::from(c.clone()))),
        _ => None,
    })
}

/// `(k, c)` of a modulus `2^k − c` whose unsaturated digits a carry pass can fold: pseudo-Mersenne, or of the golden
/// ratio, `φ² − φ − 1` with φ = 2^(k/2).
pub fn folding(m: &Modulus) -> Option<(u32, BigInt)> {
    pseudo_mersenne(m).or_else(|| golden_ratio(m).map(|half| (2 * half, pow2(half) + 1)))
}

/// The h of `2^(2h) − 2^h − 1`.
pub fn golden_ratio(m: &Modulus) -> Option<u32> {
    m.shapes.iter().find_map(|s| match s {
        Shape::SignedPowers(terms) => match terms[..] {
            [(1, k), (-1, h), (-1, 0)] if k == 2 * h => Some(h),
            _ => None,
        },
        _ => None,
    })
}

/// Bits of each digit: up to the next digit's weight, the top one up to bit k.
pub fn digit_sizes(weights: &[u32], k: u32) -> Vec<u32> {
    let next = weights.iter().skip(1).chain(std::iter::once(&k));
    weights.iter().zip(next).map(|(w, next)| next.saturating_sub(*w)).collect()
}

/// `x` cut at the given weights: the digits of a non-negative integer, the top one unlimited.
pub fn digits_at(x: &BigInt, weights: &[u32]) -> Vec<BigInt> {
    let mut digits: Vec<BigInt> = weights.windows(2).map(|w| (x >> w[0]) & (pow2(w[1] - w[0]) - 1)).collect();
    digits.extend(weights.last().map(|w| x >> *w));
    digits
}

/// The digits, at these weights, of the least multiple of p in which digit i is at least `least[i]`: adding them before
/// subtracting digits up to `least[i]` leaves nothing negative. Digits may exceed their radix; each one borrows from
/// the next.
pub fn covering_multiple(p: &BigInt, weights: &[u32], least: &[BigInt]) -> Vec<BigInt> {
    let needed: BigInt = least.iter().zip(weights).map(|(d, w)| d << *w).sum();
    let mut multiple = (&needed + p - 1) / p * p;
    loop {
        let mut digits = digits_at(&multiple, weights);
        for i in 0..digits.len() - 1 {
            // Borrow as many units of the next digit as this one lacks.
            let size = weights[i + 1] - weights[i];
            if digits[i] < least[i] {
                let units = (&least[i] - &digits[i] + pow2(size) - 1) >> size;
                digits[i] += &units << size;
                digits[i + 1] -= units;
            }
        }
        if digits.last() >= least.last() {
            return digits;
        }
        multiple += p;
    }
}

/// The value as a word when its range allows, else as it is.
pub fn narrowed(b: &mut Builder, v: Value) -> Value {
    let word = b.word_type();
    if b.ty(v) != word && b.max(v) < &pow2(word.bits()) { b.narrow(v, word) } else { v }
}

/// The exact sum, in a word where it fits, else in a double word.
pub fn sum(b: &mut Builder, x: Value, y: Value) -> Value {
    let word = b.word_type();
    let fits = b.max(x) + b.max(y) < pow2(word.bits());
    let ty = if fits && b.ty(x) == word && b.ty(y) == word { word } else { b.wide_type() };
    let (x, y) = (b.widen(x, ty), b.widen(y, ty));
    b.add(x, y)
}

/// The exact product with a constant below `2^w`, in a word where it fits, else in a double word.
pub fn times(b: &mut Builder, x: Value, c: &BigInt) -> Value {
    let x = narrowed(b, x);
    let (word, wide) = (b.word_type(), b.wide_type());
    if b.ty(x) == word {
        let factor = b.constant(word, c.clone());
        return if b.fits_mul(x, factor) { b.mul(x, factor) } else { b.mul_full(x, factor) };
    }
    let factor = b.constant(wide, c.clone());
    b.mul(x, factor)
}

/// Cuts a digit at bit `size`: `(low bits as a word, what is above)`.
pub fn cut(b: &mut Builder, v: Value, size: u32) -> (Value, Value) {
    let high = b.shr(v, size);
    let high = narrowed(b, high);
    let low = b.low_bits(v, size);
    (narrowed(b, low), high)
}

/// One carry pass: see the head of this file.
pub fn carry_pass(b: &mut Builder, m: &Modulus, layout: &Layout, number: Number) -> Number {
    let upwards: Vec<usize> = (0..layout.digits()).collect();
    carry_pass_in(b, m, layout, number, &upwards)
}

/// One carry pass whose first turn takes the digits in this order, some of them twice if need be.
pub fn carry_pass_in(b: &mut Builder, m: &Modulus, layout: &Layout, number: Number, order: &[usize]) -> Number {
    let (k, c) = folding(m).unwrap_or((m.bits, pow2(m.bits) - BigInt::from(m.value.clone())));
    let sizes = digit_sizes(&layout.weights, k);
    let c = digits_at(&c, &layout.weights);
    let n = layout.digits();
    let rests = |b: &Builder, digits: &[Value], i: usize| {
        b.ty(digits[i]) == Type::Word(layout.word as u8) && b.max(digits[i]) <= &layout.resting.digit_max[i]
    };
    let mut digits = number.digits;
    // The second turn ends after a digit or two; only digits of two or three bits take more.
    let upwards: Vec<usize> = (0..n).collect();
    for turn in 0..8 {
        for i in (if turn == 0 { order } else { &upwards }).iter().copied() {
            if turn > 0 && rests(b, &digits, i) {
                if (i..n).all(|j| rests(b, &digits, j)) {
                    break;
                }
                continue;
            }
            let (low, high) = cut(b, digits[i], sizes[i]);
            digits[i] = low;
            if i + 1 < n {
                digits[i + 1] = sum(b, digits[i + 1], high);
                continue;
            }
            // 2^k ≡ c
            for (digit, c) in digits.iter_mut().zip(&c).filter(|(_, c)| !c.is_zero()) {
                let returned = times(b, high, c);
                *digit = sum(b, *digit, returned);
            }
        }
        if (0..n).all(|i| rests(b, &digits, i)) {
            break;
        }
    }
    Number::from_ranges(b, digits, layout.weights.clone())
}

//! The product of two words in floating point, for machines whose doubles multiply faster than their integers.
//!
//! * **computes** `a·b` of one word each, cut into short digits whose products are summed in floats column by column,
//!   or into digits of m − 1 bits whose products are two multiply-adds ([`crate::floats`]); then carries between the
//!   columns, in integers.
//! * **needs** words of 64 bits (toys: 3 to 5 and formats of their own), rounding to nearest.
//! * **gives** both words.
//! * **cost** for words of 64 bits: digits of 24, 24 and 16 bits nine products; digits of 16 and 32 bits eight; digits
//!   of 52 and 12 bits four, three of them of two multiply-adds. About as many integer operations for conversions,
//!   carries and packing.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), for short digits; Emmart, Zheng, Weems (2018) for
//!   long ones.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Builder, Value};
use num_bigint::BigInt;

use crate::floats::{Columns, Floats};
use crate::recipe::Product;

/// Registry lines.
pub const SHORT: Product = Product {
    name: "float-24",
    applies,
    multiply: |b, x, y| short(b, x, y, Sum::Add),
    square: |b, x| short(b, x, x, Sum::Add),
};
/// With multiply-adds.
pub const SHORT_FMA: Product = Product {
    name: "float-24-fma",
    applies,
    multiply: |b, x, y| short(b, x, y, Sum::Fma),
    square: |b, x| short(b, x, x, Sum::Fma),
};
/// Digits of a quarter and of half a word.
pub const UNEQUAL: Product =
    Product { name: "float-16x32-fma", applies, multiply: unequal, square: |b, x| unequal(b, x, x) };
/// Digits of as many bits as a mantissa has but one.
pub const LONG: Product = Product { name: "float-52-fma", applies, multiply: long, square: |b, x| long(b, x, x) };

fn applies(word: u32, n: usize) -> bool {
    n == 1 && matches!(word, 64 | 3..=5)
}

/// How products are summed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Add,
    Fma,
}

/// The digits of a word, each of `size` bits.
fn digits(b: &mut Builder, x: Value, size: u32) -> Vec<Value> {
    let mut rest = x;
    let count = b.word().div_ceil(size);
    let mut all: Vec<Value> = Vec::new();
    for _ in 1..count {
        all.push(b.low_bits(rest, size));
        rest = b.shr(rest, size);
    }
    all.push(rest);
    all
}

/// The largest digits of a word of which a column of products still fits the mantissa.
fn short_digits(floats: Floats, word: u32) -> u32 {
    let fits =
        |size: &u32| BigInt::from(word.div_ceil(*size)) * (pow2(*size) - 1u32).pow(2) < pow2(floats.mantissa() - 1);
    let largest = (1..word).rev().find(fits).unwrap_or(1);
    // As few digits with the fewest bits.
    let count = word.div_ceil(largest);
    if word == 64 { 24 } else { word.div_ceil(count) }
}

fn short(b: &mut Builder, x: &[Value], y: &[Value], how: Sum) -> Vec<Value> {
    let Some(floats) = Floats::new(b.word(), 7) else { return vec![] };
    let size = short_digits(floats, b.word());
    by_columns(b, floats, (x[0], size), (y[0], size), how)
}

fn unequal(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let Some(floats) = Floats::new(b.word(), 7) else { return vec![] };
    let word = b.word();
    by_columns(b, floats, (x[0], word.div_ceil(4)), (y[0], 2 * word.div_ceil(4)), Sum::Fma)
}

/// Products of digits, summed in floats by weight.
fn by_columns(
    b: &mut Builder,
    floats: Floats,
    (x, x_size): (Value, u32),
    (y, y_size): (Value, u32),
    how: Sum,
) -> Vec<Value> {
    let (xs, ys) = (digits(b, x, x_size), digits(b, y, y_size));
    let [xs, ys] = [xs, ys].map(|d| d.into_iter().map(|d| floats.number(b, d)).collect::<Vec<Value>>());
    let mut weights: Vec<u32> =
        (0..xs.len() as u32).flat_map(|i| (0..ys.len() as u32).map(move |j| i * x_size + j * y_size)).collect();
    weights.sort_unstable();
    weights.dedup();
    let base = floats.constant(b, pow2(floats.mantissa() - 1));
    let mut columns = Vec::with_capacity(weights.len());
    for weight in &weights {
        let mut sum = (how == Sum::Fma).then_some(base);
        for (i, xi) in (0u32..).zip(&xs) {
            for (_, yj) in (0u32..).zip(&ys).filter(|(j, _)| i * x_size + j * y_size == *weight) {
                sum = Some(match (how, sum) {
                    (Sum::Fma, Some(sum)) => b.float_fma(*xi, *yj, sum),
                    (_, Some(sum)) => {
                        let product = b.float_mul(*xi, *yj);
                        b.float_add(sum, product)
                    }
                    (_, None) => b.float_mul(*xi, *yj),
                });
            }
        }
        let sum = sum.unwrap_or(base);
        let biased = if how == Sum::Fma { sum } else { b.float_add(sum, base) };
        columns.push(floats.word(b, biased));
    }
    packed(b, columns, &weights)
}

fn long(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let Some(floats) = Floats::new(b.word(), b.word().max(3)) else { return vec![] };
    let k = floats.mantissa() - 1;
    let (xs, ys) = (digits(b, x[0], k), digits(b, y[0], k));
    let [xs, ys] = [xs, ys].map(|d| d.into_iter().map(|d| floats.number(b, d)).collect::<Vec<Value>>());
    // The product of the upper digits is one digit.
    let mut columns = Columns::new(floats, k, xs.len() + ys.len() - 1);
    for (i, xi) in xs.iter().enumerate() {
        for (j, yj) in ys.iter().enumerate() {
            columns.add_product(b, i + j, *xi, *yj);
        }
    }
    let columns = columns.integers(b);
    let weights: Vec<u32> = (0..columns.len() as u32).map(|i| i * k).collect();
    packed(b, columns, &weights)
}

/// The two words of a number given by columns: carries, then the digits in their places.
fn packed(b: &mut Builder, columns: Vec<Value>, weights: &[u32]) -> Vec<Value> {
    let word = b.word();
    let zero = b.word_constant(0);
    let mut words = vec![zero; 2];
    let mut carry = None;
    for (i, column) in columns.into_iter().enumerate() {
        let sum = carry.map_or(column, |c| b.add(column, c));
        // What a column lent to the one below comes back: nothing is negative in the end.
        let most = b.max(sum).clone();
        let sum = b.declare(sum, &Interval::up_to(most));
        let (digit, size) = match weights.get(i + 1) {
            Some(next) => {
                let size = next - weights[i];
                carry = Some(b.shr(sum, size));
                (b.low_bits(sum, size), size)
            }
            // The whole is two words: so many bits are left.
            None => (sum, 2 * word - weights[i]),
        };
        let (at, shift) = ((weights[i] / word) as usize, weights[i] % word);
        let mut place = |b: &mut Builder, at: usize, part: Value, shift: u32| {
            let part = if word == b.ty(part).bits() { part } else { b.narrow(part, b.word_type()) };
            let part = b.shl(part, shift);
            words[at] = b.add(words[at], part);
        };
        if shift + size <= word {
            place(b, at, digit, shift);
        } else {
            let low = b.low_bits(digit, word - shift);
            let high = b.shr(digit, word - shift);
            place(b, at, low, shift);
            place(b, at + 1, high, 0);
        }
    }
    words
}

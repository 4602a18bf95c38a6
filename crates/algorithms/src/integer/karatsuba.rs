//! One level of Karatsuba, with Comba inside (Karatsuba-Comba) or rows in two passes; signs kept as masks.
//!
//! * **computes** `a·b` from `z0 = a0·b0`, `z2 = a1·b1` and `|a1 − a0|·|b1 − b0|`, where `a = a0 + a1·2^(wh)` and h =
//!   ⌈n/2⌉.
//! * **needs** saturated words, equally many in both operands; n ≥ 4 (and 2 at toy word sizes); with rows inside n ≥ 8
//!   from words of 16 bits on, since shorter halves do not pay for the additions.
//! * **gives** all 2n words.
//! * **cost** 2h² + (n−h)² multiplications (3n²/4 for even n) against n², and 11h + 2 more additions. Squares: h(h+1) +
//!   (n−h)(n−h+1)/2 multiplications.
//! * **source** Karatsuba, Ofman (1962); subtractive form: every factor has h digits exactly and the middle term at
//!   most one bit more than 2h digits.

use evariste_ir::{Builder, Value};

use super::{comba, operand_scanning_two_pass};
use crate::recipe::Product;

/// Karatsuba-Comba.
pub const COMBA: Product = Product { name: "karatsuba", applies, multiply, square };
/// With rows inside.
pub const TWO_PASS: Product = Product {
    name: "karatsuba-two-pass",
    applies: |w, n| applies(w, n) && (n >= 8 || w < 16),
    multiply: |b, x, y| multiply_by(b, x, y, operand_scanning_two_pass::multiply),
    square: |b, x| square_by(b, x, operand_scanning_two_pass::square),
};

/// Four digits or more; two at toy word sizes. (With three the middle term would have no digit above it.)
fn applies(w: u32, n: usize) -> bool {
    super::unrolled(w, n) && comba::applies(w, n) && (n >= 4 || n == 2 && w < 16)
}

/// Pads with zeros to `h` words.
fn padded(b: &mut Builder, x: &[Value], h: usize) -> Vec<Value> {
    let zero = b.word_constant(0);
    (0..h).map(|i| x.get(i).copied().unwrap_or(zero)).collect()
}

/// `|x1 − x0|` in as many words as x0, and the flag of `x1 < x0`.
fn absolute_difference(b: &mut Builder, x1: &[Value], x0: &[Value]) -> (Vec<Value>, Value) {
    let mut negative = b.no_flag();
    let mut difference = Vec::with_capacity(x0.len());
    let zero = b.word_constant(0);
    for (i, low) in x0.iter().enumerate() {
        let high = x1.get(i).copied().unwrap_or(zero);
        let (d, borrow) = b.sub_borrow(high, *low, negative);
        difference.push(d);
        negative = borrow;
    }
    // Complement and add one where the difference is negative.
    let mask = b.flag_to_mask(negative);
    let mask = b.mask_to_word(mask);
    let mut carry = negative;
    let last = x0.len() - 1;
    let digits = difference.into_iter().enumerate().map(|(i, d)| {
        let d = b.xor(d, mask);
        if i == last {
            // No carry out: a negative difference is not 0.
            let carry = b.flag_to_word(carry, b.word_type());
            return b.add(d, carry);
        }
        let (s, next) = b.add_carry(d, zero, carry);
        carry = next;
        s
    });
    (digits.collect(), negative)
}

/// `z0 + z2` in as many words as z0, and the carry.
fn sum_of_ends(b: &mut Builder, z0: &[Value], z2: &[Value]) -> (Vec<Value>, Value) {
    let z2 = padded(b, z2, z0.len());
    let mut carry = b.no_flag();
    let sum = z0.iter().zip(&z2).map(|(x, y)| {
        let (s, next) = b.add_carry(*x, *y, carry);
        carry = next;
        s
    });
    (sum.collect(), carry)
}

/// `z0 + (middle + top·2^(2wh))·2^(wh) + z2·2^(2wh)`, which is the product: 2n words.
fn assemble(b: &mut Builder, h: usize, z0: Vec<Value>, z2: Vec<Value>, middle: &[Value], top: Value) -> Vec<Value> {
    let mut t = z0;
    t.extend(z2);
    let zero = b.word_constant(0);
    let mut carry = b.no_flag();
    let last = t.len() - 1;
    for (i, digit) in t.iter_mut().enumerate().skip(h) {
        let m = match i - h {
            j if j < 2 * h => middle[j],
            j if j == 2 * h => top,
            _ => zero,
        };
        if i < last {
            (*digit, carry) = b.add_carry(*digit, m, carry);
        } else {
            // The product fits 2n words: no carry out of the last one.
            let carry = b.flag_to_word(carry, b.word_type());
            let s = b.add(*digit, m);
            *digit = b.add(s, carry);
        }
    }
    t
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    multiply_by(b, x, y, comba::multiply)
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    square_by(b, x, comba::square)
}

fn multiply_by(
    b: &mut Builder,
    x: &[Value],
    y: &[Value],
    multiply: fn(&mut Builder, &[Value], &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let h = x.len().div_ceil(2);
    let ((x0, x1), (y0, y1)) = (x.split_at(h), y.split_at(h));
    let z0 = multiply(b, x0, y0);
    let z2 = multiply(b, x1, y1);
    let (dx, x_negative) = absolute_difference(b, x1, x0);
    let (dy, y_negative) = absolute_difference(b, y1, y0);
    let zm = multiply(b, &dx, &dy);
    // (x1 − x0)(y1 − y0) = ±zm, negative when the signs differ; the middle term z0 + z2 ∓ zm is x0 y1 + x1 y0.
    let (ends, carry) = sum_of_ends(b, &z0, &z2);
    let differ = b.xor(x_negative, y_negative);
    let subtract = b.not(differ);
    let mask = b.flag_to_mask(subtract);
    let mask = b.mask_to_word(mask);
    let mut c = subtract;
    let middle: Vec<Value> = ends
        .iter()
        .zip(&zm)
        .map(|(e, z)| {
            let z = b.xor(*z, mask);
            let (s, next) = b.add_carry(*e, z, c);
            c = next;
            s
        })
        .collect();
    // A subtraction added 2^(2wh) too much.
    let ty = b.word_type();
    let (carry, c, subtract) = (b.flag_to_word(carry, ty), b.flag_to_word(c, ty), b.flag_to_word(subtract, ty));
    let top = b.add(carry, c);
    let top = b.sub(top, subtract);
    assemble(b, h, z0, z2, &middle, top)
}

/// The middle term is `z0 + z2 − (a1 − a0)²`.
fn square_by(b: &mut Builder, x: &[Value], square: fn(&mut Builder, &[Value]) -> Vec<Value>) -> Vec<Value> {
    let h = x.len().div_ceil(2);
    let (x0, x1) = x.split_at(h);
    let z0 = square(b, x0);
    let z2 = square(b, x1);
    let (dx, _) = absolute_difference(b, x1, x0);
    let zm = square(b, &dx);
    let (ends, carry) = sum_of_ends(b, &z0, &z2);
    let mut borrow = b.no_flag();
    let middle: Vec<Value> = ends
        .iter()
        .zip(&zm)
        .map(|(e, z)| {
            let (d, next) = b.sub_borrow(*e, *z, borrow);
            borrow = next;
            d
        })
        .collect();
    let ty = b.word_type();
    let (carry, borrow) = (b.flag_to_word(carry, ty), b.flag_to_word(borrow, ty));
    let top = b.sub(carry, borrow);
    assemble(b, h, z0, z2, &middle, top)
}

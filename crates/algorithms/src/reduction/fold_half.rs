//! Folding a product of two words modulo `2^w − 2^(w/2) + 1`: Goldilocks for w = 64.
//!
//! * **computes** with h = w/2 and the product `t = l + 2^w·m + 2^(w+h)·u` (m, u below 2^h): `l − u + (2^h − 1)·m`,
//!   since `2^w ≡ 2^h − 1` and `2^(w+h) ≡ −1`. A borrow is `2^w ≡ 2^h − 1` too much, a carry as much too little.
//! * **needs** `p = 2^w − 2^h + 1`, one saturated digit, not in Montgomery form.
//! * **gives** any word: with a borrow at least `2^w − 2^h + 1` is left, with a carry less than `(2^h − 1)²`, so
//!   neither correction leaves the word. Canonical after one subtraction.
//! * **cost** one product of half words, a shift, a cut, two sums and two corrections.
//! * **source** Hamburg, "Ed448-Goldilocks" (2015), names such primes; the fold for 2^64 − 2^32 + 1 in words as in the
//!   code of plonky2 (2022) and of Pornin, "EcGFp5: a specialized elliptic curve" (2022), which keeps Montgomery form.
//!   Neither states the bounds.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use crate::layout::Layout;
use crate::prime::representation::prime;
use crate::recipe::Reduction;

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "fold-half", applies, reduce };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let w = layout.word;
    let shape = || prime(m) == pow2(w) - pow2(w / 2) + 1u32;
    w > 2 && w.is_multiple_of(2) && layout.digits() == 1 && layout.saturated() && layout.montgomery.is_none() && shape()
}

fn reduce(b: &mut Builder, _: &Modulus, layout: &Layout, t: Number) -> Number {
    let (w, h) = (layout.word, layout.word / 2);
    let [low, high] = t.digits[..] else { return t };
    let (middle, upper) = (b.low_bits(high, h), b.shr(high, h));
    let none = b.no_flag();
    let (d, borrow) = b.sub_borrow(low, upper, none);
    let excess = where_set(b, borrow, h);
    let (d, _) = b.sub_borrow(d, excess, none);
    let factor = b.word_constant(pow2(h) - 1u32);
    let product = b.mul(middle, factor);
    let (s, carry) = b.add_carry(d, product, none);
    let missing = where_set(b, carry, h);
    let (s, _) = b.add_carry(s, missing, none);
    let most: BigInt = pow2(w) - 1u32;
    Number::new(vec![s], w, most.min(t.bound))
}

/// `2^h − 1` where the flag is set, else 0.
fn where_set(b: &mut Builder, flag: Value, h: u32) -> Value {
    let (ones, zero) = (b.word_constant(pow2(h) - 1u32), b.word_constant(0));
    let mask = b.flag_to_mask(flag);
    b.select(mask, ones, zero)
}

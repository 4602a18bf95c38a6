//! Montgomery reduction of a product of two words by a difference: no carry, and a correction of one addition under a
//! condition.
//!
//! * **computes** `t/R mod p` for `t = lo + R·hi`, R = 2^w: with `q = lo/p mod R` the low word of `q·p` is lo again, so
//!   `t − q·p = R·(hi − ⌊q·p/R⌋)`, and p is added where that is negative.
//! * **needs** p odd, one word; any bound T below R².
//! * **gives** a number at most `max(T/R, p − 1)`: below p for T < p·R.
//! * **cost** two multiplications, of which one gives the low word and one the high one; a subtraction, an addition
//!   under a condition. In 16 lanes of 32 bits, product included: six products, two merges of halves, three for the
//!   difference.
//! * **source** Montgomery (1985); the sign of q as in Seiler, "Faster AVX2 optimized NTT multiplication for Ring-LWE
//!   lattice cryptography" (2018).

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};
use num_bigint::BigInt;

use super::montgomery::{self, inverse_digit};
use crate::integer::operand_scanning;
use crate::layout::Layout;
use crate::recipe::{Integrated, Reduction};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "montgomery-difference", applies, reduce };

/// With the product of two words before it, for maps and conversions that are more than a product.
pub const INTEGRATED: Integrated = Integrated { name: REDUCTION.name, applies, multiply, square: None };

fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let t = operand_scanning::multiply(b, &x.digits, &y.digits);
    reduce(b, m, layout, Number::new(t, layout.word, &x.bound * &y.bound))
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    montgomery::applies(m, layout) && layout.digits() == 1
}

/// `t/R` of two words.
pub fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let (word, p) = (layout.word, BigInt::from(m.value.clone()));
    let (zero, modulus) = (b.word_constant(0), b.word_constant(p.clone()));
    let high = t.digits.get(1).copied().unwrap_or(zero);
    // 1/p, where the other schedules have −1/p.
    let inverse = b.word_constant(pow2(word) - inverse_digit(m, word));
    let q = b.wrapping_mul(t.digits[0], inverse);
    let (_, subtracted) = b.mul_wide(q, modulus);
    let none = b.no_flag();
    let (difference, borrow) = b.sub_borrow(high, subtracted, none);
    let mask = b.flag_to_mask(borrow);
    let added = b.select(mask, modulus, zero);
    let digit = b.wrapping_add(difference, added);
    Number::new(vec![digit], word, (t.bound >> word).max(p - 1u32))
}

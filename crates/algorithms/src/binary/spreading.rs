//! Squares of polynomials over GF(2) in whole words: zeros between the bits.
//!
//! * **computes** the 2n words of `a²`: bit i goes to bit 2i.
//! * **needs** words of a power of two bits, at least four.
//! * **gives** the square, not reduced.
//! * **cost** for each half of a word log2(w) − 1 steps of a shift, an XOR and a mask.
//! * **source** Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography" (2004), 2.3.4; by masks instead of
//!   a table: Warren, "Hacker's Delight", 7-2.

use evariste_ir::{Builder, Value};
use num_bigint::BigInt;

use crate::recipe::CarrylessProduct;

/// By shifts and masks.
pub const SPREADING: CarrylessProduct = CarrylessProduct {
    name: "spreading",
    applies: |w, _| w >= 4 && w.is_power_of_two(),
    multiply: None,
    square: Some(|b, x| {
        let half = b.word() / 2;
        let mut words = Vec::new();
        for x in x {
            let low = b.low_bits(*x, half);
            let high = b.shr(*x, half);
            words.push(spread(b, low));
            words.push(spread(b, high));
        }
        words
    }),
};

/// The bits of the lower half, each at twice its place.
fn spread(b: &mut Builder, mut x: Value) -> Value {
    let w = b.word();
    let mut s = w / 4;
    while s > 0 {
        if b.is_zero(x) {
            return x;
        }
        // Blocks of s bits, each at the start of a block of 2s.
        let mask: BigInt = (0..w / (2 * s)).map(|i| ((BigInt::from(1) << s) - 1) << (2 * s * i)).sum();
        let shifted = b.wrapping_shl(x, s);
        let both = b.xor(x, shifted);
        let mask = b.word_constant(mask);
        x = b.and(both, mask);
        s /= 2;
    }
    x
}

//! Products of a word modulo `2^(w−1) − 1`: one factor doubled, so that the product falls apart at bit w − 1.
//!
//! * **computes** with `2ab = l + 2^w·h`, whose l is even: `l/2 + h`, since `ab = l/2 + 2^(w−1)·h`.
//! * **needs** `p = 2^(w−1) − 1`, one saturated digit, not in Montgomery form; factors below `2^(w−1)`.
//! * **gives** a number below `2p`: canonical after one subtraction.
//! * **cost** a product of two words, two sums and a shift: where the halves of a product are words of their own, as in
//!   lanes of 32 bits, two operations less than cutting the product itself.
//! * **source** the product modulo 2^31 − 1 on vectors as in the code of plonky3 (2023).

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number};

use crate::layout::Layout;
use crate::prime::representation::prime;
use crate::recipe::Integrated;

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "fold-doubled",
    applies: |m, layout| {
        let own = layout.word > 2 && prime(m) == pow2(layout.word - 1) - 1u32;
        own && layout.digits() == 1 && layout.montgomery.is_none() && layout.loose.bound < pow2(layout.word - 1)
    },
    multiply: |b, _, layout, x, y| product(b, layout, x, y),
    square: Some(|b, _, layout, x| product(b, layout, x, x)),
};

fn product(b: &mut Builder, layout: &Layout, x: &Number, y: &Number) -> Number {
    let ([x], [y]) = (&x.digits[..], &y.digits[..]) else { return x.clone() };
    let doubled = b.add(*y, *y);
    let (low, high) = b.mul_wide(*x, doubled);
    let low = b.shr(low, 1u32);
    let sum = b.add(low, high);
    let bound = b.range(sum).hi.clone();
    Number::new(vec![sum], layout.word, bound)
}

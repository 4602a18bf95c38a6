//! One conditional subtraction in columns: the same number, or that less M, without negative columns.
//!
//! * **computes** from the columns of `U = X + 2^K − M`, K = kn: `X − M` where that is not negative, else X. `U ≥ 2^K`
//!   decides; M comes back where it does not hold, and 2^K is taken from the top digit.
//! * **needs** `X < 2M`, `M ≤ 2^K`.
//! * **gives** a number below M in digits that are unmasked or clean as asked.
//! * **cost** 4(n − 1) for two chains of carries, three for the comparison, n masked additions; n − 1 more with clean
//!   digits.
//! * **source** the final subtraction of Gueron, Krasnov (2016), by a carry instead of a comparison of all digits.

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::columns::carry;
use crate::layout::Layout;
use crate::reduction::carry_pass::digits_at;

/// The digits of `x` as columns: what is above an unmasked one is dropped.
pub fn cleaned(b: &mut Builder, layout: &Layout, x: &Number) -> Vec<Value> {
    let top = x.len() - 1;
    let cut = |(i, d): (usize, &Value)| match layout.resting.low {
        Some(k) if i < top => b.low_bits(*d, k),
        _ => *d,
    };
    x.digits.iter().enumerate().map(cut).collect()
}

/// Adds a constant, in digits of k bits, to columns.
pub fn add_constant(b: &mut Builder, layout: &Layout, x: &mut [Value], constant: &BigInt) {
    for (x, c) in x.iter_mut().zip(digits_at(constant, &layout.weights)) {
        let c = b.word_constant(c);
        *x = b.add(*x, c);
    }
}

/// `2^K` of a layout.
pub fn capacity(layout: &Layout) -> BigInt {
    pow2(layout.radix.unwrap_or(layout.word) * layout.digits() as u32)
}

/// `X − M` where that is not negative, else X, from the columns of `X + 2^K − M`, for a constant M.
pub fn normalise(b: &mut Builder, layout: &Layout, u: Vec<Value>, m: &BigInt, unmasked: bool) -> Number {
    let digits: Vec<Value> = digits_at(m, &layout.weights).into_iter().map(|m| b.word_constant(m)).collect();
    normalise_by(b, layout, u, &digits, m - 1, unmasked)
}

/// As [`normalise`], for M in columns; the result is at most `bound`.
pub fn normalise_by(
    b: &mut Builder,
    layout: &Layout,
    u: Vec<Value>,
    m: &[Value],
    bound: BigInt,
    unmasked: bool,
) -> Number {
    let k = layout.radix.unwrap_or(layout.word);
    let top = u.len() - 1;
    let mut s = u.clone();
    carry(b, k, &mut s, 0, top);
    let q = b.shr(s[top], k);
    let (zero, one) = (b.word_constant(0), b.word_constant(1));
    let below = b.less(q, one);
    let mut v = u;
    for (v, m) in v.iter_mut().zip(m) {
        let back = b.select(below, *m, zero);
        *v = b.add(*v, back);
    }
    carry(b, k, &mut v, 0, top);
    if !unmasked {
        v[..top].iter_mut().for_each(|d| *d = b.low_bits(*d, k));
    }
    let one = b.word_constant(pow2(k));
    v[top] = b.sub(v[top], one);
    Number::new(v, k, bound)
}

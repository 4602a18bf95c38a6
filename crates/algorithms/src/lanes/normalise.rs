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

/// `2^K` of a layout: what its digits hold.
pub fn capacity(layout: &Layout) -> BigInt {
    pow2(layout.weights.last().unwrap_or(&0) + layout.radix.unwrap_or(layout.word))
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
    let sizes: Vec<u32> = layout.weights.windows(2).map(|w| w[1] - w[0]).collect();
    let carries = |b: &mut Builder, t: &mut [Value]| (0..top).for_each(|i| carry(b, sizes[i], t, i, i + 1));
    let mut s = u.clone();
    carries(b, &mut s);
    let q = b.shr(s[top], k);
    let (zero, one) = (b.word_constant(0), b.word_constant(1));
    let below = b.less(q, one);
    let mut v = u;
    for (v, m) in v.iter_mut().zip(m) {
        let back = b.select(below, *m, zero);
        *v = b.add(*v, back);
    }
    carries(b, &mut v);
    if !unmasked {
        v[..top].iter_mut().zip(&sizes).for_each(|(d, size)| *d = b.low_bits(*d, *size));
    }
    let one = b.word_constant(pow2(k));
    v[top] = b.sub(v[top], one);
    Number { digits: v, weights: layout.weights.clone(), bound }
}

//! Products modulo `2^k − c` whose last quotient is known early: the highest word is folded before its carries are there.
//!
//! * **computes** with `a·b = L + 2^(wn)·(h + 2^(w(n−1))·(H + d))`, H the high half of the highest words' product and d
//!   the carries into it, and `C = c·2^(wn−k)`: `e = C·H + l` for the highest word l of L, `q = ⌊e/2^j⌋` with
//!   `j = k − w(n−1)`; then `L + C·h + 2^(w(n−1))·(e mod 2^j − l + C·d) + c·q`.
//! * **needs** `p = 2^k − c`, c > 1, C in one word, saturated digits, not in Montgomery form; n at least 2.
//! * **gives** a number a little above `2^k`: below 2p for the canonical layout. Not normalised.
//! * **cost** the merge rows of the product or square; n + 1 multiplications by C and one or two by c; 2n − 1 additions
//!   with a carry that comes in for the row of C, n for c·q. Neither the product by C that the quotient needs nor the
//!   quotient waits for the last row.
//! * **source** the estimate of the quotient from uncorrected high words as in Amazon's s2n-bignum (`bignum_mul_p25519`,
//!   2021); here the quotient is that of e exactly, so that nothing is dropped above bit k.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::carry_pass::pseudo_mersenne;
use crate::integer::row_forms;
use crate::layout::Layout;
use crate::recipe::Integrated;
use crate::words::{add_row, low_bits, shift_right, words_for};

/// Registry line.
pub const INTEGRATED: Integrated = Integrated {
    name: "fold-early",
    applies,
    multiply: |b, m, layout, x, y| {
        let (t, top) = row_forms::multiply_with_top(b, &x.digits, &y.digits);
        reduce(b, m, layout, &t, top)
    },
    square: Some(|b, m, layout, x| {
        let (t, top) = row_forms::square_with_top(b, &x.digits);
        reduce(b, m, layout, &t, top)
    }),
};

/// `2^k − c` in n words of w bits.
struct Shape {
    k: u32,
    c: BigInt,
    /// `c·2^(wn−k)`.
    factor: BigInt,
    /// The greatest quotient.
    quotient: BigInt,
    /// The greatest result.
    bound: BigInt,
}

fn shape(m: &Modulus, layout: &Layout) -> Option<Shape> {
    let (word, n) = (layout.word, layout.digits() as u32);
    let (k, c) = pseudo_mersenne(m)?;
    let factor = &c << (word * n).checked_sub(k)?;
    let below = word * n.checked_sub(1)?;
    let j = k.checked_sub(below)?;
    let high = &layout.loose.bound * &layout.loose.bound >> (word * n);
    let quotient = (&factor * (&high >> below) + pow2(word) - 1) >> j;
    // Of C·h and C·d: what h holds below its highest word, and two carries at most.
    let lower: BigInt = &factor * (pow2(below) - 1) + &factor * (BigInt::from(2) << below);
    let bound = pow2(k) - 1 + lower + &c * &quotient;
    Some(Shape { k, c, factor, quotient, bound })
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let (word, n) = (layout.word, layout.digits());
    let Some(s) = shape(m, layout) else { return false };
    layout.montgomery.is_none()
        && layout.saturated()
        && n > 1
        && crate::integer::unrolled(word, n)
        && !s.c.is_one()
        && &s.factor * 2 < pow2(word)
        && words_for(&s.quotient, word) == 1
        && s.bound < pow2(word * n as u32 + 1)
        && (s.bound < pow2(word * n as u32) || layout.resting.bound < BigInt::from(m.value.clone()))
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: &[Value], top: Value) -> Number {
    let (word, n) = (layout.word, layout.digits());
    let Some(s) = shape(m, layout) else { return Number::new(t.to_vec(), word, pow2(2 * word * n as u32) - 1) };
    let (low, high) = t.split_at(n);
    let factor = b.word_constant(s.factor.clone());
    // The highest word of L with C·H: its quotient, and what it leaves.
    let (e, e_high) = b.mul_wide(top, factor);
    let mut e = [e, e_high];
    let zero = b.word_constant(0);
    add_row(b, &mut e, &[low[n - 1], zero], 0, 2);
    let j = s.k - word * (n as u32 - 1);
    let quotient = shift_right(b, &e, j, 1)[0];
    let mut sum = low.to_vec();
    sum[n - 1] = low_bits(b, &e[..1], j)[0];
    // c·q.
    let c = b.word_constant(s.c.clone());
    let multiple = if &s.quotient * &s.c < pow2(word) {
        vec![b.mul(quotient, c)]
    } else {
        let (low, high) = b.mul_wide(quotient, c);
        vec![low, high]
    };
    let first = add_row(b, &mut sum, &multiple, 0, n);
    // C·h and C·d: the carries of the highest word stand for it.
    let carries = b.sub(high[n - 1], top);
    let mut row = high.to_vec();
    row[n - 1] = carries;
    let product = row_forms::product_within(b, &row, factor);
    let second = add_row(b, &mut sum, &product, 0, n);
    if s.bound < pow2(word * n as u32) {
        return Number::new(sum, word, s.bound);
    }
    // One of the two carries at most: the bound is below twice 2^(wn).
    let (first, second) = (b.flag_to_word(first, b.word_type()), b.flag_to_word(second, b.word_type()));
    sum.push(b.add(first, second));
    Number::new(sum, word, s.bound)
}

//! Products modulo `2^k − c` whose last quotient is known early: the highest word is folded before its carries are there.
//!
//! * **computes** with `a·b = L + 2^(wn)·(h + 2^(w(n−1))·(H + d))`, H the high half of the highest words' product and d
//!   the carries into it, and `C = c·2^(wn−k)`: `e = C·H + l` for the highest word l of L, `q = ⌊e/2^j⌋` with
//!   `j = k − w(n−1)`; then `L + C·h + 2^(w(n−1))·(e mod 2^j − l + C·d) + c·q`.
//! * **needs** `p = 2^k − c`, c > 1, C in one word, saturated digits, not in Montgomery form; n at least 2.
//! * **gives** a number a little above `2^k`: below 2p for the canonical layout. Not normalised. As `fold-early-ceiling`,
//!   in canonical layouts, the canonical residue: with q + 1 for q, and `fold_ceiling`'s last step.
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
use super::fold_ceiling;
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

/// Registry line.
pub const CEILING: Integrated = Integrated {
    name: "fold-early-ceiling",
    applies: |m, layout| {
        let whole = layout.word * layout.digits() as u32;
        let below = |s: Shape| {
            // What is added to L fits its words.
            let added = &s.bound - pow2(s.k) + 1u32 + &s.c;
            s.bound < BigInt::from(m.value.clone()) * 2
                && words_for(&(s.quotient + 1), layout.word) == 1
                && added < pow2(whole)
        };
        applies(m, layout) && fold_ceiling::canonical(m, layout) && shape(m, layout).is_some_and(below)
    },
    multiply: |b, m, layout, x, y| {
        let (t, top) = row_forms::multiply_with_top(b, &x.digits, &y.digits);
        reduce_by_ceiling(b, m, layout, &t, top)
    },
    square: Some(|b, m, layout, x| {
        let (t, top) = row_forms::square_with_top(b, &x.digits);
        reduce_by_ceiling(b, m, layout, &t, top)
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

impl Shape {
    /// The bits of the highest word below bit k.
    fn j(&self, layout: &Layout) -> u32 {
        self.k - layout.word * (layout.digits() as u32 - 1)
    }
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

/// The highest word of L with C·H: what it leaves, above whose bit j the quotient is, and the quotient.
fn estimate(b: &mut Builder, s: &Shape, layout: &Layout, low: &[Value], top: Value) -> (Value, Value) {
    let factor = b.word_constant(s.factor.clone());
    let (e, e_high) = b.mul_wide(top, factor);
    let mut e = [e, e_high];
    let zero = b.word_constant(0);
    add_row(b, &mut e, &[low[low.len() - 1], zero], 0, 2);
    let quotient = shift_right(b, &e, s.j(layout), 1)[0];
    (e[0], quotient)
}

/// `c·q` for a quotient up to `greatest`.
fn multiple(b: &mut Builder, s: &Shape, quotient: Value, greatest: &BigInt) -> Vec<Value> {
    let c = b.word_constant(s.c.clone());
    if greatest * &s.c < pow2(b.word()) {
        return vec![b.mul(quotient, c)];
    }
    let (low, high) = b.mul_wide(quotient, c);
    vec![low, high]
}

/// C·h and C·d: the carries of the highest word stand for it.
fn rest(b: &mut Builder, s: &Shape, high: &[Value], top: Value) -> Vec<Value> {
    let mut row = high.to_vec();
    if let Some(last) = row.last_mut() {
        *last = b.sub(*last, top);
    }
    let factor = b.word_constant(s.factor.clone());
    row_forms::product_within(b, &row, factor)
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: &[Value], top: Value) -> Number {
    let (word, n) = (layout.word, layout.digits());
    let Some(s) = shape(m, layout) else { return Number::new(t.to_vec(), word, pow2(2 * word * n as u32) - 1) };
    let (low, high) = t.split_at(n);
    let (e, quotient) = estimate(b, &s, layout, low, top);
    let mut sum = low.to_vec();
    sum[n - 1] = low_bits(b, &[e], s.j(layout))[0];
    let multiple = multiple(b, &s, quotient, &s.quotient);
    let first = add_row(b, &mut sum, &multiple, 0, n);
    let product = rest(b, &s, high, top);
    let second = add_row(b, &mut sum, &product, 0, n);
    if s.bound < pow2(word * n as u32) {
        return Number::new(sum, word, s.bound);
    }
    // One of the two carries at most: the bound is below twice 2^(wn).
    let (first, second) = (b.flag_to_word(first, b.word_type()), b.flag_to_word(second, b.word_type()));
    sum.push(b.add(first, second));
    Number::new(sum, word, s.bound)
}

fn reduce_by_ceiling(b: &mut Builder, m: &Modulus, layout: &Layout, t: &[Value], top: Value) -> Number {
    let (word, n) = (layout.word, layout.digits());
    let Some(s) = shape(m, layout) else { return Number::new(t.to_vec(), word, pow2(2 * word * n as u32) - 1) };
    let (low, high) = t.split_at(n);
    let (e, quotient) = estimate(b, &s, layout, low, top);
    let one = b.word_constant(1);
    let next = b.add(quotient, one);
    let multiple = multiple(b, &s, next, &(&s.quotient + 1));
    // Far below 2^(wn) in all: the sum with L has the only carry.
    let mut product = rest(b, &s, high, top);
    add_row(b, &mut product, &multiple, 0, n);
    let mut sum = low.to_vec();
    sum[n - 1] = e;
    let mut sum = fold_ceiling::below(b, &sum, s.k);
    let carry = add_row(b, &mut sum, &product, 0, n);
    fold_ceiling::settle(b, m, layout, sum, carry)
}

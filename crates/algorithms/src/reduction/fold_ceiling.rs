//! Folding a full product of saturated words modulo `2^k − c`, at last by a quotient that is one greater: whether the sum
//! carries says which residue it is.
//!
//! * **computes** folds as in `fold_merge` and `fold`, until `s mod 2^k + c·q < 2p` for `q = ⌊s/2^k⌋`; then
//!   `t = s mod 2^k + c·(q + 1)`, and `t − 2^k` where t reaches `2^k`, else `t − c`. Bits above bit k of its highest word
//!   are set before, so that bit k is the last carry: without it `2^(wn) − p` is subtracted.
//! * **needs** `p = 2^k − c`, c of any number of words, saturated digits, not in Montgomery form; a canonical layout;
//!   any bound of the product, as long as folds bring it down so far.
//! * **gives** the canonical residue: no difference beside the sum has to be kept, and nothing is selected but the words of
//!   `2^(wn) − p`.
//! * **cost** the folds before; |c|·|q| multiplications (|c|, |q| words; none for c = 1), an addition for q + 1, n additions
//!   with carries, selects for the words of c (and one where k < wn), n subtractions with borrows.
//! * **source** the quotient that is right or one too great as in Amazon's s2n-bignum (`bignum_mul_p256k1`, 2021); the
//!   bits above bit k are ours.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Type, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::carry_pass::pseudo_mersenne;
use super::fold::fold_at;
use super::fold_merge;
use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::{
    add_product, add_row, add_row_exact, constant_digits, folded_bound, low_bits, shift_right, sub_row, words_for,
};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "fold-ceiling", applies, reduce };

/// Is a number up to `bound` below 2p after a fold at bit k, and `c·(q + 1)` no longer than the sum?
fn is_last(m: &Modulus, layout: &Layout, bound: &BigInt) -> bool {
    let Some((k, c)) = pseudo_mersenne(m) else { return false };
    let next: BigInt = (bound >> k) + 1u32;
    folded_bound(bound, k, &c) < BigInt::from(m.value.clone()) * 2
        && next * &c < pow2(layout.word * layout.digits() as u32)
}

/// Must the number be folded at whole words once more?
fn round(m: &Modulus, layout: &Layout, bound: &BigInt) -> Option<(u32, BigInt)> {
    let (k, c) = pseudo_mersenne(m)?;
    let whole = layout.word * layout.digits() as u32;
    let factor = &c << whole.checked_sub(k)?;
    let next = folded_bound(bound, whole, &factor);
    (!is_last(m, layout, bound) && next < *bound).then_some((whole, factor))
}

/// Is the layout one for canonical residues, in words?
pub fn canonical(m: &Modulus, layout: &Layout) -> bool {
    layout.montgomery.is_none() && layout.saturated() && layout.resting.bound < BigInt::from(m.value.clone())
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    if pseudo_mersenne(m).is_none() || !canonical(m, layout) {
        return false;
    }
    let mut bound = &layout.loose.bound * &layout.loose.bound;
    while let Some((f, factor)) = round(m, layout, &bound) {
        bound = folded_bound(&bound, f, &factor);
    }
    is_last(m, layout, &bound)
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Number) -> Number {
    let Some((k, c)) = pseudo_mersenne(m) else { return t };
    if round(m, layout, &t.bound).is_some()
        && let Some(once) = fold_merge::first(b, m, layout, &t)
    {
        t = once;
    }
    let mut carry = None;
    while let Some((f, factor)) = round(m, layout, &t.bound) {
        (t, carry) = fold_at(b, t, carry, f, &factor, layout.digits());
    }
    last(b, m, layout, k, &c, &t)
}

/// `s mod p` for a number s that is below 2p after a fold at bit k.
fn last(b: &mut Builder, m: &Modulus, layout: &Layout, k: u32, c: &BigInt, s: &Number) -> Number {
    let (word, n) = (layout.word, layout.digits());
    let zero = b.word_constant(0);
    let mut digits = s.digits.clone();
    digits.resize(n.max(digits.len()), zero);
    let high = &s.bound >> k;
    let upper = shift_right(b, &digits, k, words_for(&high, word));
    let mut sum = below(b, &digits[..n], k);
    if c.is_one() {
        let mut carry = b.constant(Type::Flag, 1);
        for (i, x) in sum.iter_mut().enumerate() {
            (*x, carry) = b.add_carry(*x, upper.get(i).copied().unwrap_or(zero), carry);
        }
        return settle(b, m, layout, sum, carry);
    }
    let mut next = upper;
    next.resize(words_for(&(&high + 1), word), zero);
    let one = b.word_constant(1);
    let end = next.len();
    add_row_exact(b, &mut next, &[one], 0, end);
    let words = words_for(&((high + 1) * c), word);
    let mut product = vec![zero; words];
    add_product(b, &mut product, &next, c, words);
    let carry = add_row(b, &mut sum, &product, 0, n);
    settle(b, m, layout, sum, carry)
}

/// `x mod 2^k + 2^(wn) − 2^k` in the n words of x.
pub fn below(b: &mut Builder, x: &[Value], k: u32) -> Vec<Value> {
    let word = b.word();
    let whole = word * x.len() as u32;
    let mut digits = low_bits(b, x, k);
    let zero = b.word_constant(0);
    digits.resize(x.len(), zero);
    let ones = constant_digits(b, &(pow2(whole) - pow2(k)), x.len());
    digits.iter().zip(ones).map(|(d, one)| b.add(*d, one)).collect()
}

/// The residue, where the words of `sum` and their carry are `2^(wn) − p` more than a number below 2p that is congruent.
pub fn settle(b: &mut Builder, m: &Modulus, layout: &Layout, mut sum: Vec<Value>, carry: Value) -> Number {
    let p = BigInt::from(m.value.clone());
    let missing = constant_digits(b, &(pow2(layout.word * sum.len() as u32) - &p), sum.len());
    let carried = b.flag_to_mask(carry);
    let zero = b.word_constant(0);
    let row: Vec<Value> =
        missing.into_iter().map(|d| if b.is_zero(d) { d } else { b.select(carried, zero, d) }).collect();
    sub_row(b, &mut sum, &row, 0);
    Number::new(sum, layout.word, p - 1)
}

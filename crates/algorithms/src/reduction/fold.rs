//! Folding a full product of saturated words modulo `2^k − c`.
//!
//! * **computes** `t mod 2^f + C·⌊t/2^f⌋` again and again, with `C = c·2^(f−k)` and f = wn (whole words) or k (as soon
//!   as what is above bit k is one word, or c = 1).
//! * **needs** `p = 2^k − c`, c of any number of words, saturated digits, not in Montgomery form; any bound of t.
//! * **gives** for the redundant layout any n-word value; for the canonical one a number below 2p (below `2^k` plus a
//!   little), not normalised.
//! * **cost** first round n·|C| multiplications (|C| words; none where a word of C is a power of two), second |C|, then
//!   carries; no branch.
//! * **source** Crandall, US patent 5,159,632 (1992); Menezes et al., Handbook of Applied Cryptography, algorithm
//!   14.47. The rounds, and how far a last carry can run, are decided by the bounds.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::carry_pass::pseudo_mersenne;
use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::constant_digits;
use crate::words::{add_product, add_row, add_row_exact, folded_bound, low_bits, shift_right, words_for};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "fold", applies, reduce };

fn applies(m: &Modulus, layout: &Layout) -> bool {
    layout.montgomery.is_none() && layout.saturated() && pseudo_mersenne(m).is_some()
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, mut t: Number) -> Number {
    let Some((k, c)) = pseudo_mersenne(m) else { return t };
    let p = BigInt::from(m.value.clone());
    let whole = layout.word * layout.digits() as u32;
    // To a canonical value, one conditional subtraction is all that is left below 2p.
    let target = if layout.resting.bound < p { &p * 2 - 1 } else { layout.resting.bound.clone() };
    let mut carry = None;
    while t.bound > target {
        let f = if c.is_one() || words_for(&(&t.bound >> k), layout.word) == 1 && layout.resting.bound < pow2(whole) - 1
        {
            k
        } else {
            whole
        };
        let factor = &c << (f - k);
        if folded_bound(&t.bound, f, &factor) >= t.bound {
            break;
        }
        (t, carry) = fold_at(b, t, carry, f, &factor, layout.digits());
    }
    t
}

/// `t mod 2^f + factor·⌊t/2^f⌋`, in at least `least` words. `carry` is the flag that the top word is made of, where it
/// is one; so is what is given back.
pub fn fold_at(
    b: &mut Builder,
    t: Number,
    carry: Option<Value>,
    f: u32,
    factor: &BigInt,
    least: usize,
) -> (Number, Option<Value>) {
    let word = b.word();
    let high = &t.bound >> f;
    if high.is_zero() {
        return (t, carry);
    }
    let bound = folded_bound(&t.bound, f, factor);
    let words = words_for(&bound, word).max(least);
    let mut digits = low_bits(b, &t.digits, f);
    let zero = b.word_constant(0);
    digits.resize(words.max(digits.len()), zero);
    let high_words = words_for(&high, word);
    let product_words = words_for(&(&high * factor), word);
    let top = digits.len() - 1;
    // With high at most 1, a nonzero carry leaves only `bound − 2^f` below it: the sum then ends within that and the
    // factor.
    let end = if high.is_one() {
        words_for(&(&t.bound - (BigInt::one() << f) + factor), word).min(digits.len())
    } else {
        digits.len()
    };
    let mut out = None;
    if let Some(flag) = carry.filter(|_| high.is_one() && f == (t.len() as u32 - 1) * word) {
        let mask = b.flag_to_mask(flag);
        let mask = b.mask_to_word(mask);
        let row: Vec<Value> = constant_digits(b, factor, product_words)
            .into_iter()
            .map(|d| if b.is_zero(d) { d } else { b.and(mask, d) })
            .collect();
        add_row_exact(b, &mut digits, &row, 0, end);
    } else if &bound >> (top as u32 * word) == BigInt::one() && product_words <= top && digits[top] == zero {
        // The product by itself, then one chain: its carry is the top word.
        let upper = shift_right(b, &t.digits, f, high_words);
        let mut product = vec![zero; product_words];
        add_product(b, &mut product, &upper, factor, product_words);
        let flag = add_row(b, &mut digits[..top], &product, 0, top);
        digits[top] = b.flag_to_word(flag, b.word_type());
        out = Some(flag);
    } else {
        let upper = shift_right(b, &t.digits, f, high_words);
        add_product(b, &mut digits, &upper, factor, end);
    }
    digits.truncate(words);
    (Number::new(digits, word, bound), out)
}

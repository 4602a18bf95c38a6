//! Folding a full product of saturated words modulo `2^k − c` by a merge row, for machines with add-with-carry.
//!
//! * **computes** `t mod 2^(wn) + C·⌊t/2^(wn)⌋` with `C = c·2^(wn−k)` as one merge row; then, with s the sum,
//!   `s mod 2^k + c·⌊s/2^k⌋` as one carry chain.
//! * **needs** `p = 2^k − c`, c > 1, C in one word, not in Montgomery form; a product that fills 2n words; n at least
//!   2.
//! * **gives** for k < wn a number of at most `2^k − 1 + c·⌊s/2^k⌋`, which fits n words: no carry is left. For k = wn
//!   any n-word value in the redundant layout (a last carry is worth C and runs no further than ranges say), a number
//!   below 2p otherwise. Not normalised.
//! * **cost** n + 1 multiplications, 2n − 1 additions with a carry that comes in for the row, n − 1 for the chain.
//! * **source** Crandall, US patent 5,159,632 (1992); the second fold at bit k, where words have a bit to spare,
//!   instead of a carry and a mask.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::carry_pass::pseudo_mersenne;
use crate::integer::row_forms::{self, Form};
use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::{folded_bound, low_bits, shift_right, words_for};

/// Registry line.
pub const REDUCTION: Reduction = Reduction { name: "fold-merge", applies, reduce };

/// `2^k − c` in n words of w bits.
struct Shape {
    k: u32,
    c: BigInt,
    /// wn.
    whole: u32,
    /// `c·2^(wn−k)`.
    factor: BigInt,
}

impl Shape {
    /// Is the first fold of a number up to `bound` one row, of n words and the word C?
    fn is_row(&self, layout: &Layout, bound: &BigInt) -> bool {
        let (word, n) = (layout.word, layout.digits());
        n > 1
            && crate::integer::unrolled(word, n)
            && !self.c.is_one()
            && self.factor < pow2(word)
            && words_for(&(bound >> self.whole), word) == n
    }
}

fn shape(m: &Modulus, layout: &Layout) -> Option<Shape> {
    let (k, c) = pseudo_mersenne(m)?;
    let whole = layout.word * layout.digits() as u32;
    let factor = &c << whole.checked_sub(k)?;
    Some(Shape { k, c, whole, factor })
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    let Some(s) = shape(m, layout) else { return false };
    let product = &layout.loose.bound * &layout.loose.bound;
    let once = folded_bound(&product, s.whole, &s.factor);
    let twice = folded_bound(&once, s.k, &s.c);
    let word_bound = pow2(layout.word);
    // What is above bit k is one word; what a last carry leaves has room for C.
    let second = &once >> s.k < word_bound
        && if s.k < s.whole { twice < pow2(s.whole) } else { &twice + &s.factor < pow2(s.whole + 1) };
    layout.montgomery.is_none() && layout.saturated() && s.is_row(layout, &product) && second
}

/// The first fold, at whole words, of a product that fills 2n words; `None` where C has several words or is 1.
pub fn first(b: &mut Builder, m: &Modulus, layout: &Layout, t: &Number) -> Option<Number> {
    let s = shape(m, layout)?;
    let (word, n) = (layout.word, layout.digits());
    if !s.is_row(layout, &t.bound) {
        return None;
    }
    let factor = b.word_constant(s.factor.clone());
    let (sum, _) = row_forms::row(b, Form::Merge, &t.digits[..n], &t.digits[n..], factor, None);
    Some(Number::new(sum, word, folded_bound(&t.bound, s.whole, &s.factor)))
}

fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Number) -> Number {
    let (Some(s), Some(once)) = (shape(m, layout), first(b, m, layout, &t)) else { return t };
    let n = layout.digits();
    let factor = b.word_constant(s.factor.clone());
    let upper = shift_right(b, &once.digits, s.k, 1)[0];
    let bound = folded_bound(&once.bound, s.k, &s.c);
    let lower = low_bits(b, &once.digits[..n], s.k);
    let c = b.word_constant(s.c.clone());
    let (low, high) = b.mul_wide(upper, c);
    let (mut sum, carry) = add(b, &lower, &[low, high], n);
    if bound < pow2(s.whole) {
        return Number::new(sum, layout.word, bound);
    }
    if bound <= layout.resting.bound.clone().max(BigInt::from(m.value.clone()) * 2 - 1)
        && layout.resting.bound < pow2(s.whole) - 1
    {
        sum.push(b.flag_to_word(carry, b.word_type()));
        return Number::new(sum, layout.word, bound);
    }
    // A carry leaves only `bound − 2^(wn)` below it: the sum with C ends within that.
    let end = words_for(&(&bound - pow2(s.whole) + &s.factor), layout.word).min(n);
    let mask = b.flag_to_mask(carry);
    let mask = b.mask_to_word(mask);
    let last = b.and(mask, factor);
    let (low, _) = add(b, &sum[..end], &[last], end);
    sum.splice(..end, low);
    Number::new(sum, layout.word, pow2(s.whole) - 1)
}

/// `x + y` in `len` words, one chain, and its carry.
fn add(b: &mut Builder, x: &[Value], y: &[Value], len: usize) -> (Vec<Value>, Value) {
    let zero = b.word_constant(0);
    let mut carry = b.no_flag();
    let mut sum = Vec::with_capacity(len);
    for (i, xi) in x.iter().enumerate().take(len) {
        let (word, next) = b.add_carry(*xi, y.get(i).copied().unwrap_or(zero), carry);
        sum.push(word);
        carry = next;
    }
    (sum, carry)
}

//! Division-free reduction modulo `2^k + c` by the bitwise complement of the quotient.
//!
//! * **computes** with `t = L + Q·2^k ≡ L − c·Q`: `L + c·(M − Q) + (−c·M mod p)`, M ≥ Q with all (used) bits set, so
//!   that M − Q is a complement and nothing is negative; then `Q₁ ≤ c + 2` is left above bit k, and `L₁ − c·Q₁`, plus p
//!   where that borrows, is the residue.
//! * **needs** `p = 2^k + c`, c² < 2^k, saturated digits, not in Montgomery form; any bound of t (bounds above p² take
//!   more rounds).
//! * **gives** the canonical residue. When k is a multiple of w its word of weight `2^k` is the last carry: without it,
//!   the words are the residue modulo `2^k`.
//! * **cost** |c|·n multiplications (or as many shifts and additions as c has signed bits, n words each), then |c|
//!   small ones or a look-up of c + 3 entries; 4n additions.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section on implementation, there for 2^64 + 13:
//!   `L + 13·(2^64−1−Q) + 182`. The paper subtracts with an `if`.

use evariste_descriptions::{Modulus, Shape};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::layout::Layout;
use crate::recipe::Reduction;
use crate::words::constant_digits;
use crate::words::{add_product, add_row, low_bits, shift_right, sub_row, words_for};

/// Registry line.
pub const REDUCTION: Reduction =
    Reduction { name: "complement", applies, reduce: |b, m, _, t| reduce(b, m, t, None, Variant::default()) };

/// How the two products by c are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Variant {
    /// `c·(M − Q)` and `c·Q₁` by shifts and additions instead of multiplications.
    pub shifts: bool,
    /// `c·Q₁` from a table.
    pub table: bool,
}

/// `(k, c)` of a modulus `2^k + c`.
pub fn above_power(m: &Modulus) -> Option<(u32, BigInt)> {
    m.shapes.iter().find_map(|s| match s {
        Shape::AbovePower { k, c } => Some((*k, BigInt::from(c.clone()))),
        _ => None,
    })
}

fn applies(m: &Modulus, layout: &Layout) -> bool {
    layout.montgomery.is_none()
        && layout.saturated()
        && layout.resting.bound < BigInt::from(m.value.clone())
        && above_power(m).is_some()
}

/// The residue of `t + addend`.
pub fn reduce(b: &mut Builder, m: &Modulus, mut t: Number, mut addend: Option<Number>, variant: Variant) -> Number {
    let Some((k, c)) = above_power(m) else { return t };
    let p = BigInt::from(m.value.clone());
    // One round at least, where an addend waits; then until c·Q₁ is at most p.
    while addend.is_some() || &c * (&t.bound >> k) > p {
        let next = round(b, k, &c, &p, &t, addend.take(), variant);
        if next.bound >= t.bound && !(&t.bound >> k).is_zero() && &c * (&next.bound >> k) > p {
            return t;
        }
        t = next;
    }
    finish(b, k, &c, &p, t, variant)
}

/// `L + c·(M − Q) + (−c·M mod p)` (+ addend).
fn round(
    b: &mut Builder,
    k: u32,
    c: &BigInt,
    p: &BigInt,
    t: &Number,
    addend: Option<Number>,
    variant: Variant,
) -> Number {
    let word = b.word();
    let q_max = &t.bound >> k;
    let q_words = words_for(&q_max, word);
    // M: all ones, but for a top word that is small.
    let full: BigInt = pow2(word) - 1;
    let top: BigInt = &q_max >> ((q_words as u32 - 1) * word);
    let top = if top.bits() as u32 == word { full.clone() } else { pow2(top.bits() as u32) - 1 };
    let m = (&top << ((q_words as u32 - 1) * word)) + pow2((q_words as u32 - 1) * word) - 1;
    let quotient = shift_right(b, &t.digits, k, q_words);
    let complement: Vec<Value> = quotient
        .iter()
        .enumerate()
        .map(|(i, q)| {
            if i + 1 < q_words || top == full {
                return b.not(*q);
            }
            let top = b.word_constant(top.clone());
            b.sub(top, *q)
        })
        .collect();
    let lowered: BigInt = c * &m;
    let constant = (-lowered).mod_floor(p);
    let mut bound = pow2(k) - 1 + c * &m + &constant;
    if let Some(a) = &addend {
        bound += &a.bound;
    }
    let mut sum = low_bits(b, &t.digits, k);
    let terms = signed_powers(c);
    let positive: BigInt = terms.iter().filter(|(sign, _)| *sign > 0).map(|(_, e)| pow2(*e)).sum();
    let words = if variant.shifts { words_for(&(&bound + (positive - c) * &m), word) } else { words_for(&bound, word) };
    let zero = b.word_constant(0);
    sum.resize(words.max(sum.len()), zero);
    let constant_words = constant_digits(b, &constant, words_for(&constant, word));
    let c_word = (words_for(c, word) == 1 && constant_words.len() == 1).then(|| b.word_constant(c.clone()));
    match c_word {
        Some(factor) if !variant.shifts && !b.fits_mul(complement[0], factor) => {
            // One row; the constant (or the addend, where it has one word) rides along as its first carry.
            let mut carry = constant_words[0];
            let end = complement.len().min(words);
            for (s, z) in sum.iter_mut().zip(&complement) {
                (*s, carry) = b.mul_add_add(*z, factor, *s, carry);
            }
            if end < words {
                add_row(b, &mut sum, &[carry], end, words);
            }
        }
        _ => {
            if variant.shifts {
                for (sign, e) in &terms {
                    let row = crate::words::shift_left(b, &complement, *e, words_for(&(&m << *e), word).min(words));
                    if *sign > 0 {
                        add_row(b, &mut sum, &row, 0, words);
                    } else {
                        sub_row(b, &mut sum, &row, 0);
                    }
                }
            } else {
                add_product(b, &mut sum, &complement, c, words);
            }
            add_row(b, &mut sum, &constant_words, 0, words);
        }
    }
    if let Some(a) = addend {
        add_row(b, &mut sum, &a.digits, 0, words);
    }
    Number::new(sum, word, bound).trimmed()
}

/// `L₁ − c·Q₁`, plus p where that is negative.
fn finish(b: &mut Builder, k: u32, c: &BigInt, p: &BigInt, t: Number, variant: Variant) -> Number {
    let word = b.word();
    let q_max = &t.bound >> k;
    let n = words_for(p, word);
    let mut digits = low_bits(b, &t.digits, k);
    let zero = b.word_constant(0);
    let bound = std::cmp::min(p - 1, t.bound.clone());
    // The words below 2^k are enough where k ends one: the word above is then the last carry.
    let whole = k.is_multiple_of(word) && c * &q_max < pow2(k);
    digits.resize(if whole { n - 1 } else { n }, zero);
    if q_max.is_zero() {
        digits.resize(n, zero);
        return Number::new(digits, word, bound);
    }
    let quotient = shift_right(b, &t.digits, k, words_for(&q_max, word));
    let product = small_product(b, &quotient, c, &q_max, variant);
    let borrow = sub_row(b, &mut digits, &product, 0);
    let mask = b.flag_to_mask(borrow);
    let mask = b.mask_to_word(mask);
    let back = if whole { c } else { p };
    let back: Vec<Value> = constant_digits(b, back, words_for(back, word))
        .into_iter()
        .map(|d| if b.is_zero(d) { d } else { b.and(mask, d) })
        .collect();
    let len = digits.len();
    let carry = add_row(b, &mut digits, &back, 0, len);
    if whole {
        let top = b.flag_to_word(carry, b.word_type());
        digits.push(top);
    }
    Number::new(digits, word, bound)
}

/// `c·q` for a small q.
fn small_product(b: &mut Builder, q: &[Value], c: &BigInt, q_max: &BigInt, variant: Variant) -> Vec<Value> {
    let word = b.word();
    let words = words_for(&(c * q_max), word);
    if let (true, 1, 1, Some(last @ ..256)) = (variant.table, words, q.len(), q_max.to_u32()) {
        let table = b.table("multiples", (0..=last).map(|i| c * i).collect());
        return vec![b.lookup(table, q[0])];
    }
    let zero = b.word_constant(0);
    let mut product = vec![zero; words];
    if variant.shifts && words == 1 && q.len() == 1 && signed_powers(c).iter().all(|(_, e)| (q_max << *e) < pow2(word))
    {
        let mut sum = zero;
        for (sign, e) in signed_powers(c) {
            let term = b.shl(q[0], e);
            sum = if sign > 0 { b.add(sum, term) } else { b.sub(sum, term) };
        }
        return vec![sum];
    }
    add_product(b, &mut product, q, c, words);
    product
}

/// c as a sum of signed powers of two, positive ones first: in non-adjacent form where that is shorter than the bits of
/// c.
fn signed_powers(c: &BigInt) -> Vec<(i8, u32)> {
    let bits: Vec<(i8, u32)> = (0..c.bits()).rev().filter(|i| c.bit(*i)).map(|i| (1, i as u32)).collect();
    let mut signed = Vec::new();
    let mut rest = c.clone();
    let mut e = 0;
    while !rest.is_zero() {
        if rest.is_odd() {
            let digit = if rest.bit(1) && !rest.is_one() { -1 } else { 1 };
            signed.push((digit, e));
            rest -= digit;
        }
        rest >>= 1u32;
        e += 1;
    }
    signed.sort_by_key(|(sign, e)| (-sign, -(*e as i64)));
    if signed.len() < bits.len() { signed } else { bits }
}

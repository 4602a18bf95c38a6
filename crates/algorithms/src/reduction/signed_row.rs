//! Montgomery rows for sparse moduli: p in signed words, so that most words are 0 or ±2^k.
//!
//! * **computes** `t + q·p` for the q that clears the lowest word, as `t + q·P − q·N` with `p = P − N + top·2^(wn)`;
//!   the cleared word is dropped.
//! * **needs** p odd, saturated words.
//! * **gives** the n − 1 words above the cleared one and the word above t.
//! * **cost** one multiplication for each word of P and N that is no power of two, one for q (none when p ≡ ±1 mod
//!   2^w; shifts and sums when p ≡ 2^k − 1 with w ≤ 2k or 1/p ≡ 2^k + 1), an addition with carry for each word of t,
//!   another where both P ≠ 0 and N ≠ 0: with `p = 2^(wn) − N` one chain makes q·N, another subtracts it.
//!   P-224, P-521 and 448 take no multiplication a row, P-256 one, SM2, P-384 and secp256k1 two, 25519 three.
//! * **source** Solinas, "Generalized Mersenne numbers" (1999), used inside Montgomery's reduction: Gueron, Krasnov,
//!   "Fast prime field elliptic-curve cryptography with 256-bit primes" (2013), for P-256; here the signed words of any
//!   modulus.

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Interval, Value};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::integer::row_forms;

/// p in signed words: each at most 2^w in size; the one above the top is 0 or 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedWords {
    /// Words 0 to n − 1.
    pub words: Vec<BigInt>,
    /// Is word n 1?
    pub top: bool,
}

impl SignedWords {
    /// The cheapest signed words of p; `None` when plain words are no dearer.
    pub fn new(p: &BigInt, word: u32, n: usize) -> Option<SignedWords> {
        let base = pow2(word);
        let plain: Vec<BigInt> = (0..n as u32).map(|i| (p >> (i * word)) % &base).collect();
        // The cheapest words so far that leave no carry, and that leave one.
        let mut best: [Option<(usize, Vec<BigInt>)>; 2] = [Some((0, Vec::new())), None];
        for digit in &plain {
            let mut next: [Option<(usize, Vec<BigInt>)>; 2] = [None, None];
            for (carry, state) in best.iter().enumerate() {
                let Some((cost, words)) = state else { continue };
                let v = digit + carry;
                for (word, carry) in [(v.clone(), 0), (&v - &base, 1)] {
                    if carry == 0 && v == base || carry == 1 && v.is_zero() {
                        continue;
                    }
                    let cost = cost + price(&word);
                    if next[carry].as_ref().is_none_or(|(c, _)| cost < *c) {
                        next[carry] = Some((cost, [&words[..], &[word]].concat()));
                    }
                }
            }
            best = next;
        }
        let signed = best
            .into_iter()
            .enumerate()
            .filter_map(|(top, s)| s.map(|(_, words)| SignedWords { words, top: top == 1 }));
        // `2^(wn) − p` is subtracted in one chain.
        let rest = pow2(word * n as u32) - p;
        let complement = (0..n as u32).map(|i| -((&rest >> (i * word)) % &base)).collect();
        let chosen = signed.chain([SignedWords { words: complement, top: true }]).min_by_key(SignedWords::cost)?;
        (chosen.cost() < plain.iter().map(price).sum::<usize>()).then_some(chosen)
    }

    /// What a row costs beyond one chain of n words: a second chain is worth about two multiplications of eight words.
    fn cost(&self) -> usize {
        let words: usize = self.words.iter().map(price).sum();
        // A lowest word of −1 leaves nothing for the next one.
        let first = usize::from(self.words[0] == -BigInt::one());
        let signs = |sign| self.words[first..].iter().any(|w| w.sign() == sign);
        words + if signs(Sign::Plus) && signs(Sign::Minus) { self.words.len() } else { 0 }
    }
}

/// What a shift costs.
const SHIFT: usize = 1;

/// What a word of p costs in a row: nothing, a shift, or a multiplication.
pub fn price(word: &BigInt) -> usize {
    match word.magnitude() {
        m if m.is_zero() => 0,
        m if m.count_ones() == 1 => SHIFT,
        _ => 4,
    }
}

/// The k of a word `2^k − 1` with `w ≤ 2k`: then `−1/(2^k − 1)` is `2^k + 1` modulo 2^w.
fn ones(first: &BigInt, word: u32) -> Option<u32> {
    let k = first.bits() as u32;
    (*first == pow2(k) - 1 && k < word && word <= 2 * k).then_some(k)
}

/// q and what the lowest word leaves, for a lowest word `2^k − 1` of p.
fn by_shifts(b: &mut Builder, t: Value, k: u32) -> (Value, Value) {
    // q = t·(2^k + 1) modulo 2^w. It ends in the same w − k bits as t, so the lowest words of q·2^k and t·2^k are one:
    // what is left is the carry of q.
    let (ty, none) = (b.word_type(), b.no_flag());
    let last = b.low_bits(t, b.word() - k);
    let low = b.shl(last, k);
    let q = b.wrapping_add(low, t);
    let (_, carried) = b.sub_borrow(q, t, none);
    let high = b.shr(q, b.word() - k);
    let carried = b.flag_to_word(carried, ty);
    (q, b.add(high, carried))
}

/// The signed words as constants.
pub struct SignedRow {
    first: BigInt,
    inverse: Value,
    plus: Vec<Value>,
    minus: Vec<Value>,
    negative: bool,
    top: bool,
    /// `2^(wn) − N`, with a word in N that is no power of two?
    complement: bool,
}

impl SignedRow {
    /// The constants of a row; `inverse` is `−1/p mod 2^w`.
    pub fn new(b: &mut Builder, p: &SignedWords, inverse: Value) -> SignedRow {
        let part = |b: &mut Builder, sign: Sign| {
            p.words
                .iter()
                .map(|w| if w.sign() == sign { w.magnitude().clone() } else { Zero::zero() })
                .map(|m| b.word_constant(m))
                .collect()
        };
        let (plus, minus) = (part(b, Sign::Plus), part(b, Sign::Minus));
        SignedRow {
            first: p.words[0].clone(),
            inverse,
            plus,
            minus,
            negative: p.words.iter().any(|w| w.sign() == Sign::Minus),
            top: p.top,
            complement: p.top
                && p.words.iter().all(|w| w.sign() != Sign::Plus)
                && p.words.iter().any(|w| price(w) > SHIFT),
        }
    }

    /// `t + q·p` without its lowest word, which is 0: the n − 1 words above it, and the word above t.
    pub fn row(&self, b: &mut Builder, t: &[Value]) -> (Vec<Value>, Value) {
        if self.complement {
            return self.complement_row(b, t);
        }
        let (zero, ty, none) = (b.word_constant(0), b.word_type(), b.no_flag());
        // q, and what the lowest word leaves for the next one: to be added, to be subtracted.
        let (q, mut carry, mut taken) = match &self.first {
            first if *first == -BigInt::one() => (t[0], zero, zero),
            first if first.is_one() => {
                let (q, borrow) = b.sub_borrow(zero, t[0], none);
                (q, b.flag_to_word(borrow, ty), zero)
            }
            first if let Some(k) = ones(first, b.word()) => {
                let (q, carry) = by_shifts(b, t[0], k);
                (q, carry, zero)
            }
            first if first.sign() == Sign::Plus => {
                let q = b.wrapping_mul(t[0], self.inverse);
                let (_, carry) = b.mul_add_add(q, self.plus[0], t[0], zero);
                (q, carry, zero)
            }
            _ => {
                // q·N has the lowest word t[0]: their difference is 0 and leaves no borrow.
                let q = b.wrapping_mul(t[0], self.inverse);
                let (_, taken) = b.mul_wide(q, self.minus[0]);
                (q, zero, taken)
            }
        };
        // The words of q·P as they come, added in one chain.
        let mut rest = Vec::with_capacity(t.len());
        let mut flag = none;
        for (tj, digit) in t.iter().zip(&self.plus).skip(1) {
            let (part, next) = b.mul_add_add(q, *digit, carry, zero);
            carry = next;
            let (s, next) = b.add_carry(*tj, part, flag);
            rest.push(s);
            flag = next;
        }
        let flag = b.flag_to_word(flag, ty);
        let carry = b.add(carry, flag);
        if !self.negative {
            return (rest, if self.top { b.add(q, carry) } else { carry });
        }
        let mut borrow = none;
        for (s, digit) in rest.iter_mut().zip(&self.minus[1..]) {
            let (part, next) = b.mul_add_add(q, *digit, taken, zero);
            taken = next;
            (*s, borrow) = b.sub_borrow(*s, part, borrow);
        }
        let borrow = b.flag_to_word(borrow, ty);
        // t + q·p is not negative, so neither is the word above t; parts of it may be.
        let above = if self.top { q } else { carry };
        let above = b.sub(above, taken);
        let above = b.sub(above, borrow);
        let above = if self.top { b.add(above, carry) } else { above };
        (rest, b.declare(above, &Interval::bits(b.word())))
    }

    /// `t + q·2^(wn) − q·N`: the words of q·N in one chain, their differences from those of t in another.
    fn complement_row(&self, b: &mut Builder, t: &[Value]) -> (Vec<Value>, Value) {
        let q = quotient(b, t[0], self.inverse);
        let used = self.minus.iter().rposition(|d| !b.is_zero(*d)).map_or(0, |last| last + 1);
        // The lowest word is that of t.
        let (product, _) = row_forms::product(b, &self.minus[..used], q);
        let zero = b.word_constant(0);
        let mut borrow = b.no_flag();
        let mut rest = Vec::with_capacity(t.len());
        for (j, tj) in t.iter().enumerate().skip(1) {
            let (word, next) = b.sub_borrow(*tj, product.get(j).copied().unwrap_or(zero), borrow);
            rest.push(word);
            borrow = next;
        }
        let borrow = b.flag_to_word(borrow, b.word_type());
        let above = match product.get(t.len()) {
            Some(high) => b.sub(q, *high),
            None => q,
        };
        let above = b.sub(above, borrow);
        // t + q·p is not negative.
        (rest, b.declare(above, &Interval::bits(b.word())))
    }
}

/// `t·inverse` modulo 2^w: by a shift where the inverse is `2^k + 1`.
fn quotient(b: &mut Builder, t: Value, inverse: Value) -> Value {
    let shift = b.constant_of(inverse).map(|i| i - 1u32).filter(|rest| rest.magnitude().count_ones() == 1);
    match shift {
        Some(rest) if !rest.is_one() => {
            let shifted = b.wrapping_shl(t, rest.bits() as u32 - 1);
            b.wrapping_add(shifted, t)
        }
        _ => b.wrapping_mul(t, inverse),
    }
}

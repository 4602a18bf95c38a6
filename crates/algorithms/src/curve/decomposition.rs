//! A scalar as two of half its length.
//!
//! * **computes** k1 and k2 with `k1 + λ·k2 ≡ k` modulo n: `(k, 0)` less the nearest point of the lattice of all (a, b) with
//!   `a + λ·b ≡ 0`, by two products with rounded quotients.
//! * **needs** k in words, below `2^bits`, as long as it may be.
//! * **gives** the digits `e_i` of w bits of both, around 0: `k1 = Σ (e_i − 2^(w−1))·2^(wi)`.
//! * **cost** of n words: two products of n by 3n/4 words, and four of n/2 words whose n/2 + 1 lowest count. Time does not
//!   depend on k.
//! * **source** Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms"
//!   (2001); Babai (1986) for the rounding, whose error the choice of `2^s` bounds.
//!
//! How long both can be is reckoned from the vectors and the rounding before anything is written.

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Operand, Value};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::digits::{cut, scalar};
use crate::signature::NotApplicable;

/// How scalars below `2^bits` are taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decomposition {
    bits: u32,
    /// Short vectors (a, b) with `a + λ·b ≡ 0`, turned so that quotients are not negative.
    vectors: [[BigInt; 2]; 2],
    /// s.
    shift: u32,
    /// `2^s·q` for the quotient q of each vector and k, rounded.
    rounded: [BigInt; 2],
    /// Bits of both halves beside their signs.
    pub half: u32,
}

impl Decomposition {
    /// For the eigenvalue λ modulo n, in words of that many bits.
    pub fn new(order: &BigUint, eigenvalue: &BigUint, bits: u32, word: u32) -> Option<Decomposition> {
        let order = BigInt::from(order.clone());
        let [mut v, mut u] = short(&order, &eigenvalue.clone().into())?;
        let determinant = |v: &[BigInt; 2], u: &[BigInt; 2]| &v[0] * &u[1] - &v[1] * &u[0];
        // (k, 0) = k·(u₁/d)·v − k·(v₁/d)·u for the determinant d, ±n.
        if (&u[1] * determinant(&v, &u)).is_negative() {
            v = v.map(|x| -x);
        }
        if (&v[1] * determinant(&v, &u)).is_positive() {
            u = u.map(|x| -x);
        }
        if determinant(&v, &u).abs() != order {
            return None;
        }
        // Beyond the scalar, so that both errors stay below 2^(−2) of the rounding's.
        let shift = (bits + 3).next_multiple_of(word);
        let nearest = |x: &BigInt| (x.abs() * pow2(shift + 1) + &order).div_floor(&(&order * 2));
        let rounded = [nearest(&u[1]), nearest(&v[1])];
        // A quotient is off by at most 1/2 + 2^(bits − s − 1) ≤ 5/8: of each coordinate so much of both vectors.
        let most = |i: usize| -> BigInt { Integer::div_ceil(&((v[i].abs() + u[i].abs()) * 5), &8.into()) };
        let half = most(0).max(most(1)).bits() as u32;
        Some(Decomposition { bits, vectors: [v, u], shift, rounded, half })
    }

    /// The kernel that gives n digits of w bits of each half.
    pub fn kernel(&self, word: u32, w: u32, n: u32) -> Result<Kernel, NotApplicable> {
        let raise: BigInt = (0..n).map(|i| pow2(w - 1 + w * i)).sum();
        let room = pow2(w * n);
        if raise < pow2(self.half) || &raise + pow2(self.half) > room {
            return Err(NotApplicable(format!("{n} digits of {w} bits do not hold {} bits", self.half)));
        }
        let mut builder = Builder::new("decomposition", word);
        let b = &mut builder;
        let maximum: BigInt = pow2(w) - 1;
        let outputs = ["first", "second"].map(|name| b.output(name, n, std::slice::from_ref(&maximum)));
        let (k, operand) = scalar(b, "k", self.bits);
        let k = b.load_all(k);
        let quotients = [0, 1].map(|i| self.quotient(b, &k, &self.rounded[i]));
        let words = (w * n).div_ceil(word) as usize;
        for (i, out) in outputs.into_iter().enumerate() {
            let mut sum = constant(b, &raise, words);
            if i == 0 {
                let mut carry = b.no_flag();
                for (j, s) in sum.iter_mut().enumerate() {
                    let x = k.get(j).copied().unwrap_or_else(|| b.word_constant(0));
                    (*s, carry) = b.add_carry(*s, x, carry);
                }
            }
            for (quotient, vector) in quotients.iter().zip(&self.vectors) {
                // Less so many of the vector, modulo the words that count.
                let minus = (-&vector[i]).mod_floor(&pow2(words as u32 * word));
                let minus = constant(b, &minus, words);
                accumulate(b, &mut sum, quotient, &minus);
            }
            let digits = cut(b, sum, b.word(), w, n)?;
            b.store_all(out, &digits);
        }
        let weights: Vec<u32> = (0..n).map(|i| i * w).collect();
        let number = |name: &str, array: Array| {
            let all = vec![maximum.clone(); n as usize];
            Operand::new(name, array, &weights, &all, &room - 1)
        };
        let [first, second] = outputs;
        let claims = [number("first", first), number("second", second)];
        let claims = claims.map(|output| Claim::Step { output, name: "decomposition".into() }).into();
        Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![operand], claims }))
    }

    /// The words of `k·rounded/2^s`, rounded.
    fn quotient(&self, b: &mut Builder, k: &[Value], rounded: &BigInt) -> Vec<Value> {
        let word = b.word();
        let factor = constant(b, rounded, (rounded.bits() as u32).div_ceil(word).max(1) as usize);
        let mut sum = constant(b, &pow2(self.shift - 1), k.len() + factor.len());
        accumulate(b, &mut sum, k, &factor);
        let most: BigInt = ((pow2(self.bits) - 1) * rounded + pow2(self.shift - 1)) >> self.shift;
        let count = (most.bits() as u32).div_ceil(word) as usize;
        sum.into_iter().skip((self.shift / word) as usize).take(count).collect()
    }
}

/// Words of a constant.
fn constant(b: &mut Builder, number: &BigInt, words: usize) -> Vec<Value> {
    let word = b.word();
    (0..words as u32).map(|i| b.word_constant((number >> (i * word)) % pow2(word))).collect()
}

/// Adds `x·y` to a sum, of which only its own words count.
fn accumulate(b: &mut Builder, sum: &mut [Value], x: &[Value], y: &[Value]) {
    for (i, x) in x.iter().enumerate().take(sum.len()) {
        let mut carry = b.word_constant(0);
        for (j, s) in sum[i..].iter_mut().enumerate() {
            match y.get(j) {
                Some(y) => (*s, carry) = b.mul_add_add(*x, *y, *s, carry),
                None => {
                    let none = b.no_flag();
                    let (next, over) = b.add_carry(*s, carry, none);
                    let ty = b.word_type();
                    (*s, carry) = (next, b.flag_to_word(over, ty));
                }
            }
        }
    }
}

/// Two short vectors (a, b) with `a + λ·b ≡ 0` modulo n, one after the other in Euclid's algorithm.
fn short(order: &BigInt, eigenvalue: &BigInt) -> Option<[[BigInt; 2]; 2]> {
    let root = order.sqrt();
    let (mut last, mut next) = ([order.clone(), BigInt::zero()], [eigenvalue.clone(), BigInt::from(-1)]);
    while next[0] >= root {
        let quotient = &last[0] / &next[0];
        let after = [0, 1].map(|i| &last[i] - &quotient * &next[i]);
        (last, next) = (next, after);
    }
    if next[0].is_zero() {
        return None;
    }
    let quotient = &last[0] / &next[0];
    let after = [0, 1].map(|i| &last[i] - &quotient * &next[i]);
    let length = |v: &[BigInt; 2]| v[0].abs().max(v[1].abs());
    let other = if length(&last) <= length(&after) { last } else { after };
    Some([next, other])
}

//! A scalar as two of half its length, or as four of a quarter.
//!
//! * **computes** k1, k2, … with `k1 + λ·k2 + λ²·k3 + … ≡ k` modulo n: `(k, 0, …)` less a near point of the lattice of all
//!   (a, b, …) with `a + λ·b + … ≡ 0`, by products with rounded quotients.
//! * **needs** k in words, below `2^bits`, as long as it may be; as many short vectors as parts, of determinant ±n.
//! * **gives** the digits `e_i` of w bits of each, around 0: `k1 = Σ (e_i − 2^(w−1))·2^(wi)`.
//! * **cost** of n words: two products of n by 3n/4 words, and four of n/2 words whose n/2 + 1 lowest count; for four parts
//!   four of n by n words, and sixteen of n/4 words. Time does not depend on k.
//! * **source** Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms"
//!   (2001); Babai (1986) for the rounding, whose error the choice of `2^s` bounds.
//!
//! How long all can be is reckoned from the vectors and the rounding before anything is written.

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Operand, Value};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::Signed;

use super::digits::{cut, scalar};
use super::lattice::{cofactor, determinant};
use crate::signature::NotApplicable;

/// What the parts are called.
pub(super) const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];

/// How scalars below `2^bits` are taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decomposition {
    bits: u32,
    /// Short vectors (a, b, …) with `a + λ·b + … ≡ 0`, turned so that quotients are not negative.
    vectors: Vec<Vec<BigInt>>,
    /// s.
    shift: u32,
    /// `2^s·q` for the quotient q of each vector and k, rounded.
    rounded: Vec<BigInt>,
    /// The most that a part can be, beside its sign.
    most: BigInt,
}

impl Decomposition {
    /// By these vectors modulo n, in words of that many bits.
    pub fn new(order: &BigUint, mut vectors: Vec<Vec<BigInt>>, bits: u32, word: u32) -> Option<Decomposition> {
        let order = BigInt::from(order.clone());
        // (k, 0, …) = Σ k·(cᵢ/d)·vᵢ for the determinant d, ±n, and the cofactors cᵢ of the first column.
        let all = determinant(&vectors);
        if all.abs() != order || vectors.len() > NAMES.len() {
            return None;
        }
        let cofactors: Vec<BigInt> = (0..vectors.len()).map(|i| cofactor(&vectors, i)).collect();
        for (vector, c) in vectors.iter_mut().zip(&cofactors) {
            if (c * &all).is_negative() {
                vector.iter_mut().for_each(|x| *x = -&*x);
            }
        }
        // Beyond the scalar, so that both errors stay below 2^(−2) of the rounding's.
        let shift = (bits + 3).next_multiple_of(word);
        let nearest = |x: &BigInt| (x.abs() * pow2(shift + 1) + &order).div_floor(&(&order * 2));
        let rounded = cofactors.iter().map(nearest).collect();
        // A quotient is off by at most 1/2 + 2^(bits − s − 1): of each coordinate so much of all vectors.
        let length = |i: usize| vectors.iter().map(|v| v[i].abs()).sum::<BigInt>();
        let longest = (0..vectors.len()).map(length).max()?;
        let most = Integer::div_ceil(&(longest * (pow2(shift) + pow2(bits))), &pow2(shift + 1));
        Some(Decomposition { bits, vectors, shift, rounded, most })
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.vectors.len()
    }

    /// The most that a part can be, beside its sign.
    pub fn most(&self) -> &BigInt {
        &self.most
    }

    /// Bits of all parts beside their signs.
    pub fn length(&self) -> u32 {
        self.most.bits() as u32
    }

    /// How many digits of w bits hold each part.
    pub fn digits(&self, w: u32) -> u32 {
        let holds = |n: &u32| {
            let raise = raise(w, *n);
            raise >= self.most && raise + &self.most < pow2(w * n)
        };
        (1..).find(holds).unwrap_or(1)
    }

    /// The kernel that gives the digits of w bits of each part, reckoned in pieces of words: whole ones, or halves where
    /// there are no carries.
    pub fn kernel(&self, word: u32, piece: u32, w: u32) -> Result<Kernel, NotApplicable> {
        let n = self.digits(w);
        let (raise, room) = (raise(w, n), pow2(w * n));
        let mut builder = Builder::new("decomposition", word);
        let b = &mut builder;
        let maximum: BigInt = pow2(w) - 1;
        let names = &NAMES[..self.parts()];
        let outputs: Vec<Array> = names.iter().map(|name| b.output(*name, n, std::slice::from_ref(&maximum))).collect();
        let (k, operand) = scalar(b, "k", self.bits);
        let pieces = Pieces(piece);
        let k = b.load_all(k);
        let k = pieces.of_words(b, k);
        let quotient = |b: &mut Builder, rounded| self.quotient(b, &pieces, &k, rounded);
        let quotients: Vec<Vec<Value>> = self.rounded.iter().map(|rounded| quotient(b, rounded)).collect();
        let count = (w * n).div_ceil(piece) as usize;
        for (i, out) in outputs.iter().enumerate() {
            let mut sum = pieces.constant(b, &raise, count);
            if i == 0 {
                pieces.add(b, &mut sum, &k);
            }
            for (quotient, vector) in quotients.iter().zip(&self.vectors) {
                // Less so many of the vector, modulo the pieces that count.
                let minus = (-&vector[i]).mod_floor(&pow2(count as u32 * piece));
                let minus = pieces.constant(b, &minus, count);
                pieces.accumulate(b, &mut sum, quotient, &minus);
            }
            let digits = cut(b, sum, piece, w, n)?;
            b.store_all(*out, &digits);
        }
        let weights: Vec<u32> = (0..n).map(|i| i * w).collect();
        let number = |(name, array): (&&str, Array)| {
            let all = vec![maximum.clone(); n as usize];
            Operand::new(*name, array, &weights, &all, &room - 1)
        };
        let outputs = names.iter().zip(outputs).map(number);
        let claims = outputs.map(|output| Claim::Step { output, name: "decomposition".into() }).collect();
        Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![operand], claims }))
    }

    /// The pieces of `k·rounded/2^s`, rounded.
    fn quotient(&self, b: &mut Builder, pieces: &Pieces, k: &[Value], rounded: &BigInt) -> Vec<Value> {
        let factor = pieces.constant(b, rounded, (rounded.bits() as u32).div_ceil(pieces.0).max(1) as usize);
        let mut sum = pieces.constant(b, &pow2(self.shift - 1), k.len() + factor.len());
        pieces.accumulate(b, &mut sum, k, &factor);
        let most: BigInt = ((pow2(self.bits) - 1) * rounded + pow2(self.shift - 1)) >> self.shift;
        let count = (most.bits() as u32).div_ceil(pieces.0) as usize;
        sum.into_iter().skip((self.shift / pieces.0) as usize).take(count).collect()
    }
}

/// What makes digits from −2^(w−1) on begin at 0.
fn raise(w: u32, n: u32) -> BigInt {
    (0..n).map(|i| pow2(w - 1 + w * i)).sum()
}

/// Numbers in pieces of so many bits.
struct Pieces(u32);

impl Pieces {
    fn are_words(&self, b: &Builder) -> bool {
        self.0 == b.word()
    }

    /// Those of words.
    fn of_words(&self, b: &mut Builder, words: Vec<Value>) -> Vec<Value> {
        if self.are_words(b) {
            return words;
        }
        let halves = |word: Value| [b.low_bits(word, self.0), b.shr(word, self.0)];
        words.into_iter().flat_map(halves).collect()
    }

    fn constant(&self, b: &mut Builder, number: &BigInt, count: usize) -> Vec<Value> {
        (0..count as u32).map(|i| b.word_constant((number >> (i * self.0)) % pow2(self.0))).collect()
    }

    /// Adds x to a sum, of which only its own pieces count.
    fn add(&self, b: &mut Builder, sum: &mut [Value], x: &[Value]) {
        let none = b.word_constant(0);
        if !self.are_words(b) {
            let mut carry = none;
            for (j, s) in sum.iter_mut().enumerate() {
                let total = b.add(*s, x.get(j).copied().unwrap_or(none));
                let total = b.add(total, carry);
                (*s, carry) = (b.low_bits(total, self.0), b.shr(total, self.0));
            }
            return;
        }
        let mut carry = b.no_flag();
        for (j, s) in sum.iter_mut().enumerate() {
            (*s, carry) = b.add_carry(*s, x.get(j).copied().unwrap_or(none), carry);
        }
    }

    /// Adds `x·y` to a sum, of which only its own pieces count.
    fn accumulate(&self, b: &mut Builder, sum: &mut [Value], x: &[Value], y: &[Value]) {
        for (i, x) in x.iter().enumerate().take(sum.len()) {
            let mut carry = b.word_constant(0);
            for (j, s) in sum[i..].iter_mut().enumerate() {
                (*s, carry) = match y.get(j) {
                    Some(y) => self.step(b, [*x, *y, *s, carry]),
                    None => self.carried(b, *s, carry),
                };
            }
        }
    }

    /// The low and the high piece of `x·y + s + carry`.
    fn step(&self, b: &mut Builder, [x, y, s, carry]: [Value; 4]) -> (Value, Value) {
        if self.are_words(b) {
            return b.mul_add_add(x, y, s, carry);
        }
        let product = b.mul(x, y);
        let sum = b.add(product, s);
        let sum = b.add(sum, carry);
        (b.low_bits(sum, self.0), b.shr(sum, self.0))
    }

    /// Those of `s + carry`.
    fn carried(&self, b: &mut Builder, s: Value, carry: Value) -> (Value, Value) {
        if !self.are_words(b) {
            let sum = b.add(s, carry);
            return (b.low_bits(sum, self.0), b.shr(sum, self.0));
        }
        let none = b.no_flag();
        let (sum, over) = b.add_carry(s, carry, none);
        let ty = b.word_type();
        (sum, b.flag_to_word(over, ty))
    }
}

#[cfg(test)]
mod tests {
    use evariste_descriptions::Way;
    use evariste_ir::Interpreter;

    use super::*;
    use crate::curve::lattice::four;

    /// Every scalar that words hold, by the lattices of small members of both families, prime or not.
    #[test]
    fn every_scalar_of_small_families_in_four() {
        for (bls, x) in [(true, 2), (true, 3), (true, 4), (true, 5), (false, 1), (false, -1), (false, -2)] {
            let way = if bls { Way::Bls12 { x: "" } } else { Way::Bn { x: "" } };
            let x = BigInt::from(x);
            let (square, fourth) = (&x * &x, x.pow(4));
            let (order, eigenvalue): (BigInt, BigInt) = match bls {
                true => (&fourth - &square + 1, -&x),
                false => (&fourth * 36 + x.pow(3) * 36 + &square * 18 + &x * 6 + 1, &square * 6),
            };
            let order: BigUint = order.try_into().expect("a positive number");
            for word in [3, 4, 5, 8] {
                let bits = (order.bits() as u32 + 1).next_multiple_of(word).min(12);
                let vectors = four(&way, &x).expect("a family");
                let parted = Decomposition::new(&order, vectors, bits, word).expect("a lattice");
                for w in [2, 3] {
                    holds_of_all(&parted, &order, &eigenvalue, [word, word], w);
                    if word % 2 == 0 {
                        holds_of_all(&parted, &order, &eigenvalue, [word, word / 2], w);
                    }
                }
            }
        }
    }

    fn holds_of_all(parted: &Decomposition, order: &BigUint, eigenvalue: &BigInt, [word, piece]: [u32; 2], w: u32) {
        let kernel = parted.kernel(word, piece, w).expect("a kernel");
        assert!(evariste_ir::verify(&kernel).is_ok());
        let interpreter = Interpreter::checking_ranges(&kernel);
        let count = 1usize << parted.bits;
        let mut batch = interpreter.batch(count);
        for k in 0..count {
            for digit in &kernel.contract.inputs[0].digits {
                let part = (k as u64 >> digit.weight) & ((1 << word) - 1);
                batch.set(digit.array, digit.index, k, part.into());
            }
        }
        assert!(interpreter.run(&mut batch).is_clean());
        let raise = raise(w, parted.digits(w));
        for k in 0..count {
            let part = |claim: &Claim| {
                let digit = |d: &evariste_ir::Digit| BigInt::from(batch.get(d.array, d.index, k)) << d.weight;
                claim.output().digits.iter().map(digit).sum::<BigInt>() - &raise
            };
            let parts: Vec<BigInt> = kernel.contract.claims.iter().map(part).collect();
            assert!(parts.iter().all(|part| part.abs() <= parted.most), "{k} modulo {order}: {parts:?}");
            let sum = parts.iter().rev().fold(BigInt::ZERO, |sum, part| sum * eigenvalue + part);
            assert!((sum - k).is_multiple_of(&order.clone().into()), "{k} modulo {order}: {parts:?}");
        }
    }
}

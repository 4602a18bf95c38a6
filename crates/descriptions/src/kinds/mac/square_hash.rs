//! Square hash: `(Σ (m_i + k_i)² mod p) mod 2^l`, p the least prime above `2^n`, by its definition.
//!
//! Source: Etzel, Patel, Ramzan, "Square Hash: Fast Message Authentication via Optimized Universal Hash Functions"
//! (CRYPTO 1999); patent US 7,174,013.

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::One;

use crate::strings::{Lengths, Strings, words};
use crate::{Diagnostic, Part, Structure};

/// What sums of a word of the message and one of the key are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addition {
    /// Integers of n + 1 bits.
    Exact,
    /// Taken modulo `2^n`: a different function.
    Wrapping,
}

/// Square hash on words of n bits, with a result of l bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareHash {
    /// Bits of a word.
    pub word: u32,
    /// Bits of the result.
    pub result: u32,
    /// The least prime above `2^n`.
    pub prime: BigUint,
    element: Strings,
    addend: Strings,
    key: Strings,
    message: Strings,
    sum: Strings,
}

impl SquareHash {
    /// On words of so many bits, with a result of so many.
    pub fn new(word: u32, result: u32) -> SquareHash {
        let strings = |what| Strings { what, lengths: Lengths::Multiples(word) };
        SquareHash {
            word,
            result,
            prime: super::prime_above(word),
            element: Strings::one("a hash", result),
            addend: Strings::one("a word of the key", word),
            key: strings("a key"),
            message: strings("a message"),
            sum: Strings::one("a running sum", 2 * word),
        }
    }

    /// The hash of a message, word by word, with a word that is added to the sum.
    pub fn hash(&self, key: &[BigUint], message: &[BigUint], addend: &BigUint, addition: Addition) -> BigUint {
        self.finish(&self.sum(key, message, addend, addition))
    }

    fn sum(&self, key: &[BigUint], message: &[BigUint], addend: &BigUint, addition: Addition) -> BigUint {
        let square = |(k, m): (&BigUint, &BigUint)| {
            let sum = k + m;
            let sum = if addition == Addition::Wrapping { sum % (BigUint::one() << self.word) } else { sum };
            &sum * &sum
        };
        key.iter().zip(message).map(square).sum::<BigUint>() + addend
    }

    /// The same of strings.
    pub fn hash_strings(&self, key: &BigUint, message: &BigUint, addend: &BigUint, addition: Addition) -> BigUint {
        self.hash(&words(key, self.word), &words(message, self.word), addend, addition)
    }

    /// What a running sum becomes by another piece of a message, modulo p. The word that is added, where there is one, is
    /// the sum of no words.
    pub fn absorb(&self, key: &BigUint, message: &BigUint, sum: &BigUint, addition: Addition) -> BigUint {
        self.sum(&words(key, self.word), &words(message, self.word), sum, addition) % &self.prime
    }

    /// The hash that a running sum is.
    pub fn finish(&self, sum: &BigUint) -> BigUint {
        sum % &self.prime % (BigUint::one() << self.result)
    }

    /// `32`, or `32-16`.
    fn sizes(&self) -> String {
        if self.result == self.word { self.word.to_string() } else { format!("{}-{}", self.word, self.result) }
    }
}

impl Structure for SquareHash {
    fn name(&self) -> String {
        format!("mac-square-hash-{}", self.sizes())
    }

    fn text(&self) -> String {
        format!("mac:square-hash-{}", self.sizes())
    }

    fn description(&self) -> String {
        let (n, c) = (self.word, &self.prime - (BigUint::one() << self.word));
        format!(
            "{}: square hash on words of {n} bits: ((m_1+k_1)^2 + ... + (m_k+k_k)^2 mod p) mod 2^{}, p = 2^{n} + {c}\n\
             keys and messages: as many words each, highest byte first\n\
             hash: sums m_i + k_i are exact; wrapping: they count modulo 2^{n}; hash_plus: with a word b of the key added\n\
             source: Etzel, Patel, Ramzan: Square Hash, CRYPTO 1999",
            self.text(),
            self.result
        )
    }

    fn package_title(&self) -> String {
        format!("Square hash on words of {} bits, with a result of {}", self.word, self.result)
    }

    fn bits(&self) -> u32 {
        self.result
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        self.element.read(text, within)
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.element.written(a)
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::Key => Some(&self.key),
            Part::Message => Some(&self.message),
            Part::Word => Some(&self.addend),
            Part::Sum => Some(&self.sum),
            _ => None,
        }
    }

    fn complaint(&self, _: &str, operands: &[BigUint]) -> Option<String> {
        super::as_long(operands)
    }
}

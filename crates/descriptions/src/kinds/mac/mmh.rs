//! MMH: `(Σ m_i·x_i mod p) mod 2^n`, p the least prime above `2^n`, by its definition.
//!
//! Source: Halevi, Krawczyk, "MMH: Software Message Authentication in the Gbit/Second Rates" (FSE 1997). As it is
//! implemented the sum is kept modulo `2^(2n)`, which is another function from two words on. Words of 16 and 64 bits
//! are the same with another prime.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

use crate::strings::{Lengths, Strings, words};
use crate::{Diagnostic, Part, Structure};

/// How words are read, and whether their sum wraps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// In two's complement.
    pub signed: bool,
    /// The sum counts modulo `2^(2n)`, in two's complement where words do.
    pub wrapping: bool,
}

/// MMH on words of n bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mmh {
    /// Bits of a word.
    pub word: u32,
    /// The least prime above `2^n`.
    pub prime: BigUint,
    element: Strings,
    key: Strings,
    message: Strings,
    sum: Strings,
}

impl Mmh {
    /// On words of so many bits.
    pub fn new(word: u32) -> Mmh {
        let strings = |what| Strings { what, lengths: Lengths::Multiples(word) };
        Mmh {
            word,
            prime: super::prime_above(word),
            element: Strings::one("a hash", word),
            key: strings("a key"),
            message: strings("a message"),
            sum: Strings::one("a running sum", 2 * word),
        }
    }

    /// The hash of a message, word by word.
    pub fn hash(&self, key: &[BigUint], message: &[BigUint], how: Words) -> BigUint {
        let number = |word: &BigUint, bits: u32| {
            let value = BigInt::from(word.clone());
            if how.signed && word.bit(u64::from(bits) - 1) { value - (BigInt::one() << bits) } else { value }
        };
        let read = |word: &BigUint| number(word, self.word);
        let sum: BigInt = key.iter().zip(message).map(|(x, m)| read(x) * read(m)).sum();
        let sum = if how.wrapping {
            let wrapped = sum.mod_floor(&(BigInt::one() << (2 * self.word)));
            number(wrapped.magnitude(), 2 * self.word)
        } else {
            sum
        };
        sum.mod_floor(&self.prime.clone().into()).magnitude() % (BigUint::one() << self.word)
    }

    /// The same of strings.
    pub fn hash_strings(&self, key: &BigUint, message: &BigUint, how: Words) -> BigUint {
        self.hash(&words(key, self.word), &words(message, self.word), how)
    }

    /// What a running sum becomes by another piece of a message, words as they are: modulo `2^(2n)` where it wraps, else
    /// modulo p.
    pub fn absorb(&self, key: &BigUint, message: &BigUint, sum: &BigUint, wrapping: bool) -> BigUint {
        let (key, message) = (words(key, self.word), words(message, self.word));
        let all = key.iter().zip(&message).map(|(x, m)| x * m).sum::<BigUint>() + sum;
        if wrapping { all % (BigUint::one() << (2 * self.word)) } else { all % &self.prime }
    }

    /// The hash that a running sum is.
    pub fn finish(&self, sum: &BigUint) -> BigUint {
        sum % &self.prime % (BigUint::one() << self.word)
    }
}

impl Structure for Mmh {
    fn name(&self) -> String {
        format!("mac-mmh{}", self.word)
    }

    fn text(&self) -> String {
        format!("mac:mmh{}", self.word)
    }

    fn description(&self) -> String {
        let (n, c) = (self.word, &self.prime - (BigUint::one() << self.word));
        format!(
            "{}: MMH on words of {n} bits: (m_1*x_1 + ... + m_k*x_k mod p) mod 2^{n}, p = 2^{n} + {c}\n\
             keys and messages: as many words each, highest byte first\n\
             hash: the sum is exact; hash_wrapping: it counts modulo 2^{}; signed: words are in two's complement\n\
             source: Halevi, Krawczyk: MMH, FSE 1997",
            self.text(),
            2 * n
        )
    }

    fn package_title(&self) -> String {
        format!("The hash function MMH on words of {} bits", self.word)
    }

    fn bits(&self) -> u32 {
        self.word
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
            Part::Sum => Some(&self.sum),
            _ => None,
        }
    }

    fn complaint(&self, _: &str, operands: &[BigUint]) -> Option<String> {
        super::as_long(operands)
    }
}

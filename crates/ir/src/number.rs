//! Numbers: groups of words `Σ digit·2^weight` with one exact bound for the whole, which is often much smaller than
//! what the words' own maxima allow. Algorithms ask a number for headroom and act only when there is none.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::build::Builder;
use crate::contract::{Below, Digit, Operand};
use crate::kernel::{Array, Value};
use crate::range::{bit_length, pow2};

/// A number in the making: its words, their weights and the greatest value of the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Words, lowest weight first.
    pub digits: Vec<Value>,
    /// Exponent of each word's weight.
    pub weights: Vec<u32>,
    /// Greatest value of the number.
    pub bound: BigInt,
}

impl Number {
    /// Words of weight `2^(radix·i)` with a known bound.
    pub fn new(digits: Vec<Value>, radix: u32, bound: BigInt) -> Number {
        let weights = (0..digits.len() as u32).map(|i| i * radix).collect();
        Number { digits, weights, bound }
    }

    /// Words with the bound that their own maxima imply.
    pub fn from_ranges(b: &Builder, digits: Vec<Value>, weights: Vec<u32>) -> Number {
        let bound = digits.iter().zip(&weights).map(|(v, w)| b.max(*v) << *w).sum();
        Number { digits, weights, bound }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.digits.len()
    }

    /// Has it no words?
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }

    /// Does it stay at or below `limit`?
    pub fn at_most(&self, limit: &BigInt) -> bool {
        &self.bound <= limit
    }

    /// Bits that the bound needs.
    pub fn bits(&self) -> u32 {
        bit_length(&self.bound)
    }

    /// How many times may the bound be doubled before it passes `2^bits`? (Headroom in bits; 0 when there is none.)
    pub fn headroom(&self, bits: u32) -> u32 {
        bits.saturating_sub(self.bits())
    }

    /// The bound in multiples of `p`: the least α with `bound < α·p`.
    pub fn multiples(&self, p: &BigInt) -> BigInt {
        if p.is_zero() { BigInt::zero() } else { &self.bound / p + 1 }
    }

    /// The greatest value that the top word can have given the whole number's bound.
    pub fn top_max(&self) -> BigInt {
        self.weights.last().map(|w| &self.bound >> *w).unwrap_or_default()
    }

    /// Drops top words that the bound shows to be zero.
    pub fn trimmed(mut self) -> Number {
        while self.weights.last().is_some_and(|w| self.bound < pow2(*w)) {
            self.digits.pop();
            self.weights.pop();
        }
        self
    }
}

impl Operand {
    /// All elements of `array`, with the given weights, maxima (one per element) and bound.
    pub fn new(name: impl Into<String>, array: Array, weights: &[u32], maxima: &[BigInt], bound: BigInt) -> Operand {
        let digits = weights
            .iter()
            .enumerate()
            .map(|(i, w)| Digit {
                array,
                index: i as u32,
                weight: *w,
                max: maxima[i.min(maxima.len() - 1)].clone(),
                bits: None,
            })
            .collect();
        Operand { name: name.into(), digits, bound, below: None }
    }

    /// The operand with one more digit on top (a ghost).
    pub fn with_digit(mut self, array: Array, index: u32, weight: u32, max: BigInt) -> Operand {
        self.digits.push(Digit { array, index, weight, max, bits: None });
        self
    }

    /// The operand with all digits but the top one unmasked: they count modulo `2^bits`.
    pub fn unmasked(mut self, bits: Option<u32>) -> Operand {
        let n = self.digits.len();
        self.digits.iter_mut().take(n.saturating_sub(1)).for_each(|d| d.bits = bits);
        self
    }

    /// The operand with a bound that is known when the kernel runs.
    pub fn below(mut self, below: Option<Below>) -> Operand {
        self.below = below;
        self
    }

    /// The number that elements (one a digit) mean.
    pub fn value(&self, elements: &[BigInt]) -> BigInt {
        self.digits.iter().zip(elements).map(|(d, x)| d.value(x) << d.weight).sum()
    }

    /// Is a digit unmasked?
    pub fn is_unmasked(&self) -> bool {
        self.digits.iter().any(|d| d.bits.is_some())
    }
}

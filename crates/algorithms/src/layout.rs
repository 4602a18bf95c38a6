//! How elements lie in words. A layout is chosen per field; operations compete inside one layout, so that the results
//! of each are legal operands of every other.

use evariste_ir::range::pow2;
use num_bigint::BigInt;

/// Bounds of a number: greatest value of each digit and of the whole, and whether its digits are unmasked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Greatest value of each digit.
    pub digit_max: Vec<BigInt>,
    /// Greatest value of the number.
    pub bound: BigInt,
    /// `Some(k)`: all digits but the top one are unmasked: they count modulo `2^k`, and anything may be above.
    pub low: Option<u32>,
}

/// Digits, radix, Montgomery factor and bounds of a field's elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Name, unique among the layouts of a field: `4x64`, `4x64-redundant`, `montgomery-4x64`, `montgomery-4x64-lazy`,
    /// `5x51`.
    pub name: String,
    /// Word size in bits.
    pub word: u32,
    /// Exponent of each digit's weight, lowest first.
    pub weights: Vec<u32>,
    /// What every operation gives and accepts.
    pub resting: Bounds,
    /// What products accept: at least the resting bounds, more where the digits have headroom.
    pub loose: Bounds,
    /// `Some(r)`: an element x is held as `x·2^r mod p`.
    pub montgomery: Option<u32>,
    /// `Some(k)`: a layout for lanes: digits of k bits in larger words, multiplied by `madd_lo` and `madd_hi` of k
    /// bits, or where words have room for whole products by these. Of mixed radices the greatest.
    pub radix: Option<u32>,
    /// Only constants lie like this (those of affine maps): digits leave no room for sums.
    pub constants: bool,
}

impl Layout {
    /// Number of digits.
    pub fn digits(&self) -> usize {
        self.weights.len()
    }

    /// Are the digits whole words (weights `w·i`)?
    pub fn saturated(&self) -> bool {
        self.weights.iter().enumerate().all(|(i, w)| *w == i as u32 * self.word)
    }

    /// Are all weights multiples of the radix, where there is one? Mixed radices have digits of that many bits and of one
    /// less.
    pub fn is_even(&self) -> bool {
        self.radix.is_none_or(|k| self.weights.iter().zip(0..).all(|(w, i)| *w == i * k))
    }

    /// Bounds of a number of the layout's digits, where all of them have one radix: digits as unmasked or clean as those of
    /// elements.
    pub fn up_to(&self, bound: &BigInt) -> Bounds {
        let (top, low) = (self.digits() - 1, self.resting.low);
        let below: BigInt = pow2(if low.is_some() { self.word } else { self.radix.unwrap_or(self.word) }) - 1u32;
        let most = |(i, w): (usize, &u32)| match low {
            // What is above an unmasked digit may be anything.
            Some(_) if i < top => below.clone(),
            _ => below.clone().min(bound >> *w),
        };
        Bounds { digit_max: self.weights.iter().enumerate().map(most).collect(), bound: bound.clone(), low }
    }

    /// Saturated digits of `word` bits with a bound for the number.
    pub fn saturated_with(
        name: impl Into<String>,
        word: u32,
        n: usize,
        bound: BigInt,
        montgomery: Option<u32>,
    ) -> Layout {
        let weights: Vec<u32> = (0..n as u32).map(|i| i * word).collect();
        let bounds = saturated_bounds(word, &weights, bound);
        Layout {
            name: name.into(),
            word,
            weights,
            resting: bounds.clone(),
            loose: bounds,
            montgomery,
            radix: None,
            constants: false,
        }
    }

    /// The factor `2^r` of the Montgomery form (1 without).
    pub fn factor(&self) -> BigInt {
        pow2(self.montgomery.unwrap_or(0))
    }

    /// Of a layout for moduli supplied at run time: elements rest below this multiple of the modulus. The greatest modulus is
    /// odd, so the bound itself says it.
    pub fn resting_multiple(&self) -> u32 {
        if self.resting.bound.bit(0) { 2 } else { 1 }
    }
}

/// Every digit is a word, the top one no larger than the bound allows.
fn saturated_bounds(word: u32, weights: &[u32], bound: BigInt) -> Bounds {
    let digit_max = weights.iter().map(|w| std::cmp::min(pow2(word) - 1, &bound >> *w)).collect();
    Bounds { digit_max, bound, low: None }
}

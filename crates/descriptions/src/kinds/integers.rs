//! Plain integers: products without a reduction.

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::One;

use crate::kind::{Kind, numbered};
use crate::lexer::shortened;
use crate::{Diagnostic, Field, MAXIMUM_BITS, MINIMUM_BITS, Structure};

/// Plain integers.
pub(crate) const KIND: Kind = Kind {
    what: "plain integers",
    example: "int256",
    again: None,
    parse: |text, within| Some(integers(text, numbered(text, &within, "int")?)),
};

/// The integers 0 … 2^bits − 1, whose products have 2·bits bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Integers {
    /// Bits of an operand.
    pub bits: u32,
}

impl Integers {
    /// Integers of `bits` bits; `None` outside 2 … 4096.
    pub fn new(bits: u32) -> Option<Self> {
        (MINIMUM_BITS..=MAXIMUM_BITS).contains(&bits).then_some(Self { bits })
    }

    /// The largest operand, 2^bits − 1.
    pub fn maximum(&self) -> BigUint {
        (BigUint::one() << self.bits) - 1u32
    }

    /// a·b, exactly.
    pub fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a * b
    }

    /// a², exactly.
    pub fn square(&self, a: &BigUint) -> BigUint {
        a * a
    }
}

impl Structure for Integers {
    fn name(&self) -> String {
        self.text()
    }

    fn text(&self) -> String {
        format!("int{}", self.bits)
    }

    fn description(&self) -> String {
        format!(
            "int{bits}: plain integers of {bits} bits; a product has {product} bits and is not reduced",
            bits = self.bits,
            product = 2 * self.bits
        )
    }

    fn package_title(&self) -> String {
        format!("Products of {}-bit integers", self.bits)
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.mul(a, b))
    }

    fn whole_product(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a * b)
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a + b)
    }

    fn subtract(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        (a >= b).then(|| a - b)
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        a.is_one().then(BigUint::one)
    }
}

/// `intN`.
fn integers(text: &str, span: Range<usize>) -> Result<Field, Diagnostic> {
    let digits = &text[span.clone()];
    let range = format!("{MINIMUM_BITS} to {MAXIMUM_BITS}");
    digits.parse().ok().and_then(Integers::new).map(Field::new).ok_or_else(|| {
        let message = format!("plain integers have {range} bits, not {}", shortened(digits));
        Diagnostic::new(text, span, message).with_help(format!("write int{MINIMUM_BITS} to int{MAXIMUM_BITS}"))
    })
}

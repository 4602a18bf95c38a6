//! Odd moduli supplied at run time: of the modulus only its greatest length is known here.

use std::ops::Range;

use num_bigint::BigUint;

use crate::kind::{Kind, numbered};
use crate::lexer::shortened;
use crate::residues::Residues;
use crate::{Diagnostic, Field, MAXIMUM_BITS, MINIMUM_BITS, Structure};

/// Odd moduli supplied at run time.
pub(crate) const KIND: Kind = Kind {
    what: "the integers modulo an odd number supplied at run time",
    example: "odd256",
    again: None,
    parse: |text, within| Some(odd_moduli(text, numbered(text, &within, "odd")?)),
};

/// Integers modulo any odd number of at most so many bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OddModuli {
    /// Bits of the longest modulus.
    pub bits: u32,
}

impl OddModuli {
    /// Moduli below 2^bits; `None` outside 2 … 4096 bits.
    pub fn new(bits: u32) -> Option<Self> {
        (MINIMUM_BITS..=MAXIMUM_BITS).contains(&bits).then_some(Self { bits })
    }

    /// Is it one of them?
    pub fn contains(&self, modulus: &BigUint) -> bool {
        modulus.bit(0) && modulus.bits() <= u64::from(self.bits)
    }
}

impl Structure for OddModuli {
    fn name(&self) -> String {
        self.text()
    }

    fn text(&self) -> String {
        format!("odd{}", self.bits)
    }

    fn description(&self) -> String {
        format!(
            "odd{bits}: integers modulo any odd number below 2^{bits}, supplied at run time\n\
             parameters: after the operands the modulus p, and for products inverse = -1/p modulo 2^k for digits of k bits\n\
             elements: x*R mod p, below p or 2p; to Montgomery form by a product with R^2 mod p; no inversion, no bytes",
            bits = self.bits
        )
    }

    fn package_title(&self) -> String {
        format!("Arithmetic modulo odd numbers of at most {} bits, supplied at run time", self.bits)
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn supplied(&self) -> &'static [&'static str] {
        &["modulus"]
    }

    fn with_supplied(&self, supplied: &[BigUint]) -> Result<Box<dyn Structure>, String> {
        let [modulus] = supplied else { return Err("the modulus is missing".to_owned()) };
        if self.contains(modulus) {
            return Ok(Box::new(Residues { modulus: modulus.clone() }));
        }
        let why = if modulus.bit(0) {
            format!("has {} bits, more than {}", modulus.bits(), self.bits)
        } else {
            "is even: Montgomery needs an odd modulus".into()
        };
        Err(format!("the modulus {modulus:#x} {why}\nhelp: write an odd number of at most {} bits", self.bits))
    }
}

/// `oddN`.
fn odd_moduli(text: &str, span: Range<usize>) -> Result<Field, Diagnostic> {
    let digits = &text[span.clone()];
    digits.parse().ok().and_then(OddModuli::new).map(Field::new).ok_or_else(|| {
        let message = format!(
            "moduli supplied at run time have {MINIMUM_BITS} to {MAXIMUM_BITS} bits, not {}",
            shortened(digits)
        );
        Diagnostic::new(text, span, message).with_help(format!("write odd{MINIMUM_BITS} to odd{MAXIMUM_BITS}"))
    })
}

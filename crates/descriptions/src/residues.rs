//! The integers modulo any number, with slow and obvious arithmetic.

use num_bigint::BigUint;

use crate::Structure;

/// The integers modulo a positive number.
#[derive(Clone, Debug)]
pub(crate) struct Residues {
    /// The modulus.
    pub modulus: BigUint,
}

impl Structure for Residues {
    fn name(&self) -> String {
        format!("residues-{:x}", self.modulus)
    }

    fn text(&self) -> String {
        format!("{:#x}", self.modulus)
    }

    fn description(&self) -> String {
        format!("the integers modulo {:#x}", self.modulus)
    }

    fn bits(&self) -> u32 {
        self.modulus.bits() as u32
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a * b % &self.modulus)
    }

    fn whole_product(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a * b)
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some((a + b) % &self.modulus)
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some((&self.modulus - a % &self.modulus) % &self.modulus)
    }

    fn canonical(&self, a: &BigUint) -> Option<BigUint> {
        Some(a % &self.modulus)
    }
}

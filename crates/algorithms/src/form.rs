//! What number a layout holds an element as.

use std::sync::OnceLock;

use evariste_descriptions::{Field, Modulus};
use num_bigint::BigUint;

use crate::layout::Layout;

/// Elements as the numbers of a layout: `x·R mod p`, R the Montgomery factor (1 without), or x itself where the field
/// has no modulus.
#[derive(Clone, Debug)]
pub struct Form {
    /// The modulus with the factor below it, and the factor's inverse once it was asked for.
    modular: Option<(BigUint, BigUint, OnceLock<BigUint>)>,
}

impl Form {
    /// The form of a field's elements in a layout.
    pub fn new(field: &Field, layout: &Layout) -> Form {
        Form::modulo(field.get::<Modulus>().map(|m| &m.value), layout)
    }

    /// The form of elements modulo a number, which may be supplied at run time.
    pub fn modulo(modulus: Option<&BigUint>, layout: &Layout) -> Form {
        let factor = |p: &BigUint| layout.factor().magnitude() % p;
        Form { modular: modulus.map(|p| (p.clone(), factor(p), OnceLock::new())) }
    }

    /// The number that holds x.
    pub fn held(&self, x: &BigUint) -> BigUint {
        match &self.modular {
            Some((p, factor, _)) => x * factor % p,
            None => x.clone(),
        }
    }

    /// The canonical element that a number holds.
    pub fn element(&self, number: &BigUint) -> BigUint {
        match &self.modular {
            // The factor is a unit; modulo 1 everything is 0, and nothing has an inverse.
            Some((p, factor, inverse)) => number * inverse.get_or_init(|| factor.modinv(p).unwrap_or_default()) % p,
            None => number.clone(),
        }
    }
}

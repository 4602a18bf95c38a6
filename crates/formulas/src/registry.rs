//! The list of all formulas, by what they compute. Formulas of one family have one definition: they are candidates for
//! each other.

use crate::entry::Family;
use crate::{curve, pairing, tower};

/// All families.
pub fn registry() -> Vec<Family> {
    [tower::FAMILIES, curve::FAMILIES, pairing::FAMILIES].concat()
}

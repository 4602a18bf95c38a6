//! The list of all formulas, by what they compute. Formulas of one family have one definition: they are candidates for
//! each other.

use crate::formula::Formula;
use crate::verify::Defect;
use crate::{curve, pairing, tower};

/// A formula's line in the list.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The formula's name.
    pub name: &'static str,
    /// Writes it.
    pub write: fn(&str) -> Result<Formula, Defect>,
}

impl Entry {
    /// The formula.
    ///
    /// # Errors
    /// Never for what is listed: a test writes them all.
    pub fn formula(&self) -> Result<Formula, Defect> {
        (self.write)(self.name)
    }
}

/// Formulas with one definition.
#[derive(Clone, Copy)]
pub struct Family {
    /// What they compute: `cubic-product`.
    pub name: &'static str,
    /// The formulas.
    pub formulas: &'static [Entry],
}

/// All families.
pub fn registry() -> Vec<Family> {
    [tower::FAMILIES, curve::FAMILIES, pairing::FAMILIES].concat()
}

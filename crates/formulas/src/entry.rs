//! Lines of the list of formulas.

use crate::formula::Formula;
use crate::verify::Defect;

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

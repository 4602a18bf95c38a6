//! By what a core is known again.

use std::collections::BTreeMap;

/// Cycles a copy of a few instructions, beside a chain of additions. A virtual machine may lie about its processor's
/// name; these it cannot choose.
pub type Fingerprint = BTreeMap<String, f64>;

/// Two fingerprints whose numbers differ by this part or less are of one core.
pub const FITS: f64 = 0.15;

/// The greatest part by which a number of the first differs from that of the second; infinite when the second lacks one,
/// or when the first has none.
pub fn distance(of_table: &Fingerprint, here: &Fingerprint) -> f64 {
    if of_table.is_empty() {
        return f64::INFINITY;
    }
    of_table
        .iter()
        .map(|(name, known)| here.get(name).map_or(f64::INFINITY, |seen| (seen / known - 1.0).abs()))
        .fold(0.0, f64::max)
}

impl crate::Core {
    /// Is this the core that has these ratios?
    pub fn fits(&self, here: &Fingerprint) -> bool {
        self.distance(here) <= FITS
    }

    /// How far the core is from these ratios: 0 is the same, [`FITS`] the most that fits.
    pub fn distance(&self, here: &Fingerprint) -> f64 {
        distance(&self.fingerprint, here)
    }
}

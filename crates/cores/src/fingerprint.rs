//! By what a core is known again.

use std::collections::BTreeMap;

/// Cycles a copy of a few instructions, beside a chain of additions. A virtual machine may lie about its processor's
/// name; these it cannot choose.
pub type Fingerprint = BTreeMap<String, f64>;

/// Two fingerprints whose numbers differ by this part or less are of one core.
pub const FITS: f64 = 0.15;

/// The greatest part by which a number of the first differs from that of the second; infinite when one has what the other
/// lacks, or when the first has none. (A table of a process that was denied instruction sets has no costs of them: what it
/// does not know would seem to take no time.)
pub fn distance(of_table: &Fingerprint, here: &Fingerprint) -> f64 {
    if of_table.is_empty() || here.keys().any(|name| !of_table.contains_key(name)) {
        return f64::INFINITY;
    }
    of_table
        .iter()
        .map(|(name, known)| here.get(name).map_or(f64::INFINITY, |seen| (seen / known - 1.0).abs()))
        .fold(0.0, f64::max)
}

/// The same of the ratios that both have: what is like a core that has other instruction sets.
fn distance_in_common(of_table: &Fingerprint, here: &Fingerprint) -> f64 {
    let parts = of_table.iter().filter_map(|(name, known)| Some((here.get(name)? / known - 1.0).abs()));
    parts.reduce(f64::max).unwrap_or(f64::INFINITY)
}

impl crate::Core {
    /// How far the core is from these ratios as far as they can be compared: what it has, and they have not, or the other
    /// way round, does not count. It does not [fit](Core::fits) by that.
    pub fn distance_in_common(&self, here: &Fingerprint) -> f64 {
        distance_in_common(&self.fingerprint, here)
    }

    /// Is this the core that has these ratios?
    pub fn fits(&self, here: &Fingerprint) -> bool {
        self.distance(here) <= FITS
    }

    /// How far the core is from these ratios: 0 is the same, [`FITS`] the most that fits.
    pub fn distance(&self, here: &Fingerprint) -> f64 {
        distance(&self.fingerprint, here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_of_other_instruction_sets_do_not_fit() {
        let of = |all: &[(&str, f64)]| all.iter().map(|(name, x)| (name.to_string(), *x)).collect::<Fingerprint>();
        let few = of(&[("mulx", 1.0), ("store.ymm", 0.5)]);
        let all = of(&[("mulx", 1.0), ("store.ymm", 0.5), ("vpaddq.zmm", 0.25)]);
        for (table, here) in [(&few, &all), (&all, &few), (&Fingerprint::new(), &few)] {
            assert!(distance(table, here).is_infinite(), "{table:?} {here:?}");
        }
        assert_eq!((distance(&few, &few), distance(&all, &all)), (0.0, 0.0));
        assert_eq!((distance_in_common(&few, &all), distance_in_common(&all, &few)), (0.0, 0.0));
        assert!((distance_in_common(&all, &of(&[("mulx", 1.5), ("shld", 9.0)])) - 0.5).abs() < 1e-9);
        assert!(distance_in_common(&all, &of(&[("shld", 9.0)])).is_infinite());
        let near = of(&[("mulx", 1.1), ("store.ymm", 0.5)]);
        assert!((distance(&few, &near) - 0.1).abs() < 1e-9);
    }
}

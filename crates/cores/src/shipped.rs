//! Tables that ship.

use std::sync::{Arc, OnceLock};

use crate::table::Core;

/// The files.
const TEXTS: &[&str] = &[
    include_str!("../tables/golden-cove.toml"),
    include_str!("../tables/zen-3.toml"),
    include_str!("../tables/zen-4.toml"),
    include_str!("../tables/zen-5.toml"),
    include_str!("../tables/neoverse-v1.toml"),
    include_str!("../tables/neoverse-v2.toml"),
    include_str!("../tables/firestorm.toml"),
];

/// The tables that ship: of each instruction set the reference first.
pub fn shipped() -> &'static [Arc<Core>] {
    static ALL: OnceLock<Vec<Arc<Core>>> = OnceLock::new();
    ALL.get_or_init(|| TEXTS.iter().filter_map(|text| Core::parse(text).ok()).map(Arc::new).collect())
}

/// The table that code is weighed by where nothing is measured and everybody must get the same: packages, plans for
/// arrays. The widest core of those that ship, so that its bounds are lower bounds on others too.
pub fn reference() -> &'static Arc<Core> {
    shipped().first().unwrap_or_else(|| unreachable!("a test finds tables that ship"))
}

/// The same of an instruction set, the first of its tables; that of all where none of its cores has one. Where all tables
/// are published ones, that is the narrowest core: what is fast there is not slow elsewhere.
pub fn reference_of(architecture: &str) -> &'static Arc<Core> {
    shipped().iter().find(|core| core.architecture == architecture).unwrap_or_else(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_table() {
        for text in TEXTS {
            let core = Core::parse(text).unwrap_or_else(|e| panic!("{e}: {}", &text[..200]));
            // What was measured nowhere is recognised nowhere.
            let published = core.architecture == "aarch64";
            assert_eq!(core.fingerprint.is_empty(), published, "{}", core.name);
            assert!(!published || core.source.contains("not measured here"), "{}", core.source);
        }
        assert_eq!(shipped().len(), TEXTS.len());
    }

    #[test]
    fn no_two_fit_each_other() {
        for (i, a) in shipped().iter().enumerate() {
            for b in &shipped()[i + 1..] {
                assert!(!a.fits(&b.fingerprint), "{} and {} are one core by their fingerprints", a.name, b.name);
            }
        }
    }
}

//! What a face is.

use super::super::super::row::Face;
use super::field::Field;

/// A face of a crate.
#[derive(Clone, Copy, Debug)]
pub struct RustFace {
    /// Its name, which is that of the feature and of the module, and what it is.
    pub face: Face,
    /// The crate's name and version, and the module's name, where the crate stands in for one that exists: its module is
    /// there without a feature.
    pub stands_in: Option<StandsIn>,
    /// Lines of `Cargo.toml`: the crates that it needs.
    pub dependencies: &'static [Dependency],
    /// The module, or why there is none and what would work.
    pub text: fn(&Field) -> Result<String, String>,
}

/// The crate that a crate stands in for.
#[derive(Clone, Copy, Debug)]
pub struct StandsIn {
    /// Its name in `Cargo.toml`.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The module that its users name.
    pub module: &'static str,
}

/// A crate that a face needs.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// Its name.
    pub name: &'static str,
    /// Version and features as `Cargo.toml` has them.
    pub how: &'static str,
}

impl RustFace {
    /// The module's name.
    pub fn module(&self) -> &'static str {
        self.stands_in.map_or(self.face.name, |other| other.module)
    }
}

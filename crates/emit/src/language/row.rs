//! What the table says of a language.

use crate::error::EmitError;
use crate::package::{File, PackageSpec};

/// The command that tests what has a makefile.
pub const MAKE: &[&str] = &["make", "test"];

/// The types and functions by which other libraries take a field.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The name that users give: `ff`.
    pub name: &'static str,
    /// What it is, in a few words: lists and help say it.
    pub about: &'static str,
}

/// A language that packages can be written in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// The name that users give: `c`.
    pub name: &'static str,
    /// What a package in it is, in a few words: lists and help say it.
    pub about: &'static str,
    /// Extension of its source files.
    pub extension: &'static str,
    /// Does it print machine code ([`PackageSpec::machine_code`])?
    pub machine_code: bool,
    /// Has it functions on arrays ([`PackageSpec::arrays`](crate::PackageSpec))?
    pub has_arrays: bool,
    /// What else its packages can be for users of other libraries ([`PackageSpec::faces`](crate::PackageSpec)).
    pub faces: &'static [Face],
    /// What its kernels are rewritten to ([`evariste_ir::legalise()`]), where the language has less than kernels may use.
    pub machine: Option<evariste_ir::Machine>,
    /// Are carries several operations each, whatever `machine` says that kernels may have?
    pub writes_out_carries: bool,
    /// Does a C compiler take its packages?
    pub is_c: bool,
    /// Programs that a package's test needs, beside a C compiler where it is C.
    pub tools: &'static [&'static str],
    /// The command that runs a package's test, in its folder.
    pub test: &'static [&'static str],
    /// Makes its source alone, as one module of a program, where the language has such a form.
    pub module: Option<fn(&PackageSpec) -> Result<File, EmitError>>,
    /// Makes the package.
    pub package: fn(&PackageSpec) -> Result<Vec<File>, EmitError>,
}

impl Language {
    /// What its functions are counted as where carries are several operations: how long code with flags takes says little
    /// of them.
    pub fn counted_as(&self) -> Option<evariste_ir::Machine> {
        self.machine.filter(|_| self.writes_out_carries).map(|machine| evariste_ir::Machine { flags: false, ..machine })
    }

    /// The face of that name.
    ///
    /// # Errors
    /// [`EmitError::NoSuchFace`] with the names that there are.
    pub fn face(&self, name: &str) -> Result<&'static Face, EmitError> {
        self.faces.iter().find(|face| face.name == name).ok_or_else(|| EmitError::NoSuchFace {
            given: name.to_string(),
            language: self.name,
            known: self.faces.iter().map(|face| face.name).collect::<Vec<_>>().join(", "),
        })
    }
}

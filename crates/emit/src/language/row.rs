//! What the table says of a language.

use evariste_ir::{ArrayKind, Carries, Kernel};

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
    /// Bytes that constant tables of a kernel may take, where there are few.
    pub table_bytes: Option<u64>,
    /// Does it print kernels of floating-point numbers?
    pub floats: bool,
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
    /// What its functions are counted as where a carry is no flag everywhere: how long code with flags takes says little of
    /// them.
    pub fn counted_as(&self) -> Option<evariste_ir::Machine> {
        self.machine.filter(|machine| machine.carries != Carries::Flag)
    }

    /// Has it room for the tables of a kernel, and floating-point numbers where the kernel has them?
    ///
    /// # Errors
    /// [`EmitError::Unsupported`].
    pub fn takes(&self, kernel: &Kernel) -> Result<(), EmitError> {
        let unsupported =
            |what, help| EmitError::Unsupported { kernel: kernel.name.clone(), what, language: self.name, help };
        if !self.floats && uses_floats(kernel) {
            let what = "a function of floating-point numbers".into();
            return Err(unsupported(what, "take `--lang c`, or a layout and a plan of words"));
        }
        let bytes = bytes_of_tables(kernel);
        let what = |most| format!("constant tables of {bytes} bytes, more than {most},");
        let more = self.table_bytes.filter(|most| bytes > *most).map(what);
        more.map_or(Ok(()), |what| Err(unsupported(what, "take a plan with shorter tables, or `--lang c`")))
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

/// Of the kernel or of what it calls.
fn uses_floats(kernel: &Kernel) -> bool {
    kernel.uses_floats() || kernel.callees.iter().any(|callee| uses_floats(callee))
}

/// Of the kernel and of all that it calls.
fn bytes_of_tables(kernel: &Kernel) -> u64 {
    let own = kernel.arrays.iter().filter(|a| matches!(a.kind, ArrayKind::Table(_)));
    let own: u64 = own.map(|a| u64::from(a.len) * u64::from(a.ty.bits().div_ceil(8))).sum();
    own + kernel.callees.iter().map(|callee| bytes_of_tables(callee)).sum::<u64>()
}

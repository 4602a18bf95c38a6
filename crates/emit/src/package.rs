//! What a package is made from and what it consists of, in any language.

use evariste_ir::Kernel;
use evariste_proof::Proved;
use num_bigint::BigInt;

/// A known answer of one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// The operation.
    pub operation: String,
    /// The contents of each parameter that is read, in calling order: one digit an element. In bit-sliced kernels the digits are the bits of one
    /// element; 64 vectors are packed together.
    pub inputs: Vec<Vec<BigInt>>,
    /// The contents of each parameter that is written, in calling order.
    pub outputs: Vec<Vec<BigInt>>,
}

/// What a package is made from. It carries no time and no machine: the same specification gives the same bytes.
#[derive(Clone, Debug)]
pub struct PackageSpec<'a> {
    /// Start of every name, an identifier.
    pub prefix: String,
    /// One line: what the package is, such as `Arithmetic modulo 2^255 - 19`.
    pub title: String,
    /// The field and the representation of its elements, in one or more lines.
    pub description: String,
    /// The command that wrote the package.
    pub command_line: String,
    /// Operations, `mul`, `square`, …, with their kernels, in the order of the header.
    pub kernels: Vec<(String, &'a Proved)>,
    /// Known answers; every operation needs at least one.
    pub vectors: Vec<Vector>,
    /// Paragraphs for the readme: what the user should know of these plans.
    pub notes: Vec<String>,
}

/// As [`PackageSpec`], over kernels.
#[derive(Clone, Debug)]
pub(crate) struct Content<'a> {
    pub prefix: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub command_line: &'a str,
    pub kernels: Vec<(String, &'a Kernel)>,
    pub vectors: &'a [Vector],
    pub notes: &'a [String],
}

impl<'a> PackageSpec<'a> {
    pub(crate) fn content(&'a self) -> Content<'a> {
        Content {
            prefix: &self.prefix,
            title: &self.title,
            description: &self.description,
            command_line: &self.command_line,
            kernels: self.kernels.iter().map(|(name, proved)| (name.clone(), proved.kernel())).collect(),
            vectors: &self.vectors,
            notes: &self.notes,
        }
    }
}

/// A file of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Path inside the package's folder, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

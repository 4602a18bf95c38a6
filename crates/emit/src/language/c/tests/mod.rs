//! Tests of the C printer: small kernels are printed as packages, compiled with every compiler at hand and run on
//! inputs whose answers come from the kernel language's interpreter.

mod another;
mod assembly;
pub(crate) mod compile;
pub(crate) mod kernels;
mod narrow;
mod narrow_random;
mod odd;
pub(crate) mod random;
mod texts;

use evariste_ir::Kernel;

use crate::package::{Content, Vector};

/// Runs a test on the content of a package over named kernels.
pub(crate) fn with_content<R>(kernels: &[(&str, Kernel)], vectors: &[Vector], run: impl FnOnce(&Content) -> R) -> R {
    let content = Content {
        prefix: "toy",
        title: "Kernels for a test",
        description: "Small kernels.\nEach checks one part of the printer.",
        command_line: "cargo test",
        kernels: kernels.iter().map(|(name, kernel)| (name.to_string(), kernel)).collect(),
        vectors,
        ..Content::default()
    };
    run(&content)
}

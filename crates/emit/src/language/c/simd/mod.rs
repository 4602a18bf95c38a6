//! Kernels on vectors in C with intrinsics, an element a lane, and functions on arrays of elements that call them where
//! the processor has the vectors.
//!
//! The statements are those of every language; [`body`] prints a value as a lane of 64 bits. What compilers call the
//! instructions of a processor is a row ([`level`]); operations without a form there are refused, and the kernel is not
//! taken for that level.

mod arrays;
mod body;
mod function;
mod level;
mod programs;
#[cfg(test)]
mod tests;
mod x86_64;

use evariste_ir::Kernel;

use crate::error::EmitError;

use level::{Level, Processor};

pub use arrays::{declaration, has_arrays, with_files};
pub use programs::{bench, bench_line, ct, include, main_lines, readme, test};

/// The processor whose vectors are printed.
static PROCESSOR: &Processor = &x86_64::X86_64;

/// Names of the levels, the least first.
pub fn levels() -> impl Iterator<Item = &'static str> {
    PROCESSOR.levels.iter().map(|level| level.name)
}

fn level(name: &str) -> Option<&'static Level> {
    PROCESSOR.levels.iter().find(|level| level.name == name)
}

/// Has a kernel a form at that level, and does it take and promise what the product of one element does?
///
/// # Errors
/// What has none, what is different.
pub fn has_lanes(name: &str, kernel: &Kernel, one: &Kernel) -> Result<(), EmitError> {
    arrays::agrees(one, kernel).map_err(|why| EmitError::Lanes { level: name.to_string(), why })?;
    has_form(name, kernel)
}

fn has_form(name: &str, kernel: &Kernel) -> Result<(), EmitError> {
    let level = level(name).ok_or_else(|| EmitError::Lanes {
        level: name.to_string(),
        why: format!("there are {}", levels().collect::<Vec<_>>().join(", ")),
    })?;
    function::functions(level, &[("x", kernel)]).map(drop)
}

//! Operations that are defined by what they do in the rest of the language: one file each, and one line in [`DEFINED`].
//!
//! The row has a body, and nobody needs a rule for such an operation: interpreter, proof, checker, machine code and
//! every language see what [`Kernel::written_out`](crate::Kernel::written_out) makes of it.

use super::row::Row;

/// Every operation that is defined by a body.
pub static DEFINED: &[&Row] = &[];

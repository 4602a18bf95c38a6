//! The structural check that comes before a proof: everything that needs no arithmetic. Most of what a proof takes for granted is here: values are
//! defined before they are used, and an output that lies where an input lies is not written before that input has been read.

use evariste_ir::{Kernel, verify};

/// Is the kernel well formed?
pub(crate) fn check(kernel: &Kernel) -> Result<(), String> {
    verify(kernel).map_err(|defects| defects.first().map_or_else(String::new, ToString::to_string))
}

//! The helpers that a unit calls.

use std::collections::BTreeSet;

use evariste_ir::Kernel;

use crate::error::EmitError;
use crate::unit::{Helper, Words};

/// Their texts, in order of definition; the kernel is named where `text` has none.
pub fn helpers(
    needed: &BTreeSet<Helper>,
    kernel: &Kernel,
    words: &Words,
    text: impl Fn(Helper) -> Option<String>,
) -> Result<String, EmitError> {
    let refused = |helper: Helper| EmitError::Unsupported {
        kernel: kernel.name.clone(),
        what: format!("`{}`", helper.name()),
        language: words.language,
        help: "take `--lang c`, or another plan",
    };
    needed.iter().map(|helper| text(*helper).ok_or_else(|| refused(*helper))).collect()
}

//! The grammar of descriptions: each kind has its own.

use crate::kind::EXAMPLES;
use crate::kinds::KINDS;
use crate::{Diagnostic, Field};

/// The longest description, in bytes.
const MAXIMUM_LENGTH: usize = 8192;

impl Field {
    /// Reads a description: an expression, a name, `int256`, `odd256`, `GF(2^163)` or `GF(2^131):onb2`.
    ///
    /// # Errors
    /// A [`Diagnostic`] that points at the fault and says what would work.
    pub fn parse(text: &str) -> Result<Field, Diagnostic> {
        parse(text)
    }
}

/// Reads a description.
fn parse(text: &str) -> Result<Field, Diagnostic> {
    if text.len() > MAXIMUM_LENGTH {
        let message = format!("a description of {} bytes is too long", text.len());
        return Err(
            Diagnostic::new(text, 0..text.len(), message).with_help(format!("write at most {MAXIMUM_LENGTH} bytes"))
        );
    }
    let start = text.len() - text.trim_start().len();
    let within = start..start + text.trim().len();
    if within.is_empty() {
        return Err(Diagnostic::new(text, 0..0, "the description is empty").with_help(EXAMPLES));
    }
    let taken = KINDS.iter().find_map(|kind| (kind.parse)(text, within.clone()));
    taken.unwrap_or_else(|| Err(Diagnostic::new(text, within, "no kind of description takes this").with_help(EXAMPLES)))
}

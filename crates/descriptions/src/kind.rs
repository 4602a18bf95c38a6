//! What a kind of description is: one file or folder, and one line of [`KINDS`](crate::kinds::KINDS).

use std::ops::Range;

use crate::{Diagnostic, Field, Structure};

/// A kind of description.
pub struct Kind {
    /// What it describes.
    pub what: &'static str,
    /// A description of this kind.
    pub example: &'static str,
    /// The structure that the text at this place describes; `None` where the text is of another kind.
    pub parse: fn(&str, Range<usize>) -> Option<Result<Field, Diagnostic>>,
    /// The arithmetic of such a field written a second time, in another way, with which tests compare every operation
    /// of the example. `None`: the tests have it themselves.
    pub again: Option<fn(&Field) -> Box<dyn Structure>>,
}

/// What can be written, in one line.
pub(crate) const EXAMPLES: &str =
    "write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2";

/// The digits of `int256`: the place after a prefix in any case, where only digits follow it.
pub(crate) fn numbered(text: &str, within: &Range<usize>, prefix: &str) -> Option<Range<usize>> {
    let trimmed = &text[within.clone()];
    let head = trimmed.get(..prefix.len())?;
    let digits = &trimmed[prefix.len()..];
    (head.eq_ignore_ascii_case(prefix) && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| within.start + prefix.len()..within.end)
}

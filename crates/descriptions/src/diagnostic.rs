//! Errors in a description: what was given, what is wrong, what would work.

use std::fmt;
use std::ops::Range;

/// The most characters of the given text that a rendered diagnostic shows around the fault.
const WINDOW: usize = 72;

/// An error in a text that a person wrote, with the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one line without a final full stop.
    pub message: String,
    /// The faulty part of `text`, in bytes; empty where something is missing.
    pub span: Range<usize>,
    /// The whole text that was given.
    pub text: String,
    /// What would work, one suggestion a line.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span` of `text`, without help.
    pub fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, text: text.to_owned(), help: Vec::new() }
    }

    /// The same of the whole text, of which the text so far began at `start`.
    #[must_use]
    pub(crate) fn inside(mut self, whole: &str, start: usize) -> Self {
        self.span = self.span.start + start..self.span.end + start;
        self.text = whole.to_owned();
        self
    }

    /// Adds a line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

/// Several lines: the message, the text with carets under the fault, then the lines of help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        // Columns are characters; control characters would break the line and become blanks.
        let characters: Vec<(usize, char)> = self.text.char_indices().collect();
        let column = |byte: usize| characters.partition_point(|&(at, _)| at < byte);
        let (start, end) = (column(self.span.start), column(self.span.end));
        let first = if characters.len() <= WINDOW { 0 } else { start.saturating_sub(WINDOW / 2) };
        let last = characters.len().min(first + WINDOW);
        let shown: String =
            characters[first..last].iter().map(|&(_, c)| if c.is_control() { ' ' } else { c }).collect();
        let before = if first > 0 { "…" } else { "" };
        let after = if last < characters.len() { "…" } else { "" };
        let blanks = " ".repeat(start - first + before.chars().count());
        let carets = "^".repeat(end.min(last).saturating_sub(start).max(1));
        writeln!(f, "  | {before}{shown}{after}")?;
        write!(f, "  | {blanks}{carets}")?;
        for help in &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

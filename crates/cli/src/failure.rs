//! What a command fails with, and how it is told: in text with `help:` lines, or as JSON.

use std::io::Write;
use std::ops::Range;

use evariste::Error;
use evariste::builder::TuneError;
use serde_json::{Value, json};

use crate::interrupt::INTERRUPTED;

/// What kind of failure it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The command was used wrongly.
    Usage,
    /// Something failed.
    Failure,
    /// Ctrl-C.
    Interrupted,
}

/// A failure, complete by itself.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    /// What was given and what is wrong.
    message: String,
    /// What would work.
    help: Vec<String>,
    /// The faulty part of a text that was given.
    fault: Option<(String, Range<usize>)>,
    /// All of it, as people read it.
    text: String,
}

impl Failure {
    /// A wrong use; lines that begin with `help: ` are help.
    pub fn usage(text: impl Into<String>) -> Failure {
        Failure::from_text(Kind::Usage, text.into())
    }

    /// Something failed; lines that begin with `help: ` are help.
    pub fn failed(text: impl Into<String>) -> Failure {
        Failure::from_text(Kind::Failure, text.into())
    }

    /// Ctrl-C came before everything was done.
    pub fn interrupted(text: impl Into<String>) -> Failure {
        Failure::from_text(Kind::Interrupted, text.into())
    }

    fn from_text(kind: Kind, text: String) -> Failure {
        let mut help = Vec::new();
        let mut message: Vec<&str> = Vec::new();
        for line in text.lines() {
            match line.strip_prefix("help: ") {
                Some(line) => help.push(line.to_string()),
                None => message.push(line),
            }
        }
        Failure { kind, message: message.join("\n"), help, fault: None, text }
    }

    /// 2 for a wrong use, 130 after Ctrl-C, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Usage => 2,
            Kind::Failure => 1,
            Kind::Interrupted => INTERRUPTED,
        }
    }

    /// As people read it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `{"error": {"kind", "message", "help"}}`, with `"text"` and `"span"` where a text was at fault.
    pub fn json(&self) -> Value {
        let kind = match self.kind {
            Kind::Usage => "usage",
            Kind::Failure => "failure",
            Kind::Interrupted => "interrupted",
        };
        let mut error = json!({ "kind": kind, "message": self.message, "help": self.help });
        if let Some((text, span)) = &self.fault {
            error["text"] = json!(text);
            error["span"] = json!([span.start, span.end]);
        }
        json!({ "error": error })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let mut failure = Failure::from_text(
            match &error {
                Error::Tune(TuneError::Stopped(_)) => Kind::Interrupted,
                error if error.is_usage() => Kind::Usage,
                _ => Kind::Failure,
            },
            error.to_string(),
        );
        if let Error::Description(diagnostic) = error {
            failure.message = diagnostic.message;
            failure.help = diagnostic.help;
            failure.fault = Some((diagnostic.text, diagnostic.span));
        }
        failure
    }
}

macro_rules! through_error {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Failure {
            fn from(error: $kind) -> Failure {
                Failure::from(Error::from(error))
            }
        })*
    };
}

through_error!(evariste::builder::EmitError, evariste::builder::RunError, evariste::builder::TuneError);

/// A line on standard error. When even that cannot be written there is nobody to tell.
pub fn warn(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

//! What a command fails with, and how it is told: in text with `help:` lines, or as JSON.

use std::io::Write;
use std::ops::Range;

use evariste::Error;
use serde_json::{Value, json};

/// A failure, complete by itself.
#[derive(Debug)]
pub struct Failure {
    /// Was the command used wrongly (exit code 2), or did something fail (exit code 1)?
    usage: bool,
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
        Failure::from_text(true, text.into())
    }

    /// Something failed; lines that begin with `help: ` are help.
    pub fn failed(text: impl Into<String>) -> Failure {
        Failure::from_text(false, text.into())
    }

    fn from_text(usage: bool, text: String) -> Failure {
        let mut help = Vec::new();
        let mut message: Vec<&str> = Vec::new();
        for line in text.lines() {
            match line.strip_prefix("help: ") {
                Some(line) => help.push(line.to_string()),
                None => message.push(line),
            }
        }
        Failure { usage, message: message.join("\n"), help, fault: None, text }
    }

    /// 2 for a wrong use, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        if self.usage { 2 } else { 1 }
    }

    /// As people read it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `{"error": {"kind", "message", "help"}}`, with `"text"` and `"span"` where a text was at fault.
    pub fn json(&self) -> Value {
        let mut error =
            json!({ "kind": if self.usage { "usage" } else { "failure" }, "message": self.message, "help": self.help });
        if let Some((text, span)) = &self.fault {
            error["text"] = json!(text);
            error["span"] = json!([span.start, span.end]);
        }
        json!({ "error": error })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let mut failure = Failure::from_text(error.is_usage(), error.to_string());
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

through_error!(evariste::EmitError, evariste::RunError, evariste::TuneError);

/// A line on standard error. When even that cannot be written there is nobody to tell.
pub fn warn(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

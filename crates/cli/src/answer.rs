//! What a command answers, in both forms, and the one place that writes to standard output.

use std::io::{ErrorKind, Write};

use serde_json::Value;

use crate::failure::{Failure, warn};

/// The answer of a command.
pub struct Answer {
    /// For people.
    pub text: String,
    /// For programs; the shapes are documented in `docs/json.md`.
    pub json: Value,
    /// An answer that is complete and yet says that something failed (a check that found faults).
    pub failure: Option<Failure>,
}

impl Answer {
    /// An answer without failure.
    pub fn new(text: String, json: Value) -> Answer {
        Answer { text, json, failure: None }
    }

    /// The answer with what failed; in JSON it is the member `error`.
    pub fn failed(mut self, failure: Failure) -> Answer {
        if let (Value::Object(members), Value::Object(error)) = (&mut self.json, failure.json()) {
            members.extend(error);
        }
        self.failure = Some(failure);
        self
    }
}

/// Writes to standard output. A reader that has gone away (`evariste list | head`) ends the program quietly.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            warn(&format!("error: cannot write the answer: {error}"));
            std::process::exit(1);
        }
    }
}

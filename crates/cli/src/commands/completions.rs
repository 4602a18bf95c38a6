//! `evariste completions SHELL`.

use clap::CommandFactory;
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::{Arguments, Completions};
use crate::failure::Failure;

/// The script that completes commands in a shell.
pub fn run(options: &Completions) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "evariste", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = json!({ "shell": options.shell.to_string(), "script": script });
    Ok(Answer::new(script, json))
}

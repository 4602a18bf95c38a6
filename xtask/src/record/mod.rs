//! `cargo xtask record`: what was measured on this machine, kept in record/ and shown in the documents.
//!
//! Without a name it measures the README's [`transcript`]; with names it answers the questions of docs/measurements
//! again ([`questions`]); `tables` only writes every marked [`table`] anew from the record.

pub mod questions;
pub mod table;
pub mod transcript;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Runs `cargo xtask record` with these words behind it. Whether all of it went well.
///
/// # Errors
/// A name that is no question's, a command that fails, a file that cannot be written.
pub fn run(root: &Path, words: &[&str]) -> Result<bool> {
    match words {
        [] => transcript::run(root),
        ["tables"] => {
            for path in table::rewrite_all(root)? {
                println!("{}", path.display());
            }
            Ok(true)
        }
        names => questions::run(root, names),
    }
}

/// The command `evariste`, built as users build it.
pub fn built(root: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(&cargo).args(["build", "--release", "-p", "evariste-cli"]).current_dir(root).status();
    ensure!(built.context("cargo")?.success(), "the command does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    Ok(target.join("release/evariste"))
}

/// What a command writes on standard output; what it says on the way goes to the terminal.
pub fn said(command: &mut Command) -> Result<String> {
    let output = command.env_remove("COLUMNS").stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("{command:?} does not start"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// A text as part of a name of files: lower case, words joined by `-`, seven at most.
pub fn words(text: &str) -> String {
    let text = text.to_lowercase();
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.take(7).collect::<Vec<_>>().join("-")
}

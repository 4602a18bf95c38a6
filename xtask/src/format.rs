//! Formats every source file. `cargo fmt` follows `mod` lines and does not see those that a macro writes
//! (`recipes!` in `crates/algorithms`).

use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::tidy;

/// Formats the sources of the workspace, or only looks (`check`); whether all is as it should be.
pub fn run(root: &Path, check: bool) -> anyhow::Result<bool> {
    let files = tidy::files(root)?.into_iter().map(|file| file.path);
    let sources = files.filter(|path| path.ends_with(".rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024"]).args(check.then_some("--check")).args(sources).current_dir(root);
    Ok(rustfmt.status().context("rustfmt does not start")?.success())
}

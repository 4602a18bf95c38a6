//! Packages that are measured by their own benchmark, where they are built.

use std::path::Path;
use std::process::Command;

use evariste_emit::File;
use evariste_run::TimingLock;
use evariste_tune::TuneError;

use crate::processors::written;

/// Builds a package, which has a makefile, and runs its benchmark, alone on the machine: what is measured, each with the
/// numbers beside it.
/// `before`: what is measured just before.
///
/// # Errors
/// A folder that cannot be written; a package that does not build.
pub fn numbers<T>(
    files: &[File],
    what: &str,
    before: impl FnOnce() -> T,
) -> Result<(T, Vec<(String, Vec<f64>)>), TuneError> {
    let (folder, _) = written(files, what)?;
    make(folder.path(), what, "all")?;
    let _lock = TimingLock::acquire()?;
    let before = before();
    let told = make(folder.path(), what, "bench")?;
    let line = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|word| word.parse::<f64>().is_ok())?;
        let numbers = words[end..].iter().map_while(|word| word.parse().ok()).collect();
        Some((words[..end].join(" "), numbers))
    };
    Ok((before, told.lines().filter_map(line).collect()))
}

fn make(folder: &Path, what: &str, target: &str) -> Result<String, TuneError> {
    let failed = |why: String| TuneError::Operand(format!("the package in {what}: `make {target}` failed: {why}"));
    let output =
        Command::new("make").args(["-s", target]).current_dir(folder).output().map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_string())),
    }
}

//! Packages in Java, built and measured by their own benchmark in a virtual machine.

use std::path::Path;
use std::process::Command;

use evariste_emit::File;
use evariste_run::{CHAIN_CYCLES, TimingLock, chain_ticks};
use evariste_tune::TuneError;

use crate::processors::written;

/// A line of a benchmark: what was measured, cycles of one of many calls, and in a chain of calls where there is one.
pub struct Line {
    /// The function.
    pub name: String,
    /// Cycles of a call, one after another.
    pub cycles: f64,
    /// Cycles of a call on the result of the last.
    pub latency: Option<f64>,
}

/// Builds a package and runs its benchmark. `None`: there is no Java here.
///
/// # Errors
/// A folder that cannot be written; a package that does not build.
pub fn bench(files: &[File]) -> Result<Option<(String, Vec<Line>)>, TuneError> {
    let Some(version) = version() else { return Ok(None) };
    let (folder, _) = written(files, "java")?;
    make(folder.path(), "all")?;
    let _lock = TimingLock::acquire()?;
    let ns_per_cycle = ns_of_a_cycle();
    let told = make(folder.path(), "bench")?;
    let line = |text: &str| {
        let mut words = text.split_whitespace();
        let (name, cycles) = (words.next()?, words.next()?.parse::<f64>().ok()?);
        let latency = words.next().and_then(|word| word.parse::<f64>().ok()).map(|ns| ns / ns_per_cycle);
        Some(Line { name: name.to_string(), cycles: cycles / ns_per_cycle, latency })
    };
    Ok(Some((version, told.lines().filter_map(line).collect())))
}

/// Nanoseconds of a cycle of this core, as it runs now.
fn ns_of_a_cycle() -> f64 {
    const CHAINS: u64 = 1000;
    let ticks = (0..50).map(|_| chain_ticks(CHAINS)).min().unwrap_or(0) as f64;
    ticks / evariste_run::tick_ghz() / (CHAINS as f64 * CHAIN_CYCLES)
}

/// What the virtual machine says of its version.
fn version() -> Option<String> {
    let output = Command::new("java").arg("--version").output().ok().filter(|o| o.status.success())?;
    Command::new("javac").arg("--version").output().ok().filter(|o| o.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string)
}

fn make(folder: &Path, target: &str) -> Result<String, TuneError> {
    let failed = |why: String| TuneError::Operand(format!("the package in Java: `make {target}` failed: {why}"));
    let output =
        Command::new("make").args(["-s", target]).current_dir(folder).output().map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_string())),
    }
}

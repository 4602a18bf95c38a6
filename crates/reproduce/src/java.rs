//! Packages in Java, built and measured by their own benchmark in a virtual machine.

use std::process::Command;

use evariste_emit::File;
use evariste_run::{CHAIN_CYCLES, chain_ticks};
use evariste_tune::TuneError;

use crate::own_bench::numbers;

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
    let (ns_per_cycle, told) = numbers(files, "java", ns_of_a_cycle)?;
    let cycles = |ns: f64| ns / ns_per_cycle;
    let line = |(name, numbers): (String, Vec<f64>)| {
        let latency = numbers.get(1).copied().map(cycles);
        Some(Line { name, cycles: cycles(*numbers.first()?), latency })
    };
    Ok(Some((version, told.into_iter().filter_map(line).collect())))
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

//! Verdicts of one generator, and how many kernels it tries.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Counts of one generator.
#[derive(Default)]
pub struct Tally {
    pub name: &'static str,
    pub seed: u64,
    /// Claims that hold on every input, and those that do not.
    pub held: u64,
    pub broken: u64,
    pub proved: u64,
    pub refuted: u64,
    pub unknown: u64,
    pub malformed: u64,
    pub too_many: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, seed {}: {} hold, {} do not; {} proved, {} refuted, {} unknown; {} malformed",
            self.name, self.seed, self.held, self.broken, self.proved, self.refuted, self.unknown, self.malformed
        )
    }
}

/// Kernels that all generators try together: ten thousand, a million with `EVARISTE_FULL=1`, or `EVARISTE_KERNELS`.
pub fn budget() -> u64 {
    let asked = std::env::var("EVARISTE_KERNELS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if std::env::var_os("EVARISTE_FULL").is_some() { 1_000_000 } else { 10_000 })
}

/// The seeds of a run: a fixed one, and one that changes every day (`EVARISTE_SEED` repeats a day).
pub fn seeds() -> [u64; 2] {
    let today = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs() / 86400);
    let asked = std::env::var("EVARISTE_SEED").ok().and_then(|n| n.parse().ok());
    [1, asked.unwrap_or_else(today)]
}

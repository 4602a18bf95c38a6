//! Contests: for each kernel the peers' functions and ours take turns, in passes over the whole table. A slow minute of
//! the machine then falls on one pass of all kernels, rather than on one kernel.

use anyhow::Result;
use evariste_run::{Timing, TimingOptions, Workload, time_paired};

/// The table, and a line for each peer that could not be built.
pub struct Table<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// Peers without rows, and why.
    pub missing: Vec<String>,
}

/// One kernel: the functions that take turns, and what they took in each pass.
pub trait Contest {
    /// A row of the table.
    type Row;

    /// How a pass is timed.
    const PASS: TimingOptions;

    /// The functions, with their operands.
    fn workloads(&self) -> Vec<Workload>;

    /// One timing for each pass, for each of the workloads.
    fn timings(&mut self) -> &mut [Vec<Timing>];

    /// Our best beside each peer's best.
    fn rows(&self) -> Vec<Self::Row>;
}

/// Passes over the table.
const PASSES: usize = 8;

/// How a pass is timed, throughput alone.
pub const PASS: TimingOptions = TimingOptions {
    rounds: 8,
    samples_per_round: 20,
    sample_ns: 7_000.0,
    warm_ns: 100_000.0,
    budget_ns: 1e8,
    latency: false,
};

/// Measures, in three passes where it is to be quick. Progress goes to the error stream.
pub fn measured<C: Contest>(mut contests: Vec<C>, missing: Vec<String>, quick: bool) -> Result<Table<C::Row>> {
    let passes = if quick { 3 } else { PASSES };
    for pass in 1..=passes {
        eprintln!("pass {pass} of {passes}");
        for contest in &mut contests {
            let timings = time_paired(&contest.workloads(), &C::PASS)?;
            contest.timings().iter_mut().zip(timings).for_each(|(all, timing)| all.push(timing));
        }
    }
    Ok(Table { rows: contests.iter().flat_map(C::rows).collect(), missing })
}

/// Keeps a peer, or a line that says why there is none.
pub fn note<T>(id: &str, loaded: Result<T>, peers: &mut Vec<T>, missing: &mut Vec<String>) {
    eprintln!("peer {id}");
    match loaded {
        Ok(loaded) => peers.push(loaded),
        Err(error) => {
            eprintln!("{id}: {error:#}");
            missing.push(format!("{id}: {error:#}"));
        }
    }
}

/// What a peer has for a kernel; what is wrong with it is a line, and the others go on.
pub fn noted<T>(of_peer: Result<T>, missing: &mut Vec<String>) -> Option<T> {
    of_peer.map_err(|error| missing.push(format!("{error:#}"))).ok()
}

//! Rows of the table.

use evariste_run::{Figure, paired_ratio};
use serde::Serialize;

/// One kernel, ours beside a peer's.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// `FIELD.mul` or `FIELD.sqr`.
    pub kernel: String,
    /// `throughput` or `latency`.
    pub mode: &'static str,
    /// What both results promise: `montgomery-canonical`, `canonical`, `redundant`, `integer`.
    pub contract: &'static str,
    /// The peer.
    pub peer: String,
    /// Its version.
    pub peer_version: String,
    /// Nanoseconds of ours: the best of the rounds' medians.
    pub ours_ns: f64,
    /// Nanoseconds of the peer, likewise.
    pub peer_ns: f64,
    /// `peer_ns / ours_ns`.
    pub ratio: f64,
    /// The median of the rounds' ratios.
    pub ratio_paired: f64,
    /// Core cycles of ours, median.
    pub ours_cycles: f64,
    /// Core cycles of the peer, median.
    pub peer_cycles: f64,
    /// Our plan and what its code is.
    pub ours_plan: String,
    /// The peer's function.
    pub peer_function: String,
}

/// The best of the rounds' medians, nanoseconds.
pub fn best_round(figure: &Figure) -> f64 {
    figure.rounds_ns.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The figures of a row; its names are to be filled in.
pub fn row(plan: &str, ours: &Figure, symbol: &str, theirs: &Figure) -> Row {
    let (ours_ns, peer_ns) = (best_round(ours), best_round(theirs));
    Row {
        ours_ns,
        peer_ns,
        ratio: peer_ns / ours_ns,
        ratio_paired: paired_ratio(theirs, ours),
        ours_cycles: ours.cycles,
        peer_cycles: theirs.cycles,
        ours_plan: plan.to_string(),
        peer_function: symbol.trim_start_matches("peer_").to_string(),
        ..Row::default()
    }
}

/// The rows as a table.
pub fn print(rows: &[Row], missing: &[String]) {
    println!("ratio = peer / ours, best of the rounds; paired = median of the rounds' ratios\n");
    println!("{:<16} {:<10} {:<20} {:<16} {:<26} {:>8} {:>8} {:>6} {:>6} {:>7} {:>7}  our plan", "kernel", "mode", "contract", "peer", "version", "ours ns", "peer ns", "ratio", "paired", "ours cy", "peer cy");
    for r in rows {
        println!(
            "{:<16} {:<10} {:<20} {:<16} {:<26} {:>8.2} {:>8.2} {:>6.2} {:>6.2} {:>7.1} {:>7.1}  {}",
            r.kernel, r.mode, r.contract, r.peer, r.peer_version, r.ours_ns, r.peer_ns, r.ratio, r.ratio_paired, r.ours_cycles, r.peer_cycles, r.ours_plan
        );
    }
    for line in missing {
        println!("{line}");
    }
}

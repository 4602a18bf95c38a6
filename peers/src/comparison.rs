//! Rows of a comparison.

use evariste_run::Figure;
use serde::Serialize;

/// One kernel, ours beside a peer's.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// `FIELD.operation`, with the word size where it is not 64.
    pub kernel: String,
    /// `throughput` or `latency`.
    pub mode: &'static str,
    /// Whether both promise the same: `equal` (the same layout and bounds) or `best` (our best layout for the field).
    pub contract: &'static str,
    /// Our plan.
    pub plan: String,
    /// The peer.
    pub peer: String,
    /// Its version.
    pub peer_version: String,
    /// Nanoseconds of ours.
    pub ours_ns: f64,
    /// Nanoseconds of the peer.
    pub peer_ns: f64,
    /// Cycles of ours.
    pub ours_cycles: f64,
    /// Cycles of the peer.
    pub peer_cycles: f64,
    /// `peer / ours`, median of the rounds' ratios.
    pub ratio: f64,
}

/// The two figures of a row.
pub fn row(
    kernel: &str,
    mode: &'static str,
    contract: &'static str,
    plan: &str,
    peer: (&str, &str),
    ours: &Figure,
    theirs: &Figure,
) -> Row {
    Row {
        kernel: kernel.to_string(),
        mode,
        contract,
        plan: plan.to_string(),
        peer: peer.0.to_string(),
        peer_version: peer.1.to_string(),
        ours_ns: ours.ns,
        peer_ns: theirs.ns,
        ours_cycles: ours.cycles,
        peer_cycles: theirs.cycles,
        ratio: evariste_run::paired_ratio(theirs, ours),
    }
}

/// The rows as a table.
pub fn print(rows: &[Row], compiler: &str) {
    println!("{compiler}; ratio = peer / ours\n");
    println!(
        "{:<26} {:<10} {:<8} {:<52} {:<16} {:>9} {:>9} {:>6}",
        "kernel", "mode", "contract", "our plan", "peer", "ours ns", "peer ns", "ratio"
    );
    for r in rows {
        println!(
            "{:<26} {:<10} {:<8} {:<52} {:<16} {:>9.2} {:>9.2} {:>6.2}",
            r.kernel, r.mode, r.contract, r.plan, r.peer, r.ours_ns, r.peer_ns, r.ratio
        );
    }
}

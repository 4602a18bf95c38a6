//! Rows of the table.

use serde::Serialize;

use crate::lanes::Table;

/// One kernel, ours on vectors beside a peer's. Times are of one element.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// `FIELD.mul`.
    pub kernel: String,
    /// `throughput`.
    pub mode: &'static str,
    /// `excluded`: elements of ours lie as the code wants them, and stay so; peers' elements lie as theirs do.
    /// `included`: ours take and give canonical numbers in ordinary words, one behind the other.
    pub packing: &'static str,
    /// What our results promise: `montgomery-canonical`, `montgomery-redundant`, `canonical`, `redundant`, `integer`.
    pub contract: &'static str,
    /// What the peer's promise.
    pub peer_contract: &'static str,
    /// The peer.
    pub peer: String,
    /// Its version.
    pub peer_version: String,
    /// Nanoseconds of ours: the median of the best round of all passes.
    pub ours_ns: f64,
    /// Nanoseconds of the peer, likewise.
    pub peer_ns: f64,
    /// `peer_ns / ours_ns`.
    pub ratio: f64,
    /// The median over the passes of the median of the rounds' ratios.
    pub ratio_paired: f64,
    /// Core cycles of ours: the median of the best pass.
    pub ours_cycles: f64,
    /// Core cycles of the peer, likewise.
    pub peer_cycles: f64,
    /// The least cycles that the ports of the machine table allow our program.
    pub bound_cycles: f64,
    /// `100·bound_cycles / ours_cycles`.
    pub percent_of_bound: f64,
    /// The core's clock beside our code, GHz.
    pub ours_clock_ghz: f64,
    /// The same beside the peer's.
    pub peer_clock_ghz: f64,
    /// Our plan and what its code is.
    pub ours_plan: String,
    /// How it is interleaved.
    pub ours_shape: String,
    /// The peer's function.
    pub peer_function: String,
}

/// The rows as a table.
pub fn print(table: &Table) {
    println!("an element; ratio = peer / ours, each in its best round of all passes; paired = median of the rounds' ratios\n");
    println!("{:<16} {:<8} {:<20} {:<20} {:<20} {:<14} {:>8} {:>8} {:>6} {:>6} {:>7} {:>7} {:>7} {:>5} {:>5}  our plan", "kernel", "packing", "contract", "peer's contract", "peer", "version", "ours ns", "peer ns", "ratio", "paired", "ours cy", "bound", "peer cy", "%", "GHz");
    for r in &table.rows {
        println!(
            "{:<16} {:<8} {:<20} {:<20} {:<20} {:<14} {:>8.3} {:>8.3} {:>6.2} {:>6.2} {:>7.2} {:>7.2} {:>7.2} {:>5.1} {:>5.2}  {}, {}",
            r.kernel, r.packing, r.contract, r.peer_contract, r.peer, r.peer_version, r.ours_ns, r.peer_ns, r.ratio, r.ratio_paired, r.ours_cycles, r.bound_cycles, r.peer_cycles, r.percent_of_bound, r.ours_clock_ghz, r.ours_plan, r.ours_shape
        );
    }
    for line in &table.missing {
        println!("{line}");
    }
}

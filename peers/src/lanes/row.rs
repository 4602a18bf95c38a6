//! Rows of the table.

use serde::Serialize;

use crate::contest::Table;
use crate::prime::row::Row as Pair;

/// One kernel, ours on vectors beside a peer's. Times are of one element.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// Both sides, as in `prime`.
    #[serde(flatten)]
    pub pair: Pair,
    /// `excluded`: elements of ours lie as the code wants them, and stay so; peers' elements lie as theirs do.
    /// `included`: ours take and give canonical numbers in ordinary words, one behind the other.
    pub packing: &'static str,
    /// What the peer's promise.
    pub peer_contract: &'static str,
    /// The least cycles that the ports of the machine table allow our program.
    pub bound_cycles: f64,
    /// `100·bound_cycles / ours_cycles`.
    pub percent_of_bound: f64,
    /// The core's clock beside our code, GHz.
    pub ours_clock_ghz: f64,
    /// The clock beside the peer's code, in GHz.
    pub peer_clock_ghz: f64,
    /// How it is interleaved.
    pub ours_shape: String,
}

/// The rows as a table.
pub fn print(table: &Table<Row>) {
    println!(
        "an element; ratio = peer / ours, each in its best round of all passes; paired = median of the rounds' ratios\n"
    );
    println!(
        "{:<16} {:<8} {:<20} {:<20} {:<20} {:<14} {:>8} {:>8} {:>6} {:>6} {:>7} {:>7} {:>7} {:>5} {:>5}  our plan",
        "kernel",
        "packing",
        "contract",
        "peer's contract",
        "peer",
        "version",
        "ours ns",
        "peer ns",
        "ratio",
        "paired",
        "ours cy",
        "bound",
        "peer cy",
        "%",
        "GHz"
    );
    for row in &table.rows {
        let r = &row.pair;
        println!(
            "{:<16} {:<8} {:<20} {:<20} {:<20} {:<14} {:>8.3} {:>8.3} {:>6.2} {:>6.2} {:>7.2} {:>7.2} {:>7.2} {:>5.1} {:>5.2}  {}, {}",
            r.kernel,
            row.packing,
            r.contract,
            row.peer_contract,
            r.peer,
            r.peer_version,
            r.ours_ns,
            r.peer_ns,
            r.ratio,
            r.ratio_paired,
            r.ours_cycles,
            row.bound_cycles,
            r.peer_cycles,
            row.percent_of_bound,
            row.ours_clock_ghz,
            r.ours_plan,
            row.ours_shape
        );
    }
    for line in &table.missing {
        println!("{line}");
    }
}

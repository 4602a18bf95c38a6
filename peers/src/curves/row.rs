//! Rows of the table.

use serde::Serialize;

use crate::contest::Table;
use crate::prime::row::Row as Pair;

/// One operation, ours beside a peer's. Times are of one element; `contract` is what the peer's function promises.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// Elements of a call of ours: `one`; `many` in lanes; `many, AVX2` in lanes of processors with that.
    pub elements: &'static str,
    /// Both sides, as in `prime`.
    #[serde(flatten)]
    pub pair: Pair,
}

/// The rows as a table.
pub fn print(table: &Table<Row>) {
    println!(
        "an element; ratio = peer / ours, each in its best round of all passes; paired = median of the rounds' ratios\n"
    );
    println!(
        "{:<24} {:<10} {:<10} {:<20} {:<14} {:<24} {:>10} {:>10} {:>6} {:>6}  our plan",
        "operation", "elements", "mode", "peer's", "peer", "version", "ours ns", "peer ns", "ratio", "paired"
    );
    for row in &table.rows {
        let r = &row.pair;
        println!(
            "{:<24} {:<10} {:<10} {:<20} {:<14} {:<24} {:>10.1} {:>10.1} {:>6.2} {:>6.2}  {}",
            r.kernel,
            row.elements,
            r.mode,
            r.contract,
            r.peer,
            r.peer_version,
            r.ours_ns,
            r.peer_ns,
            r.ratio,
            r.ratio_paired,
            r.ours_plan
        );
    }
    for line in &table.missing {
        println!("{line}");
    }
}

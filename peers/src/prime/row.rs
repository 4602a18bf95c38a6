//! Rows of the table.

use evariste_run::{Figure, Timing, paired_ratio};
use serde::Serialize;

/// One kernel, ours beside a peer's.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// `FIELD.mul` or `FIELD.sqr`.
    pub kernel: String,
    /// `throughput` or `latency`.
    pub mode: &'static str,
    /// What our results promise (in `prime` both): `montgomery-canonical`, `montgomery-redundant`, `canonical`,
    /// `redundant`, `integer`.
    pub contract: &'static str,
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
    /// Our plan and what its code is.
    pub ours_plan: String,
    /// The peer's function.
    pub peer_function: String,
}

/// The best of the rounds' medians, nanoseconds.
pub fn best_round(figure: &Figure) -> f64 {
    figure.rounds_ns.iter().copied().fold(f64::INFINITY, f64::min)
}

/// What one function took in all passes, in one mode.
pub struct Passes<'a> {
    figures: Vec<&'a Figure>,
    /// Results of a call.
    results: f64,
    /// The best round's median of all passes, nanoseconds a result.
    pub ns: f64,
    /// Core cycles a result, the best pass's median.
    pub cycles: f64,
}

impl<'a> Passes<'a> {
    /// `None` when there is no figure of that mode. A call gives so many results.
    pub fn of(timings: &'a [Timing], mode: &str, results: f64) -> Option<Self> {
        let figures: Vec<&Figure> = timings
            .iter()
            .filter_map(|t| if mode == "latency" { t.latency.as_ref() } else { Some(&t.throughput) })
            .collect();
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let ns = least(&mut figures.iter().map(|figure| best_round(figure))) / results;
        let cycles = least(&mut figures.iter().map(|figure| figure.cycles)) / results;
        (!figures.is_empty()).then_some(Passes { figures, results, ns, cycles })
    }

    /// The median of the core's clock, GHz.
    pub fn clock(&self) -> f64 {
        median(self.figures.iter().map(|figure| figure.clock_ghz))
    }
}

/// The upper median.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The figures of a row; its names are to be filled in.
pub fn row(plan: &str, ours: &Passes, symbol: &str, theirs: &Passes) -> Row {
    let ratio_paired =
        median(theirs.figures.iter().zip(&ours.figures).map(|(theirs, ours)| paired_ratio(theirs, ours)))
            * ours.results
            / theirs.results;
    Row {
        ours_ns: ours.ns,
        peer_ns: theirs.ns,
        ratio: theirs.ns / ours.ns,
        ratio_paired,
        ours_cycles: ours.cycles,
        peer_cycles: theirs.cycles,
        ours_plan: plan.to_string(),
        peer_function: symbol.trim_start_matches("peer_").to_string(),
        ..Row::default()
    }
}

/// The rows as a table.
pub fn print(rows: &[Row], missing: &[String]) {
    println!("ratio = peer / ours, each in its best round of all passes; paired = median of the rounds' ratios\n");
    println!(
        "{:<16} {:<10} {:<20} {:<16} {:<26} {:>8} {:>8} {:>6} {:>6} {:>7} {:>7}  our plan",
        "kernel", "mode", "contract", "peer", "version", "ours ns", "peer ns", "ratio", "paired", "ours cy", "peer cy"
    );
    for r in rows {
        println!(
            "{:<16} {:<10} {:<20} {:<16} {:<26} {:>8.2} {:>8.2} {:>6.2} {:>6.2} {:>7.1} {:>7.1}  {}",
            r.kernel,
            r.mode,
            r.contract,
            r.peer,
            r.peer_version,
            r.ours_ns,
            r.peer_ns,
            r.ratio,
            r.ratio_paired,
            r.ours_cycles,
            r.peer_cycles,
            r.ours_plan
        );
    }
    for line in missing {
        println!("{line}");
    }
}

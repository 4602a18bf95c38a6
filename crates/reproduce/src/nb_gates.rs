//! Gates of every multiplier against the degree: counted in the kernels, nothing is timed.

use rayon::prelude::*;

use crate::crossing::crossing;
use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::multipliers::{field, multipliers, odd_degrees, operations, written};
use crate::reproduction::BRUMLEY_PAGE;
use crate::{Options, Reproduction, Watch};
use evariste_tune::TuneError;

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-gates",
    paper: BRUMLEY_PAGE,
    figure: "Figure 1a",
    about: "gates of normal-basis multipliers, odd degrees with a basis of type 2 from 3 to 519",
    make,
};

/// The last degree of the paper's figure.
const MOST: u32 = 519;
/// The greatest degree of a quick run.
const MOST_QUICK: u32 = 41;

/// The paper's bound for AESMPO with a basis of type 2.
pub fn published_bound(m: u32) -> f64 {
    2.5 * f64::from(m) * f64::from(m)
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let degrees = odd_degrees(2, if options.quick { MOST_QUICK } else { MOST });
    let series = gates(&degrees, watch);
    let by_name = |name: &str| series.iter().find(|s| s.name == name);
    let mut comparisons = Vec::new();
    if let Some(aesmpo) = by_name("aesmpo") {
        let last = aesmpo.points.last();
        comparisons.push(Comparison {
            what: "gates of AESMPO".into(),
            published: "at most 2.5 m²".into(),
            ours: last.map_or_else(String::new, |p| format!("{:.4} m² at m = {}", p.y / p.x / p.x, p.x)),
        });
        for other in ["fan-hasan", "optimal-polynomial"] {
            let from = by_name(other).and_then(|s| crossing(s, aesmpo));
            comparisons.push(Comparison {
                what: format!("{other} has no more gates than AESMPO"),
                published: if other == "fan-hasan" {
                    "a curve without printed numbers; times cross at m = 29 (Figure 1b)".into()
                } else {
                    "not in the paper".into()
                },
                ours: from.map_or_else(|| "nowhere".into(), |m| format!("from m = {m} on")),
            });
        }
    }
    let fewer = by_name("optimal-polynomial").and_then(|s| crossing(s, by_name("fan-hasan")?));
    let fewer = fewer.map_or_else(String::new, |m| format!(": from m = {m} on no more than Fan-Hasan"));
    let at_last = |name: &str| by_name(name).and_then(|s| s.points.last()).map(|p| (p.x, p.y));
    let saved = match (at_last("aesmpo"), at_last("fan-hasan"), at_last("optimal-polynomial")) {
        (Some((m, a)), Some((n, f)), Some((o, p))) if m == n && n == o => {
            format!("At m = {m} the three have {a}, {f} and {p} gates.")
        }
        _ => String::new(),
    };
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Gates of one product in a normal basis of type 2".into(),
        machine: None,
        panels: vec![Panel { title: "gates".into(), drawing: Drawing::Lines, x: Axis::new("degree m", ""), y: Axis::new("AND and XOR of one product", "gates"), series }],
        comparisons,
        changed: [
            format!("Products through powers of the basis element (optimal-polynomial; Bernstein and Lange 2010) cost a polynomial product and of the order of m log m gates more{fewer}."),
            format!("Kernels are circuits with shared gates, counted from what is proved and executed. {saved}").trim_end().into(),
        ],
        notes: vec!["Sequential multipliers that are written out (-unrolled) are made up to m = 131 only; rolled ones count each pass of their loops.".into()],
    })
}

/// A series for each multiplier, in the registry's order, and the paper's bound.
fn gates(degrees: &[u32], watch: Watch) -> Vec<Series> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    // Rows of the longest first, so that no core waits for the last one.
    let counted: Vec<Vec<(String, Point)>> = degrees
        .par_iter()
        .rev()
        .map(|m| {
            let field = field(*m, 2);
            let kernels = field.iter().flat_map(multipliers).filter_map(|plan| written(&plan));
            let row = kernels
                .map(|(name, kernel)| {
                    (name, Point { label: format!("m = {m}"), x: f64::from(*m), y: operations(&kernel).gates() as f64 })
                })
                .collect();
            watch(crate::Progress {
                stage: "counting",
                done: 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
                total: degrees.len(),
            });
            row
        })
        .collect();
    let mut all: Vec<Series> = Vec::new();
    for (name, point) in counted.into_iter().rev().flatten() {
        match all.iter_mut().find(|s| s.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, origin: Origin::Counted, points: vec![point] }),
        }
    }
    let bound =
        degrees.iter().map(|m| Point { label: format!("m = {m}"), x: f64::from(*m), y: published_bound(*m) }).collect();
    all.push(Series { name: "AESMPO, 2.5 m²".into(), origin: Origin::Published, points: bound });
    all
}

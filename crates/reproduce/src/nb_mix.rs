//! Operations and instructions of every multiplier by class, for one degree of type 2 and one of type 4.

use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_backend::{Backend, Kind, found};
use evariste_proof::Proved;
use evariste_tune::TuneError;
use rayon::prelude::*;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::measure::{Subject, subjects};
use crate::multipliers::operations;
use crate::reproduction::BRUMLEY_PAGE;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-mix",
    paper: BRUMLEY_PAGE,
    figure: "Figure 2",
    about: "operations by class (XOR, AND, load, store, other) of every multiplier for m = 131 of type 2 and m = 163 of type 4: in kernels and in machine code",
    make,
};

/// Degrees and types.
const BASES: &[(u32, u32)] = &[(131, 2), (163, 4)];
/// Those of a quick run.
const BASES_QUICK: &[(u32, u32)] = &[(11, 2), (13, 4)];
/// Operations, loops multiplied, beyond which there is no straight-line code.
const MOST: u64 = 45_000;

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let mut panels = Vec::new();
    let mut comparisons = Vec::new();
    for (m, t) in if options.quick { BASES_QUICK } else { BASES } {
        let mut subjects = subjects(&[*m], &[*t], &|_| true, watch, &mut notes);
        subjects.retain(|s| s.layout.word == 1);
        let kernels = panel(format!("m = {m}, type {t}: kernels"), "operations of one product", kernel_mix(&subjects));
        comparisons.extend(shares(*m, *t, &kernels));
        panels.push(kernels);
        for backend in found(|kind| matches!(kind, Kind::Lanes { bits } if bits > 128), None) {
            let name = backend.entry().title;
            let (series, left_out) = program_mix(&subjects, &*backend, watch);
            if !left_out.is_empty() {
                notes.push(format!("{name}, m = {m}: no straight-line code of {}.", left_out.join("; ")));
            }
            if series.iter().any(|s| !s.points.is_empty()) {
                panels.push(panel(format!("m = {m}, type {t}: {name}"), "instructions of one call", series));
            }
        }
    }
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Operations by class".into(),
        machine: None,
        panels,
        comparisons,
        changed: [
            "A call on AVX-512 performs an AND and the XOR after it, or two XORs, in one instruction (fused).".into(),
            "What does not fit the registers is seen apart: spill and reload are moves to and from the stack, load and store those of operands and results.".into(),
        ],
        notes,
    })
}

/// A panel of bars.
fn panel(title: String, y: &str, series: Vec<Series>) -> Panel {
    Panel { title, drawing: Drawing::Bars, x: Axis::new("multiplier", ""), y: Axis::new(y, ""), series }
}

/// Series of classes from a list of bars, each with one number a class.
fn by_class(bars: &[(String, Counts)]) -> Vec<Series> {
    let one = |(class, (name, _)): (usize, &(&str, u64))| Series {
        name: name.to_string(),
        origin: Origin::Counted,
        points: bars
            .iter()
            .enumerate()
            .map(|(i, (label, counts))| Point { label: label.clone(), x: i as f64, y: counts[class].1 as f64 })
            .collect(),
    };
    bars.first().map_or(&[][..], |(_, counts)| counts).iter().enumerate().map(one).collect()
}

/// What kernels perform.
fn kernel_mix(subjects: &[Subject]) -> Vec<Series> {
    let bars: Vec<_> = subjects
        .iter()
        .map(|s| {
            let o = operations(s.proved.kernel());
            let counts = [("XOR", o.xor), ("AND", o.and), ("load", o.loads), ("store", o.stores), ("other", o.other)];
            (s.name.clone(), counts.to_vec())
        })
        .collect();
    by_class(&bars)
}

/// The share of loads and stores of the extremes.
fn shares(m: u32, t: u32, kernels: &Panel) -> Option<Comparison> {
    let total = |i: f64| kernels.series.iter().filter_map(|s| s.at(i)).sum::<f64>();
    let moves = |i: f64| {
        kernels.series.iter().filter(|s| s.name == "load" || s.name == "store").filter_map(|s| s.at(i)).sum::<f64>()
    };
    let mut all: Vec<(f64, &str)> =
        kernels.places().into_iter().map(|(i, label)| (100.0 * moves(i) / total(i).max(1.0), label)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, most) = (all.first()?, all.last()?);
    Some(Comparison {
        what: format!("m = {m}, type {t}: loads and stores among the operations of a kernel"),
        published: "bars without printed numbers".into(),
        ours: format!("{:.0} % ({}) to {:.0} % ({})", least.0, least.1, most.0, most.1),
    })
}

/// What programs of one register a coordinate perform: they are straight-line, so that what is written is what runs.
/// Programs are checked as all that is executed. Also the names of those without.
fn program_mix(subjects: &[Subject], backend: &dyn Backend, watch: Watch) -> (Vec<Series>, Vec<String>) {
    let done = AtomicUsize::new(0);
    let one = |subject: &Subject| {
        let counts = count(&subject.proved, backend);
        watch(Progress { stage: "making", done: 1 + done.fetch_add(1, Ordering::Relaxed), total: subjects.len() });
        (subject.name.clone(), counts)
    };
    let all: Vec<(String, Result<Counts, String>)> = subjects.par_iter().map(one).collect();
    let mut left_out: Vec<(String, Vec<String>)> = Vec::new();
    let mut bars = Vec::new();
    for (name, counts) in all {
        match counts {
            Ok(counts) => bars.push((name, counts)),
            Err(why) => match left_out.iter_mut().find(|(w, _)| *w == why) {
                Some((_, names)) => names.push(name),
                None => left_out.push((why, vec![name])),
            },
        }
    }
    (by_class(&bars), left_out.into_iter().map(|(why, names)| format!("{} ({why})", names.join(", "))).collect())
}

/// Instructions by class.
type Counts = Vec<(&'static str, u64)>;

fn count(proved: &Proved, backend: &dyn Backend) -> Result<Counts, String> {
    if evariste_ir::count::count_operations(proved.kernel(), &|_| true) > MOST {
        return Err(format!("more than {MOST} operations"));
    }
    backend.instructions(proved).map_err(|e| e.to_string())
}

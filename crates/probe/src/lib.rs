//! What each instruction costs on the core at hand, measured in seconds: throughput alone and beside every other,
//! latency, and the few [resources](fit) that explain it all. The result is a [`Core`], the table that bounds and
//! schedules are computed from.
//!
//! An instruction set is a folder that implements [`Probe`].

mod bench;
pub mod fit;
pub mod measure;
mod name;
pub mod observe;
mod subject;
mod window;
mod x86_64;

use std::collections::BTreeMap;

use evariste_cores::{Core, Cost, Fingerprint};
use evariste_jit::available;

use bench::Bench;
pub use bench::ProbeError;
use fit::{Fit, Subjects, simple};
use measure::Loops;
pub use subject::{MEMORY, Pool, Probe, Specimen};

/// Passes over the loops of a fingerprint, which is taken at every start.
const PASSES: usize = 24;

/// A probe that explains less than this part of its pairs is done again, so often at most.
const ENOUGH: f64 = 0.97;
const AGAIN: usize = 2;

/// A table, and how well its resources explain what was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Probed {
    /// The table; it has no name yet, and no day.
    pub core: Core,
    /// Pairs of instructions that were measured side by side.
    pub pairs: usize,
    /// Those of them whose time is within [a tenth](fit::EXPLAINED) of what the resources say.
    pub explained: usize,
    /// Pairs that are not explained, and that no [sums](fit::Fit::beyond) explain.
    pub beyond: usize,
    /// Those that are not explained: two instructions, cycles of one each as measured and as the resources say.
    pub open: Vec<([String; 2], f64, f64)>,
}

/// Measures the core at hand. `progress` is told which part is done, from 0 to 1, and says whether to go on.
///
/// # Errors
/// Where machine code cannot be run; [`ProbeError::Stopped`].
pub fn probe<I: Probe>(progress: &mut dyn FnMut(f64) -> bool) -> Result<Probed, ProbeError> {
    let features = available::<I>()?;
    let all = I::specimens(features);
    let mut bench = Bench::<I>::new(features);
    let mut loops = Loops::new(&mut bench, &all, progress);
    let latencies = loops.latencies()?;
    let subjects = Subjects {
        idle: all.iter().map(|s| s.idle).collect(),
        slot: all.iter().position(|s| s.name == I::SLOT),
        sets: all.iter().map(|s| s.set).collect(),
    };
    // A neighbour that keeps our core busy for seconds is not there every time.
    let mut fit = fit::fit(&mut loops, &subjects)?;
    for _ in 0..AGAIN {
        if loops.is_late() || fit.explained().count() as f64 >= ENOUGH * fit.pairs.len() as f64 {
            break;
        }
        let other = fit::fit(&mut loops, &subjects)?;
        if other.explained().count() > fit.explained().count() {
            fit = other;
        }
    }
    let explained = fit.explained().count();
    let name = |i: usize| all[i].name.clone();
    let open = fit.open().map(|([i, j], seen, said)| ([name(i), name(j)], round(seen), round(said))).collect();
    let mut core = table(&all, &latencies, &fit, fingerprint::<I>()?);
    core.window = window::window::<I>()?;
    Ok(Probed { core, pairs: fit.pairs.len(), explained, beyond: fit.beyond, open })
}

/// By what the core at hand is known again: some milliseconds.
///
/// # Errors
/// Where machine code cannot be run.
pub fn fingerprint<I: Probe>() -> Result<Fingerprint, ProbeError> {
    let features = available::<I>()?;
    let mut bench = Bench::<I>::new(features);
    let known: Vec<Specimen<I>> =
        I::specimens(features).into_iter().filter(|s| I::KNOWN_BY.contains(&s.name.as_str())).collect();
    let mut loops = known.iter().map(|s| measure::alone(&mut bench, s)).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..PASSES {
        loops.iter_mut().for_each(|timed| bench.run(timed));
    }
    Ok(known.into_iter().zip(&loops).map(|(s, timed)| (s.name, round(timed.per_copy()))).collect())
}

fn table<I: Probe>(all: &[Specimen<I>], latencies: &[Option<f64>], fit: &Fit, fingerprint: Fingerprint) -> Core {
    let names = name::resources(all, fit);
    let cost = |i: usize| {
        let used = fit.resources.iter().zip(&names).filter(|(r, _)| r.uses[i] > 0.0);
        Cost {
            cycles: round(fit.cycles[i]),
            latency: latencies[i].map(|cycles| round(simple(cycles))),
            uses: used.map(|(r, name)| (name.clone(), round(r.uses[i]))).collect(),
        }
    };
    let costs: BTreeMap<String, Cost> = all.iter().enumerate().map(|(i, s)| (s.name.clone(), cost(i))).collect();
    Core {
        name: "this core".into(),
        architecture: I::NAME.into(),
        processor: "unknown".into(),
        source: "measured by `evariste probe`".into(),
        measured: None,
        window: None,
        llvm: None,
        resources: names,
        fingerprint,
        costs,
    }
}

/// Three places.
fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

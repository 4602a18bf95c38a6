//! Multipliers as code on the targets of this machine, timed side by side: nanoseconds of one product, bytes of code.
//!
//! Code on vectors is written for one register of each coordinate: a call computes as many products as a register has
//! bits, straight on. Figures are about one form of code on each target; the best shape is what `tune` looks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_algorithms::{Layout, Plan};
use evariste_backend::c::FLAGS;
use evariste_backend::{BACKENDS, Backend, Choice, Entry, Kind, Made, Repeat, bound, found, usual};
use evariste_descriptions::{BinaryField, Field};
use evariste_proof::{Proved, prove};
use evariste_run::{Machine, TimingOptions};
use evariste_tune::TuneError;
use evariste_tune::measure::time;
use rayon::prelude::*;

use crate::multipliers::{all_multipliers, field};
use crate::{Options, Progress, Watch};

/// Operations of a kernel, written out, beyond which C is not compiled: compilers take minutes for one function of
/// more.
const MOST_IN_C: usize = 10_000;
/// Operations, loops multiplied, beyond which there is no code on vectors: it is straight-line code, and checking it
/// takes seconds.
const MOST_ON_VECTORS: u64 = 45_000;
/// Both, of a quick run.
const MOST_QUICK: usize = 1_500;

/// A multiplier that was proved.
pub struct Subject {
    /// The field.
    pub field: Field,
    /// Degree of the field.
    pub degree: u32,
    /// The algorithm.
    pub name: String,
    /// How elements lie in words.
    pub layout: Layout,
    /// The proved kernel.
    pub proved: Proved,
}

impl Subject {
    /// Is the basis a normal one?
    pub fn is_normal(&self) -> bool {
        self.field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_some())
    }
}

/// What was measured of a multiplier on a target.
pub struct Measured {
    /// Degree of the field.
    pub degree: u32,
    /// The multiplier.
    pub name: String,
    /// Nanoseconds of a product: median, independent products.
    pub ns: f64,
    /// Bytes of the function.
    pub bytes: Option<u64>,
    /// Nanoseconds that no code of this kernel goes below, by the machine table and at the clock that was measured
    /// beside it.
    pub bound_ns: Option<f64>,
}

/// A way to make code here, and its title.
pub struct Target {
    /// `C, 64 lanes`.
    pub title: String,
    /// What makes code.
    pub backend: Arc<dyn Backend>,
    /// Words of a row of slices: of 64 products each.
    pub row: usize,
}

/// The targets of this machine; what is missing is a note.
pub fn targets(notes: &mut Vec<String>) -> Vec<Target> {
    let here = usual().into_iter().chain(found(Kind::has_lanes, None).into_iter().rev());
    let all: Vec<Target> = here
        .filter_map(|backend| {
            let slices = slices(backend.entry())?;
            Some(Target { title: title(backend.entry(), slices), row: slices as usize / 64, backend })
        })
        .collect();
    let expected = BACKENDS.iter().filter_map(|entry| Some(title(entry, slices(entry)?)));
    for title in expected.filter(|title| all.iter().all(|t| t.title != *title)) {
        notes.push(format!("{title}: this machine has none of it."));
    }
    all
}

/// Elements that a back end's code computes in one row of slices; `None` where the paper has no such figure: what is
/// not compiled, up to 128 bits.
fn slices(entry: &Entry) -> Option<u32> {
    match entry.kind {
        Kind::Compiled => Some(64),
        Kind::Lanes { bits } if bits > 128 => Some(bits),
        _ => None,
    }
}

fn title(entry: &Entry, slices: u32) -> String {
    format!("{}, {slices} lanes", entry.title)
}

/// The machine, and how it was measured, in a line.
pub fn machine(targets: &[Target]) -> String {
    let compiler = targets.iter().find_map(|t| t.backend.compiler());
    format!(
        "{}; C with {}; medians, multipliers of a degree in turn",
        Machine::detect().identity(compiler),
        FLAGS.join(" ")
    )
}

/// The multipliers of these degrees in bases of these types (0: polynomials), as far as `wanted` takes their names,
/// proved. What is not proved is a note.
pub fn subjects(
    degrees: &[u32],
    types: &[u32],
    wanted: &(dyn Fn(&str) -> bool + Sync),
    watch: Watch,
    notes: &mut Vec<String>,
) -> Vec<Subject> {
    let pairs: Vec<(u32, u32)> = degrees.iter().flat_map(|m| types.iter().map(|t| (*m, *t))).collect();
    let plans: Vec<(u32, Plan)> = pairs
        .iter()
        .filter_map(|(m, t)| Some((*m, field(*m, *t)?)))
        .flat_map(|(m, f)| all_multipliers(&f).into_iter().map(move |p| (m, p)))
        .filter(|(_, p)| wanted(&p.algorithm))
        .collect();
    let done = AtomicUsize::new(0);
    let judge = |(degree, plan): &(u32, Plan)| {
        let outcome = plan.write().ok().map(|kernel| prove(&kernel));
        watch(Progress { stage: "proving", done: 1 + done.fetch_add(1, Ordering::Relaxed), total: plans.len() });
        let outcome = outcome?;
        let why = evariste_tune::candidates::verdict(&outcome);
        Some(
            outcome
                .proved()
                .map(|proved| Subject {
                    field: plan.field.clone(),
                    degree: *degree,
                    name: plan.algorithm.clone(),
                    layout: plan.layout.clone(),
                    proved,
                })
                .ok_or(format!("{} at m = {degree}: {why}.", plan.algorithm)),
        )
    };
    let mut all = Vec::new();
    for judged in plans.par_iter().map(judge).collect::<Vec<_>>().into_iter().flatten() {
        match judged {
            Ok(subject) => all.push(subject),
            Err(note) => notes.push(note),
        }
    }
    all
}

/// The code of a multiplier on a target.
fn make(backend: &dyn Backend, proved: &Proved, options: &Options) -> Result<Made, String> {
    let kernel = proved.kernel();
    let operations = evariste_ir::count::count_operations(kernel, &|_| true);
    let kind = backend.entry().kind;
    if kind == Kind::Compiled {
        let most = if options.quick { MOST_QUICK } else { MOST_IN_C };
        if kernel.values.len() > most {
            return Err(format!("more than {most} operations in a row, which C compilers take minutes for"));
        }
    } else if kind.has_lanes() {
        let most = if options.quick { MOST_QUICK as u64 } else { MOST_ON_VECTORS };
        if operations > most {
            return Err(format!("more than {most} operations, which become straight-line code on vectors"));
        }
    }
    backend.make(proved, &Choice { repeat: Repeat::Once, ..Choice::default() }).map_err(|e| e.to_string())
}

/// How long to measure.
pub fn timing(options: &Options) -> TimingOptions {
    let full = TimingOptions { latency: false, budget_ns: 1e8, ..TimingOptions::default() };
    if options.quick {
        TimingOptions { rounds: 3, samples_per_round: 5, warm_ns: 20_000.0, budget_ns: 3e6, ..full }
    } else {
        full
    }
}

/// Makes code of all on this target and times it, all multipliers of a degree in turn. What has no code is a note.
///
/// # Errors
/// When nothing can be timed.
pub fn measure(
    target: &Target,
    subjects: &[Subject],
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
) -> Result<Vec<Measured>, TuneError> {
    let done = AtomicUsize::new(0);
    let subjects: Vec<&Subject> = subjects
        .iter()
        .filter(|s| target.backend.takes(&s.field, &s.layout, s.proved.kernel().uses_floats()))
        .collect();
    let one = |subject: &&Subject| {
        let made = make(&*target.backend, &subject.proved, options);
        watch(Progress { stage: "making", done: 1 + done.fetch_add(1, Ordering::Relaxed), total: subjects.len() });
        made
    };
    let made: Vec<Result<Made, String>> = subjects.par_iter().map(one).collect();
    let mut missing: Vec<(String, String, Vec<u32>)> = Vec::new();
    let mut degrees: Vec<(u32, Vec<(&Subject, &Made)>)> = Vec::new();
    for (subject, made) in subjects.into_iter().zip(&made) {
        match made {
            Ok(compiled) => match degrees.iter_mut().find(|(m, _)| *m == subject.degree) {
                Some((_, list)) => list.push((subject, compiled)),
                None => degrees.push((subject.degree, vec![(subject, compiled)])),
            },
            Err(why) => match missing.iter_mut().find(|(name, w, _)| *name == subject.name && w == why) {
                Some((_, _, list)) => list.push(subject.degree),
                None => missing.push((subject.name.clone(), why.clone(), vec![subject.degree])),
            },
        }
    }
    for (name, why, list) in missing {
        let list: Vec<String> = list.iter().map(u32::to_string).collect();
        notes.push(format!("{}: no {name} at m = {}: {why}.", target.title, list.join(", ")));
    }
    let mut all = Vec::new();
    let total = degrees.len();
    for (i, (degree, list)) in degrees.into_iter().enumerate() {
        let pairs: Vec<(&Proved, &Made)> = list.iter().map(|(s, c)| (&s.proved, *c)).collect();
        for ((subject, compiled), timing) in list.iter().zip(time(&pairs, &timing(options))?) {
            let bound_ns = Some(bound(&*target.backend, subject.proved.kernel(), &options.core.core))
                .filter(|cycles| *cycles > 0.0)
                .map(|cycles| cycles / timing.throughput.clock_ghz);
            all.push(Measured {
                degree,
                name: subject.name.clone(),
                ns: timing.throughput.ns / f64::from(compiled.lanes),
                bytes: compiled.code_bytes,
                bound_ns,
            });
        }
        watch(Progress { stage: "measuring", done: i + 1, total });
    }
    Ok(all)
}

/// The names of multipliers that were measured, in order of first appearance.
pub fn names(measured: &[Measured]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for m in measured {
        if !all.contains(&m.name) {
            all.push(m.name.clone());
        }
    }
    all
}

/// A series for each multiplier: `place` gives x and y, where it has them.
pub fn series(measured: &[Measured], place: impl Fn(&Measured) -> Option<(f64, f64)>) -> Vec<crate::Series> {
    let one = |name: String| {
        let points = measured
            .iter()
            .filter(|m| m.name == name)
            .filter_map(|m| place(m).map(|(x, y)| crate::Point { label: format!("m = {}", m.degree), x, y }))
            .collect();
        crate::Series { name, origin: crate::Origin::Measured, points }
    };
    names(measured).into_iter().map(one).collect()
}

/// The least bound of the multipliers at each degree.
pub fn least_bound(measured: &[Measured]) -> crate::Series {
    let mut points: Vec<crate::Point> = Vec::new();
    for m in measured {
        let Some(ns) = m.bound_ns else { continue };
        let x = f64::from(m.degree);
        match points.iter_mut().find(|p| p.x == x) {
            Some(p) => p.y = p.y.min(ns),
            None => points.push(crate::Point { label: format!("m = {}", m.degree), x, y: ns }),
        }
    }
    crate::Series { name: "least bound".into(), origin: crate::Origin::Bound, points }
}

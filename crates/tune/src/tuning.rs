//! The whole way for one field.

use std::sync::Arc;

use evariste_algorithms::{Layout, Operation, Plan};
use evariste_backend::{Backend, Made, bit_lanes, bound, machine_bound, usual};
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_ir::count::count;
use evariste_proof::Proved;
use evariste_run::{Compiler, Machine, RunError, Stop, Timing, TimingOptions, Watcher, indistinguishable};

use crate::candidates::{Judged, all_plans, field_layouts, judge_all};
use crate::contract_line::contract_line;
use crate::date::today;
use crate::error::TuneError;
use crate::improve::improve;
use crate::measure::{make_all, time_until};
use crate::mix::{Mix, describe, mix};
use crate::ranking::{Candidate, Ranking, VERSION, rank};
use crate::schedules::Schedules;
use crate::shapes;
use crate::stopped::Stopped;
use crate::stored::{add_stored, drop_slower};

/// Which candidates a tuning run takes, how long it measures them, and on which mix layouts are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Word sizes of layouts, in bits.
    pub words: Vec<u32>,
    /// The mix on which layouts are compared; `None`: the field's usual one.
    pub mix: Option<Mix>,
    /// What makes code of the kernels.
    pub backends: Vec<Arc<dyn Backend>>,
    /// How long to time.
    pub timing: TimingOptions,
    /// Only layouts and algorithms whose full plan name contains one of these; empty: all.
    pub only: Vec<String>,
    /// Only these layouts, by name; empty: all.
    pub layouts: Vec<String>,
    /// Schedules that searches found before: they are measured beside the heuristic's, and searches start from them
    /// too.
    pub schedules: Schedules,
    /// Seconds of search for each schedule that is worth one (see [`searches`](crate::improve::searches)); 0: no
    /// search.
    pub search: f64,
    /// What the random numbers of searches begin with.
    pub seed: u64,
    /// Whoever asks here ends the work early.
    pub stop: Stop,
}

impl Options {
    /// 64- and 32-bit words, machine code and the machine's first compiler, 1000 samples a kernel, the schedules that
    /// ship.
    ///
    /// # Errors
    /// [`RunError::NoCompiler`], where there is neither machine code nor a compiler.
    pub fn new() -> Result<Options, TuneError> {
        let timing = TimingOptions { budget_ns: 1.5e8, ..TimingOptions::default() };
        let backends = usual();
        if backends.is_empty() {
            Compiler::find()?;
        }
        Ok(Options {
            words: vec![64, 32],
            mix: None,
            backends,
            timing,
            only: Vec::new(),
            layouts: Vec::new(),
            schedules: Schedules::shipped(),
            search: 0.0,
            seed: 1,
            stop: Stop::default(),
        })
    }

    /// The compiler that a back end calls.
    pub fn compiler(&self) -> Option<&Compiler> {
        self.backends.iter().find_map(|b| b.compiler())
    }
}

/// The stage that tuning is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Writing and proving kernels.
    Prove,
    /// Compiling them.
    Compile,
    /// Timing them.
    Time,
    /// Searching for schedules: `done` and `total` are seconds. Told once before it begins.
    Search,
}

/// Something happened: `done` of `total` in this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// Proves, compiles, measures and ranks every candidate of a field. Once somebody asks to stop, what was measured so far
/// is ranked, and the ranking says what is whole ([`Ranking::stopped`]).
///
/// # Errors
/// No compiler, nothing that can be timed; [`TuneError::Stopped`] where nothing was measured yet.
pub fn tune(field: &Field, options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Ranking, TuneError> {
    let work = work(field, options);
    let operations: Vec<Operation> = work.mix.iter().map(|(op, _)| op.clone()).collect();
    let counter = |stage, total: usize| {
        progress(Progress { stage, done: 0, total });
        let done = std::sync::atomic::AtomicUsize::new(0);
        move || progress(Progress { stage, done: 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total })
    };
    let unless_stopped = |doing| if options.stop.is_asked() { Err(TuneError::Stopped(doing)) } else { Ok(()) };

    let judged = judge_all(
        &work.plans,
        |plan| has_schedule(field, plan, options),
        &options.stop,
        counter(Stage::Prove, work.plans.len()),
    );
    unless_stopped("proving")?;
    let proved = judged.iter().filter(|j| j.outcome.is_ok()).count();
    let mut rows = make_rows(&judged, options, counter(Stage::Compile, proved * options.backends.len()));
    unless_stopped("compiling")?;
    add_stored(&mut rows, field, options);

    let watcher = Watcher::start();
    let (timings, stopped) = time_all(&mut rows, &operations, options, |of| counter(Stage::Time, of))?;
    if stopped.is_some() && timings.is_empty() {
        return Err(TuneError::Stopped("measuring"));
    }
    if stopped.is_some() {
        // What was not timed is no candidate of the steps that follow.
        rows.iter_mut().filter(|row| row.candidate.throughput_ns.is_none()).for_each(|row| row.function = None);
    }
    drop_slower(&mut rows, &timings);
    shapes::choose(&mut rows, options)?;
    if stopped.is_some() {
        rows.retain(|r| r.candidate.throughput_ns.is_some() || r.candidate.note.is_some());
    }

    let order: Vec<(String, String)> = work.layouts.iter().map(|l| (l.name.clone(), layout_line(l))).collect();
    let weights: Vec<(String, u32)> = work.mix.iter().map(|(op, n)| (op.name(), *n)).collect();
    let candidates = rows.iter().map(|r| r.candidate.clone()).collect();
    let mut ranking = Ranking { stopped, ..unranked(field, &work.mix, options, candidates) };
    rank(&mut ranking, &order, &weights);
    if options.search > 0.0 && !options.stop.is_asked() {
        ranking.searches = improve(&mut rows, &ranking, field, &operations, options, progress)?;
        ranking.candidates = rows.into_iter().map(|r| r.candidate).collect();
        rank(&mut ranking, &order, &weights);
    }
    ranking.noise = noise(&watcher, &timings);
    Ok(ranking)
}

/// Is there a schedule of that plan that a search found before?
fn has_schedule(field: &Field, plan: &Plan, options: &Options) -> bool {
    let (field, operation, plan) = (field.name(), plan.operation.name(), plan.name());
    options.schedules.all.iter().any(|s| s.field == field && s.operation == operation && s.plan == plan)
}

/// A ranking of these candidates in which nothing is ranked yet.
fn unranked(field: &Field, mix: &Mix, options: &Options, candidates: Vec<Candidate>) -> Ranking {
    Ranking {
        version: VERSION,
        field: field.text(),
        target: target(&Machine::detect(), options),
        mix: describe(mix),
        candidates,
        layouts: Vec::new(),
        winner: None,
        winner_code: None,
        noise: Vec::new(),
        date: Some(today()),
        program: Some(concat!("evariste ", env!("CARGO_PKG_VERSION")).into()),
        stopped: None,
        searches: Vec::new(),
    }
}

/// What is to be done for a field.
pub(crate) struct Work {
    pub(crate) mix: Mix,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) plans: Vec<Plan>,
}

/// The layouts and plans that the options ask for.
pub(crate) fn work(field: &Field, options: &Options) -> Work {
    let mix = options.mix.clone().unwrap_or_else(|| mix(field));
    let operations: Vec<Operation> = mix.iter().map(|(op, _)| op.clone()).collect();
    let mut layouts = field_layouts(field, &options.words);
    layouts.extend(options.backends.iter().flat_map(|b| b.layouts(field)));
    let mut known = Vec::new();
    layouts.retain(|l| {
        !known.contains(&l.name) && {
            known.push(l.name.clone());
            true
        }
    });
    layouts.retain(|l| options.layouts.is_empty() || options.layouts.contains(&l.name));
    let mut plans = all_plans(field, &layouts, &operations);
    plans.retain(|p| options.only.is_empty() || options.only.iter().any(|word| p.name().contains(word.as_str())));
    Work { mix, layouts, plans }
}

/// One row for each kernel and each back end that takes it; what was not proved is one row, whatever could have been made
/// of it.
fn make_rows<'a>(judged: &'a [Judged], options: &Options, made: impl Fn() + Sync) -> Vec<Row<'a>> {
    let mut rows: Vec<Row> = Vec::new();
    for backend in &options.backends {
        let takes = |j: &&Judged| {
            backend.takes(&j.plan.field, &j.plan.layout, j.outcome.as_ref().is_ok_and(|p| p.kernel().uses_floats()))
        };
        let kernels: Vec<&Proved> = judged.iter().filter(takes).filter_map(|j| j.outcome.as_ref().ok()).collect();
        let mut functions = make_all(&kernels, &**backend, &options.stop, &made).into_iter();
        for judged in judged.iter().filter(takes) {
            let mut row = Row { candidate: candidate(judged), judged, function: None };
            if judged.outcome.is_ok() {
                row.candidate.code = Some(backend.entry().into());
                if let Ok(proved) = &judged.outcome {
                    row.candidate.bound_cycles = bound(&**backend, proved.kernel());
                }
                match functions.next() {
                    Some(Ok(function)) => row.function = Some(function),
                    // Not every algorithm has a form on vectors; what has none is ranked as scalar code.
                    Some(Err(TuneError::NoVectors(_))) => continue,
                    Some(Err(e @ TuneError::MachineCode(_))) => row.candidate.note = Some(e.to_string()),
                    Some(Err(e)) => row.candidate.note = Some(format!("not compiled: {e}")),
                    None => {}
                }
            }
            rows.push(row);
        }
    }
    let mut seen = std::collections::HashSet::new();
    rows.retain(|r| r.candidate.proved || seen.insert((r.candidate.plan.clone(), r.candidate.operation.clone())));
    rows
}

/// Percent of spread that is usual on a quiet machine, for the median of all rows.
const USUAL_SPREAD: f64 = 3.0;

/// Why the measurements should not be relied on; nothing where the machine was quiet.
fn noise(watcher: &Watcher, timings: &[(Vec<usize>, Vec<Timing>)]) -> Vec<String> {
    let mut reasons = watcher.reasons();
    let mut spreads: Vec<f64> = timings
        .iter()
        .flat_map(|(_, all)| all)
        .map(|t| t.throughput.spread_percent())
        .filter(|s| s.is_finite())
        .collect();
    spreads.sort_by(f64::total_cmp);
    if let Some(median) = spreads.get(spreads.len() / 2).filter(|s| **s > USUAL_SPREAD) {
        reasons
            .push(format!("half of the rows have a spread of {median:.1} % or more, where {USUAL_SPREAD} % is usual"));
    }
    reasons
}

/// The measurable rows of each operation and word size: what is timed side by side.
pub(crate) fn groups(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(String, u32, Vec<usize>)> = Vec::new();
    for (i, row) in rows.iter().enumerate().filter(|(_, r)| r.function.is_some()) {
        let word = row.judged.plan.layout.word;
        match groups.iter_mut().find(|(op, w, _)| *op == row.candidate.operation && *w == word) {
            Some((_, _, members)) => members.push(i),
            None => groups.push((row.candidate.operation.clone(), word, vec![i])),
        }
    }
    groups.into_iter().map(|(_, _, members)| members).collect()
}

/// What was measured of groups of rows, each with its results.
type Timings = Vec<(Vec<usize>, Vec<Timing>)>;

/// Times all rows, one operation after the other, so that those of an interrupted run are whole; and says how far it
/// came where somebody asked to stop.
fn time_all<Done: Fn()>(
    rows: &mut [Row],
    operations: &[Operation],
    options: &Options,
    counter: impl Fn(usize) -> Done,
) -> Result<(Timings, Option<Stopped>), TuneError> {
    let mut groups = groups(rows);
    let operation = |members: &[usize]| rows[members[0]].candidate.operation.clone();
    groups.sort_by_key(|members| operations.iter().position(|op| op.name() == operation(members)));
    let mut came: Vec<_> = groups.iter().map(|members| (operation(members), members.len(), None)).collect();
    let done = counter(groups.iter().map(Vec::len).sum());
    let mut timings = Timings::new();
    for (members, (_, _, state)) in groups.into_iter().zip(&mut came) {
        let results = match time_group(rows, &members, &options.timing, &options.stop) {
            Err(TuneError::Run(RunError::Stopped)) => break,
            results => results?,
        };
        *state = Some(results.iter().all(|t| t.throughput.rounds_ns.len() >= options.timing.rounds.max(1)));
        members.iter().for_each(|_| done());
        timings.push((members, results));
    }
    Ok((timings, Stopped::of(&came)))
}

/// Times rows side by side, until somebody asks to stop, and fills in what was measured; one result for each.
pub(crate) fn time_group(
    rows: &mut [Row],
    members: &[usize],
    timing: &TimingOptions,
    stop: &Stop,
) -> Result<Vec<Timing>, TuneError> {
    let pairs: Vec<(&Proved, &Made)> = members
        .iter()
        .filter_map(|i| Some((rows[*i].judged.outcome.as_ref().ok()?, rows[*i].function.as_ref()?)))
        .collect();
    let timings = time_until(&pairs, timing, stop)?;
    for (i, timing) in members.iter().zip(&timings) {
        let Row { candidate, function, .. } = &mut rows[*i];
        if let Some(function) = function {
            measured(candidate, function, timing);
        }
    }
    Ok(timings)
}

/// A candidate on its way.
pub(crate) struct Row<'a> {
    pub(crate) candidate: Candidate,
    pub(crate) judged: &'a Judged,
    pub(crate) function: Option<Made>,
}

/// What the measurements depend on, in one line.
fn target(machine: &Machine, options: &Options) -> String {
    let settings = options.backends.iter().map(|b| b.setting());
    [machine.identity(options.compiler())].into_iter().chain(settings).collect::<Vec<_>>().join("; ")
}

/// A candidate's row before it is measured.
pub fn candidate(j: &Judged) -> Candidate {
    let plan: &Plan = &j.plan;
    let mut row = Candidate {
        plan: plan.name(),
        also: j.also.clone(),
        code: None,
        searched: None,
        schedule: None,
        fingerprint: None,
        heuristic_cycles: None,
        shape: None,
        operation: plan.operation.name(),
        layout: plan.layout.name.clone(),
        proved: j.outcome.is_ok(),
        contract: String::new(),
        note: j.outcome.as_ref().err().cloned(),
        multiplications: 0,
        additions: 0,
        moves: 0,
        proof_ms: j.proof_ms,
        bound_cycles: 0.0,
        latency_cycles: None,
        latency_ns: None,
        throughput_cycles: None,
        throughput_ns: None,
        latency_spread: None,
        throughput_spread: None,
        percent_of_bound: None,
        code_bytes: None,
    };
    if let Ok(proved) = &j.outcome {
        let kernel: &Kernel = proved.kernel();
        let counts = count(kernel);
        row.contract = contract_line(proved.statement());
        row.multiplications = counts.multiplications;
        row.additions = counts.additions;
        row.moves = counts.loads + counts.stores + counts.moves;
        row.bound_cycles = machine_bound(kernel) / f64::from(bit_lanes(kernel));
    }
    row
}

/// Fills in what was measured, per element.
pub(crate) fn measured(row: &mut Candidate, compiled: &Made, timing: &Timing) {
    let lanes = compiled.lanes as f64;
    row.throughput_cycles = Some(timing.throughput.cycles / lanes);
    row.throughput_ns = Some(timing.throughput.ns / lanes);
    // From operand to result, many elements at once are no faster than the slowest way: nothing to compare.
    let latency = timing.latency.as_ref().filter(|_| compiled.shape.is_none());
    row.latency_cycles = latency.map(|f| f.cycles);
    row.latency_ns = latency.map(|f| f.ns);
    let spread = timing.throughput.spread_percent();
    row.throughput_spread = Some(spread).filter(|s| s.is_finite());
    row.latency_spread = latency.map(|f| f.spread_percent()).filter(|s| s.is_finite());
    row.percent_of_bound = row.throughput_cycles.filter(|c| *c > 0.0).and_then(|cycles| {
        let near = indistinguishable(row.bound_cycles, 0.0, cycles, spread);
        (cycles >= row.bound_cycles || near).then(|| (100.0 * row.bound_cycles / cycles).min(100.0))
    });
    row.code_bytes = compiled.code_bytes;
    row.shape = compiled.shape.clone();
}

/// A layout in one line.
pub fn layout_line(layout: &Layout) -> String {
    let form = match layout.montgomery {
        Some(r) => format!("Montgomery form, R = 2^{r}"),
        None => "plain form".into(),
    };
    let digits = if layout.saturated() { "saturated" } else { "unsaturated" };
    let plural = if layout.digits() == 1 { "" } else { "s" };
    format!("{} {digits} digit{plural} in {}-bit words, {form}", layout.digits(), layout.word)
}

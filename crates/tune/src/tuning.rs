//! The whole way for one field.

use std::time::Instant;

use evariste_algorithms::{Layout, Operation, Plan};
use evariste_descriptions::Field;
use evariste_run::{Machine, RunError, Watcher};

use crate::candidates::{all_plans, field_layouts, judge_all};
use crate::date::today;
use crate::error::TuneError;
use crate::improve::improve;
use crate::mix::{Mix, describe, mix};
use crate::options::{Options, Progress, Stage};
use crate::ranking::{Candidate, Ranking, VERSION, rank};
use crate::rows::{Row, make_rows};
use crate::shapes;
use crate::stored::{add_stored, drop_slower};
use crate::timed::{Timings, narrow, noise, time_all};

/// Proves, compiles, measures and ranks every candidate of a field. Once somebody asks to stop, what was measured so far
/// is ranked, and the ranking says what is whole ([`Ranking::stopped`]).
///
/// # Errors
/// No compiler, nothing that can be timed; [`TuneError::Stopped`] where nothing was measured yet.
pub fn tune(field: &Field, options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Ranking, TuneError> {
    let begin = Instant::now();
    let options = &options.on_its_core();
    let work = work(field, options);
    let operations: Vec<Operation> = work.mix.iter().map(|(op, _)| op.clone()).collect();
    let counter = |stage, total: usize| {
        progress(Progress::of(stage, 0, total));
        let done = std::sync::atomic::AtomicUsize::new(0);
        move || progress(Progress::of(stage, 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total))
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
    let (mut rows, without_vectors) =
        make_rows(&judged, options, counter(Stage::Compile, proved * options.backends.len()))?;
    unless_stopped("compiling")?;
    add_stored(&mut rows, field, options);
    if !options.every {
        let made = rows.iter().filter(|r| r.function.is_some()).count();
        match narrow(&mut rows, options, counter(Stage::Narrow, made)) {
            Err(TuneError::Run(RunError::Stopped)) => return Err(TuneError::Stopped("measuring")),
            narrowed => narrowed?,
        }
    }

    let watcher = Watcher::start();
    let (timings, stopped) = time_all(&mut rows, &operations, options, |of| counter(Stage::Time, of))?;
    if stopped.is_some() && timings.is_empty() {
        return Err(TuneError::Stopped("measuring"));
    }
    if stopped.is_some() {
        // What was not timed is no candidate of the steps that follow.
        forget_unmeasured(&mut rows, &timings);
    }
    drop_slower(&mut rows, &timings);
    shapes::choose(&mut rows, options)?;
    if stopped.is_some() {
        rows.retain(|r| r.candidate.throughput_ns.is_some() || r.candidate.note.is_some());
    }

    let order: Vec<(String, String)> = work.layouts.iter().map(|l| (l.name.clone(), layout_line(l))).collect();
    let weights: Vec<(String, u32)> = work.mix.iter().map(|(op, n)| (op.name(), *n)).collect();
    let candidates = rows.iter().map(|r| r.candidate.clone()).collect();
    let mut ranking = Ranking { stopped, without_vectors, ..unranked(field, &work.mix, options, candidates) };
    rank(&mut ranking, &order, &weights);
    if options.search > 0.0 && !options.stop.is_asked() {
        ranking.searches = improve(&mut rows, &ranking, field, &work.mix, options, begin.elapsed(), progress)?;
        ranking.candidates = rows.into_iter().map(|r| r.candidate).collect();
        rank(&mut ranking, &order, &weights);
    }
    ranking.noise = noise(&watcher, &timings);
    Ok(ranking)
}

/// Takes code and brief measurement from rows of groups that were not measured.
fn forget_unmeasured(rows: &mut [Row], timings: &Timings) {
    let group = |row: &Row| (row.candidate.operation.clone(), row.judged.plan.layout.word);
    let whole: Vec<_> = timings.iter().filter_map(|(members, _)| Some(group(&rows[*members.first()?]))).collect();
    for row in rows.iter_mut().filter(|row| !whole.contains(&group(row))) {
        row.function = None;
        let c = &mut row.candidate;
        (c.brief, c.throughput_ns, c.throughput_cycles, c.latency_ns, c.latency_cycles) =
            (false, None, None, None, None);
    }
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
        core: options.core.line(),
        table: crate::cores::mark(&options.core.core),
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
        without_vectors: Vec::new(),
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
    if !options.layouts.is_empty() {
        layouts.extend(options.backends.iter().flat_map(|b| b.further_layouts(field)));
    }
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

/// What the measurements depend on, in one line.
fn target(machine: &Machine, options: &Options) -> String {
    let settings = options.backends.iter().map(|b| b.setting());
    [machine.identity(options.compiler())].into_iter().chain(settings).collect::<Vec<_>>().join("; ")
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

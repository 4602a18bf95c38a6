//! Which schedules are searched for, and what becomes of them in a ranking.

use std::time::Duration;

use evariste_algorithms::Operation;
use evariste_backend::Backend;
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_run::{Stop, TimingOptions};

use crate::error::TuneError;
use crate::options::{Options, Progress, Stage};
use crate::ranking::{Candidate, Goal, Ranking, Searched};
use crate::rows::Row;
use crate::search::search;
use crate::stored::{drop_slower, is_heuristic, row, scheduled, stored};
use crate::timed::{groups, time_group};

/// Plans that are searched for each operation and goal: the fastest are not always those that can become the fastest.
const PLANS: usize = 2;

/// The searches that a measured ranking asks for, as (operation, plan, goal): in the best layout with machine code, for
/// products and squares (fields without: for the leading operation), for each goal, the two best plans.
pub fn searches(ranking: &Ranking, operations: &[Operation]) -> Vec<(String, String, Goal)> {
    let mut leading: Vec<&Operation> =
        operations.iter().filter(|op| op.is_any(&[Operation::MUL, Operation::SQUARE])).collect();
    if leading.is_empty() {
        leading.extend(operations.first());
    }
    let mut all = Vec::new();
    for operation in leading.into_iter().map(Operation::name) {
        let made = |layout: &str| -> Vec<&Candidate> {
            ranking
                .candidates
                .iter()
                .filter(|c| {
                    c.layout == layout
                        && c.operation == operation
                        && c.takes_schedules()
                        && c.searched.is_none()
                        && c.throughput_ns.is_some()
                })
                .collect()
        };
        let Some(rows) = ranking.layouts.iter().map(|l| made(&l.layout)).find(|rows| !rows.is_empty()) else {
            continue;
        };
        for goal in [Goal::Throughput, Goal::Latency] {
            let mut timed: Vec<(f64, &Candidate)> = rows.iter().filter_map(|c| Some((c.time(goal)?, *c))).collect();
            timed.sort_by(|a, b| a.0.total_cmp(&b.0));
            all.extend(timed.iter().take(PLANS).map(|(_, c)| (operation.clone(), c.plan.clone(), goal)));
        }
    }
    all
}

/// Searches, adds a row for each schedule that was found, and times all rows of the operation again, side by side. A
/// schedule that is then not faster than the heuristic's is dropped: what stays is faster in both measurements. Once
/// somebody asks to stop, the search that is running ends with what it has, no other begins, and what was found is
/// confirmed in fewer rounds.
pub(crate) fn improve(
    rows: &mut Vec<Row>,
    ranking: &Ranking,
    field: &Field,
    operations: &[Operation],
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Searched>, TuneError> {
    let Some((backend, _)) = scheduled(options) else { return Ok(Vec::new()) };
    let jobs = searches(ranking, operations);
    let total = (options.search * jobs.len() as f64).ceil() as usize;
    progress(Progress::of(Stage::Search, 0, total));
    let mut searched = Vec::new();
    for (k, job) in jobs.iter().enumerate() {
        let gone = |share: f64, best: f64| {
            let done = ((k as f64 + share) * options.search) as usize;
            let best = Some((1e3 * best).round() as u32);
            progress(Progress { best, ..Progress::of(Stage::Search, done, total) });
            !options.stop.is_asked()
        };
        let seed = options.seed.wrapping_mul(0x1_0000).wrapping_add(k as u64);
        searched.extend(search_one(rows, job, backend, field, options, seed, &gone)?);
        if options.stop.is_asked() {
            break;
        }
    }
    confirm(rows, options)?;
    for s in &mut searched {
        s.better = rows.iter().any(|r| {
            r.candidate.operation == s.operation
                && r.candidate.plan == s.plan
                && r.candidate.searched == Some(s.goal)
                && r.function.is_some()
        });
    }
    Ok(searched)
}

/// One search, and a row for what it found; `None` where the plan has no orders.
fn search_one(
    rows: &mut Vec<Row>,
    (operation, plan, goal): &(String, String, Goal),
    backend: &dyn Backend,
    field: &Field,
    options: &Options,
    seed: u64,
    gone: &dyn Fn(f64, f64) -> bool,
) -> Result<Option<Searched>, TuneError> {
    let Some(base) = rows.iter().find(|r| is_heuristic(&r.candidate, operation, plan)) else { return Ok(None) };
    let Some(proved) = base.judged.outcome.as_ref().ok().filter(|p| backend.has_orders(p.kernel())) else {
        return Ok(None);
    };
    let sought = match goal {
        Goal::Throughput => evariste_run::Goal::Throughput,
        Goal::Latency => evariste_run::Goal::Latency,
    };
    let starts: Vec<Schedule> = stored(field, base, options).iter().map(|(_, schedule)| (*schedule).clone()).collect();
    let time = Duration::from_secs_f64(options.search.clamp(0.0, 1e6));
    let found = search(proved, backend, sought, time, seed, &starts, gone)?;
    if let Some(schedule) = &found.schedule {
        // What is stored has its row already, unless it lost.
        let text = schedule.to_string();
        let is_there = |r: &Row| {
            r.candidate.searched == Some(*goal)
                && r.candidate.operation == *operation
                && r.candidate.plan == *plan
                && r.candidate.schedule.as_ref() == Some(&text)
        };
        if !rows.iter().any(is_there) {
            let new = row(base, *goal, schedule, backend);
            rows.push(new);
        }
    }
    Ok(Some(Searched {
        operation: operation.clone(),
        plan: plan.clone(),
        goal: *goal,
        seconds: found.seconds,
        waited: found.waited,
        measured: found.measured,
        infeasible: found.infeasible,
        taken: found.taken,
        better: found.schedule.is_some(),
    }))
}

/// Share of the rounds in which schedules are confirmed when somebody waits for the end.
const HURRIED: usize = 4;

/// Times the operations that have searched schedules again, whole groups side by side, and drops what does not win.
fn confirm(rows: &mut Vec<Row>, options: &Options) -> Result<(), TuneError> {
    let hurried = TimingOptions { rounds: options.timing.rounds.div_ceil(HURRIED), ..options.timing };
    let timing = if options.stop.is_asked() { hurried } else { options.timing };
    let again: Vec<Vec<usize>> = groups(rows)
        .into_iter()
        .filter(|members| members.iter().any(|i| rows[*i].candidate.searched.is_some()))
        .collect();
    let timings = again
        .into_iter()
        .map(|members| Ok((members.clone(), time_group(rows, &members, &timing, &Stop::default())?)))
        .collect::<Result<Vec<_>, TuneError>>()?;
    drop_slower(rows, &timings);
    Ok(())
}

//! Searches for schedules, and what becomes of them in a ranking.

use std::time::{Duration, Instant};

use evariste_algorithms::Operation;
use evariste_backend::Backend;
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_run::{Stop, TimingOptions};

use crate::budget::{Job, affordable, allotted, searches, share};
use crate::error::TuneError;
use crate::options::{Options, Progress, Stage};
use crate::ranking::{Goal, Ranking, Searched};
use crate::rows::Row;
use crate::search::search;
use crate::stored::{drop_slower, is_heuristic, row, scheduled, stored};
use crate::timed::{groups, time_group};

/// Part of the time that is kept for confirming what was found.
const CONFIRMED: f64 = 0.1;

/// Searches, adds a row for each schedule that was found, and times all rows of the operation again, side by side. A
/// schedule that is then not faster than the heuristic's is dropped: what stays is faster in both measurements. Once
/// somebody asks to stop, the search that is running ends with what it has, no other begins, and what was found is
/// confirmed in fewer rounds. The ranking took `spent`, which leaves less time for searches where that is long.
pub(crate) fn improve(
    rows: &mut Vec<Row>,
    ranking: &Ranking,
    field: &Field,
    mix: &[(Operation, u32)],
    options: &Options,
    spent: Duration,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Searched>, TuneError> {
    let Some((backend, _)) = scheduled(options) else { return Ok(Vec::new()) };
    let allotted = allotted(options.search.min(1e6), spent.as_secs_f64());
    let seconds = (1.0 - CONFIRMED) * allotted;
    let jobs = affordable(searches(ranking, mix), seconds);
    let total = allotted.ceil() as usize;
    progress(Progress::of(Stage::Search, 0, total));
    let (begin, mut searched) = (Instant::now(), Vec::new());
    for (k, job) in jobs.iter().enumerate() {
        let gone = |best: f64| {
            let best = Some((1e3 * best).round() as u32);
            progress(Progress { best, ..Progress::of(Stage::Search, begin.elapsed().as_secs() as usize, total) });
            !options.stop.is_asked()
        };
        // What others left.
        let time = (seconds - begin.elapsed().as_secs_f64()).max(0.0) * share(&jobs, k);
        let seed = options.seed.wrapping_mul(0x1_0000).wrapping_add(k as u64);
        searched.extend(search_one(rows, job, backend, field, options, (seed, time), &gone)?);
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
    Job { operation, plan, goal, .. }: &Job,
    backend: &dyn Backend,
    field: &Field,
    options: &Options,
    (seed, seconds): (u64, f64),
    gone: &dyn Fn(f64) -> bool,
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
    let time = Duration::from_secs_f64(seconds);
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

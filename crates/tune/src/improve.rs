//! Which schedules are searched for, and what becomes of them in a ranking.

use std::time::Duration;

use evariste_algorithms::Operation;
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_run::Stop;

use crate::error::TuneError;
use crate::ranking::{Candidate, Goal, Ranking, Searched};
use crate::search::search;
use crate::stored::{drop_slower, is_heuristic, row, scheduled, stored};
use crate::tuning::{Options, Progress, Row, Stage, groups, time_group};

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
/// schedule that is then not faster than the heuristic's is dropped: what stays is faster in both measurements. Of
/// searches that somebody asked to stop nothing stays.
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
    progress(Progress { stage: Stage::Search, done: 0, total });
    let (mut searched, measured) = (Vec::new(), rows.len());
    for (k, (operation, plan, goal)) in jobs.iter().enumerate() {
        let Some(base) = rows.iter().find(|r| is_heuristic(&r.candidate, operation, plan)) else { continue };
        let Some(proved) = base.judged.outcome.as_ref().ok().filter(|p| backend.has_orders(p.kernel())) else {
            continue;
        };
        let gone = |share: f64| {
            progress(Progress { stage: Stage::Search, done: ((k as f64 + share) * options.search) as usize, total });
            !options.stop.is_asked()
        };
        let sought = match goal {
            Goal::Throughput => evariste_run::Goal::Throughput,
            Goal::Latency => evariste_run::Goal::Latency,
        };
        let known = stored(field, base, options);
        let starts: Vec<Schedule> = known.iter().map(|(_, schedule)| (*schedule).clone()).collect();
        let seed = options.seed.wrapping_mul(0x1_0000).wrapping_add(k as u64);
        let found = search(
            proved,
            backend,
            sought,
            Duration::from_secs_f64(options.search.clamp(0.0, 1e6)),
            seed,
            &starts,
            &gone,
        )?;
        if options.stop.is_asked() {
            rows.truncate(measured);
            return Ok(Vec::new());
        }
        if let Some(schedule) = &found.schedule {
            // What is stored has its row already, unless it lost.
            let text = schedule.to_string();
            if !rows.iter().any(|r| {
                r.candidate.searched == Some(*goal)
                    && r.candidate.operation == *operation
                    && r.candidate.plan == *plan
                    && r.candidate.schedule.as_ref() == Some(&text)
            }) {
                let new = row(base, *goal, schedule, backend);
                rows.push(new);
            }
        }
        searched.push(Searched {
            operation: operation.clone(),
            plan: plan.clone(),
            goal: *goal,
            seconds: found.seconds,
            waited: found.waited,
            measured: found.measured,
            infeasible: found.infeasible,
            taken: found.taken,
            better: found.schedule.is_some(),
        });
    }
    let again: Vec<Vec<usize>> = groups(rows)
        .into_iter()
        .filter(|members| members.iter().any(|i| rows[*i].candidate.searched.is_some()))
        .collect();
    let timings = again
        .into_iter()
        .map(|members| Ok((members.clone(), time_group(rows, &members, &options.timing, &Stop::default())?)))
        .collect::<Result<Vec<_>, TuneError>>()?;
    drop_slower(rows, &timings);
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

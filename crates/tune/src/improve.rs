//! Which schedules are searched for, and what becomes of them in a ranking.

use std::time::Duration;

use evariste_algorithms::Operation;
use evariste_run::paired_ratio;

use crate::error::TuneError;
use crate::measure::{Maker, assemble};
use crate::ranking::{Candidate, Code, Goal, Ranking, Searched};
use crate::search::search;
use crate::tuning::{Options, Progress, Row, Stage, groups, time_group};

/// Plans that are searched for each operation and goal: the fastest are not always those that can become the fastest.
const PLANS: usize = 2;

/// The searches that a measured ranking asks for, as (operation, plan, goal): in the best layout with machine code, for products and squares (fields without: for the leading
/// operation), for each goal, the two best plans.
pub fn searches(ranking: &Ranking, operations: &[Operation]) -> Vec<(String, String, Goal)> {
    let mut leading: Vec<&Operation> = operations.iter().filter(|op| matches!(op, Operation::Mul | Operation::Square)).collect();
    if leading.is_empty() {
        leading.extend(operations.first());
    }
    let mut all = Vec::new();
    for operation in leading.into_iter().map(Operation::name) {
        let made = |layout: &str| -> Vec<&Candidate> {
            ranking.candidates.iter().filter(|c| c.layout == layout && c.operation == operation && c.code == Some(Code::X86_64) && c.searched.is_none() && c.throughput_ns.is_some()).collect()
        };
        let Some(rows) = ranking.layouts.iter().map(|l| made(&l.layout)).find(|rows| !rows.is_empty()) else { continue };
        for goal in [Goal::Throughput, Goal::Latency] {
            let time = |c: &Candidate| if goal == Goal::Throughput { c.throughput_ns } else { c.latency_ns };
            let mut timed: Vec<(f64, &Candidate)> = rows.iter().filter_map(|c| Some((time(c)?, *c))).collect();
            timed.sort_by(|a, b| a.0.total_cmp(&b.0));
            all.extend(timed.iter().take(PLANS).map(|(_, c)| (operation.clone(), c.plan.clone(), goal)));
        }
    }
    all
}

/// Searches, adds a row for each schedule that was found, and times all rows of the operation again, side by side. A schedule that is then not faster than the heuristic's
/// is dropped: what stays is faster in both measurements.
pub(crate) fn improve(rows: &mut Vec<Row>, ranking: &Ranking, operations: &[Operation], options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Vec<Searched>, TuneError> {
    let Some(features) = options.makers.iter().find_map(|m| if let Maker::Machine(features) = m { Some(*features) } else { None }) else { return Ok(Vec::new()) };
    let jobs = searches(ranking, operations);
    let total = (options.search * jobs.len() as f64).ceil() as usize;
    progress(Progress { stage: Stage::Search, done: 0, total });
    let mut searched = Vec::new();
    for (k, (operation, plan, goal)) in jobs.iter().enumerate() {
        let Some(base) = rows.iter().find(|r| is_heuristic(&r.candidate, operation, plan)) else { continue };
        let Ok(proved) = &base.judged.outcome else { continue };
        let gone = |share: f64| progress(Progress { stage: Stage::Search, done: ((k as f64 + share) * options.search) as usize, total });
        let sought = match goal {
            Goal::Throughput => evariste_run::Goal::Throughput,
            Goal::Latency => evariste_run::Goal::Latency,
        };
        let found = search(proved, features, sought, Duration::from_secs_f64(options.search.clamp(0.0, 1e6)), 1 + k as u64, &gone)?;
        if let Some(genes) = &found.genes {
            let candidate = Candidate { searched: Some(*goal), genes: Some(genes.to_string()), ..base.candidate.clone() };
            let (judged, function) = (base.judged, assemble(proved, features, Some(genes))?);
            rows.push(Row { candidate, judged, function: Some(function) });
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
            better: found.genes.is_some(),
        });
    }
    settle(rows, &mut searched, options)?;
    Ok(searched)
}

fn is_heuristic(c: &Candidate, operation: &str, plan: &str) -> bool {
    c.operation == operation && c.plan == plan && c.code == Some(Code::X86_64) && c.searched.is_none()
}

/// Times the groups with searched rows again and drops those that are not faster than the heuristic's.
fn settle(rows: &mut Vec<Row>, searched: &mut [Searched], options: &Options) -> Result<(), TuneError> {
    let mut dropped = Vec::new();
    for members in groups(rows).iter().filter(|members| members.iter().any(|i| rows[*i].candidate.searched.is_some())).cloned().collect::<Vec<_>>() {
        let timings = time_group(rows, &members, &options.timing)?;
        for (i, timing) in members.iter().zip(&timings) {
            let Some(goal) = rows[*i].candidate.searched else { continue };
            let (operation, plan) = (rows[*i].candidate.operation.clone(), rows[*i].candidate.plan.clone());
            let Some(base) = members.iter().position(|b| is_heuristic(&rows[*b].candidate, &operation, &plan)) else { continue };
            let figure = |t: &'_ evariste_run::Timing| if goal == Goal::Throughput { Some(t.throughput.clone()) } else { t.latency.clone() };
            let (Some(own), Some(heuristic)) = (figure(timing), figure(&timings[base])) else { continue };
            let base = &rows[members[base]].candidate;
            rows[*i].candidate.heuristic_cycles = if goal == Goal::Throughput { base.throughput_cycles } else { base.latency_cycles };
            if paired_ratio(&own, &heuristic) >= 1.0 || own.cycles >= heuristic.cycles {
                dropped.push((operation, plan, goal));
            }
        }
    }
    rows.retain(|r| !dropped.iter().any(|(operation, plan, goal)| r.candidate.operation == *operation && r.candidate.plan == *plan && r.candidate.searched == Some(*goal)));
    for s in searched.iter_mut() {
        s.better &= !dropped.iter().any(|(operation, plan, goal)| s.operation == *operation && s.plan == *plan && s.goal == *goal);
    }
    Ok(())
}

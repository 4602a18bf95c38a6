//! Which schedules are searched for, and how long: the time is divided by what operations are worth in the mix.

use evariste_algorithms::Operation;

use crate::ranking::{Candidate, Goal, Ranking};

/// What the plans of an operation count, the best one first: the fastest is not always the one that can become the
/// fastest.
const PLANS: [f64; 2] = [1.0, 0.5];
/// What goals count.
const GOALS: [(Goal, f64); 2] = [(Goal::Throughput, 1.0), (Goal::Latency, 0.5)];
/// Seconds of a search that can find something.
const LEAST: f64 = 1.0;
/// Nothing is gained where code takes less than that much more than its bound.
const NEAR: f64 = 1.005;

/// A search.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// The operation's name.
    pub operation: String,
    /// Full plan name.
    pub plan: String,
    /// What is looked for.
    pub goal: Goal,
    /// What it is worth: the time that the operation takes in the mix, less for lesser plans and goals.
    pub worth: f64,
}

/// The searches that a measured ranking asks for, the worthiest first: in the best layout with machine code, for each
/// operation of the mix (operation, weight) and each goal the best plans. Plans whose bound is no less than what the best
/// one takes are left out, and so is what takes no more than its bound.
pub fn searches(ranking: &Ranking, mix: &[(Operation, u32)]) -> Vec<Job> {
    let mut all: Vec<Job> = mix.iter().flat_map(|(operation, n)| of_operation(ranking, operation, *n)).collect();
    all.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    all
}

fn of_operation(ranking: &Ranking, operation: &Operation, weight: u32) -> Vec<Job> {
    let name = operation.name();
    let made = |layout: &str| -> Vec<&Candidate> {
        let is = |c: &&Candidate| {
            let measured = c.takes_schedules() && c.searched.is_none() && c.throughput_ns.is_some();
            c.layout == layout && c.operation == name && measured
        };
        ranking.candidates.iter().filter(is).collect()
    };
    let found = ranking.layouts.iter().map(|l| made(&l.layout)).find(|rows| !rows.is_empty());
    let Some(rows) = found else { return Vec::new() };
    let mut jobs = Vec::new();
    for (goal, counts) in GOALS {
        let mut timed: Vec<(f64, &Candidate)> = rows.iter().filter_map(|c| Some((c.time(goal)?, *c))).collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((least, _)) = timed.first().copied() else { continue };
        let best = timed[0].1.cycles(goal);
        // A bound is one of throughput.
        let can_win = |c: &Candidate| goal == Goal::Latency || best.is_none_or(|best| c.bound_cycles * NEAR < best);
        let plans = timed.iter().filter(|(_, c)| can_win(c)).zip(PLANS);
        jobs.extend(plans.map(|((_, c), share)| Job {
            operation: name.clone(),
            plan: c.plan.clone(),
            goal,
            worth: f64::from(weight) * least * counts * share,
        }));
    }
    jobs
}

/// Seconds that the ranking and the searches may take together beyond those asked for.
const BEYOND: f64 = 10.0;

/// Seconds that searches get of those asked for, after the ranking took so many: all of them where the ranking was short,
/// a sixth in any case.
pub fn allotted(asked: f64, spent: f64) -> f64 {
    asked.min(asked + BEYOND - spent).max(asked / 6.0)
}

/// Those that get time enough of so many seconds; the worthiest in any case.
pub fn affordable(mut jobs: Vec<Job>, seconds: f64) -> Vec<Job> {
    let least = |jobs: &[Job]| {
        let all: f64 = jobs.iter().map(|job| job.worth).sum();
        jobs.last().map_or(0.0, |last| seconds * last.worth / all)
    };
    while jobs.len() > 1 && least(&jobs) < LEAST {
        jobs.pop();
    }
    jobs
}

/// The part of the time that a search gets that is left when its turn comes.
pub fn share(jobs: &[Job], i: usize) -> f64 {
    let left: f64 = jobs[i..].iter().map(|job| job.worth).sum();
    if left > 0.0 { jobs[i].worth / left } else { 1.0 }
}

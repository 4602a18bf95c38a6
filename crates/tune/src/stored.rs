//! Rows of a ranking whose schedules were found by a search, now or at another time: made, and kept where they are
//! faster than the heuristic's.

use evariste_backend::{Backend, Choice};
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_run::{Timing, paired_ratio};

use crate::error::TuneError;
use crate::options::Options;
use crate::ranking::{Candidate, Goal};
use crate::rows::Row;

/// The back end whose code takes schedules, and the instruction sets that they are kept under.
pub(crate) fn scheduled(options: &Options) -> Option<(&dyn Backend, String)> {
    options.backends.iter().find_map(|b| Some((&**b, b.schedule_sets()?)))
}

/// Is it the row of the heuristic's schedule?
pub(crate) fn is_heuristic(c: &Candidate, operation: &str, plan: &str) -> bool {
    c.operation == operation && c.plan == plan && c.takes_schedules() && c.searched.is_none()
}

/// The stored schedules of a row's kernel.
pub(crate) fn stored<'a>(field: &Field, row: &Row, options: &'a Options) -> Vec<(Goal, &'a Schedule)> {
    let (Some((_, sets)), Ok(proved)) = (scheduled(options), &row.judged.outcome) else { return Vec::new() };
    let c = &row.candidate;
    options
        .schedules
        .of(&field.name(), &c.operation, &c.plan, proved.kernel(), &sets)
        .into_iter()
        .map(|s| (s.goal, &s.schedule))
        .collect()
}

/// The row of a schedule beside the heuristic's. One that gives no checked program has a note instead of a function.
pub(crate) fn row<'a>(base: &Row<'a>, goal: Goal, schedule: &Schedule, backend: &dyn Backend) -> Row<'a> {
    let mut row = Row {
        candidate: Candidate { searched: Some(goal), ..base.candidate.clone() },
        judged: base.judged,
        function: None,
    };
    let Ok(proved) = &base.judged.outcome else { return row };
    (row.candidate.schedule, row.candidate.fingerprint) =
        (Some(schedule.to_string()), Some(format!("{:016x}", proved.kernel().fingerprint())));
    match backend.make(proved, &Choice { schedule: Some(schedule), ..Choice::default() }).map_err(TuneError::from) {
        Ok(function) => row.function = Some(function),
        Err(e) => {
            row.candidate.schedule = None;
            row.candidate.note = Some(format!("a stored schedule is ignored: {e}"));
        }
    }
    row
}

/// Adds a row for each stored schedule of a plan whose machine code was made.
pub(crate) fn add_stored(rows: &mut Vec<Row>, field: &Field, options: &Options) {
    let Some((backend, _)) = scheduled(options) else { return };
    let bases = rows.iter().filter(|r| r.candidate.takes_schedules() && r.function.is_some());
    let new: Vec<Row> = bases
        .flat_map(|base| {
            stored(field, base, options)
                .into_iter()
                .map(|(goal, schedule)| row(base, goal, schedule, backend))
                .collect::<Vec<_>>()
        })
        .collect();
    rows.extend(new);
}

/// Drops searched rows that are far behind or not faster for their goal than the heuristic's, and all but the fastest of
/// those of a plan and goal. `timings` are the groups that were timed, rows and results in the same order: what was measured in
/// other moments is not compared.
pub(crate) fn drop_slower(rows: &mut Vec<Row>, timings: &[(Vec<usize>, Vec<Timing>)]) {
    let mut kept: Vec<bool> = rows.iter().map(|r| r.candidate.searched.is_none() || !r.candidate.brief).collect();
    for (members, results) in timings {
        let mut best: Vec<(usize, f64)> = Vec::new();
        for (i, timing) in members.iter().zip(results) {
            let Some(goal) = rows[*i].candidate.searched else { continue };
            let (operation, plan) = (rows[*i].candidate.operation.clone(), rows[*i].candidate.plan.clone());
            let Some(base) = members.iter().position(|b| is_heuristic(&rows[*b].candidate, &operation, &plan)) else {
                continue;
            };
            let figure =
                |t: &Timing| if goal == Goal::Throughput { Some(t.throughput.clone()) } else { t.latency.clone() };
            let (Some(own), Some(heuristic)) = (figure(timing), figure(&results[base])) else { continue };
            let base = &rows[members[base]].candidate;
            rows[*i].candidate.heuristic_cycles = base.cycles(goal);
            if paired_ratio(&own, &heuristic) >= 1.0 || own.cycles >= heuristic.cycles {
                kept[*i] = false;
                continue;
            }
            let same = |j: usize| rows[j].candidate.searched == Some(goal) && rows[j].candidate.plan == plan;
            match best.iter_mut().find(|(j, _)| same(*j)) {
                Some((j, cycles)) if own.cycles < *cycles => {
                    kept[*j] = false;
                    (*j, *cycles) = (*i, own.cycles);
                }
                Some(_) => kept[*i] = false,
                None => best.push((*i, own.cycles)),
            }
        }
    }
    let mut kept = kept.into_iter();
    rows.retain(|_| kept.next().unwrap_or(true));
}

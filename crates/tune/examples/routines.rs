//! The routines of an operation that is too long for straight-line code: each with its nodes and how often it runs. With
//! SECONDS those that matter are searched, so long for each goal, and orders that make the whole operation faster are kept
//! in FILE: `cargo run --release -p evariste-tune --example routines -- FIELD OPERATION LAYOUT|PLAN|- [SECONDS FILE]`. A plan,
//! which has its layout behind its last `/`, is what was measured to be the fastest; without one the least bound chooses.
//! With 0 seconds and any number of files nothing is searched: the operation is timed in one run with the heuristic's
//! orders, with those that ship and with those of each file.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use evariste_algorithms::Operation;
use evariste_backend::{Backend, Choice};
use evariste_codegen::FoundOrders;
use evariste_codegen::lower::outline;
use evariste_codegen::outline::{Body, Limits, Outline, Part, Routine};
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::TimingOptions;
use evariste_tune::candidates::verdict;
use evariste_tune::choose::choose;
use evariste_tune::measure::time;
use evariste_tune::schedules::{ROUTINE, in_routine};
use evariste_tune::search::search;
use evariste_tune::{FoundSchedule, Goal, Schedules, cores, here};

/// The part of all nodes, each as often as it runs, from which on a routine is searched: one in so many.
const MATTERS: u64 = 100;
/// What an order must be faster by to be kept.
const FASTER: f64 = 0.998;

/// Adds how often each routine runs.
fn walk(routines: &[Routine], at: usize, times: u64, runs: &mut [u64]) {
    fn parts(all: &[Part], routines: &[Routine], times: u64, runs: &mut [u64]) {
        for part in all {
            match part {
                Part::Segment(_) => {}
                Part::Loop { step, limit, body, .. } => {
                    parts(body, routines, times * u64::from(limit / step), runs);
                }
                Part::Call { routine, .. } => walk(routines, *routine, times, runs),
            }
        }
    }
    runs[at] += times;
    if let Body::Parts { parts: all, .. } = &routines[at].body {
        parts(all, routines, times, runs);
    }
}

fn nodes(routine: &Routine) -> u64 {
    match &routine.body {
        Body::Straight(graph) | Body::OneLane(graph) | Body::Abreast(graph) => graph.nodes.len() as u64,
        Body::Parts { .. } => 0,
    }
}

/// Cycles of the operation with each of these sets of orders, in one run.
fn cycles(proved: &Proved, backend: &dyn Backend, sets: Vec<FoundOrders>) -> Result<Vec<f64>, Box<dyn Error>> {
    let choice = Choice { long: true, ..Choice::default() };
    let made = sets.into_iter().map(|orders| {
        let backend = backend.with_found(&Arc::new(orders)).ok_or("no routines")?;
        backend.make(proved, &choice).map_err(|e| e.to_string())
    });
    let made = made.collect::<Result<Vec<_>, String>>()?;
    let all: Vec<_> = made.iter().map(|made| (proved, made)).collect();
    Ok(time(&all, &TimingOptions::default())?.iter().map(|timing| timing.throughput.cycles).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, operation, layout, rest @ ..] = arguments.as_slice() else {
        return Err("FIELD OPERATION LAYOUT|PLAN|- [SECONDS FILE…]".into());
    };
    let field = Field::parse(name).map_err(|_| "no such field")?;
    let operation = Operation::parse(operation).ok_or("no such operation")?;
    let (pinned, layout) = layout.rsplit_once('/').map_or((None, &**layout), |(_, own)| (Some(&**layout), own));
    let mut chosen = choose(&field, &[64], Some(layout).filter(|layout| *layout != "-"), None)?;
    if let Some(plan) = pinned {
        chosen.pin(&operation, plan)?;
    }
    let (plan, proved) = chosen.proved_plan(&operation)?;
    println!("{plan}");
    let kernel = proved.kernel();
    let Outline::Rolled(routines) = outline(kernel, &Limits::default()).map_err(|e| e.to_string())? else {
        return Ok(());
    };
    let mut runs = vec![0; routines.len()];
    walk(&routines, 0, 1, &mut runs);
    let mut by_share: Vec<(u64, usize)> =
        routines.iter().zip(&runs).enumerate().map(|(at, (routine, runs))| (nodes(routine) * runs, at)).collect();
    by_share.sort_unstable();
    let all: u64 = by_share.iter().map(|(share, _)| share).sum();
    for (share, at) in by_share.iter().rev() {
        let (name, per_cent) = (&routines[*at].name, 100.0 * *share as f64 / all.max(1) as f64);
        println!("{name:44} {:5} nodes, {:6} times, {per_cent:4.1} %", nodes(&routines[*at]), runs[*at]);
    }
    let [seconds, files @ ..] = rest else { return Ok(()) };
    let time = Duration::from_secs_f64(seconds.parse()?);
    let backend = here::scalar(None).ok_or("no machine code")?;
    let core = cores::found(None)?.core;
    let backend = backend.on(&core).unwrap_or(backend);
    let sets = backend.schedule_sets().ok_or("no schedules")?;
    if time.is_zero() {
        let mut all = vec![Schedules::default(), Schedules::shipped()];
        for file in files {
            all.push(Schedules::load(Path::new(file))?.0);
        }
        let all = all.iter().map(|schedules| schedules.of_routines(&core.name, &sets)).collect();
        println!("{name} {} {plan}: {:.0?}", operation.name(), cycles(&proved, &*backend, all)?);
        return Ok(());
    }
    let [file] = files else { return Err("a file for what is found".into()) };
    let (mut orders, mut lines): (Vec<(u64, Schedule)>, Vec<FoundSchedule>) = Default::default();
    for (_, at) in by_share.iter().rev().take_while(|(share, _)| share * MATTERS > all) {
        let (path, name) = (&routines[*at].path, &routines[*at].name);
        let fingerprint = kernel.at(path).ok_or("no such callee")?.fingerprint();
        // A statement has ghosts, which the kernel that is compiled has lost.
        let own = match prove(proved.statement().at(path).ok_or("no such callee")?) {
            Outcome::Proved(own) if own.kernel().fingerprint() == fingerprint => own,
            Outcome::Proved(_) => {
                println!("{name}: by itself it is another kernel");
                continue;
            }
            other => {
                println!("{name}: {}", verdict(&other));
                continue;
            }
        };
        let mut found = Vec::new();
        for (goal, sought) in
            [(Goal::Throughput, evariste_run::Goal::Throughput), (Goal::Latency, evariste_run::Goal::Latency)]
        {
            let result = search(&own, &*backend, sought, time, 1, &[], &|_| true)?;
            found.extend(result.schedule.map(|schedule| (goal, result.ratio, schedule)));
        }
        let with = |schedule: &Schedule| [&orders[..], &[(fingerprint, schedule.clone())]].concat();
        let mut sets_of_orders = vec![orders.clone()];
        sets_of_orders.extend(found.iter().map(|(.., schedule)| with(schedule)));
        let all = sets_of_orders.iter().map(|orders| orders.iter().cloned().collect()).collect();
        let cycles = cycles(&proved, &*backend, all)?;
        println!("{name}: {:?}, all {cycles:.0?}", found.iter().map(|(_, ratio, _)| ratio).collect::<Vec<_>>());
        let best = (1..cycles.len()).min_by(|a, b| cycles[*a].total_cmp(&cycles[*b]));
        let Some(best) = best.filter(|best| cycles[*best] < FASTER * cycles[0]) else { continue };
        orders = sets_of_orders.swap_remove(best);
        let (goal, _, schedule) = found.swap_remove(best - 1);
        lines.push(FoundSchedule {
            field: field.called(),
            operation: ROUTINE.into(),
            plan: in_routine(name, &operation, &plan),
            goal,
            sets: sets.clone(),
            fingerprint,
            cycles: cycles[best],
            heuristic_cycles: cycles[0],
            core: core.name.clone(),
            schedule,
        });
    }
    let ends = cycles(&proved, &*backend, vec![FoundOrders::default(), orders.into_iter().collect()])?;
    println!("{name} {} {plan}: {:.0} -> {:.0} cycles, {:.3}", operation.name(), ends[0], ends[1], ends[1] / ends[0]);
    Schedules::add_to(Path::new(file), &lines)?;
    Ok(())
}

//! Searches schedules of chosen plans, so many seconds each, and keeps the fastest where that is not the heuristic's:
//! `cargo run --release -p evariste-tune --example seek -- FILE SECONDS SEED FIELD OPERATION GOAL PLAN…`. Prints the
//! cycles of the heuristic's schedule, of what was found, and of what was kept.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_backend::{Backend, Choice, Kind, found};
use evariste_codegen::schedule::Schedule;
use evariste_cores::Core;
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_run::{Timing, TimingOptions};
use evariste_tune::grounds::Grounds;
use evariste_tune::measure::time;
use evariste_tune::search::search;
use evariste_tune::{FoundSchedule, Goal, Schedules};

/// What is sought, and where what is found is kept.
struct Sought<'a> {
    file: &'a Path,
    time: Duration,
    seed: u64,
    field: &'a str,
    goal: Goal,
    core: &'a Core,
    backend: &'a dyn Backend,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, seconds, seed, name, operation, goal, plan_names @ ..] = arguments.as_slice() else {
        return Err("FILE SECONDS SEED FIELD OPERATION GOAL PLAN…".into());
    };
    let field = Field::parse(name).map_err(|_| "no such field")?;
    let operation = Operation::parse(operation).ok_or("no such operation")?;
    let goals = [Goal::Throughput, Goal::Latency];
    let core = evariste_tune::cores::found(None)?.core;
    let scalar = found(|kind| kind == Kind::Scalar, None).into_iter().next().ok_or("no machine code")?;
    let backend = scalar.on(&core).unwrap_or(scalar);
    let sought = Sought {
        file: Path::new(file),
        time: Duration::from_secs_f64(seconds.parse()?),
        seed: seed.parse()?,
        field: name,
        goal: goals.into_iter().find(|g| g.to_string() == *goal).ok_or("throughput or latency")?,
        core: &core,
        backend: &*backend,
    };
    let all = layouts(&field, 64);
    for plan in all.iter().flat_map(|layout| plans(&field, layout, &operation)) {
        if plan_names.contains(&plan.name()) {
            seek(&sought, &plan)?;
        }
    }
    Ok(())
}

/// Searches one plan and keeps the fastest of what is found and what was kept.
fn seek(sought: &Sought<'_>, plan: &Plan) -> Result<(), Box<dyn Error>> {
    let Sought { backend, goal, .. } = *sought;
    let kernel = Grounds::of(std::slice::from_ref(plan)).write(plan).map_err(|e| format!("{e:?}"))?;
    let Outcome::Proved(proved) = prove(&kernel) else { return Ok(()) };
    let sets = backend.schedule_sets().ok_or("no schedules")?;
    let (operation, name) = (plan.operation.name(), plan.name());
    let (kept, _) = Schedules::load(sought.file)?;
    let known = kept.of(sought.field, &operation, &name, proved.kernel(), &sets);
    let starts: Vec<Schedule> = known.iter().map(|s| s.schedule.clone()).collect();
    let aim = if goal == Goal::Throughput { evariste_run::Goal::Throughput } else { evariste_run::Goal::Latency };
    let found = search(&proved, backend, aim, sought.time, sought.seed, &starts, &|_| true)?;
    let mut schedules = vec![None];
    schedules.extend(found.schedule.into_iter().chain(starts).map(Some));
    let choices = schedules.iter().map(|schedule| Choice { schedule: schedule.as_ref(), ..Choice::default() });
    let made = choices.map(|choice| backend.make(&proved, &choice)).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<_> = made.iter().map(|made| (&proved, made)).collect();
    let timings = time(&all, &TimingOptions::default())?;
    let cycles = |t: &Timing| match goal {
        Goal::Throughput => t.throughput.cycles,
        Goal::Latency => t.latency.as_ref().map_or(f64::INFINITY, |l| l.cycles),
    };
    let cycles: Vec<f64> = timings.iter().map(cycles).collect();
    let best = (0..cycles.len()).min_by(|a, b| cycles[*a].total_cmp(&cycles[*b])).unwrap_or(0);
    println!("{operation} {name} {goal}: {cycles:.2?}, {} measured, {} taken", found.measured, found.taken);
    let Some(schedule) = schedules[best].clone() else { return Ok(()) };
    let line = FoundSchedule {
        field: sought.field.to_string(),
        operation,
        plan: name,
        goal,
        sets,
        fingerprint: proved.kernel().fingerprint(),
        cycles: cycles[best],
        heuristic_cycles: cycles[0],
        core: sought.core.name.clone(),
        schedule,
    };
    Schedules::add_to(sought.file, &[line])?;
    Ok(())
}

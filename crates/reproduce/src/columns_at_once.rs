//! Products by columns of many pairs at once: a pair a lane of vectors, on all threads, and an element a work item of
//! OpenCL.

use std::sync::{Arc, Barrier};
use std::time::Instant;

use evariste_algorithms::{Operation, Plan};
use evariste_backend::{Backend, Kind, Made, found};
use evariste_descriptions::Field;
use evariste_proof::Proved;
use evariste_run::{Goal, TimingLock, Trial};
use evariste_tune::TuneError;
use evariste_tune::choose::{Wish, choose_for};
use evariste_tune::measure::{make_all, workload};
use evariste_tune::package::{Request, package};

use crate::own_bench::numbers;
use crate::{Options, Progress, Watch};

/// Instruction sets whose lanes take whole words of 32 bits: those of products of 52 bits have digits of their own.
const SETS: [(u32, &str); 2] = [(512, "bmi2+adx+avx2+fma+avx512"), (256, "bmi2+avx2+fma")];

/// Samples of a function on threads, and about how long one is, in nanoseconds.
const SAMPLES: usize = 200;
const SAMPLE_NS: f64 = 50_000.0;

/// What makes code of a pair a lane, by title.
pub fn lanes() -> Vec<(String, Arc<dyn Backend>)> {
    let of = |(bits, sets): (u32, &'static str)| {
        let all = found(|kind| kind == Kind::Lanes { bits }, Some(sets)).into_iter();
        all.map(|backend| (format!("{}, a pair a lane", backend.entry().title), backend))
    };
    SETS.into_iter().flat_map(of).collect()
}

/// Threads of this machine.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// Nanoseconds of a product, all threads at once, by a back end. What has no code is left out.
///
/// # Errors
/// When nothing can be timed.
pub fn on_threads(
    all: &[(Plan, Proved)],
    backend: &dyn Backend,
    options: &Options,
    watch: Watch,
) -> Result<Vec<(Plan, f64)>, TuneError> {
    let kernels: Vec<&Proved> = all.iter().map(|(_, proved)| proved).collect();
    let made = make_all(&kernels, backend, &evariste_run::Stop::default(), || ());
    let _lock = TimingLock::acquire()?;
    let mut times = Vec::new();
    for (at, ((plan, proved), made)) in all.iter().zip(made).enumerate() {
        watch(Progress { stage: "measuring", done: at + 1, total: all.len() });
        let Ok(made) = made else { continue };
        times.push((plan.clone(), at_once(proved, &made, options)?));
    }
    Ok(times)
}

/// Nanoseconds from the first call to the last one of all threads, for each product.
fn at_once(proved: &Proved, made: &Made, options: &Options) -> Result<f64, TuneError> {
    let (threads, samples) = (threads(), if options.quick { SAMPLES / 20 } else { SAMPLES });
    let barrier = Barrier::new(threads);
    let one = || -> Result<(Instant, Instant, usize), TuneError> {
        let work = workload(proved, made);
        let trial = Trial::new(made.function.arguments(), &work.operands, Goal::Throughput);
        let settled = trial.and_then(|mut trial| trial.settle(&made.function, SAMPLE_NS).map(|()| trial));
        // Whoever fails comes to the barrier too.
        barrier.wait();
        let mut trial = settled?;
        let start = Instant::now();
        for _ in 0..samples {
            trial.sample(&made.function)?;
        }
        Ok((start, Instant::now(), samples * trial.calls()))
    };
    let ran: Vec<Result<_, TuneError>> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let lost = || TuneError::Operand("a thread that measures ended early".into());
        all.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(lost()))).collect()
    });
    let ran = ran.into_iter().collect::<Result<Vec<_>, _>>()?;
    let start = ran.iter().map(|(start, ..)| *start).min();
    let end = ran.iter().map(|(_, end, _)| *end).max();
    let calls: usize = ran.iter().map(|(.., calls)| calls).sum();
    let ns = start.zip(end).map_or(0.0, |(start, end)| end.duration_since(start).as_nanos() as f64);
    Ok(ns / (calls.max(1) as f64 * f64::from(made.lanes)))
}

/// Nanoseconds of a product for each pair of a long array by OpenCL's first device, by the package's own benchmark. The
/// first that cannot be measured ends it, and a note says why.
pub fn by_opencl(plans: &[Plan], watch: Watch, notes: &mut Vec<String>) -> Vec<(Plan, f64)> {
    let mut times = Vec::new();
    for (at, plan) in plans.iter().enumerate() {
        watch(Progress { stage: "measuring", done: at + 1, total: plans.len() });
        match opencl(&plan.field, plan) {
            Ok(Some(ns)) => times.push((plan.clone(), ns)),
            Ok(None) => notes.push(format!("{}: OpenCL's benchmark gave no time.", plan.name())),
            Err(why) => {
                let line = why.to_string().lines().next().unwrap_or_default().to_owned();
                notes.push(format!("OpenCL is not measured: {line}."));
                break;
            }
        }
    }
    times
}

fn opencl(field: &Field, plan: &Plan) -> Result<Option<f64>, TuneError> {
    let operation: &Operation = &plan.operation;
    let mut chosen = choose_for(field, &[64, 32], Some(&plan.layout.name), None, Wish::default())?;
    chosen.pin(operation, &plan.algorithm)?;
    let request = Request {
        language: "opencl".into(),
        prefix: "fe".into(),
        operations: vec![operation.name()],
        command_line: format!("evariste emit {} --lang opencl --prefix fe --layout {}", field.text(), plan.layout.name),
        ..Request::default()
    };
    let files = package(&chosen, &request, |_, _| ())?.files;
    let ((), lines) = numbers(&files, "opencl", || ())?;
    let wanted = operation.name();
    Ok(lines.into_iter().find(|(name, _)| *name == wanted).and_then(|(_, numbers)| numbers.first().copied()))
}

//! Plans as code for one element, timed side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_algorithms::Plan;
use evariste_backend::{Backend, Made};
use evariste_proof::Proved;
use evariste_run::Stop;
use evariste_tune::TuneError;
use evariste_tune::candidates::{Judged, judge_all};
use evariste_tune::measure::{make_all, time};

use crate::measure::timing;
use crate::{Options, Progress, Watch};

/// A plan that was measured.
pub struct Timed {
    /// The plan.
    pub plan: Plan,
    /// Cycles of one of many independent calls.
    pub cycles: f64,
    /// Cycles from operands to result, in a chain of calls.
    pub latency: Option<f64>,
    /// Nanoseconds of one of many independent calls.
    pub ns: f64,
}

/// Writes and proves plans. What is not proved is a note.
pub fn proved(plans: &[Plan], watch: Watch, notes: &mut Vec<String>) -> Vec<(Plan, Proved)> {
    let done = AtomicUsize::new(0);
    let told =
        || watch(Progress { stage: "proving", done: 1 + done.fetch_add(1, Ordering::Relaxed), total: plans.len() });
    // Every scan is a series of its own, also where two of them write the same kernel.
    let judged = judge_all(plans, |_| true, &Stop::default(), told);
    let keep = |Judged { plan, outcome, .. }: Judged| match outcome {
        Ok(proved) => Some((plan, proved)),
        Err(why) => {
            notes.push(format!("{}: {why}.", plan.name()));
            None
        }
    };
    judged.into_iter().filter_map(keep).collect()
}

/// Makes code of proved plans by one back end and times all in turn. What has no code is a note.
///
/// # Errors
/// When nothing can be timed.
pub fn timed(
    all: &[(Plan, Proved)],
    backend: &Arc<dyn Backend>,
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
) -> Result<Vec<Timed>, TuneError> {
    let done = AtomicUsize::new(0);
    let told = || {
        watch(Progress {
            stage: "making",
            done: (1 + done.fetch_add(1, Ordering::Relaxed)).min(all.len()),
            total: all.len(),
        })
    };
    let kernels: Vec<&Proved> = all.iter().map(|(_, proved)| proved).collect();
    let made = make_all(&kernels, &**backend, &Stop::default(), told);
    let mut ready: Vec<(&Plan, &Proved, Made)> = Vec::new();
    for ((plan, proved), made) in all.iter().zip(made) {
        match made {
            Ok(made) => ready.push((plan, proved, made)),
            Err(why) => notes.push(format!("{}, {}: {why}.", plan.name(), backend.entry().title)),
        }
    }
    let pairs: Vec<(&Proved, &Made)> = ready.iter().map(|(_, proved, made)| (*proved, made)).collect();
    let times = time(&pairs, &evariste_run::TimingOptions { latency: true, ..timing(options) })?;
    let one = |((plan, _, made), timing): (&(&Plan, &Proved, Made), evariste_run::Timing)| Timed {
        plan: (*plan).clone(),
        cycles: timing.throughput.ns * timing.throughput.clock_ghz / f64::from(made.lanes),
        latency: timing.latency.map(|l| l.ns * l.clock_ghz),
        ns: timing.throughput.ns / f64::from(made.lanes),
    };
    Ok(ready.iter().zip(times).map(one).collect())
}

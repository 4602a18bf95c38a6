//! Our candidates for a kernel: every plan of 64-bit layouts that meets a contract, proved, as machine code (by the
//! heuristic's schedule and by those that ship) and as compiled C.

use std::collections::BTreeSet;
use std::sync::Arc;

use evariste_algorithms::{Layout, Plan, plans};
use evariste_backend::{Backend, Choice};
use evariste_descriptions::Field;
use evariste_proof::Proved;
use evariste_run::{Stop, Timing, TimingOptions, Workload, time_paired};
use evariste_tune::Schedules;
use evariste_tune::candidates::{field_layouts, judge_all};
use evariste_tune::measure::{make_all, workload};

use anyhow::Result;

use crate::prime::form::Form;
use crate::prime::kernels::Kernel;
use crate::prime::row::best_round;

/// A candidate that can be timed.
pub struct Candidate {
    /// Plan, back end and what its schedule was searched for: `montgomery-fips/montgomery-4x64 (x86-64, latency)`.
    pub plan: String,
    /// Its layout.
    pub layout: Layout,
    /// What it is timed on.
    pub workload: Workload,
}

/// Candidates that go on, by throughput and by latency each: of a layout to compiled C, of a contract to the paired
/// run.
const FINALISTS: usize = 2;

/// How short runs are timed, that choose what is timed longer.
const SHORT: TimingOptions = TimingOptions {
    rounds: 16,
    samples_per_round: 6,
    sample_ns: 7_000.0,
    warm_ns: 30_000.0,
    budget_ns: 3e7,
    latency: true,
};

/// The best of our candidates for each of these forms: machine code of all plans; then compiled C of the plans whose
/// machine code is best in their layout (of all, where there is no machine code).
pub fn finalists(kernel: &Kernel, forms: &[Form], backends: &[Arc<dyn Backend>]) -> Result<Vec<Candidate>> {
    let mut layouts = layouts(&kernel.field, backends);
    layouts.retain(|layout| forms.iter().any(|form| form.is_met_by(layout)));
    let all: Vec<_> = layouts.iter().flat_map(|layout| plans(&kernel.field, layout, &kernel.operation)).collect();
    let judged: Vec<_> = judge_all(&all, |_| false, &Stop::default(), || ())
        .into_iter()
        .filter_map(|j| Some((j.plan, j.outcome.ok()?)))
        .collect();
    let mut remaining: Vec<&(Plan, Proved)> = judged.iter().collect();
    let shipped = Schedules::shipped();
    let mut candidates: Vec<(usize, Candidate)> = Vec::new();
    for backend in backends {
        let taken = |(plan, _): &&&(Plan, Proved)| backend.takes(&kernel.field, &plan.layout, false);
        let remaining_here: Vec<&(Plan, Proved)> = remaining.iter().filter(taken).copied().collect();
        let kernels: Vec<_> = remaining_here.iter().map(|(_, proved)| proved).collect();
        let made = remaining_here.iter().zip(make_all(&kernels, &**backend, &Stop::default(), || ())).filter_map(
            |((plan, proved), made)| {
                let workload = workload(proved, &made.ok()?);
                let at = judged.iter().position(|(other, _)| other.name() == plan.name())?;
                Some((
                    at,
                    Candidate {
                        plan: format!("{} ({})", plan.name(), backend.ranked_as(proved.kernel()).name),
                        layout: plan.layout.clone(),
                        workload,
                    },
                ))
            },
        );
        let mut made: Vec<_> = made.collect();
        if let Some(sets) = backend.schedule_sets() {
            for (at, (plan, proved)) in judged.iter().enumerate() {
                for found in
                    shipped.of(&kernel.field.name(), &plan.operation.name(), &plan.name(), proved.kernel(), &sets)
                {
                    let choice = Choice { schedule: Some(&found.schedule), ..Choice::default() };
                    let Ok(function) = backend.make(proved, &choice) else { continue };
                    let name = format!("{} ({}, {})", plan.name(), backend.entry().name, found.goal);
                    made.push((
                        at,
                        Candidate { plan: name, layout: plan.layout.clone(), workload: workload(proved, &function) },
                    ));
                }
            }
        }
        if made.is_empty() {
            continue;
        }
        let good = best_of_each(&made, layouts.len(), |layout, candidate| layouts[layout] == candidate.layout)?;
        let mut best: Vec<usize> = made.iter().zip(&good).filter(|(_, good)| **good).map(|((at, _), _)| *at).collect();
        best.sort_unstable();
        best.dedup();
        remaining = best.into_iter().map(|at| &judged[at]).collect();
        candidates.extend(made.into_iter().zip(good).filter_map(|(c, good)| good.then_some(c)));
    }
    let good = best_of_contracts(&kernel.field, forms, &layouts, &candidates)?;
    Ok(candidates.into_iter().zip(good).filter_map(|((_, c), good)| good.then_some(c)).collect())
}

/// The layouts in words of 64 bits, and those that code of ours for one element has besides.
pub fn layouts(field: &Field, backends: &[Arc<dyn Backend>]) -> Vec<Layout> {
    let own = backends.iter().flat_map(|backend| backend.layouts(field));
    field_layouts(field, &[64]).into_iter().chain(own).collect()
}

/// Which candidates are among the best of a form; those that promise less stand apart.
fn best_of_contracts(
    field: &Field,
    forms: &[Form],
    layouts: &[Layout],
    candidates: &[(usize, Candidate)],
) -> Result<Vec<bool>> {
    let promises = |form: &Form| {
        let met = layouts.iter().filter(|layout| form.is_met_by(layout));
        met.map(|layout| form.promised(field, layout)).collect::<BTreeSet<_>>()
    };
    let contracts: Vec<(Form, &str)> =
        forms.iter().flat_map(|form| promises(form).into_iter().map(|promise| (*form, promise))).collect();
    best_of_each(candidates, contracts.len(), |contract, candidate| {
        let (form, promise) = contracts[contract];
        form.is_met_by(&candidate.layout) && form.promised(field, &candidate.layout) == promise
    })
}

/// Which candidates are among the best of a group, by a short run: by throughput and by latency.
fn best_of_each(
    candidates: &[(usize, Candidate)],
    groups: usize,
    is_in: impl Fn(usize, &Candidate) -> bool,
) -> Result<Vec<bool>> {
    let workloads: Vec<_> = candidates.iter().map(|(_, c)| c.workload.clone()).collect();
    let timings = time_paired(&workloads, &SHORT)?;
    let throughput = |t: &Timing| best_round(&t.throughput);
    let latency = |t: &Timing| t.latency.as_ref().map_or(f64::INFINITY, best_round);
    let mut good = vec![false; candidates.len()];
    for group in 0..groups {
        for measure in [&throughput as &dyn Fn(&Timing) -> f64, &latency] {
            let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| is_in(group, &candidates[i].1)).collect();
            order.sort_by(|&i, &j| measure(&timings[i]).total_cmp(&measure(&timings[j])));
            order.iter().take(FINALISTS).for_each(|&i| good[i] = true);
        }
    }
    Ok(good)
}

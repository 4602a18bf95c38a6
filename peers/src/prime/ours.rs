//! Our candidates for a kernel: every plan of 64-bit layouts that meets a contract, proved, as machine code and as compiled C.

use evariste_algorithms::{Layout, plans};
use evariste_run::{Timing, TimingOptions, Workload, time_paired};
use evariste_tune::candidates::{field_layouts, judge_all};
use evariste_tune::measure::{Maker, make_all, workload};

use anyhow::Result;

use crate::prime::form::Form;
use crate::prime::kernels::Kernel;

/// A candidate that can be timed.
pub struct Candidate {
    /// Plan and maker: `montgomery-fips/montgomery-4x64 (x86-64)`.
    pub plan: String,
    /// Its layout.
    pub layout: Layout,
    /// What it is timed on.
    pub workload: Workload,
}

/// Candidates of a contract that go into the paired run, by throughput and by latency each.
const FINALISTS: usize = 2;

/// All candidates that meet one of these forms.
pub fn candidates(kernel: &Kernel, forms: &[Form], makers: &[Maker]) -> Vec<Candidate> {
    let mut layouts = field_layouts(&kernel.field, &[64]);
    layouts.retain(|layout| forms.iter().any(|form| form.is_met_by(layout)));
    let all: Vec<_> = layouts.iter().flat_map(|layout| plans(&kernel.field, layout, &kernel.operation)).collect();
    let judged: Vec<_> = judge_all(&all, || ()).into_iter().filter_map(|j| Some((j.plan, j.outcome.ok()?))).collect();
    let proved: Vec<_> = judged.iter().map(|(_, proved)| proved).collect();
    let mut candidates = Vec::new();
    for maker in makers {
        for ((plan, proved), made) in judged.iter().zip(make_all(&proved, maker, || ())) {
            if let Ok(made) = made {
                let name = format!("{} ({})", plan.name(), maker.code());
                candidates.push(Candidate { plan: name, layout: plan.layout.clone(), workload: workload(proved, &made) });
            }
        }
    }
    candidates
}

/// The best of the candidates for each form, by a short run: by throughput and by latency.
pub fn finalists(candidates: Vec<Candidate>, forms: &[Form]) -> Result<Vec<Candidate>> {
    let workloads: Vec<_> = candidates.iter().map(|c| c.workload.clone()).collect();
    let options = TimingOptions { rounds: 4, samples_per_round: 10, warm_ns: 50_000.0, budget_ns: 1e7, ..TimingOptions::default() };
    let timings = time_paired(&workloads, &options)?;
    let throughput = |t: &Timing| t.throughput.ns;
    let latency = |t: &Timing| t.latency.as_ref().map_or(f64::INFINITY, |l| l.ns);
    let mut keep = vec![false; candidates.len()];
    for form in forms {
        for measure in [&throughput as &dyn Fn(&Timing) -> f64, &latency] {
            let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| form.is_met_by(&candidates[i].layout)).collect();
            order.sort_by(|&i, &j| measure(&timings[i]).total_cmp(&measure(&timings[j])));
            order.iter().take(FINALISTS).for_each(|&i| keep[i] = true);
        }
    }
    Ok(candidates.into_iter().zip(keep).filter_map(|(c, keep)| keep.then_some(c)).collect())
}

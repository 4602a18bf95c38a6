//! Candidates: every plan of the wanted operations in every layout, written and proved.

use std::time::Instant;

use evariste_algorithms::layouts::layouts;
use evariste_algorithms::{Layout, Operation, Plan, plans};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};
use rayon::prelude::*;

/// A plan that has been written and judged.
pub struct Judged {
    /// The plan.
    pub plan: Plan,
    /// The kernel, if it was proved; else what happened.
    pub outcome: Result<Proved, String>,
    /// Milliseconds to write and prove.
    pub proof_ms: f64,
}

/// The layouts of a field for some word sizes; binary fields have one-bit words too, whatever is asked.
pub fn field_layouts(field: &Field, words: &[u32]) -> Vec<Layout> {
    match field {
        Field::Binary(_) => words.iter().chain(&[1]).flat_map(|w| layouts(field, *w)).collect(),
        _ => words.iter().flat_map(|w| layouts(field, *w)).collect(),
    }
}

/// All plans for these operations, by layout, then by operation.
pub fn all_plans(field: &Field, layouts: &[Layout], operations: &[Operation]) -> Vec<Plan> {
    layouts.iter().flat_map(|layout| operations.iter().flat_map(|op| plans(field, layout, op))).collect()
}

/// Writes and proves one plan. `None` when the plan turns out not to apply (its bounds do not meet the layout).
pub fn judge(plan: &Plan) -> Option<Judged> {
    let start = Instant::now();
    let kernel = plan.write().ok()?;
    let outcome = prove(&kernel);
    let why = verdict(&outcome);
    let outcome = outcome.proved().ok_or(why);
    Some(Judged { plan: plan.clone(), outcome, proof_ms: start.elapsed().as_secs_f64() * 1e3 })
}

/// Writes and proves many plans, on all cores; `done` is called after each.
pub fn judge_all(plans: &[Plan], done: impl Fn() + Sync) -> Vec<Judged> {
    let judge = |plan: &Plan| {
        let judged = judge(plan);
        done();
        judged
    };
    plans.par_iter().filter_map(judge).collect()
}

/// A verdict in words.
pub fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Proved(_) => "proved".into(),
        Outcome::Refuted(c) => {
            let inputs: Vec<String> = c.inputs.iter().map(|(name, words)| format!("{name} = {words:?}")).collect();
            format!("refuted: {} at {}", c.violation, inputs.join(", "))
        }
        Outcome::Unknown(o) => format!("unknown: {} ({})", o.what, o.detail),
    }
}

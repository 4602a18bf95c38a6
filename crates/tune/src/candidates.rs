//! Candidates: every plan of the wanted operations in every layout, written and proved.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::{Layout, Operation, Plan, halved_layouts, kinds, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::{Carries, Kernel, Machine};
use evariste_proof::{Callees, Outcome, Proved, prove_with};
use evariste_run::Stop;
use rayon::prelude::*;

use crate::grounds::Grounds;
use crate::ranking::Code;

/// A plan that has been written and judged.
pub struct Judged {
    /// The plan.
    pub plan: Plan,
    /// The kernel, if it was proved; else what happened.
    pub outcome: Result<Proved, String>,
    /// Milliseconds to write and prove.
    pub proof_ms: f64,
    /// Other plans (full names) that write the same kernel: one candidate.
    pub also: Vec<String>,
}

/// The layouts of a field for some word sizes; binary fields have one-bit words too, whatever is asked.
pub fn field_layouts(field: &Field, words: &[u32]) -> Vec<Layout> {
    let always = kinds::kind(field).map_or(&[][..], |kind| kind.words);
    words.iter().chain(always).flat_map(|w| layouts(field, *w)).collect()
}

/// As [`field_layouts`], then those that a language has besides whose kernels are rewritten for `machine`: see
/// [`halved_layouts`].
pub fn layouts_on(field: &Field, words: &[u32], machine: Option<Machine>) -> Vec<Layout> {
    let halved = machine
        .filter(|machine| machine.carries == Carries::Written)
        .map(|machine| halved_layouts(field, machine.word));
    field_layouts(field, words).into_iter().chain(halved.into_iter().flatten()).collect()
}

/// Layouts of a field for what packages of that code have [apart](crate::choose::Chosen::apart) alone.
pub fn apart_layouts(field: &Field, words: &[u32], code: Option<Code>) -> Vec<Layout> {
    let Some(apart) = code.and_then(Code::beside) else { return Vec::new() };
    let known = field_layouts(field, words);
    let mut all = (apart.layouts)(field);
    all.retain(|layout| words.contains(&layout.word) && known.iter().all(|other| other.name != layout.name));
    all
}

/// All plans for these operations, by layout, then by operation.
pub fn all_plans(field: &Field, layouts: &[Layout], operations: &[Operation]) -> Vec<Plan> {
    layouts.iter().flat_map(|layout| operations.iter().flat_map(|op| plans(field, layout, op))).collect()
}

/// Writes and proves one plan. `None` when the plan turns out not to apply (its bounds do not meet the layout).
pub fn judge(plan: &Plan) -> Option<Judged> {
    judge_with(plan, &Callees::default())
}

/// As [`judge`]; what is known is not proved again.
pub fn judge_with(plan: &Plan, known: &Callees) -> Option<Judged> {
    let start = Instant::now();
    let kernel = plan.write().ok()?;
    Some(judge_kernel(plan, &kernel, start, Vec::new(), known))
}

fn judge_kernel(plan: &Plan, kernel: &Kernel, start: Instant, also: Vec<String>, known: &Callees) -> Judged {
    let outcome = prove_with(kernel, known);
    let why = verdict(&outcome);
    let outcome = outcome.proved().ok_or(why);
    Judged { plan: plan.clone(), outcome, proof_ms: start.elapsed().as_secs_f64() * 1e3, also }
}

/// Writes and proves many plans, on all cores; `done` is called for each. Plans that write the same kernel, but for its
/// name and the names of what it calls, are one candidate under the name of the first, unless they are to stay `apart`
/// (what is stored of a plan is found under its own name). Those whose turn comes after somebody asked to stop are left
/// out.
pub fn judge_all(plans: &[Plan], apart: impl Fn(&Plan) -> bool, stop: &Stop, done: impl Fn() + Sync) -> Vec<Judged> {
    let grounds = Grounds::of(plans);
    let written: Vec<Option<(Kernel, u64)>> = plans
        .par_iter()
        .map(|plan| {
            let kernel = grounds.write(plan).ok().filter(|_| !stop.is_asked())?;
            let fingerprint = nameless(&kernel).fingerprint();
            Some((kernel, fingerprint))
        })
        .collect();
    let same = |i: usize, j: usize| match (&written[i], &written[j]) {
        (Some((a, x)), Some((b, y))) => {
            x == y
                && plans[i].layout.name == plans[j].layout.name
                && plans[i].operation == plans[j].operation
                && nameless(a) == nameless(b)
        }
        _ => false,
    };
    let mut by_fingerprint: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); plans.len()];
    for (i, entry) in written.iter().enumerate() {
        let Some((_, fingerprint)) = entry else {
            done();
            continue;
        };
        let known = by_fingerprint.entry(*fingerprint).or_default();
        match known.iter().find(|first| same(**first, i)).filter(|_| !apart(&plans[i])) {
            Some(first) => {
                groups[*first].push(i);
                done();
            }
            None => known.push(i),
        }
    }
    let firsts: Vec<usize> =
        by_fingerprint.into_values().flatten().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    // Products and reductions that many plans call are proved once.
    let known = Callees::default();
    let judge = |first: &usize| {
        if stop.is_asked() {
            return None;
        }
        let also = groups[*first].iter().map(|i| plans[*i].name()).collect();
        let judged = written[*first]
            .as_ref()
            .map(|(kernel, _)| judge_kernel(&plans[*first], kernel, Instant::now(), also, &known));
        done();
        judged
    };
    firsts.par_iter().filter_map(judge).collect()
}

/// The kernel without its name and the names of what it calls.
fn nameless(kernel: &Kernel) -> Kernel {
    let callees = kernel.callees.iter().map(|callee| Arc::new(nameless(callee))).collect();
    Kernel { name: "kernel".into(), callees, ..kernel.clone() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_write_one_kernel_are_one_candidate() {
        let field = Field::parse("babybear").expect("a field");
        let plans = all_plans(&field, &layouts(&field, 64), &[Operation::MUL]);
        let counted = std::sync::atomic::AtomicUsize::new(0);
        let judged = judge_all(
            &plans,
            |_| false,
            &Stop::default(),
            || {
                counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            },
        );
        assert_eq!(counted.into_inner(), plans.len());
        // In one word a third of the schedules write the product of another; every plan that can be written is there once.
        assert!(judged.len() * 4 < plans.len() * 3, "{} of {}", judged.len(), plans.len());
        let mut names: Vec<String> =
            judged.iter().flat_map(|j| [vec![j.plan.name()], j.also.clone()].concat()).collect();
        let mut writable: Vec<String> = plans.iter().filter(|p| p.write().is_ok()).map(Plan::name).collect();
        names.sort();
        writable.sort();
        assert_eq!(names, writable);
        // Another number of digits: other kernels.
        let field = Field::parse("p256").expect("a field");
        let plans = all_plans(&field, &layouts(&field, 64)[..1], &[Operation::MUL]);
        let judged = judge_all(&plans[..2], |_| false, &Stop::default(), || ());
        assert_eq!((judged.len(), judged[0].also.len()), (2, 0));
    }
}

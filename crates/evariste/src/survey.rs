//! What could be tuned, without a compiler and without measuring: which plans apply, their counts and bounds.

use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_algorithms::Operation;
use evariste_algorithms::registry;
pub use evariste_algorithms::registry::Kind as AlgorithmKind;
use evariste_cores::Core;
use evariste_run::{Machine, Stop};
use evariste_tune::candidates::{all_plans, field_layouts, judge_all};
use evariste_tune::cores::InUse;
use evariste_tune::mix::{describe, mix};
use evariste_tune::ranking::VERSION;
use evariste_tune::{LayoutRanking, Progress, Ranking, Stage, candidate, layout_line};

use crate::field::Field;
use crate::plan::Plan;

/// What a ranking by bounds says of its target.
const NOTHING_MEASURED: &str = "neither machine code nor a C compiler: nothing was measured";

/// Every algorithm of the registry, by kind.
///
/// ```
/// assert!(evariste::builder::algorithms().iter().any(|(name, _)| *name == "montgomery-cios"));
/// ```
pub fn algorithms() -> Vec<(&'static str, AlgorithmKind)> {
    registry::algorithms()
}

/// What an operation costs in a layout, over the plans that apply.
#[derive(Clone, Debug)]
pub struct OperationSurvey {
    /// The operation.
    pub operation: Operation,
    /// The plans that apply, the one of least bound first.
    pub plans: Vec<Plan>,
}

/// A layout and its operations.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The layout's name.
    pub layout: String,
    /// What its elements are, in one line.
    pub description: String,
    /// Its operations, in the order of an emitted header.
    pub operations: Vec<OperationSurvey>,
}

/// The layouts of a field in these word sizes, with the plans of each operation (of all where none is named).
///
/// ```
/// use evariste::builder::{cores, survey};
/// use evariste::{Field, Op};
/// let layouts = survey(&Field::parse("GF(2^29):onb2")?, &[64], Some(&Op::MUL), &cores::InUse::reference().core);
/// assert!(layouts[0].operations[0].plans[0].name().starts_with("ning-yin"));
/// # Ok::<(), evariste::Error>(())
/// ```
pub fn survey(field: &Field, words: &[u32], only: Option<&Operation>, core: &Core) -> Vec<Survey> {
    let mut all = Vec::new();
    for layout in field_layouts(field.spec(), words) {
        let wanted = match only {
            Some(operation) => vec![operation.clone()],
            None => field.operations(&layout),
        };
        let mut operations = Vec::new();
        for operation in wanted {
            let mut plans = field.plans_in(std::slice::from_ref(&layout), &operation);
            plans.sort_by(|a, b| {
                a.kernel().bound(core).total_cmp(&b.kernel().bound(core)).then_with(|| a.name().cmp(&b.name()))
            });
            if !plans.is_empty() {
                operations.push(OperationSurvey { operation, plans });
            }
        }
        if !operations.is_empty() {
            all.push(Survey { layout: layout.name.clone(), description: layout_line(&layout), operations });
        }
    }
    all
}

impl Field {
    /// Writes and proves every candidate, and ranks by bound: what remains of tuning where there is no C compiler.
    /// Nothing is measured and there is no winner.
    pub fn rank_by_bound(
        &self,
        words: &[u32],
        only: &[String],
        core: &InUse,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Ranking {
        let mix = mix(self.spec());
        let operations: Vec<Operation> = mix.iter().map(|(op, _)| op.clone()).collect();
        let layouts = field_layouts(self.spec(), words);
        let mut plans = all_plans(self.spec(), &layouts, &operations);
        plans.retain(|p| only.is_empty() || only.iter().any(|text| p.name().contains(text.as_str())));
        let (done, total) = (AtomicUsize::new(0), plans.len());
        progress(Progress::of(Stage::Prove, 0, total));
        let judged = judge_all(
            &plans,
            |_| false,
            &Stop::default(),
            || progress(Progress::of(Stage::Prove, 1 + done.fetch_add(1, Ordering::Relaxed), total)),
        );
        let mut candidates: Vec<_> = judged.iter().map(|judged| candidate(judged, &core.core)).collect();
        let layout_place = |name: &str| layouts.iter().position(|l| l.name == name).unwrap_or(usize::MAX);
        let operation_place = |name: &str| operations.iter().position(|op| op.name() == name).unwrap_or(usize::MAX);
        candidates.sort_by(|a, b| {
            let places = (layout_place(&a.layout), operation_place(&a.operation))
                .cmp(&(layout_place(&b.layout), operation_place(&b.operation)));
            places
                .then(b.proved.cmp(&a.proved))
                .then(a.bound_cycles.total_cmp(&b.bound_cycles))
                .then_with(|| a.plan.cmp(&b.plan))
        });
        let present = |name: &str| candidates.iter().any(|c| c.layout == name);
        let unmeasured = |l: &evariste_algorithms::Layout| LayoutRanking {
            layout: l.name.clone(),
            description: layout_line(l),
            mix_ns: None,
            throughput: Vec::new(),
            latency: Vec::new(),
            size: Vec::new(),
        };
        let machine = Machine::detect();
        Ranking {
            version: VERSION,
            field: self.text(),
            target: format!("{}; {}; {NOTHING_MEASURED}", machine.system, machine.cpu),
            core: core.line(),
            table: evariste_tune::cores::mark(&core.core),
            mix: describe(&mix),
            layouts: layouts.iter().filter(|l| present(&l.name)).map(unmeasured).collect(),
            candidates,
            winner: None,
            winner_code: None,
            noise: Vec::new(),
            date: None,
            program: None,
            stopped: None,
            searches: Vec::new(),
            without_vectors: Vec::new(),
        }
    }
}

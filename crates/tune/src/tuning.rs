//! The whole way for one field.

use evariste_algorithms::{Layout, Operation, Plan};
use evariste_ir::count::count;
use evariste_ir::Kernel;
use evariste_run::{Compiler, Machine, TimingOptions};
use evariste_spec::Field;
use evariste_target::x86_64;

use crate::candidates::{Judged, all_plans, field_layouts, judge_all};
use crate::contract_line::contract_line;
use crate::error::TuneError;
use crate::measure::{Compiled, FLAGS, compile_all, time};
use crate::mix::{describe, mix};
use crate::ranking::{Candidate, Ranking, VERSION, rank};

/// What to tune.
#[derive(Clone, Debug)]
pub struct Options {
    /// Word sizes of layouts, in bits.
    pub words: Vec<u32>,
    /// The compiler.
    pub compiler: Compiler,
    /// How long to time.
    pub timing: TimingOptions,
    /// Only layouts and algorithms whose full plan name contains one of these; empty: all.
    pub only: Vec<String>,
}

impl Options {
    /// 64- and 32-bit words, the machine's first compiler, 1000 samples a kernel.
    pub fn new() -> Result<Options, TuneError> {
        let timing = TimingOptions { budget_ns: 1.5e8, ..TimingOptions::default() };
        Ok(Options { words: vec![64, 32], compiler: Compiler::find()?, timing, only: Vec::new() })
    }
}

/// The stage that tuning is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Writing and proving kernels.
    Prove,
    /// Compiling them.
    Compile,
    /// Timing them.
    Time,
}

/// Something happened: `done` of `total` in this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// Proves, compiles, measures and ranks every candidate of a field.
pub fn tune(field: &Field, options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Ranking, TuneError> {
    let mix = mix(field);
    let operations: Vec<Operation> = mix.iter().map(|(op, _)| op.clone()).collect();
    let layouts = field_layouts(field, &options.words);
    let mut plans = all_plans(field, &layouts, &operations);
    plans.retain(|p| options.only.is_empty() || options.only.iter().any(|word| p.name().contains(word.as_str())));
    let counter = |stage, total: usize| {
        progress(Progress { stage, done: 0, total });
        let done = std::sync::atomic::AtomicUsize::new(0);
        move || progress(Progress { stage, done: 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total })
    };

    let judged = judge_all(&plans, counter(Stage::Prove, plans.len()));
    let proved: Vec<_> = judged.iter().filter_map(|j| j.outcome.as_ref().ok()).collect();
    let compiled = compile_all(&proved, &options.compiler, counter(Stage::Compile, proved.len()));
    let mut rows: Vec<(Candidate, Option<usize>)> = Vec::new();
    for j in &judged {
        let at = j.outcome.is_ok().then(|| rows.iter().filter(|(_, at)| at.is_some()).count());
        rows.push((candidate(j), at));
    }

    // Side by side are timed the candidates of one operation and word size, in groups.
    let mut groups: Vec<(String, u32, Vec<usize>)> = Vec::new();
    for (i, (c, at)) in rows.iter().enumerate() {
        let word = judged[i].plan.layout.word;
        match groups.iter_mut().find(|(op, w, _)| *op == c.operation && *w == word) {
            _ if at.is_none() => {}
            Some((_, _, members)) => members.push(i),
            None => groups.push((c.operation.clone(), word, vec![i])),
        }
    }
    let timed = counter(Stage::Time, rows.iter().filter(|(_, at)| at.is_some()).count());
    for (_, _, members) in &groups {
        let mut kernels = Vec::new();
        for &i in members {
            let at = rows[i].1.unwrap_or_default();
            match &compiled[at] {
                Ok(c) => kernels.push((i, proved[at], c)),
                Err(e) => rows[i].0.note = Some(format!("not compiled: {e}")),
            }
            timed();
        }
        let pairs: Vec<(&evariste_proof::Proved, &Compiled)> = kernels.iter().map(|(_, p, c)| (*p, *c)).collect();
        for ((i, _, c), timing) in kernels.iter().zip(time(&pairs, &options.timing)?) {
            measured(&mut rows[*i].0, c, &timing);
        }
    }

    let machine = Machine::detect();
    let mut ranking = Ranking {
        version: VERSION,
        field: field.text(),
        target: format!("{}; {}", machine.identity(&options.compiler), FLAGS.join(" ")),
        mix: describe(&mix),
        candidates: rows.into_iter().map(|(c, _)| c).collect(),
        layouts: Vec::new(),
        winner: None,
    };
    let order: Vec<(String, String)> = layouts.iter().map(|l| (l.name.clone(), layout_line(l))).collect();
    let weights: Vec<(String, u32)> = mix.iter().map(|(op, n)| (op.name(), *n)).collect();
    rank(&mut ranking, &order, &weights);
    Ok(ranking)
}

/// A candidate's row before it is measured.
pub fn candidate(j: &Judged) -> Candidate {
    let plan: &Plan = &j.plan;
    let mut row = Candidate {
        plan: plan.name(),
        operation: plan.operation.name(),
        layout: plan.layout.name.clone(),
        proved: j.outcome.is_ok(),
        contract: String::new(),
        note: j.outcome.as_ref().err().cloned(),
        multiplications: 0,
        additions: 0,
        moves: 0,
        proof_ms: j.proof_ms,
        bound_cycles: 0.0,
        latency_cycles: None,
        latency_ns: None,
        throughput_cycles: None,
        throughput_ns: None,
        percent_of_bound: None,
        code_bytes: None,
    };
    if let Ok(proved) = &j.outcome {
        let kernel: &Kernel = proved.kernel();
        let counts = count(kernel);
        row.contract = contract_line(&kernel.contract);
        row.multiplications = counts.multiplications;
        row.additions = counts.additions;
        row.moves = counts.loads + counts.stores + counts.moves;
        row.bound_cycles = x86_64::bound(kernel) / if kernel.word == 1 { 64.0 } else { 1.0 };
    }
    row
}

/// Fills in what was measured, per element.
fn measured(row: &mut Candidate, compiled: &Compiled, timing: &evariste_run::Timing) {
    let lanes = compiled.lanes as f64;
    row.throughput_cycles = Some(timing.throughput.cycles / lanes);
    row.throughput_ns = Some(timing.throughput.ns / lanes);
    row.latency_cycles = timing.latency.as_ref().map(|f| f.cycles);
    row.latency_ns = timing.latency.as_ref().map(|f| f.ns);
    row.percent_of_bound = row.throughput_cycles.filter(|c| *c > 0.0).map(|c| 100.0 * row.bound_cycles / c);
    row.code_bytes = compiled.code_bytes;
}

/// A layout in one line.
pub fn layout_line(layout: &Layout) -> String {
    let form = match layout.montgomery {
        Some(r) => format!("Montgomery form, R = 2^{r}"),
        None => "plain form".into(),
    };
    let digits = if layout.saturated() { "saturated" } else { "unsaturated" };
    let plural = if layout.digits() == 1 { "" } else { "s" };
    format!("{} {digits} digit{plural} in {}-bit words, {form}", layout.digits(), layout.word)
}

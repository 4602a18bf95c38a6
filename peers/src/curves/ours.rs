//! Ours for one element: machine code of every plan, each checked against the reference; the fastest ones.

use anyhow::{Context, Result, bail, ensure};
use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::recipe::Of;
use evariste_algorithms::{Form as Held, Plan, plans};
use evariste_backend::Made;
use evariste_descriptions::{Modulus, Pairing, Structure};
use evariste_ir::{ArrayKind, Kernel};
use evariste_proof::Proved;
use evariste_run::{Argument, Buffer, Role, Stop, TimingOptions, Workload, time_paired};
use evariste_tune::candidates::judge_all;
use evariste_tune::choose::choose;
use evariste_tune::encode::{Arrays, bits, decode};
use evariste_tune::here;
use evariste_tune::measure::make_all;
use evariste_tune::operands::{arrays, numbers};
use num_bigint::{BigInt, BigUint};

use super::subject::{Case, Form, Task};
use crate::prime::ours::layouts;
use crate::prime::row::best_round;

/// Something of ours that can be timed.
pub struct Own {
    /// `one`, `many` or `many, AVX2`.
    pub elements: &'static str,
    /// Plan and code.
    pub plan: String,
    /// Elements of a call.
    pub count: usize,
    /// What it is timed on.
    pub workload: Workload,
}

/// Candidates that go on to the paired run.
const FINALISTS: usize = 2;

/// How short runs are timed, that choose what is timed longer.
const SHORT: TimingOptions = TimingOptions {
    rounds: 5,
    samples_per_round: 4,
    sample_ns: 7_000.0,
    warm_ns: 30_000.0,
    budget_ns: 1e7,
    latency: false,
};

/// The best of our candidates.
pub fn finalists(task: &Task) -> Result<Vec<Own>> {
    let Some(backend) = here::scalar(None) else {
        bail!("no machine code of our own");
    };
    let all: Vec<Plan> = layouts(&task.field, std::slice::from_ref(&backend))
        .iter()
        .flat_map(|layout| {
            task.one().iter().flat_map(|operation| plans(&task.field, layout, operation)).collect::<Vec<_>>()
        })
        .collect();
    let mut judged: Vec<(String, Plan, Proved)> = judge_all(&all, |_| false, &Stop::default(), || ())
        .into_iter()
        .filter_map(|judged| Some((judged.plan.name(), judged.plan, judged.outcome.ok()?)))
        .collect();
    judged.extend(all.iter().flat_map(by_other_parts));
    let kernels: Vec<&Proved> = judged.iter().map(|(.., proved)| proved).collect();
    let mut owns = Vec::new();
    for ((name, plan, proved), made) in judged.iter().zip(make_all(&kernels, &*backend, &Stop::default(), || ())) {
        let Ok(made) = made else { continue };
        let name = format!("{} {name} ({})", plan.operation.name(), backend.ranked_as(proved.kernel()).name);
        let workload = workload(task, plan, proved.kernel(), &made).with_context(|| name.clone())?;
        owns.push(Own { elements: "one", plan: name, count: 1, workload });
    }
    let workloads: Vec<Workload> = owns.iter().map(|own| own.workload.clone()).collect();
    let timings = time_paired(&workloads, &SHORT)?;
    let mut order: Vec<(f64, Own)> = timings.iter().map(|timing| best_round(&timing.throughput)).zip(owns).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(order.into_iter().take(FINALISTS).map(|(_, own)| own).collect())
}

/// What calls an operation of the same curve, by each plan of that but the first, which the plan itself takes.
fn by_other_parts(plan: &Plan) -> Vec<(String, Plan, Proved)> {
    let own = plan.needs().iter().filter(|need| need.of == Of::Itself);
    let parts = own.flat_map(|need| plans(&plan.field, &plan.layout, &need.operation).into_iter().skip(1));
    parts
        .filter_map(|part| {
            let mut chosen = choose(&plan.field, &[plan.layout.word], Some(&plan.layout.name), None).ok()?;
            chosen.pin(&part.operation, &part.algorithm).ok()?;
            let name = format!("{} by {}", plan.name(), part.algorithm);
            Some((name, plan.clone(), chosen.proved_plan(&plan.operation).ok()?.1))
        })
        .collect()
}

/// A function with the operands of the cases, each of which it answers rightly.
fn workload(task: &Task, plan: &Plan, kernel: &Kernel, made: &Made) -> Result<Workload> {
    let on_bytes = !matches!(task.subject.form, Form::Jacobian | Form::Pairing);
    let arguments = made.function.arguments();
    let mut operands = Vec::new();
    for case in &task.cases {
        let given = if on_bytes { bytes(task, case, arguments)? } else { coordinates(task, plan, kernel, case)? };
        let mut left = given.iter();
        let mut buffers: Vec<Buffer> = Vec::new();
        for argument in arguments {
            buffers.push(match argument.role {
                Role::Output => Buffer::zeroed(argument.bytes),
                _ => left.next().context("an operand")?.clone(),
            });
        }
        made.function.call(&mut buffers)?;
        if on_bytes {
            let valid = buffers.get(1).is_some_and(|valid| valid.bytes().first() == Some(&1));
            ensure!(valid && buffers[0].bytes() == task.expected(case)?, "wrong for {:#x}", case.first);
        } else {
            let right = answer(task, plan, kernel, &buffers)?;
            ensure!(right == task.wanted(case)?, "wrong for {:#x} and {:#x}", case.first, case.second);
        }
        operands.push(given);
    }
    Ok(Workload { function: made.function.clone(), operands, chain: 0 })
}

/// Operands on bytes, which are those of libraries.
fn bytes(task: &Task, case: &Case, arguments: &[Argument]) -> Result<Vec<Buffer>> {
    let given = task.given(case)?;
    let read: Vec<usize> = arguments.iter().filter(|a| a.role != Role::Output).map(|a| a.bytes).collect();
    ensure!(given.iter().map(Buffer::len).eq(read.iter().copied()), "it takes {read:?} bytes");
    Ok(given)
}

/// The form in which a plan's layout holds elements.
fn held(task: &Task, plan: &Plan) -> Held {
    let ground = kinds::ground(&task.field);
    Held::modulo(ground.get::<Modulus>().map(|m| &m.value), &plan.layout)
}

/// Operands in the words of a plan's layout.
fn coordinates(task: &Task, plan: &Plan, kernel: &Kernel, case: &Case) -> Result<Vec<Buffer>> {
    let form = held(task, plan);
    let slots = plan.operation.row().inputs.iter().zip([&case.first, &case.second]);
    let values: Vec<BigInt> = slots
        .flat_map(|(slot, x)| match kinds::given(&task.field, slot.holds, x) {
            Given::Elements(all) => all.iter().map(|x| form.held(x)).collect(),
            Given::Number(x) => vec![x],
        })
        .map(BigInt::from)
        .collect();
    let given = arrays(kernel, &numbers(kernel), &values).context("operands outside the contract")?;
    let read = kernel.visible().filter(|a| !matches!(kernel.array(*a).kind, ArrayKind::Output));
    Ok(read
        .map(|array| {
            let own = given.iter().find(|(of, _)| *of == array);
            let zeros = || vec![0; kernel.array(array).len as usize];
            Buffer::from_u64(&own.map_or_else(zeros, |(_, words)| words.iter().map(bits).collect()))
        })
        .collect())
}

/// The result of a call.
fn answer(task: &Task, plan: &Plan, kernel: &Kernel, buffers: &[Buffer]) -> Result<BigUint> {
    let form = held(task, plan);
    let all = kernel.visible().zip(buffers);
    let written: Arrays = all.map(|(a, b)| (a, b.to_u64().into_iter().map(BigInt::from).collect())).collect();
    let claims = kernel.contract.claims.iter();
    let numbers: Vec<BigUint> =
        claims.map(|claim| form.element(&decode(claim.output(), &written).to_biguint().unwrap_or_default())).collect();
    let holds = plan.operation.row().outputs.first().map_or(Holds::Element, |slot| slot.holds);
    kinds::result(&task.field, holds, &numbers).context("coordinates of no element")
}

impl Task {
    /// What ours gives: of pairings the multiple.
    pub fn wanted(&self, case: &Case) -> Result<BigUint> {
        match self.field.get::<Pairing>() {
            Some(pairing) => pairing.target.power(&case.answer, &pairing.multiple).context("a power"),
            None => Ok(case.answer.clone()),
        }
    }
}

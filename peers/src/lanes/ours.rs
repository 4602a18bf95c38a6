//! Our candidates: every plan of a layout that vectors have code for, proved; the fastest ones in the shape that is
//! fastest.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use evariste_algorithms::{Layout, Plan, lane_layouts, plans};
use evariste_backend::{Backend, Choice, Made, Repeat, bound};
use evariste_descriptions::{BinaryField, Field, Modulus};
use evariste_ir::{Array, Kernel as Written};
use evariste_proof::Proved;
use evariste_run::{Buffer, Stop, TimingOptions, Workload, time_paired};
use evariste_tune::cache;
use evariste_tune::candidates::{field_layouts, judge_all};
use evariste_tune::cores::found;
use evariste_tune::encode::{bits, decode};
use evariste_tune::measure::{make_all, workload};
use evariste_tune::operands::{arrays, operand_values};
use num_bigint::BigInt;

use crate::lanes::arrangement::Arrangement;
use crate::prime::kernels::Kernel;
use crate::prime::row::best_round;

/// A candidate that can be timed.
pub struct Candidate {
    /// Plan and code: `multiply-rows/5x52 (avx-512)`.
    pub plan: String,
    /// What its results promise.
    pub contract: &'static str,
    /// How groups of lanes are interleaved.
    pub shape: String,
    /// Elements of a call.
    pub elements: u32,
    /// The least cycles of an element, by the ports.
    pub bound_cycles: f64,
    /// What it is timed on.
    pub workload: Workload,
}

/// Plans that are timed in all their shapes.
const PLANS: usize = 3;

/// Plans in their shapes that go on to the paired run.
const FINALISTS: usize = 3;

/// How short runs are timed, that choose what is timed longer.
const SHORT: TimingOptions = TimingOptions {
    rounds: 16,
    samples_per_round: 6,
    sample_ns: 7_000.0,
    warm_ns: 50_000.0,
    budget_ns: 3e7,
    latency: false,
};

/// What the arrays of a function may take together, so that two rows of them lie in the first-level cache.
const ARRAY_BYTES: usize = 20 << 10;

/// The best of our candidates, each checked against big integers.
pub fn finalists(kernel: &Kernel, backends: &[Arc<dyn Backend>]) -> Result<Vec<Candidate>> {
    let mut layouts = field_layouts(&kernel.field, &[64, 32]);
    layouts.extend(lane_layouts(&kernel.field, 64, 52));
    // Those that a back end looks for itself: digits of as many bits as its products like best.
    for layout in backends.iter().flat_map(|backend| backend.layouts(&kernel.field)) {
        if layouts.iter().all(|other| other.name != layout.name) {
            layouts.push(layout);
        }
    }
    // A coordinate a vector is another arrangement, and long circuits take minutes to be made.
    layouts
        .retain(|layout| layout.word > 1 && backends.iter().any(|backend| backend.takes(&kernel.field, layout, false)));
    let all: Vec<_> = layouts.iter().flat_map(|layout| plans(&kernel.field, layout, &kernel.operation)).collect();
    let judged: Vec<(Plan, Proved)> = judge_all(&all, |_| false, &Stop::default(), || ())
        .into_iter()
        .filter_map(|j| Some((j.plan, j.outcome.ok()?)))
        .collect();
    let mut made: Vec<(usize, &dyn Backend, Made)> = Vec::new();
    for backend in backends.iter().map(|backend| &**backend) {
        let taken: Vec<usize> = (0..judged.len())
            .filter(|&i| backend.takes(&kernel.field, &judged[i].0.layout, judged[i].1.kernel().uses_floats()))
            .collect();
        let kernels: Vec<&Proved> = taken.iter().map(|&i| &judged[i].1).collect();
        made.extend(
            taken
                .into_iter()
                .zip(make_all(&kernels, backend, &Stop::default(), || ()))
                .filter_map(|(i, made)| Some((i, backend, made.ok()?))),
        );
    }
    let mut shaped = Vec::new();
    for place in fastest(&made, &judged, PLANS)? {
        let (i, backend, compiled) = &made[place];
        shaped.extend(in_all_shapes(*backend, &judged[*i].1, compiled).into_iter().map(|made| (*i, *backend, made)));
    }
    let core = found(cache::folder().as_deref())?.core;
    let mut candidates = Vec::new();
    for place in fastest(&shaped, &judged, FINALISTS)? {
        let (i, backend, compiled) = &shaped[place];
        let (plan, proved) = &judged[*i];
        let Some(shape) = &compiled.shape else { continue };
        let name = format!("{} ({})", plan.name(), backend.entry().name);
        check(&kernel.field, &plan.layout, proved, compiled).with_context(|| format!("{name} in the shape {shape}"))?;
        candidates.push(Candidate {
            plan: name,
            contract: contract(&kernel.field, &plan.layout),
            shape: shape.clone(),
            elements: compiled.lanes,
            bound_cycles: bound(*backend, proved.kernel(), &core),
            workload: workload(proved, compiled),
        });
    }
    Ok(candidates)
}

/// The places of the fastest, by a short run, nanoseconds an element.
fn fastest(made: &[(usize, &dyn Backend, Made)], judged: &[(Plan, Proved)], most: usize) -> Result<Vec<usize>> {
    let workloads: Vec<_> = made.iter().map(|(i, _, compiled)| workload(&judged[*i].1, compiled)).collect();
    let timings = time_paired(&workloads, &SHORT)?;
    let each = |i: &usize| best_round(&timings[*i].throughput) / f64::from(made[*i].2.lanes);
    let mut order: Vec<usize> = (0..made.len()).collect();
    order.sort_by(|a, b| each(a).total_cmp(&each(b)));
    order.truncate(most);
    Ok(order)
}

/// The kernel in its shapes, and in each that works on more than the first-level cache holds also on as many groups as
/// it does hold. What a shape cannot be made in is not a choice.
fn in_all_shapes(backend: &dyn Backend, proved: &Proved, compiled: &Made) -> Vec<Made> {
    let arguments = compiled.function.arguments();
    let longest = arguments.iter().map(|a| a.bytes).max().unwrap_or(0);
    let groups = (ARRAY_BYTES * compiled.order.groups as usize / (longest * arguments.len()).max(1)).max(1) as u32;
    let mut all: Vec<Made> = Vec::new();
    for shape in backend.shapes(proved.kernel()) {
        let make = |repeat| backend.make(proved, &Choice { shape: Some(&shape), repeat, ..Choice::default() }).ok();
        let usual = make(Repeat::Usual);
        let short = usual.as_ref().filter(|made| made.order.groups > groups).and_then(|_| make(Repeat::Groups(groups)));
        for made in usual.into_iter().chain(short) {
            if all.iter().all(|other| other.shape != made.shape) {
                all.push(made);
            }
        }
    }
    all
}

/// What results in this layout promise.
fn contract(field: &Field, layout: &Layout) -> &'static str {
    let Some(m) = field.get::<Modulus>() else {
        return if field.get::<BinaryField>().is_some() { "canonical" } else { "integer" };
    };
    match (
        layout.montgomery.is_some(),
        layout.resting.bound < BigInt::from(m.value.clone()) && layout.resting.low.is_none(),
    ) {
        (true, true) => "montgomery-canonical",
        (true, false) => "montgomery-redundant",
        (false, true) => "canonical",
        (false, false) => "redundant",
    }
}

/// Rounds of the check: the later ones work on results of the one before, which have whatever unmasked digits have above
/// their bits.
const CHECKS: u64 = 3;

/// Operands for each element, since not every number below a bound has digits below theirs.
const MORE: usize = 8;

/// Operands of so many elements: every number has digits within the contract.
fn operands(kernel: &Written, elements: usize) -> Result<Vec<Vec<(Array, Vec<BigInt>)>>> {
    let fitting: Vec<Vec<(Array, Vec<BigInt>)>> = operand_values(kernel, MORE * elements, 3)
        .iter()
        .filter_map(|values| arrays(kernel, &kernel.contract.inputs, values))
        .collect();
    // The first half are edges: some of all.
    let step = (fitting.len() / elements).max(1);
    let read: Vec<_> = fitting.into_iter().step_by(step).take(elements).collect();
    if read.len() == elements { Ok(read) } else { bail!("operands outside the contract") }
}

/// Computes products of edges and random operands, in all lanes, and compares them with those of big integers.
fn check(field: &Field, layout: &Layout, proved: &Proved, compiled: &Made) -> Result<()> {
    let kernel: &Written = proved.kernel();
    let elements = compiled.lanes as usize;
    let output = kernel.contract.claims.first().context("a kernel without a claim")?.output();
    let mut read = operands(kernel, elements)?;
    for round in 0..CHECKS {
        let mut buffers: Vec<Buffer> = Vec::new();
        let places: Vec<(Array, usize, Arrangement)> = kernel
            .params()
            .zip(compiled.function.arguments())
            .map(|(a, argument)| {
                let len = kernel.array(a).len as usize;
                (
                    a,
                    len,
                    Arrangement {
                        count: compiled.order.lanes as usize,
                        word_bytes: argument.bytes / (len * elements),
                        run: 1,
                    },
                )
            })
            .collect();
        for (a, len, arrangement) in &places {
            let words = |element: &Vec<(Array, Vec<BigInt>)>| {
                element
                    .iter()
                    .find(|(b, _)| b == a)
                    .map_or(vec![0; *len], |(_, words)| words.iter().map(bits).collect())
            };
            buffers.push(arrangement.pack(&read.iter().map(words).collect::<Vec<_>>(), *len));
        }
        compiled.function.call(&mut buffers)?;
        let given: Vec<_> = places
            .iter()
            .zip(&buffers)
            .map(|((a, len, arrangement), buffer)| (*a, arrangement.unpack(buffer, elements, *len)))
            .collect();
        for (e, read) in read.iter_mut().enumerate() {
            let written: Vec<(Array, Vec<BigInt>)> =
                given.iter().map(|(a, all)| (*a, all[e].iter().map(|w| BigInt::from(*w)).collect())).collect();
            let result = decode(output, &written);
            let values: Vec<BigInt> = kernel.contract.inputs.iter().map(|operand| decode(operand, read)).collect();
            let product = &values[0] * &values[1];
            let right = match (field.get::<Modulus>(), field.get::<BinaryField>()) {
                (Some(m), _) => {
                    let p = BigInt::from(m.value.clone());
                    result <= layout.resting.bound && (&result * layout.factor() - &product) % p == BigInt::ZERO
                }
                (None, None) => result == product,
                (_, Some(f)) => *result.magnitude() == f.multiply(values[0].magnitude(), values[1].magnitude()),
            };
            if !right {
                bail!("round {round}, element {e}: wrong for {:#x} and {:#x}: {result:#x}", values[0], values[1]);
            }
            // The result in place of the first operand, where it is one.
            let first = kernel.contract.inputs[0].digits[0].array;
            let words = written.into_iter().find(|(a, _)| *a == output.digits[0].array).map(|(_, words)| words);
            if let (Some(words), Some((_, operand))) = (words, read.iter_mut().find(|(a, _)| *a == first))
                && words.len() == operand.len()
            {
                *operand = words;
            }
        }
    }
    Ok(())
}

//! The judge: a kernel against its contract on every input that the contract admits, in the interpreter.

use evariste_ir::interpret::{Axis, Product};
use evariste_ir::{Array, ArrayKind, Batch, ClaimChecker, Interpreter, Kernel};
use num_traits::ToPrimitive;

/// Kernels with more inputs take no part.
pub const MOST: u128 = 1 << 18;

/// Most inputs of a kernel for lanes, where what is above an unmasked digit counts too.
pub const MOST_IN_LANES: u128 = 1 << 20;

/// Elements of the arrays that a kernel reads.
fn readable(kernel: &Kernel) -> Vec<(Array, u32)> {
    let arrays = kernel.params().filter(|a| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    arrays.flat_map(|a| (0..kernel.array(a).len).map(move |i| (a, i))).collect()
}

/// Has the kernel at most so many inputs?
pub fn is_small(kernel: &Kernel, most: u128) -> bool {
    let size = |(a, i): (Array, u32)| {
        (&kernel.array(a).range(i).hi - &kernel.array(a).range(i).lo + 1u32).to_u128().unwrap_or(u128::MAX)
    };
    readable(kernel).into_iter().map(size).fold(1u128, |n, s| n.saturating_mul(s)) <= most
}

/// Every value of every element that the caller may pass (the contract may admit fewer of their combinations).
fn every_input(kernel: &Kernel) -> Product {
    let axis = |(a, i): (Array, u32)| {
        let range = kernel.array(a).range(i);
        Axis::element(
            a,
            i,
            range.lo.to_u64().expect("toy inputs are not negative"),
            range.hi.to_u64().expect("toy inputs are small"),
        )
    };
    Product(readable(kernel).into_iter().map(axis).collect())
}

/// Outputs that may lie where an input lies: same type and length, not forbidden.
fn aliases(kernel: &Kernel) -> Vec<(Array, Array)> {
    let written = |a: &Array| matches!(kernel.array(*a).kind, ArrayKind::Output | ArrayKind::InOut);
    let read = |a: &Array| matches!(kernel.array(*a).kind, ArrayKind::Input);
    let pairs = kernel.params().filter(written).flat_map(|o| kernel.params().filter(read).map(move |i| (o, i)));
    pairs.filter(|(o, i)| kernel.may_alias(*o, *i)).collect()
}

/// Runs all inputs; the first admissible one whose outputs break the contract, in words.
fn first_wrong(kernel: &Kernel, alias: Option<(Array, Array)>) -> Option<String> {
    let interpreter = Interpreter::new(kernel);
    let mut checker = ClaimChecker::new(kernel);
    let inputs = every_input(kernel);
    let mut block = |batch: &mut Batch, start: u128, count: usize| {
        checker.capture(batch);
        let report = interpreter.run(batch);
        let lane = checker.check(batch, &report, count)?;
        Some(format!(
            "inputs {:?}{}",
            inputs.combination(start + lane as u128),
            if alias.is_some() { ", the output in the place of an input" } else { "" }
        ))
    };
    match alias {
        None => inputs.blocks(&interpreter, block),
        Some((output, input)) => {
            let mut batch = interpreter.batch(interpreter.block_lanes());
            batch.alias(output, input);
            inputs.blocks_in(&mut batch, &mut block)
        }
    }
}

/// An admissible input for which the kernel breaks its contract, also with outputs in the place of inputs.
pub fn wrong(kernel: &Kernel) -> Option<String> {
    first_wrong(kernel, None).or_else(|| aliases(kernel).into_iter().find_map(|pair| first_wrong(kernel, Some(pair))))
}

/// An admissible input for which the kernel that leaves after a proof differs from the one that was proved, or leaves
/// an interval that it states.
pub fn cleaning_is_wrong(statement: &Kernel, cleaned: &Kernel) -> Option<String> {
    let (before, after) = (Interpreter::new(statement), Interpreter::checking_ranges(cleaned));
    let mut checker = ClaimChecker::new(statement);
    let inputs = every_input(statement);
    let in_cleaned = |a: Array| cleaned.find(&statement.array(a).name);
    // The same axes in the same order, in the cleaned kernel's arrays.
    let mapped = inputs.0.iter().map(|axis| Axis {
        parts: axis.parts.iter().filter_map(|(a, i, s, b)| Some((in_cleaned(*a)?, *i, *s, *b))).collect(),
        ..axis.clone()
    });
    let mapped = Product(mapped.collect());
    let mut written = Vec::new();
    for a in statement.params().filter(|a| matches!(statement.array(*a).kind, ArrayKind::Output | ArrayKind::InOut)) {
        let Some(b) = in_cleaned(a) else { return Some(format!("{} is lost", statement.array(a).name)) };
        written.extend((0..statement.array(a).len).map(|i| (a, b, i)));
    }
    inputs.blocks(&before, |batch, start, count| {
        let mut other = after.batch(batch.lanes());
        mapped.fill(&mut other, start, count);
        checker.capture(batch);
        before.run(batch);
        let report = after.run(&mut other);
        (0..count).filter(|lane| checker.is_admissible(*lane)).find_map(|lane| {
            let at = || format!("inputs {:?}", inputs.combination(start + lane as u128));
            if report.lane_is_bad(lane) {
                return Some(format!("{}: {:?}", at(), report.violations.first().map(ToString::to_string)));
            }
            let differs = written.iter().any(|(a, b, i)| batch.get(*a, *i, lane) != other.get(*b, *i, lane));
            differs.then(|| format!("{}: the outputs differ", at()))
        })
    })
}

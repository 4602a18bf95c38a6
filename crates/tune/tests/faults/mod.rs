//! Faults put into generated kernels by hand: each helper makes one slip of the pen, at a place that is named by the
//! operation, not by its position.

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::kernel::ValueInfo;
use evariste_ir::{Interval, Kernel, Op, Operand, Stmt, Value, verify};
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;

/// The kernel of a plan, `algorithm/layout`.
pub fn kernel(field: &str, word: u32, operation: &str, plan: &str) -> Kernel {
    let field = Field::parse(field).expect("a field");
    let operation = Operation::parse(operation).expect("an operation");
    let layouts = layouts(&field, word);
    let found = layouts.iter().flat_map(|l| plans(&field, l, &operation)).find(|p| p.name() == plan);
    found.unwrap_or_else(|| panic!("there is no plan {plan}")).write().expect("the plan applies")
}

/// A layout of a field by name.
pub fn layout_named(field: &Field, word: u32, name: &str) -> Layout {
    layouts(field, word).into_iter().find(|l| l.name == name).expect("a layout")
}

/// Positions of the operations of that name in the body.
pub fn places(kernel: &Kernel, name: &str) -> Vec<usize> {
    let is = |s: &Stmt| matches!(s, Stmt::Op { op, .. } if op.name() == name);
    (0..kernel.body.len()).filter(|i| is(&kernel.body[*i])).collect()
}

/// The `i`-th operation of that name.
pub fn nth(kernel: &Kernel, name: &str, i: usize) -> usize {
    let places = places(kernel, name);
    *places.get(i).unwrap_or_else(|| panic!("{} has {} operations {name}", kernel.name, places.len()))
}

/// The last operation of that name.
pub fn last(kernel: &Kernel, name: &str) -> usize {
    nth(kernel, name, places(kernel, name).len() - 1)
}

/// Result `r` of a statement.
pub fn result(kernel: &Kernel, at: usize, r: usize) -> Value {
    let Stmt::Op { results, .. } = &kernel.body[at] else { panic!("no operation") };
    results[r]
}

/// Operand `i` of a statement.
pub fn operand(kernel: &Kernel, at: usize, i: usize) -> Value {
    let Stmt::Op { args, .. } = &kernel.body[at] else { panic!("no operation") };
    args[i]
}

/// Every use of `from` sees `to` instead.
pub fn replace(kernel: &mut Kernel, from: Value, to: Value) {
    for stmt in &mut kernel.body {
        match stmt {
            Stmt::Op { args, .. } => args.iter_mut().filter(|v| **v == from).for_each(|v| *v = to),
            Stmt::Store { value, .. } if *value == from => *value = to,
            _ => {}
        }
    }
}

/// Every use of result `r` sees zero.
pub fn lose(kernel: &mut Kernel, at: usize, r: usize) {
    let from = result(kernel, at, r);
    let ty = kernel.value(from).ty;
    kernel.values.push(ValueInfo { ty, range: Interval::point(0) });
    let zero = Value(kernel.values.len() as u32 - 1);
    replace(kernel, from, zero);
    kernel.body.insert(0, Stmt::Op { op: Op::Const(0.into()), args: vec![], results: vec![zero] });
}

/// Every use of the only result sees operand `i`: the operation is forgotten.
pub fn forget(kernel: &mut Kernel, at: usize, i: usize) {
    let (from, to) = (result(kernel, at, 0), operand(kernel, at, i));
    replace(kernel, from, to);
}

/// Swaps two operands.
pub fn swap(kernel: &mut Kernel, at: usize, i: usize, j: usize) {
    let Stmt::Op { args, .. } = &mut kernel.body[at] else { panic!("no operation") };
    args.swap(i, j);
}

/// The constant `old` becomes `new`, wherever it is written.
pub fn set_constant(kernel: &mut Kernel, old: impl Into<BigInt>, new: impl Into<BigInt>) {
    let (old, new) = (old.into(), new.into());
    let mut found = false;
    for stmt in &mut kernel.body {
        if let Stmt::Op { op: Op::Const(c), .. } = stmt
            && *c == old
        {
            *c = new.clone();
            found = true;
        }
    }
    assert!(found, "{} has no constant {old}", kernel.name);
}

/// The output number of the first claim.
pub fn output(kernel: &mut Kernel) -> &mut Operand {
    kernel.contract.claims[0].output_mut()
}

/// What the engine says of a faulty kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It gave an input, and the input replays.
    Refuted,
    /// No input was found: the proof alone stands in the way.
    NotProved,
}

/// A well-formed faulty kernel must not be proved; a counterexample must replay.
pub fn refused(kernel: &Kernel) -> Refusal {
    if let Err(defects) = verify(kernel) {
        panic!("{} is malformed, which is another fault: {}", kernel.name, defects[0]);
    }
    match prove(kernel) {
        Outcome::Proved(_) => panic!("the faulty {} is proved", kernel.name),
        Outcome::Refuted(found) => {
            let inputs: Vec<(&str, Vec<BigInt>)> =
                found.inputs.iter().map(|(name, x)| (name.as_str(), x.clone())).collect();
            assert!(
                evariste_ir::refute(kernel, &inputs).is_some(),
                "the input for {} does not replay: {inputs:?}",
                kernel.name
            );
            Refusal::Refuted
        }
        Outcome::Unknown(_) => Refusal::NotProved,
    }
}

/// The kernel is proved; with the fault it is refused.
pub fn faulty(right: &Kernel, fault: impl Fn(&mut Kernel)) -> Refusal {
    if let Outcome::Refuted(c) = prove(right) {
        panic!("{} is refuted without a fault: {}", right.name, c.violation);
    }
    assert!(matches!(prove(right), Outcome::Proved(_)), "{} is not proved without a fault", right.name);
    let mut wrong = right.clone();
    fault(&mut wrong);
    assert_ne!(&wrong, right, "the fault in {} changes nothing", right.name);
    refused(&wrong)
}

//! Mutants: every kernel that differs from a given one by a single fault. They are what the proof engine is tested
//! with: a mutant that is proved must be right on every input.
//!
//! Faults: an operation dropped (its result is an operand, or zero), replaced by another of the same shape, its
//! operands or results swapped; a constant, a shift, a mask width or a trip count one more or less; a digit index
//! moved; a claimed or invariant range tightened by one; an input's guarantee widened by one. Mutants keep SSA form and
//! types; the intervals stored by the builder are left as they were.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::contract::{Below, Claim};
use crate::kernel::{ArrayKind, Index, Kernel, Stmt, Type, Value, ValueInfo};
use crate::op::{Op, Public};
use crate::range::Interval;
use crate::statements;

/// A faulty kernel and what was done to it.
pub struct Mutant {
    /// The fault in words, with the statement's number in text order.
    pub fault: String,
    /// The class of the fault: `dropped`, `replaced`, `swapped`, `constant`, `index`, `range`.
    pub class: &'static str,
    /// The kernel.
    pub kernel: Kernel,
}

/// All single-fault mutants of a kernel (callees are left alone; calls' views move).
pub fn mutants(kernel: &Kernel) -> Vec<Mutant> {
    (0..=kernel.statements().count()).flat_map(|at| mutants_at(kernel, at)).collect()
}

/// The mutants of a statement; after the last one those of ranges.
fn mutants_at(kernel: &Kernel, at: usize) -> Vec<Mutant> {
    let mut all = Vec::new();
    let Some(stmt) = kernel.statements().nth(at) else {
        range_mutants(kernel, &mut all);
        return all;
    };
    for (class, what, change) in changes(kernel, stmt) {
        let mut mutant = kernel.clone();
        apply(&mut mutant, at, change);
        if &mutant != kernel {
            all.push(Mutant { fault: format!("statement {at}: {what}"), class, kernel: mutant });
        }
    }
    all
}

/// One single-fault mutant, which the number draws: a statement's, or one of a range. Where a statement has none it is
/// the next one's. Of a long kernel this is much quicker than to make [`mutants`] and to take one.
pub fn mutant(kernel: &Kernel, draw: usize) -> Option<Mutant> {
    let places = kernel.statements().count() + 1;
    (0..places).find_map(|next| {
        let mut all = mutants_at(kernel, (draw + next) % places);
        (!all.is_empty()).then(|| all.swap_remove(draw / places % all.len()))
    })
}

/// What happens to one statement.
enum Change {
    /// The statement becomes this one.
    Become(Stmt),
    /// One result is dropped: its uses see this value instead.
    Forget { result: Value, instead: Value },
    /// One result is dropped: its uses see zero.
    Zero { result: Value },
}

fn changes(kernel: &Kernel, stmt: &Stmt) -> Vec<(&'static str, String, Change)> {
    let mut all: Vec<(&'static str, String, Change)> = Vec::new();
    match stmt {
        Stmt::Op { op, args, results } => {
            let same = |ops: &[Op]| -> Vec<Stmt> {
                ops.iter().map(|o| Stmt::Op { op: o.clone(), args: args.clone(), results: results.clone() }).collect()
            };
            for r in results {
                let ty = kernel.value(*r).ty;
                if !matches!(ty, Type::Float(_)) && !matches!(op, Op::Const(c) if c.is_zero()) {
                    all.push(("dropped", format!("{} result is zero", op.name()), Change::Zero { result: *r }));
                }
            }
            for a in args.iter().filter(|a| results.len() == 1 && kernel.value(**a).ty == kernel.value(results[0]).ty) {
                all.push((
                    "dropped",
                    format!("{} dropped", op.name()),
                    Change::Forget { result: results[0], instead: *a },
                ));
            }
            for s in same(&(op.row().slips)(op)) {
                all.push(("replaced", format!("{} replaced", op.name()), Change::Become(s)));
            }
            for i in 0..args.len() {
                for j in i + 1..args.len() {
                    if args[i] != args[j]
                        && kernel.value(args[i]).ty == kernel.value(args[j]).ty
                        && !(op.row().symmetric)(i, j)
                    {
                        let mut swapped = args.clone();
                        swapped.swap(i, j);
                        all.push((
                            "swapped",
                            format!("{} operands {i} and {j}", op.name()),
                            Change::Become(Stmt::Op { op: op.clone(), args: swapped, results: results.clone() }),
                        ));
                    }
                }
            }
            if results.len() == 2 && kernel.value(results[0]).ty == kernel.value(results[1]).ty {
                all.push((
                    "swapped",
                    format!("{} results", op.name()),
                    Change::Become(Stmt::Op {
                        op: op.clone(),
                        args: args.clone(),
                        results: vec![results[1], results[0]],
                    }),
                ));
            }
            for o in results.first().map_or_else(Vec::new, |r| off_by_one(op, kernel.value(*r).ty)) {
                all.push((
                    "constant",
                    format!("{} one off", op.name()),
                    Change::Become(Stmt::Op { op: o, args: args.clone(), results: results.clone() }),
                ));
            }
        }
        Stmt::Load { result, array, index } => {
            for index in moved(index, kernel.array(*array).len) {
                all.push((
                    "index",
                    "load moved".into(),
                    Change::Become(Stmt::Load { result: *result, array: *array, index }),
                ));
            }
        }
        Stmt::Store { array, index, value } => {
            for index in moved(index, kernel.array(*array).len) {
                all.push((
                    "index",
                    "store moved".into(),
                    Change::Become(Stmt::Store { array: *array, index, value: *value }),
                ));
            }
        }
        Stmt::Loop(l) => {
            for count in [l.count.wrapping_sub(1), l.count + 1] {
                if count > 0 && count < u32::MAX {
                    let mut l = l.clone();
                    l.count = count;
                    all.push(("constant", "trip count one off".into(), Change::Become(Stmt::Loop(l))));
                }
            }
            for (i, c) in l.carried.iter().enumerate() {
                if kernel.value(c.next).ty == kernel.value(c.inner).ty {
                    let mut l = l.clone();
                    l.carried[i].next = c.inner;
                    all.push(("dropped", "carried value not updated".into(), Change::Become(Stmt::Loop(l))));
                }
            }
        }
        Stmt::Call { callee, args } => {
            for i in 0..args.len() {
                for start in moved(&args[i].start, kernel.array(args[i].array).len) {
                    let mut args = args.clone();
                    args[i].start = start;
                    all.push(("index", "view moved".into(), Change::Become(Stmt::Call { callee: *callee, args })));
                }
            }
        }
    }
    all
}

/// Constants, shift amounts and widths one more or less, inside their types.
fn off_by_one(op: &Op, ty: Type) -> Vec<Op> {
    let inside = |k: &Index| k.constant().is_none_or(|k| (0..i64::from(ty.bits())).contains(&k));
    let constants = |near: &[BigInt]| near.iter().filter(|x| ty.full().contains(x)).cloned().map(Op::Const).collect();
    match (op.row().public, op) {
        // Floats by powers of two: the numbers next to a magic constant are no numbers of the format.
        (_, Op::Const(c)) if matches!(ty, Type::Float(_)) => {
            constants(&[c - 1, c + 1, c * 2, c / 2, c * 3 / 2].into_iter().filter(|x| x != c).collect::<Vec<_>>())
        }
        (_, Op::Const(c)) => constants(&[c - 1, c + 1]),
        (Public::Amount(make), op) => {
            let near = |k: &Index| [-1, 1].map(|d| k.clone().offset(d)).into_iter().filter(inside).map(make).collect();
            op.amount().map_or_else(Vec::new, near)
        }
        (_, Op::LowBits(k)) => {
            [k.wrapping_sub(1), k + 1].into_iter().filter(|k| (1..=ty.bits()).contains(k)).map(Op::LowBits).collect()
        }
        (Public::Images(make), Op::BitMatrix(images)) => [1, 1 << 35].map(|bit| make(images ^ bit)).to_vec(),
        (Public::FactorBits(make), Op::MaddLo(k) | Op::MaddHi(k)) => vec![make(k - 1)],
        _ => vec![],
    }
}

/// The neighbours of an index inside an array.
fn moved(index: &Index, len: u32) -> Vec<Index> {
    let inside = |i: &Index| i.constant().is_none_or(|k| (0..len as i64).contains(&k));
    [-1, 1].iter().map(|d| index.clone().offset(*d)).filter(inside).collect()
}

/// Claims and invariants one tighter, guarantees one wider.
fn range_mutants(kernel: &Kernel, all: &mut Vec<Mutant>) {
    let mut push = |fault: String, change: &dyn Fn(&mut Kernel)| {
        let mut mutant = kernel.clone();
        change(&mut mutant);
        all.push(Mutant { fault, class: "range", kernel: mutant });
    };
    for (i, claim) in kernel.contract.claims.iter().enumerate() {
        if !claim.output().bound.is_zero() {
            push(format!("claim {i}: bound one less"), &|k| output_mut(&mut k.contract.claims[i]).bound -= 1);
        }
        if let Some(below) = claim.output().below {
            let less = Below { multiple: below.multiple - 1, ..below };
            push(format!("claim {i}: a multiple less"), &|k| output_mut(&mut k.contract.claims[i]).below = Some(less));
        }
        for (j, digit) in claim.output().digits.iter().enumerate() {
            if !digit.max.is_zero() {
                push(format!("claim {i}: digit {j} one less"), &|k| {
                    output_mut(&mut k.contract.claims[i]).digits[j].max -= 1
                });
            }
            if let Some(k) = digit.bits.filter(|k| *k > 1) {
                push(format!("claim {i}: digit {j} a bit less"), &|m| {
                    output_mut(&mut m.contract.claims[i]).digits[j].bits = Some(k - 1)
                });
            }
        }
    }
    for (i, operand) in kernel.contract.inputs.iter().enumerate() {
        let reach: BigInt = operand.digits.iter().map(|d| d.most() << d.weight).sum();
        if operand.bound < reach {
            push(format!("input {i}: bound one more"), &|k| k.contract.inputs[i].bound += 1);
        }
    }
    for (i, below) in kernel.contract.inputs.iter().enumerate().filter_map(|(i, o)| Some((i, o.below?))) {
        push(format!("input {i}: a multiple more"), &|k| {
            k.contract.inputs[i].below = Some(Below { multiple: below.multiple + 1, ..below })
        });
        push(format!("input {i}: any multiple"), &|k| k.contract.inputs[i].below = None);
    }
    for i in 0..kernel.contract.facts.len() {
        push(format!("fact {i}: not given"), &|k| {
            k.contract.facts.remove(i);
        });
    }
    for (i, array) in kernel.arrays.iter().enumerate() {
        if matches!(array.kind, ArrayKind::Local) && array.ranges[0].hi > array.ranges[0].lo {
            push(format!("local array {i}: invariant one less"), &|k| k.arrays[i].ranges[0].hi -= 1);
        }
    }
}

fn output_mut(claim: &mut Claim) -> &mut crate::contract::Operand {
    match claim {
        Claim::Value { output, .. }
        | Claim::Equal { output, .. }
        | Claim::Power { output, .. }
        | Claim::Bits { output, .. }
        | Claim::Iterate { output, .. }
        | Claim::Divsteps { output, .. }
        | Claim::Step { output, .. } => output,
    }
}

// Statements by their number in text order.

/// Changes statement `at`; a forgotten result is given by a statement in its place.
fn apply(kernel: &mut Kernel, at: usize, change: Change) {
    match change {
        Change::Become(new) => {
            if let Some((block, i)) = find_mut(&mut kernel.body, at) {
                block[i] = new;
            }
        }
        Change::Zero { result } => {
            let ty = kernel.value(result).ty;
            forget(
                kernel,
                at,
                result,
                Stmt::Op { op: Op::Const(BigInt::zero()), args: vec![], results: vec![result] },
                ty,
            );
        }
        Change::Forget { result, instead } => rename(&mut kernel.body, result, instead),
    }
}

/// Statement `at` writes `result` into a value that nobody reads; `substitute` defines `result` instead.
fn forget(kernel: &mut Kernel, at: usize, result: Value, substitute: Stmt, ty: Type) {
    kernel.values.push(ValueInfo { ty, range: Interval::bits(ty.bits()) });
    let unread = Value(kernel.values.len() as u32 - 1);
    if let Some((block, i)) = find_mut(&mut kernel.body, at) {
        if let Stmt::Op { results, .. } = &mut block[i] {
            for r in results.iter_mut().filter(|r| **r == result) {
                *r = unread;
            }
        }
        block.insert(i + 1, substitute);
    }
}

/// Every use of `from` after its definition reads `to`.
fn rename(body: &mut [Stmt], from: Value, to: Value) {
    let fix = |v: &mut Value| {
        if *v == from {
            *v = to;
        }
    };
    statements::change_all(body, &mut |s| match s {
        Stmt::Op { args, .. } => args.iter_mut().for_each(fix),
        Stmt::Store { value, .. } => fix(value),
        Stmt::Loop(l) => l.carried.iter_mut().flat_map(|c| [&mut c.init, &mut c.next]).for_each(fix),
        Stmt::Load { .. } | Stmt::Call { .. } => {}
    });
}

fn find_mut(stmts: &mut Vec<Stmt>, at: usize) -> Option<(&mut Vec<Stmt>, usize)> {
    let mut left = at;
    let mut i = 0;
    while i < stmts.len() {
        if left == 0 {
            return Some((stmts, i));
        }
        left -= 1;
        let inside = statements::all(&stmts[i..=i]).count() - 1;
        if left < inside {
            return match &mut stmts[i] {
                Stmt::Loop(l) => find_mut(&mut l.body, left),
                _ => None,
            };
        }
        left -= inside;
        i += 1;
    }
    None
}

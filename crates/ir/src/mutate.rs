//! Mutants: every kernel that differs from a given one by a single fault. They are what the proof engine is tested
//! with: a mutant that is proved must be right on every input.
//!
//! Faults: an operation dropped (its result is an operand, or zero), replaced by another of the same shape, its
//! operands or results swapped; a constant, a shift, a mask width or a trip count one more or less; a digit index
//! moved; a claimed or invariant range tightened by one; an input's guarantee widened by one. Mutants keep SSA form and
//! types; the intervals stored by the builder are left as they were.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::contract::Below;
use crate::kernel::{ArrayKind, Index, Kernel, Loop, Stmt, Type, Value, ValueInfo};
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

/// A fault of one statement: its class, what it is in words, and what happens.
type Fault = (&'static str, String, Change);

fn changes(kernel: &Kernel, stmt: &Stmt) -> Vec<Fault> {
    let index = |what: &str, stmt: Stmt| ("index", what.to_string(), Change::Become(stmt));
    match stmt {
        Stmt::Op { op, args, results } => {
            let dropped = dropped(kernel, op, args, results);
            let changed = changed(kernel, op, args, results).into_iter();
            dropped
                .into_iter()
                .chain(changed.map(|(class, what, op, args, results)| {
                    (class, what, Change::Become(Stmt::Op { op, args, results }))
                }))
                .collect()
        }
        Stmt::Load { result, array, index: at } => moved(at, kernel.array(*array).len)
            .into_iter()
            .map(|at| index("load moved", Stmt::Load { result: *result, array: *array, index: at }))
            .collect(),
        Stmt::Store { array, index: at, value } => moved(at, kernel.array(*array).len)
            .into_iter()
            .map(|at| index("store moved", Stmt::Store { array: *array, index: at, value: *value }))
            .collect(),
        Stmt::Loop(l) => loop_changes(kernel, l),
        Stmt::Call { callee, args } => {
            let mut all = Vec::new();
            for (i, view) in args.iter().enumerate() {
                for start in moved(&view.start, kernel.array(view.array).len) {
                    let mut args = args.clone();
                    args[i].start = start;
                    all.push(index("view moved", Stmt::Call { callee: *callee, args }));
                }
            }
            all
        }
    }
}

/// An operation's results that are zero or one of its operands instead.
fn dropped(kernel: &Kernel, op: &Op, args: &[Value], results: &[Value]) -> Vec<Fault> {
    let mut all = Vec::new();
    for r in results {
        if !matches!(kernel.value(*r).ty, Type::Float(_)) && !matches!(op, Op::Const(c) if c.is_zero()) {
            all.push(("dropped", format!("{} result is zero", op.name()), Change::Zero { result: *r }));
        }
    }
    for a in args.iter().filter(|a| results.len() == 1 && kernel.value(**a).ty == kernel.value(results[0]).ty) {
        let change = Change::Forget { result: results[0], instead: *a };
        all.push(("dropped", format!("{} dropped", op.name()), change));
    }
    all
}

/// What an operation becomes by a fault, with the fault's class and what it is in words.
type Changed = (&'static str, String, Op, Vec<Value>, Vec<Value>);

/// Another operation, other places of operands and results, another constant.
fn changed(kernel: &Kernel, op: &Op, args: &[Value], results: &[Value]) -> Vec<Changed> {
    let name = op.name();
    let ty = |v: Value| kernel.value(v).ty;
    let other = |class, what: String, op: Op| (class, what, op, args.to_vec(), results.to_vec());
    let slips = (op.row().slips)(op).into_iter();
    let mut all: Vec<Changed> = slips.map(|o| other("replaced", format!("{name} replaced"), o)).collect();
    for (i, x) in args.iter().enumerate() {
        for (j, y) in args.iter().enumerate().skip(i + 1) {
            if x != y && ty(*x) == ty(*y) && !(op.row().symmetric)(i, j) {
                let mut swapped = args.to_vec();
                swapped.swap(i, j);
                let what = format!("{name} operands {i} and {j}");
                all.push(("swapped", what, op.clone(), swapped, results.to_vec()));
            }
        }
    }
    if let [first, second] = results
        && ty(*first) == ty(*second)
    {
        all.push(("swapped", format!("{name} results"), op.clone(), args.to_vec(), vec![*second, *first]));
    }
    let near = results.first().map_or_else(Vec::new, |r| off_by_one(op, ty(*r)));
    all.extend(near.into_iter().map(|o| other("constant", format!("{name} one off"), o)));
    all
}

/// Trip counts one off, and carried values that stay as they were.
fn loop_changes(kernel: &Kernel, l: &Loop) -> Vec<Fault> {
    let mut all: Vec<Fault> = Vec::new();
    for count in [l.count.wrapping_sub(1), l.count + 1] {
        if count > 0 && count < u32::MAX {
            let change = Change::Become(Stmt::Loop(Loop { count, ..l.clone() }));
            all.push(("constant", "trip count one off".into(), change));
        }
    }
    for (i, c) in l.carried.iter().enumerate() {
        if kernel.value(c.next).ty == kernel.value(c.inner).ty {
            let mut l = l.clone();
            l.carried[i].next = c.inner;
            all.push(("dropped", "carried value not updated".into(), Change::Become(Stmt::Loop(l))));
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
            push(format!("claim {i}: bound one less"), &|k| k.contract.claims[i].output_mut().bound -= 1);
        }
        if let Some(below) = claim.output().below {
            let less = Below { multiple: below.multiple - 1, ..below };
            push(format!("claim {i}: a multiple less"), &|k| k.contract.claims[i].output_mut().below = Some(less));
        }
        for (j, digit) in claim.output().digits.iter().enumerate() {
            if !digit.max.is_zero() {
                push(format!("claim {i}: digit {j} one less"), &|k| {
                    k.contract.claims[i].output_mut().digits[j].max -= 1
                });
            }
            if let Some(k) = digit.bits.filter(|k| *k > 1) {
                push(format!("claim {i}: digit {j} a bit less"), &|m| {
                    m.contract.claims[i].output_mut().digits[j].bits = Some(k - 1)
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

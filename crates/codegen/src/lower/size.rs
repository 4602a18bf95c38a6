//! About how many nodes a statement has when it is unrolled and inlined; which callees occur more than once, and where.

use std::collections::{HashMap, HashSet};

use evariste_ir::statements::with_times;
use evariste_ir::{ArrayKind, Kernel, Op, Stmt, Type, Value};

use crate::outline::Limits;

/// Sizes of kernels, by address: each is looked at once.
#[derive(Default)]
pub struct Sizes {
    kernels: HashMap<*const Kernel, u64>,
}

impl Sizes {
    /// Nodes of a kernel.
    pub fn of_kernel(&mut self, kernel: &Kernel) -> u64 {
        let key: *const Kernel = kernel;
        if let Some(size) = self.kernels.get(&key) {
            return *size;
        }
        let size = self.of_block(kernel, &kernel.body);
        self.kernels.insert(key, size);
        size
    }

    /// Nodes of statements, one after the other.
    pub fn of_block(&mut self, kernel: &Kernel, body: &[Stmt]) -> u64 {
        with_times(body).fold(0, |sum: u64, (stmt, times)| {
            let one = match stmt {
                Stmt::Op { op, args, .. } => of_operation(kernel, op, args),
                Stmt::Load { .. } | Stmt::Loop(_) => 0,
                Stmt::Store { .. } => 1,
                Stmt::Call { callee, .. } => self.of_kernel(&kernel.callees[*callee as usize]),
            };
            sum.saturating_add(one.saturating_mul(times))
        })
    }
}

fn of_operation(kernel: &Kernel, op: &Op, args: &[Value]) -> u64 {
    let wide = args.first().is_some_and(|v| matches!(kernel.value(*v).ty, Type::Wide(n) if n > 64));
    let nodes = match op {
        Op::Const(_) | Op::Widen | Op::Narrow | Op::Split | Op::Join => 0,
        Op::MulAddAdd => 5,
        Op::MaddLo(_) | Op::MaddHi(_) | Op::Less | Op::Equal => 3,
        Op::Lookup { table, .. } => match &kernel.array(*table).kind {
            ArrayKind::Table(entries) => 4 * entries.len() as u64,
            _ => 1,
        },
        _ => 1,
    };
    if wide { 2 * nodes } else { nodes }
}

/// A callee that may be inlined is a routine where its occurrences have more than so many times the nodes of the longest
/// that may: code that is run once a call is slower than its bytes are read.
const OFTEN: u64 = 12;

/// What may become a routine.
#[derive(Clone, Copy, Debug)]
pub struct Callable {
    /// Its nodes.
    pub nodes: u64,
    /// Is it a routine where a kernel is rolled?
    pub is_routine: bool,
}

/// What may become routines, of all that a kernel calls: kernels that one and the same kernel calls from more than one
/// place, and those that are rolled by themselves.
pub fn callable(kernel: &Kernel, limits: &Limits) -> HashMap<*const Kernel, Callable> {
    callable_within(kernel, limits, None)
}

/// [`callable`], and those that run again and again and are in one piece by themselves: what they call is inlined there, and
/// products that do not wait for each other are computed side by side.
pub fn callable_in_pieces(kernel: &Kernel, limits: &Limits) -> HashMap<*const Kernel, Callable> {
    callable_within(kernel, limits, Some(1))
}

/// `runs`: how often the kernel runs, where that counts.
fn callable_within(kernel: &Kernel, limits: &Limits, runs: Option<u64>) -> HashMap<*const Kernel, Callable> {
    let mut calls = vec![(0u64, 0u64); kernel.callees.len()];
    for (stmt, times) in with_times(&kernel.body) {
        if let Stmt::Call { callee, .. } = stmt {
            let (places, all) = &mut calls[*callee as usize];
            (*places, *all) = (*places + 1, all.saturating_add(times));
        }
    }
    let mut found: HashMap<*const Kernel, Callable> = HashMap::new();
    for (callee, (places, times)) in kernel.callees.iter().zip(calls) {
        let runs = runs.map(|runs| times.saturating_mul(runs));
        let (nodes, below) = (Sizes::default().of_kernel(callee), callable_within(callee, limits, runs));
        let is_straight = nodes <= most_straight(&below, limits) as u64;
        let is_repeated = runs > Some(1) && below.values().any(|callable| callable.is_routine);
        if places > 1 || !is_straight || is_repeated {
            let often = nodes.saturating_mul(places) > limits.inline.saturating_mul(OFTEN);
            let here = Callable { nodes, is_routine: nodes > limits.inline || often };
            let known = found.entry(std::ptr::from_ref(&**callee)).or_insert(here);
            known.is_routine |= here.is_routine;
        }
        for (kernel, callable) in below {
            found.entry(kernel).or_insert(callable).is_routine |= callable.is_routine;
        }
    }
    found
}

/// Makes routines of all callees that are so, and of what these call.
pub fn always_routines(kernel: &Kernel, is: &dyn Fn(&Kernel) -> bool, callable: &mut HashMap<*const Kernel, Callable>) {
    for callee in &kernel.callees {
        if is(callee) {
            let nodes = Sizes::default().of_kernel(callee);
            callable.insert(std::ptr::from_ref(&**callee), Callable { nodes, is_routine: true });
        }
        always_routines(callee, is, callable);
    }
}

/// Nodes up to which a kernel that may call these is straight-line code.
pub fn most_straight(callable: &HashMap<*const Kernel, Callable>, limits: &Limits) -> usize {
    let has_routines = callable.values().any(|callable| callable.nodes > limits.inline);
    if has_routines { limits.straight / 6 } else { limits.straight }
}

/// How to come from a kernel to one that it calls, or that what it calls calls: the number of a callee, that of a callee
/// of that one, and so on.
pub fn path(from: &Kernel, to: &Kernel) -> Option<Vec<u32>> {
    fn find(from: &Kernel, to: &Kernel, path: &mut Vec<u32>, seen: &mut HashSet<*const Kernel>) -> bool {
        if std::ptr::eq(from, to) {
            return true;
        }
        if !seen.insert(from) {
            return false;
        }
        from.callees.iter().enumerate().any(|(i, callee)| {
            path.push(i as u32);
            let found = find(callee, to, path, seen);
            if !found {
                path.pop();
            }
            found
        })
    }
    let mut path = Vec::new();
    find(from, to, &mut path, &mut HashSet::new()).then_some(path)
}

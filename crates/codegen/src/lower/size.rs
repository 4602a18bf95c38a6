//! About how many nodes a statement has when it is unrolled and inlined; which callees occur more than once.

use std::collections::HashMap;

use evariste_ir::{ArrayKind, Kernel, Op, Stmt, Type, Value};

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
        body.iter().fold(0, |sum: u64, stmt| sum.saturating_add(self.of(kernel, stmt)))
    }

    fn of(&mut self, kernel: &Kernel, stmt: &Stmt) -> u64 {
        match stmt {
            Stmt::Op { op, args, .. } => of_operation(kernel, op, args),
            Stmt::Load { .. } => 0,
            Stmt::Store { .. } => 1,
            Stmt::Loop(l) => u64::from(l.count).saturating_mul(self.of_block(kernel, &l.body)),
            Stmt::Call { callee, .. } => self.of_kernel(&kernel.callees[*callee as usize]),
        }
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

/// Which callees a kernel calls from more than one place.
pub fn repeated(kernel: &Kernel) -> Vec<bool> {
    fn count(body: &[Stmt], counts: &mut [u32]) {
        for stmt in body {
            match stmt {
                Stmt::Call { callee, .. } => counts[*callee as usize] += 1,
                Stmt::Loop(l) => count(&l.body, counts),
                _ => {}
            }
        }
    }
    let mut counts = vec![0; kernel.callees.len()];
    count(&kernel.body, &mut counts);
    counts.into_iter().map(|n| n > 1).collect()
}

//! The cost of a kernel and of all that it calls.

use std::collections::HashMap;
use std::sync::Arc;

use evariste_ir::statements::with_times;
use evariste_ir::{Kernel, Stmt};

/// What one run costs (saturating): a call what its callee does and `call` more, all else of a kernel what `own` says.
pub fn cost(kernel: &Kernel, call: u64, own: &dyn Fn(&Kernel) -> u64) -> u64 {
    cost_with(kernel, call, own, &mut HashMap::new())
}

fn cost_with(kernel: &Kernel, call: u64, own: &dyn Fn(&Kernel) -> u64, known: &mut HashMap<*const Kernel, u64>) -> u64 {
    for callee in &kernel.callees {
        if !known.contains_key(&Arc::as_ptr(callee)) {
            let cost = cost_with(callee, call, own, known);
            known.insert(Arc::as_ptr(callee), cost);
        }
    }
    let kernel = &*kernel.written_out();
    let calls = sum(kernel, |stmt| match stmt {
        Stmt::Call { callee, .. } => {
            let callee = Arc::as_ptr(&kernel.callees[*callee as usize]);
            known.get(&callee).copied().unwrap_or_default().saturating_add(call)
        }
        _ => 0,
    });
    own(kernel).saturating_add(calls)
}

/// The sum over all statements, each as often as it runs (saturating).
pub fn sum(kernel: &Kernel, of: impl Fn(&Stmt) -> u64) -> u64 {
    with_times(&kernel.body).map(|(stmt, times)| of(stmt).saturating_mul(times)).fold(0, u64::saturating_add)
}

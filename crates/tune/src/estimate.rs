//! About how long plans take that nobody measured: what orders them where nothing is remembered.

use evariste_algorithms::{Layout, Operation, Plan, plans};
use evariste_backend::{Kind, machine_bound};
use evariste_cores::{reference, reference_of};
use evariste_descriptions::Field;
use evariste_ir::count::count;
use evariste_ir::{Carries, Kernel, Machine, legalise};

use crate::chained;
use crate::ranking::Code;
use crate::written_out;

/// Words that processors with a model have.
const MODELLED: u32 = 64;

/// As machine code of one element: what a core's model makes of it. Of what compilers write, and where there is no
/// model: the bound, or the operations of all kinds at four a cycle where that is more, since few products that cost many
/// additions and copies are no gain; where a machine's operations are given, what
/// those of the kernel rewritten for it cost.
fn estimate(kernel: &Kernel, (code, machine): Runs) -> Option<f64> {
    if let Some(machine) = machine {
        let legal = legalise(kernel, &machine).ok()?;
        let cost = if machine.carries == Carries::Chained { chained::cost } else { written_out::cost };
        return Some(cost(&legal) as f64);
    }
    let is_scalar = |code: &Code| code.entry().kind == Kind::Scalar && kernel.word == MODELLED;
    let model = code.filter(is_scalar).and_then(|code| Some((code.entry().machine?.model)()));
    let modelled = model.and_then(|model| model.modelled(kernel));
    Some(modelled.unwrap_or_else(|| counted(kernel, code)))
}

/// What runs a kernel: a kind of code, or what has these operations only.
pub(crate) type Runs = (Option<Code>, Option<Machine>);

fn counted(kernel: &Kernel, code: Option<Code>) -> f64 {
    let c = count(kernel);
    let operations = c.multiplications
        + c.additions
        + 2 * c.wide_additions
        + c.logic
        + c.shifts
        + c.selects
        + c.lookups
        + c.loads
        + c.stores;
    machine_bound(kernel, reference_of(code.map_or("", |code| code.entry().name))).max(operations as f64 / 4.0)
}

/// The plan of least estimate for an operation, written (not proved).
pub(crate) fn least_estimate(field: &Field, layout: &Layout, operation: &Operation, runs: Runs) -> Option<(f64, Plan)> {
    by_estimate(field, layout, operation, runs).into_iter().next()
}

/// The plans for an operation that can be written (not proved), least estimate first.
pub(crate) fn by_estimate(field: &Field, layout: &Layout, operation: &Operation, runs: Runs) -> Vec<(f64, Plan)> {
    // Digits of vectors are multiplied by code apart, and there by bounds.
    let apart = runs.0.and_then(Code::beside).filter(|_| layout.radix.is_some());
    let bound =
        |kernel: &Kernel| apart.filter(|apart| (apart.gains)(kernel)).and_then(|a| (a.bound)(kernel, reference()));
    let estimated = |p: Plan| {
        let kernel = p.write().ok()?;
        Some((bound(&kernel).or_else(|| estimate(&kernel, runs))?, p))
    };
    let mut all: Vec<(f64, Plan)> = plans(field, layout, operation).into_iter().filter_map(estimated).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

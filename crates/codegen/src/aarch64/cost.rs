//! What code costs by a core's table.

use std::collections::BTreeMap;

use evariste_cores::{Core, reference_of};

use super::instruction::{Gpr, Inst};

/// The table that code is weighed by: the one given, or where that is of another instruction set, the reference of this
/// one.
pub fn of(core: &Core) -> &Core {
    if core.architecture == ARCHITECTURE { core } else { reference_of(ARCHITECTURE) }
}

/// The instruction set, as tables name it.
const ARCHITECTURE: &str = "aarch64";

/// Cycles until an instruction's result is there; 1 where the table does not say.
pub fn latency(core: &Core, instruction: &str) -> u32 {
    core.cost(instruction).and_then(|cost| cost.latency).map_or(1, |cycles| cycles.round() as u32)
}

/// The least cycles that code takes, when many independent calls are in flight.
pub fn cycles(code: &[Inst], core: &Core) -> f64 {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in code.iter().filter_map(name) {
        *counts.entry(name).or_default() += 1;
    }
    core.load(counts.iter().map(|(name, count)| (*name, f64::from(*count)))).cycles
}

/// What an instruction is in tables: its mnemonic, with what makes it another one.
pub fn name(inst: &Inst) -> Option<&'static str> {
    Some(match inst {
        Inst::Label(_) => return None,
        _ if inst.copied().is_some_and(|(from, _)| from != Gpr::ZERO) => "mov",
        Inst::Sum { right, op, .. } if right.amount > 0 => {
            if op.sets_flags() {
                "adds shifted"
            } else {
                "add shifted"
            }
        }
        Inst::Logic { right, .. } if right.amount > 0 => "and shifted",
        Inst::Load { .. } | Inst::Constant { .. } => "load",
        Inst::Store { .. } => "store",
        Inst::LoadPair { .. } | Inst::Pop { .. } => "ldp",
        Inst::StorePair { .. } | Inst::Push { .. } => "stp",
        Inst::LogicOf { left: Gpr::ZERO, .. } => "movz",
        _ => inst.name(),
    })
}

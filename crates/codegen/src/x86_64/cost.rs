//! What code costs by a core's table.

use std::collections::BTreeMap;

use evariste_cores::{Core, reference};

use super::instruction::{Condition, Inst, Opcode, Operand};

/// Cycles until an instruction's result is there; those of the reference where the table does not say.
pub fn latency(core: &Core, instruction: &str) -> u32 {
    let of = |core: &Core| core.cost(instruction).and_then(|cost| cost.latency);
    of(core).or_else(|| of(reference())).map_or(1, |cycles| cycles.round() as u32)
}

/// The least cycles that code on general registers takes, when many independent calls are in flight.
pub fn cycles(code: &[Inst], core: &Core) -> f64 {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for name in code.iter().flat_map(names).flatten() {
        *counts.entry(name).or_default() += 1;
    }
    core.load(counts.iter().map(|(name, count)| (name.as_str(), f64::from(*count)))).cycles
}

/// What an instruction is in tables: itself, and what it asks of memory.
pub(super) fn names(inst: &Inst) -> [Option<String>; 2] {
    let in_memory = |o: &Option<Operand>| matches!(o, Some(Operand::Memory(_)));
    let writes = in_memory(&inst.operands[0]) && !matches!(inst.op, Opcode::Cmp | Opcode::Test | Opcode::BitTest);
    let memory = (inst.op != Opcode::Lea && inst.operands.iter().any(in_memory))
        .then(|| if writes { "store" } else { "load" }.to_string());
    let idiom = matches!(inst.op, Opcode::Xor | Opcode::Sub) && inst.operands[0] == inst.operands[1];
    let own = match inst.op {
        Opcode::Mov | Opcode::MovZeroExtend if memory.is_some() => None,
        Opcode::Push => Some("store".to_string()),
        Opcode::Pop => Some("load".to_string()),
        // Renaming does it.
        _ if idiom => Some("mov".to_string()),
        Opcode::Set(_) => Some(Opcode::Set(Condition::Carry).to_string()),
        Opcode::Cmov(_) => Some(Opcode::Cmov(Condition::Carry).to_string()),
        Opcode::Label => None,
        op => Some(op.to_string()),
    };
    [own, memory]
}

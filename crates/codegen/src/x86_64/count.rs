//! Instructions of a program by class: counted, not measured.

use std::fmt;

use super::Program;
use super::instruction::{Inst, Opcode, Operand};
use super::table::{ANY, FLAGS, row};

/// How many instructions of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All.
    pub instructions: u32,
    /// Operations on the multiplier's port that multiply.
    pub products: u32,
    /// Operations that only the two ports of flags and shifts take.
    pub flag_ports: u32,
    /// Operations that any integer port takes.
    pub any_port: u32,
    /// Moves between registers, and of constants into them.
    pub moves: u32,
    /// Instructions that read memory.
    pub loads: u32,
    /// Instructions that write memory.
    pub stores: u32,
    /// Values that went to the stack, saved registers included.
    pub spills: u32,
    /// Slots of the rename stage.
    pub slots: u32,
}

/// Counts a program.
pub fn count(program: &Program) -> Counts {
    count_code(&program.code)
}

/// Counts instructions.
pub fn count_code(code: &[Inst]) -> Counts {
    use super::instruction::{Base, Gpr};
    let mut c = Counts::default();
    for inst in code {
        if inst.op == Opcode::Label {
            continue;
        }
        let r = row(inst.op);
        c.instructions += 1;
        c.slots += u32::from(r.slots);
        c.products += u32::from(matches!(inst.op, Opcode::Imul | Opcode::Mul | Opcode::Mulx));
        c.flag_ports += u32::from(r.ports == FLAGS);
        let idiom = inst.op == Opcode::Xor && inst.operands[0] == inst.operands[1];
        c.any_port += u32::from(r.ports == ANY && !idiom);
        let writes = matches!(inst.op, Opcode::Mov) && matches!(inst.operands[0], Some(Operand::Memory(_)));
        let memory = inst.op != Opcode::Lea && inst.operands().any(|o| matches!(o, Operand::Memory(_)));
        c.moves += u32::from(inst.op == Opcode::Mov && !memory);
        c.stores += u32::from(writes);
        c.loads += u32::from(memory && !writes);
        let stack = |o: Option<Operand>| matches!(o, Some(Operand::Memory(a)) if a.base == Base::Register(Gpr::Rsp));
        c.spills += u32::from(writes && stack(inst.operands[0]));
    }
    c
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} instructions: {} products, {} on p0/p6, {} on any port, {} moves, {} loads, {} stores ({} to the stack), {} slots",
            self.instructions,
            self.products,
            self.flag_ports,
            self.any_port,
            self.moves,
            self.loads,
            self.stores,
            self.spills,
            self.slots
        )
    }
}

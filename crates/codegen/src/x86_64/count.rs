//! Instructions of a program by class: counted, not measured.

use super::Program;
use super::instruction::{Inst, Opcode, Operand};
use super::table::{ANY, FLAGS, row};
use crate::assembly::Counts;

/// Counts a program.
pub fn count(program: &Program) -> Counts {
    count_code(&program.code)
}

/// Counts instructions.
pub fn count_code(code: &[Inst]) -> Counts {
    use super::instruction::{Base, Gpr};
    let mut c = Counts::default();
    // Operations that only the two ports of flags and shifts take, and those that any integer port takes.
    let (mut flags, mut any) = (0, 0);
    for inst in code {
        if inst.op == Opcode::Label {
            continue;
        }
        let r = row(inst.op);
        c.instructions += 1;
        c.slots += u32::from(r.slots);
        c.products += u32::from(matches!(inst.op, Opcode::Imul | Opcode::Mul | Opcode::Mulx));
        flags += u32::from(r.ports == FLAGS);
        let idiom = inst.op == Opcode::Xor && inst.operands[0] == inst.operands[1];
        any += u32::from(r.ports == ANY && !idiom);
        let writes = matches!(inst.op, Opcode::Mov) && matches!(inst.operands[0], Some(Operand::Memory(_)));
        let memory = inst.op != Opcode::Lea && inst.operands().any(|o| matches!(o, Operand::Memory(_)));
        c.moves += u32::from(inst.op == Opcode::Mov && !memory);
        c.stores += u32::from(writes);
        c.loads += u32::from(memory && !writes);
        let stack = |o: Option<Operand>| matches!(o, Some(Operand::Memory(a)) if a.base == Base::Register(Gpr::Rsp));
        c.spills += u32::from(writes && stack(inst.operands[0]));
    }
    c.ports = vec![("p0/p6", flags), ("any port", any)];
    c
}

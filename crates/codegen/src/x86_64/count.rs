//! Instructions of a program by class: counted, not measured.

use super::Program;
use super::instruction::{Base, Gpr, Opcode, Operand};
use crate::assembly::Counts;

/// Counts a program.
pub fn count(program: &Program) -> Counts {
    let mut c = Counts::default();
    for inst in program.code.iter().filter(|inst| inst.op != Opcode::Label) {
        c.instructions += 1;
        c.products += u32::from(matches!(inst.op, Opcode::Imul | Opcode::Mul | Opcode::Mulx));
        c.carries += u32::from(matches!(inst.op, Opcode::Adc | Opcode::Sbb | Opcode::Adcx | Opcode::Adox));
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

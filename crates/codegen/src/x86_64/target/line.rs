//! One instruction as a line of GNU assembler, `.intel_syntax noprefix`, so spelled that an assembler chooses the
//! encoding that was measured.

use crate::assembly::{CONSTANTS, Local};
use crate::x86_64::text::size;
use crate::x86_64::{Address, Base, Inst, Opcode, Operand, Vector, Width};

/// The line; `local` names labels and constants.
pub(super) fn line(inst: &Inst, local: Local<'_>) -> String {
    let [first, second, _] = inst.operands;
    if let Opcode::Vector(op, width) = inst.op {
        let text = inst.vector_text(op, width, |a| address(*a, local));
        // Written as a store, such a move is a byte shorter.
        return match (op, width, first, second) {
            (Vector::Move, Width::X | Width::Y, Some(Operand::Vector(0..8)), Some(Operand::Vector(8..16))) => {
                format!("{{vex3}} {text}")
            }
            _ => text,
        };
    }
    // Half registers extend by zeros: shorter, and what was encoded.
    match (inst.op, inst.bits, first, second) {
        (Opcode::Mov, 64, Some(Operand::Register(r)), Some(Operand::Immediate(value))) => {
            return match (u32::try_from(value), i32::try_from(value)) {
                (Ok(half), _) => format!("mov {}, {}", r.name(32), immediate(i64::from(half))),
                (_, Ok(half)) => format!("mov {r}, {}", immediate(i64::from(half))),
                _ => format!("movabs {r}, {:#x}", value as u64),
            };
        }
        (Opcode::MovZeroExtend, bits, Some(Operand::Register(r)), Some(source)) => {
            let name = if bits == 32 { "mov" } else { "movzx" };
            return format!("{name} {}, {}", r.name(32), operand(source, bits, local, true));
        }
        _ => {}
    }
    let mut text = inst.op.to_string();
    for (i, each) in inst.operands().enumerate() {
        text += if i == 0 { " " } else { ", " };
        text += &operand(each, inst.bits, local, inst.op != Opcode::Lea);
    }
    text
}

fn operand(operand: Operand, bits: u8, local: Local<'_>, sized: bool) -> String {
    match operand {
        Operand::Register(r) => r.name(bits).to_string(),
        Operand::Memory(a) if sized => format!("{} ptr {}", size(bits), address(a, local)),
        Operand::Memory(a) => address(a, local),
        Operand::Immediate(value) => immediate(value),
        Operand::Label(label) => local(&label.to_string()),
        // These belong to vector instructions, which `line` writes as a whole.
        Operand::Vector(_) | Operand::Masked(..) | Operand::Mask(_) | Operand::Broadcast(_) => String::new(),
    }
}

fn address(address: Address, local: Local<'_>) -> String {
    let mut text = match address.base {
        Base::Constants => format!("[rip + {}", local(CONSTANTS)),
        Base::Register(r) => format!("[{r}"),
    };
    if let Some((index, scale)) = address.index {
        text += &format!(" + {index}*{scale}");
    }
    match address.displacement {
        0 => {}
        d if d < 0 => text += &format!(" - {}", d.unsigned_abs()),
        d => text += &format!(" + {d}"),
    }
    text + "]"
}

fn immediate(value: i64) -> String {
    match value {
        -9..=9 => value.to_string(),
        _ if value < 0 => format!("-{:#x}", value.unsigned_abs()),
        _ => format!("{value:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::x86_64::{Condition, Gpr};

    use super::*;

    #[test]
    fn lines() {
        use Operand::{Immediate, Label, Memory, Register};
        let (rax, r9) = (Register(Gpr::Rax), Register(Gpr::R9));
        let at = Memory(Address::at(Gpr::Rsi, 8));
        let shown =
            |op, bits, operands: &[Operand]| line(&Inst::sized(op, bits, operands), &|what| format!("f_{what}"));
        assert_eq!(shown(Opcode::Mov, 64, &[rax, Immediate(0xffff_fff0)]), "mov eax, 0xfffffff0");
        assert_eq!(shown(Opcode::Mov, 64, &[r9, Immediate(-1)]), "mov r9, -1");
        assert_eq!(shown(Opcode::Mov, 64, &[r9, Immediate(i64::MIN)]), "movabs r9, 0x8000000000000000");
        assert_eq!(shown(Opcode::Mov, 8, &[at, rax]), "mov byte ptr [rsi + 8], al");
        assert_eq!(shown(Opcode::MovZeroExtend, 8, &[r9, at]), "movzx r9d, byte ptr [rsi + 8]");
        assert_eq!(shown(Opcode::MovZeroExtend, 32, &[r9, rax]), "mov r9d, eax");
        assert_eq!(
            shown(Opcode::Mulx, 64, &[rax, r9, Memory(Address::constant(2))]),
            "mulx rax, r9, qword ptr [rip + f_constants + 16]"
        );
        assert_eq!(
            shown(Opcode::Set(Condition::Carry), 8, &[Memory(Address::at(Gpr::Rsp, -24))]),
            "setc byte ptr [rsp - 24]"
        );
        let sum = Address { base: Base::Register(Gpr::Rax), index: Some((Gpr::R9, 8)), displacement: 0 };
        assert_eq!(shown(Opcode::Lea, 64, &[r9, Memory(sum)]), "lea r9, [rax + r9*8]");
        assert_eq!(shown(Opcode::JumpIf(Condition::NotZero), 64, &[Label(3)]), "jnz f_3");
        assert_eq!(shown(Opcode::Return, 64, &[]), "ret");
        assert_eq!(shown(Opcode::And, 64, &[rax, Immediate(-256)]), "and rax, -0x100");
    }
}

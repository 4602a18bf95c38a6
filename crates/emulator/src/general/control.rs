//! Jumps, calls and returns (SDM volume 2: CALL, ENDBR64, Jcc, JMP, RET).

use yaxpeax_x86::long_mode::Opcode;

use super::moves::{condition, pop, push};
use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        Opcode::JMP => jump,
        // IF condition THEN RIP := RIP + SignExtend(DEST).
        Opcode::JB | Opcode::JNB | Opcode::JO | Opcode::JNO | Opcode::JZ | Opcode::JNZ => |m, i| {
            if condition(m, i)? { jump(m, i) } else { Ok(()) }
        },
        // Push(RIP); RIP := RIP + DEST.
        Opcode::CALL => |m, i| {
            push(m, m.rip)?;
            jump(m, i)
        },
        Opcode::RETURN => |m, i| {
            if !i.operands.is_empty() {
                return Err(i.unknown());
            }
            m.rip = pop(m)?;
            Ok(())
        },
        Opcode::ENDBR64 => |_, _| Ok(()),
        _ => return None,
    })
}

/// By a distance from the next instruction only.
fn jump(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    match i.operand(0)? {
        Operand::Immediate(distance) => {
            m.rip = m.rip.wrapping_add_signed(distance);
            Ok(())
        }
        _ => Err(i.unknown()),
    }
}

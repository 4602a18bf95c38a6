//! Moves, addresses, the stack, and what a condition chooses (SDM volume 2: CMOVcc, LEA, MOV, MOVZX, POP, PUSH, SETcc).

use yaxpeax_x86::long_mode::{ConditionCode, Opcode};

use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, Operation, RSP};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST := SRC.
        Opcode::MOV => |m, i| {
            let bits = Machine::size(i)?;
            let value = m.get(i, 1, bits)?;
            m.set(i, 0, bits, value)
        },
        Opcode::MOVZX => zero_extend,
        // DEST := the address.
        Opcode::LEA => |m, i| match (i.operand(0)?, i.operand(1)?) {
            (Operand::General { bits: 64, .. }, Operand::Memory(address)) => {
                let value = m.address(address);
                m.set(i, 0, 64, value)
            }
            _ => Err(i.unknown()),
        },
        Opcode::PUSH => |m, i| {
            let value = m.get(i, 0, 64)?;
            push(m, value)
        },
        Opcode::POP => |m, i| {
            let value = pop(m)?;
            m.set(i, 0, 64, value)
        },
        // IF condition THEN DEST := 1 ELSE DEST := 0.
        Opcode::SETB | Opcode::SETAE | Opcode::SETO | Opcode::SETNO | Opcode::SETZ | Opcode::SETNZ => |m, i| {
            let holds = condition(m, i)?;
            m.set(i, 0, 8, u64::from(holds))
        },
        // The source is read in any case; 32 bits clear the upper half in any case.
        Opcode::CMOVB | Opcode::CMOVNB | Opcode::CMOVO | Opcode::CMOVNO | Opcode::CMOVZ | Opcode::CMOVNZ => |m, i| {
            let bits = Machine::size(i)?;
            let source = m.get(i, 1, bits)?;
            let value = if condition(m, i)? { source } else { m.get(i, 0, bits)? };
            m.set(i, 0, bits, value)
        },
        _ => return None,
    })
}

/// Does the instruction's condition hold?
pub(super) fn condition(m: &Machine, i: &Instruction) -> Result<bool, Fault> {
    match i.opcode.condition() {
        Some(ConditionCode::B) => m.flags.carry(),
        Some(ConditionCode::AE) => m.flags.carry().map(|f| !f),
        Some(ConditionCode::O) => m.flags.overflow(),
        Some(ConditionCode::NO) => m.flags.overflow().map(|f| !f),
        Some(ConditionCode::Z) => m.flags.zero(),
        Some(ConditionCode::NZ) => m.flags.zero().map(|f| !f),
        _ => Err(i.unknown()),
    }
}

/// DEST := ZeroExtend(SRC).
fn zero_extend(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let from = match i.operand(1)? {
        Operand::General { bits, .. } => bits,
        Operand::Memory(_) => i.memory_bytes.map(|bytes| bytes as u32 * 8).ok_or_else(|| i.unknown())?,
        _ => return Err(i.unknown()),
    };
    let value = m.get(i, 1, from)?;
    m.set(i, 0, Machine::size(i)?, value)
}

/// RSP := RSP − 8; Memory[RSP] := SRC.
pub(super) fn push(m: &mut Machine, value: u64) -> Result<(), Fault> {
    m.general[RSP] = m.general[RSP].wrapping_sub(8);
    m.write_integer(m.general[RSP], 64, value)
}

/// DEST := Memory[RSP]; RSP := RSP + 8.
pub(super) fn pop(m: &mut Machine) -> Result<u64, Fault> {
    let value = m.read_integer(m.general[RSP], 64)?;
    m.general[RSP] = m.general[RSP].wrapping_add(8);
    Ok(value)
}

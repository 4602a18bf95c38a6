//! Mask registers (SDM volume 2: KANDNW, KANDW, KMOVW, KNOTW, KORW, KXORW, VPCMPUB/VPCMPUD/VPCMPUQ).

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{chosen, element, source};
use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST[15:0] := SRC1[15:0] op SRC2[15:0]; DEST above := 0.
        Opcode::KANDW => |m, i| two(m, i, |a, b| a & b),
        Opcode::KORW => |m, i| two(m, i, |a, b| a | b),
        Opcode::KXORW => |m, i| two(m, i, |a, b| a ^ b),
        Opcode::KANDNW => |m, i| two(m, i, |a, b| !a & b),
        Opcode::KNOTW => |m, i| {
            let result = !mask(m, i, 1)?;
            set(m, i, result & 0xffff)
        },
        // From memory only: the other forms are not among ours.
        Opcode::KMOVW => |m, i| {
            let Operand::Memory(address) = i.operand(1)? else { return Err(i.unknown()) };
            let value = m.read_integer(m.address(address), 16)?;
            set(m, i, value)
        },
        Opcode::VPCMPUB => |m, i| compare(m, i, 8),
        Opcode::VPCMPUD => |m, i| compare(m, i, 32),
        Opcode::VPCMPUQ => |m, i| compare(m, i, 64),
        _ => return None,
    })
}

fn mask(m: &Machine, i: &Instruction, k: usize) -> Result<u64, Fault> {
    match i.operand(k)? {
        Operand::Mask(number) => Ok(m.masks[number]),
        _ => Err(i.unknown()),
    }
}

fn set(m: &mut Machine, i: &Instruction, value: u64) -> Result<(), Fault> {
    match i.operand(0)? {
        Operand::Mask(number) => {
            m.masks[number] = value;
            Ok(())
        }
        _ => Err(i.unknown()),
    }
}

fn two(m: &mut Machine, i: &Instruction, f: fn(u64, u64) -> u64) -> Result<(), Fault> {
    let result = f(mask(m, i, 1)?, mask(m, i, 2)?);
    set(m, i, result & 0xffff)
}

/// DEST[k] := SRC1[k] op SRC2[k] of unsigned integers where the mask is set, else 0; DEST above the elements := 0. The
/// low three bits of the constant name op.
fn compare(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let Operand::Vector { bytes, .. } = i.operand(1)? else { return Err(i.unknown()) };
    let (a, b) = (source(m, i, 1, bytes, bits)?, source(m, i, 2, bytes, bits)?);
    let holds: fn(u64, u64) -> bool = match i.immediate()? & 7 {
        0 => |a, b| a == b,
        1 => |a, b| a < b,
        2 => |a, b| a <= b,
        3 => |_, _| false,
        4 => |a, b| a != b,
        5 => |a, b| a >= b,
        6 => |a, b| a > b,
        _ => |_, _| true,
    };
    let elements = bytes * 8 / bits as usize;
    let result = (0..elements)
        .filter(|k| holds(element(&a, *k, bits), element(&b, *k, bits)))
        .fold(0, |result, k| result | 1u64 << k);
    set(m, i, result & chosen(m, i))
}

//! Moves of vectors (SDM volume 2: MOVDQU, MOVQ, VPBROADCAST, VZEROUPPER). None of them wants aligned memory: those that
//! do (`vmovdqa`) are not among our forms, and so unknown.

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{chosen, source, write};
use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // Elements matter for masks only, which the form without a size does not have.
        Opcode::VMOVDQU | Opcode::VMOVDQU64 => move_whole,
        Opcode::VMOVQ => move_lowest,
        Opcode::VPBROADCASTB => |m, i| broadcast(m, i, 8),
        Opcode::VPBROADCASTD => |m, i| broadcast(m, i, 32),
        Opcode::VPBROADCASTQ => |m, i| broadcast(m, i, 64),
        // Bits from 128 on of registers 0 to 15 := 0.
        Opcode::VZEROUPPER => |m, _| {
            m.vectors.iter_mut().take(16).for_each(|content| content[16..].fill(0));
            Ok(())
        },
        _ => return None,
    })
}

/// DEST := SRC.
fn move_whole(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    match (i.operand(0)?, i.operand(1)?) {
        (Operand::Vector { bytes, .. }, _) => {
            let content = source(m, i, 1, bytes, 64)?;
            write(m, i, 64, content)
        }
        (Operand::Memory(address), Operand::Vector { number, bytes }) if i.mask.is_none() => {
            let content = m.vectors[number];
            m.write(m.address(address), &content[..bytes])
        }
        _ => Err(i.unknown()),
    }
}

/// DEST[63:0] := SRC[63:0]; all above it in a register := 0.
fn move_lowest(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let mut content = [0; 64];
    match (i.operand(0)?, i.operand(1)?) {
        (Operand::Vector { number, bytes: 16 }, Operand::Memory(address)) => {
            m.read(m.address(address), &mut content[..8])?;
            m.vectors[number] = content;
        }
        (Operand::Vector { number, bytes: 16 }, Operand::Vector { number: from, bytes: 16 }) => {
            content[..8].copy_from_slice(&m.vectors[from][..8]);
            m.vectors[number] = content;
        }
        (Operand::Memory(address), Operand::Vector { number, bytes: 16 }) => {
            content = m.vectors[number];
            m.write(m.address(address), &content[..8])?;
        }
        _ => return Err(i.unknown()),
    }
    Ok(())
}

/// DEST[k] := SRC for each element k. From memory only: the forms with a register are not among ours.
fn broadcast(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let Operand::Memory(address) = i.operand(1)? else { return Err(i.unknown()) };
    let size = bits as usize / 8;
    let mut content = [0; 64];
    if chosen(m, i) != 0 {
        let mut element = [0; 8];
        m.read(m.address(address), &mut element[..size])?;
        content.chunks_exact_mut(size).for_each(|place| place.copy_from_slice(&element[..size]));
    }
    write(m, i, bits, content)
}

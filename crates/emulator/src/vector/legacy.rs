//! Instructions of SSE2, whose destination is their first operand too (SDM volume 2: MOVDQU, PADDQ, PAND, PANDN, PMULUDQ,
//! POR, PSLLQ, PSRLQ, PSUBQ, PXOR). What a register holds above 128 bits stays. Operands in memory would have to be
//! aligned: only `movdqu`, which wants no alignment, has them here.

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{Content, element, set_element};
use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

/// Bytes of these registers.
const BYTES: usize = 16;

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        Opcode::MOVDQU => move_unaligned,
        // DEST[k] := DEST[k] + SRC[k].
        Opcode::PADDQ => |m, i| map(m, i, u64::wrapping_add),
        Opcode::PSUBQ => |m, i| map(m, i, u64::wrapping_sub),
        Opcode::PAND => |m, i| map(m, i, |a, b| a & b),
        Opcode::POR => |m, i| map(m, i, |a, b| a | b),
        Opcode::PXOR => |m, i| map(m, i, |a, b| a ^ b),
        // DEST := NOT DEST AND SRC.
        Opcode::PANDN => |m, i| map(m, i, |a, b| !a & b),
        // DEST[k] := low half of DEST[k] ∗ low half of SRC[k].
        Opcode::PMULUDQ => |m, i| map(m, i, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
        // Amounts from 64 on give 0.
        Opcode::PSLLQ => |m, i| shift(m, i, |a, k| a.checked_shl(k).unwrap_or(0)),
        Opcode::PSRLQ => |m, i| shift(m, i, |a, k| a.checked_shr(k).unwrap_or(0)),
        _ => return None,
    })
}

/// The number of a register of 128 bits.
fn register(i: &Instruction, operand: usize) -> Result<usize, Fault> {
    match i.operand(operand)? {
        Operand::Vector { number, bytes: BYTES } => Ok(number),
        _ => Err(i.unknown()),
    }
}

fn write(m: &mut Machine, number: usize, result: &Content) {
    m.vectors[number][..BYTES].copy_from_slice(&result[..BYTES]);
}

fn map(m: &mut Machine, i: &Instruction, f: fn(u64, u64) -> u64) -> Result<(), Fault> {
    let (d, b) = (register(i, 0)?, register(i, 1)?);
    let (mut result, other) = (m.vectors[d], m.vectors[b]);
    (0..BYTES / 8).for_each(|k| {
        let value = f(element(&result, k, 64), element(&other, k, 64));
        set_element(&mut result, k, 64, value);
    });
    write(m, d, &result);
    Ok(())
}

fn shift(m: &mut Machine, i: &Instruction, f: fn(u64, u32) -> u64) -> Result<(), Fault> {
    let (d, count) = (register(i, 0)?, u32::from(i.immediate()? as u8));
    let mut result = m.vectors[d];
    (0..BYTES / 8).for_each(|k| {
        let value = f(element(&result, k, 64), count);
        set_element(&mut result, k, 64, value);
    });
    write(m, d, &result);
    Ok(())
}

/// DEST := SRC.
fn move_unaligned(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let mut content = [0; 64];
    match (i.operand(0)?, i.operand(1)?) {
        (Operand::Memory(address), _) => {
            content = m.vectors[register(i, 1)?];
            m.write(m.address(address), &content[..BYTES])
        }
        (_, Operand::Memory(address)) => {
            m.read(m.address(address), &mut content[..BYTES])?;
            write(m, register(i, 0)?, &content);
            Ok(())
        }
        _ => {
            content = m.vectors[register(i, 1)?];
            write(m, register(i, 0)?, &content);
            Ok(())
        }
    }
}

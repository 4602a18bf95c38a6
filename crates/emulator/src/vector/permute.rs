//! Elements that come from other places (SDM volume 2: MOVSHDUP, MOVSLDUP, PUNPCKHQDQ, PUNPCKLQDQ, VPBLENDD,
//! VPBLENDM, VPERMD, VPERMI2D, VPERMI2W, VPERMQ).

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{Content, chosen, destination, element, set_element, source, unmasked_memory, write};
use crate::decode::Instruction;
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST[2k] := DEST[2k + 1] := SRC[2k], elements of 32 bits.
        Opcode::VMOVSLDUP => |m, i| duplicate(m, i, 0),
        // DEST[2k] := DEST[2k + 1] := SRC[2k + 1].
        Opcode::VMOVSHDUP => |m, i| duplicate(m, i, 1),
        // Of each 128 bits: DEST[0] := SRC1[0], DEST[1] := SRC2[0].
        Opcode::VPUNPCKLQDQ => |m, i| unpack(m, i, 0),
        // Of each 128 bits: DEST[0] := SRC1[1], DEST[1] := SRC2[1].
        Opcode::VPUNPCKHQDQ => |m, i| unpack(m, i, 1),
        Opcode::VPBLENDD => blend_by_constant,
        Opcode::VPERMI2D => |m, i| look_up(m, i, 32),
        Opcode::VPERMI2W => |m, i| look_up(m, i, 16),
        Opcode::VPERMD => permute,
        Opcode::VPERMQ => permute_by_constant,
        Opcode::VPBLENDMB => |m, i| blend_by_mask(m, i, 8),
        Opcode::VPBLENDMD => |m, i| blend_by_mask(m, i, 32),
        Opcode::VPBLENDMQ => |m, i| blend_by_mask(m, i, 64),
        _ => return None,
    })
}

fn duplicate(m: &mut Machine, i: &Instruction, which: usize) -> Result<(), Fault> {
    unmasked_memory(i)?;
    let (_, bytes) = destination(i)?;
    let a = source(m, i, 1, bytes, 32)?;
    let mut result = [0; 64];
    for k in 0..bytes / 4 {
        set_element(&mut result, k, 32, element(&a, k / 2 * 2 + which, 32));
    }
    write(m, i, 32, result)
}

/// The two sources of a form that crosses elements.
fn two(m: &Machine, i: &Instruction, bits: u32) -> Result<(Content, Content, usize), Fault> {
    unmasked_memory(i)?;
    let (_, bytes) = destination(i)?;
    Ok((source(m, i, 1, bytes, bits)?, source(m, i, 2, bytes, bits)?, bytes))
}

fn unpack(m: &mut Machine, i: &Instruction, which: usize) -> Result<(), Fault> {
    let (a, b, bytes) = two(m, i, 64)?;
    let mut result = [0; 64];
    for pair in 0..bytes / 16 {
        set_element(&mut result, 2 * pair, 64, element(&a, 2 * pair + which, 64));
        set_element(&mut result, 2 * pair + 1, 64, element(&b, 2 * pair + which, 64));
    }
    write(m, i, 64, result)
}

/// DEST[k] := TABLE[DEST[k] modulo 2n] of n elements of SRC1 and as many of SRC2 behind them.
fn look_up(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let (number, bytes) = destination(i)?;
    let (a, b, _) = two(m, i, bits)?;
    let (index, n) = (m.vectors[number], bytes / (bits as usize / 8));
    let mut result = [0; 64];
    for k in 0..n {
        let at = element(&index, k, bits) as usize % (2 * n);
        let entry = if at < n { element(&a, at, bits) } else { element(&b, at - n, bits) };
        set_element(&mut result, k, bits, entry);
    }
    write(m, i, bits, result)
}

/// DEST[k] := SRC2[SRC1[k] modulo n] of n elements of 32 bits.
fn permute(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let (index, table, bytes) = two(m, i, 32)?;
    let n = bytes / 4;
    let mut result = [0; 64];
    for k in 0..n {
        let at = element(&index, k, 32) as usize % n;
        set_element(&mut result, k, 32, element(&table, at, 32));
    }
    write(m, i, 32, result)
}

/// Of each 256 bits: DEST[k] := SRC[bits 2k + 1 and 2k of the constant], elements of 64 bits.
fn permute_by_constant(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    unmasked_memory(i)?;
    let (_, bytes) = destination(i)?;
    let a = source(m, i, 1, bytes, 64)?;
    let places = i.immediate()?;
    let mut result = [0; 64];
    for k in 0..bytes / 8 {
        let place = places >> (2 * (k % 4)) & 3;
        set_element(&mut result, k, 64, element(&a, k / 4 * 4 + place as usize, 64));
    }
    write(m, i, 64, result)
}

/// DEST[k] := SRC2[k] where bit k of the constant is set, else SRC1[k]; elements of 32 bits.
fn blend_by_constant(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let (a, b, bytes) = two(m, i, 32)?;
    let table = i.immediate()?;
    let mut result = [0; 64];
    for k in 0..bytes / 4 {
        let from = if table >> k & 1 == 1 { &b } else { &a };
        set_element(&mut result, k, 32, element(from, k, 32));
    }
    write(m, i, 32, result)
}

/// DEST[k] := SRC2[k] where the mask is set; else SRC1[k], or 0 with zeroing.
fn blend_by_mask(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let (number, bytes) = destination(i)?;
    let (a, b) = (source(m, i, 1, bytes, bits)?, source(m, i, 2, bytes, bits)?);
    let mut result = [0; 64];
    for k in 0..bytes * 8 / bits as usize {
        let value = match chosen(m, i) >> k & 1 {
            1 => element(&b, k, bits),
            _ if i.zeroing => 0,
            _ => element(&a, k, bits),
        };
        set_element(&mut result, k, bits, value);
    }
    m.vectors[number] = result;
    Ok(())
}

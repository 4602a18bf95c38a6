//! Operands of vector instructions: elements, masks, broadcasts, memory; what all families share.

use crate::decode::{Instruction, Operand};
use crate::fault::Fault;
use crate::machine::{Machine, ones};

/// The content of a vector register, lowest byte first; what is above the vector's length is 0.
pub(super) type Content = [u8; 64];

/// Element `k` of so many bits.
pub(super) fn element(content: &Content, k: usize, bits: u32) -> u64 {
    let bytes = bits as usize / 8;
    let mut all = [0; 8];
    all[..bytes].copy_from_slice(&content[k * bytes..][..bytes]);
    u64::from_le_bytes(all)
}

pub(super) fn set_element(content: &mut Content, k: usize, bits: u32, value: u64) {
    let bytes = bits as usize / 8;
    content[k * bytes..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
}

/// The vector register that operand 0 is, and its length in bytes.
pub(super) fn destination(i: &Instruction) -> Result<(usize, usize), Fault> {
    match i.operand(0)? {
        Operand::Vector { number, bytes } => Ok((number, bytes)),
        _ => Err(i.unknown()),
    }
}

/// For each element whether it is written: the mask register, or all where there is no mask.
pub(super) fn chosen(m: &Machine, i: &Instruction) -> u64 {
    i.mask.map_or(u64::MAX, |k| m.masks[k])
}

/// Operand `k` as a vector of so many bytes. In memory it is the whole vector, or one element of so many bits for all
/// (embedded broadcast). Of a masked instruction only the chosen elements are read: the others cannot fault.
pub(super) fn source(m: &Machine, i: &Instruction, k: usize, bytes: usize, bits: u32) -> Result<Content, Fault> {
    let mut content = [0; 64];
    match i.operand(k)? {
        Operand::Vector { number, bytes: own } if own == bytes => {
            content[..bytes].copy_from_slice(&m.vectors[number][..bytes]);
        }
        Operand::Memory(address) => {
            let (address, size) = (m.address(address), bits as usize / 8);
            if !i.broadcast && i.mask.is_none() {
                m.read(address, &mut content[..bytes])?;
                return Ok(content);
            }
            for element in (0..bytes / size).filter(|element| chosen(m, i) >> element & 1 == 1) {
                let place = if i.broadcast { 0 } else { element * size };
                m.read(address.wrapping_add(place as u64), &mut content[element * size..][..size])?;
            }
        }
        _ => return Err(i.unknown()),
    }
    Ok(content)
}

/// Writes operand 0: of a masked instruction the chosen elements of so many bits; the others become 0 or stay. All above
/// the vector's length becomes 0.
pub(super) fn write(m: &mut Machine, i: &Instruction, bits: u32, mut result: Content) -> Result<(), Fault> {
    let (number, bytes) = destination(i)?;
    let chosen = chosen(m, i);
    for k in (0..bytes * 8 / bits as usize).filter(|k| chosen >> k & 1 == 0) {
        let value = if i.zeroing { 0 } else { element(&m.vectors[number], k, bits) };
        set_element(&mut result, k, bits, value);
    }
    result[bytes..].fill(0);
    m.vectors[number] = result;
    Ok(())
}

/// A form with two sources of which neither is chosen by a mask while it lies in memory in elements of another size.
pub(super) fn unmasked_memory(i: &Instruction) -> Result<(), Fault> {
    let in_memory = i.operands.iter().any(|operand| matches!(operand, Operand::Memory(_)));
    if in_memory && i.mask.is_some() { Err(i.unknown()) } else { Ok(()) }
}

/// DEST[k] := f(DEST[k], SRC1[k], SRC2[k]) modulo the element's size, for each element k.
pub(super) fn map_three(
    m: &mut Machine,
    i: &Instruction,
    bits: u32,
    f: impl Fn(u64, u64, u64) -> u64,
) -> Result<(), Fault> {
    let (number, bytes) = destination(i)?;
    let (a, b) = (source(m, i, 1, bytes, bits)?, source(m, i, 2, bytes, bits)?);
    let old = m.vectors[number];
    let mut result = [0; 64];
    for k in 0..bytes * 8 / bits as usize {
        let value = f(element(&old, k, bits), element(&a, k, bits), element(&b, k, bits));
        set_element(&mut result, k, bits, value & ones(bits));
    }
    write(m, i, bits, result)
}

/// DEST[k] := f(SRC1[k], SRC2[k]).
pub(super) fn map(m: &mut Machine, i: &Instruction, bits: u32, f: fn(u64, u64) -> u64) -> Result<(), Fault> {
    map_three(m, i, bits, |_, a, b| f(a, b))
}

/// DEST[k] := f(SRC[k], constant).
pub(super) fn map_one(m: &mut Machine, i: &Instruction, bits: u32, f: fn(u64, u32) -> u64) -> Result<(), Fault> {
    let (_, bytes) = destination(i)?;
    let count = i.immediate()? as u8;
    let a = source(m, i, 1, bytes, bits)?;
    let mut result = [0; 64];
    for k in 0..bytes * 8 / bits as usize {
        set_element(&mut result, k, bits, f(element(&a, k, bits), u32::from(count)) & ones(bits));
    }
    write(m, i, bits, result)
}

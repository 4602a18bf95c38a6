//! Arithmetic over GF(2) (SDM volume 2: GF2P8AFFINEQB, GF2P8MULB, PCLMULQDQ).

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{destination, element, map, set_element, source, unmasked_memory, write};
use crate::decode::Instruction;
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST.byte[k] := SRC1.byte[k] ∗ SRC2.byte[k] modulo x^8 + x^4 + x^3 + x + 1.
        Opcode::VGF2P8MULB => |m, i| {
            map(m, i, 8, |a, b| {
                let product = carryless(a, b) as u64;
                (8..15).rev().fold(product, |x, k| if x >> k & 1 == 1 { x ^ 0x11b << (k - 8) } else { x })
            })
        },
        Opcode::VGF2P8AFFINEQB => affine,
        Opcode::VPCLMULQDQ => multiply,
        _ => return None,
    })
}

/// The product of two polynomials over GF(2).
fn carryless(a: u64, b: u64) -> u128 {
    let mut product = 0;
    let mut left = b;
    while left != 0 {
        product ^= u128::from(a) << left.trailing_zeros();
        left &= left - 1;
    }
    product
}

/// Of each 64 bits j, of each byte x of SRC1 in them: bit k := parity(SRC2.qword[j].byte[7 − k] AND x) XOR bit k of the
/// constant.
fn affine(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    unmasked_memory(i)?;
    let (_, bytes) = destination(i)?;
    let (a, b) = (source(m, i, 1, bytes, 64)?, source(m, i, 2, bytes, 64)?);
    let constant = i.immediate()? as u8;
    let mut result = [0; 64];
    for at in 0..bytes {
        let matrix = &b[at / 8 * 8..][..8];
        let bit = |k: usize| (matrix[7 - k] & a[at]).count_ones() as u8 & 1;
        result[at] = (0..8).fold(0, |byte, k| byte | bit(k) << k) ^ constant;
    }
    write(m, i, 8, result)
}

/// Of each 128 bits: DEST := SRC1's half that bit 0 of the constant names times SRC2's half that bit 4 names.
fn multiply(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    unmasked_memory(i)?;
    let (_, bytes) = destination(i)?;
    let (a, b) = (source(m, i, 1, bytes, 64)?, source(m, i, 2, bytes, 64)?);
    let constant = i.immediate()?;
    let (first, second) = ((constant & 1) as usize, (constant >> 4 & 1) as usize);
    let mut result = [0; 64];
    for pair in 0..bytes / 16 {
        let product = carryless(element(&a, 2 * pair + first, 64), element(&b, 2 * pair + second, 64));
        set_element(&mut result, 2 * pair, 64, product as u64);
        set_element(&mut result, 2 * pair + 1, 64, (product >> 64) as u64);
    }
    write(m, i, 64, result)
}

//! Sums, logic, shifts of each element (SDM volume 2: PADD, PAND, PANDN, PCMPGT, PMINUD, POR, PSLL, PSRA, PSRL, PSUB, PXOR,
//! VPROL, VPSHRD, VPTERNLOG).

use yaxpeax_x86::long_mode::Opcode;

use super::operands::{map, map_one, map_three};
use crate::decode::Instruction;
use crate::fault::Fault;
use crate::machine::{Machine, Operation};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST[k] := SRC1[k] + SRC2[k].
        Opcode::VPADDD => |m, i| map(m, i, 32, u64::wrapping_add),
        Opcode::VPADDQ => |m, i| map(m, i, 64, u64::wrapping_add),
        // DEST[k] := SRC1[k] − SRC2[k].
        Opcode::VPSUBD => |m, i| map(m, i, 32, u64::wrapping_sub),
        Opcode::VPSUBQ => |m, i| map(m, i, 64, u64::wrapping_sub),
        // Logic: elements matter for masks and broadcasts only, which the forms without a size do not have.
        Opcode::VPAND | Opcode::VPANDQ => |m, i| map(m, i, 64, |a, b| a & b),
        Opcode::VPANDD => |m, i| map(m, i, 32, |a, b| a & b),
        Opcode::VPOR | Opcode::VPORQ => |m, i| map(m, i, 64, |a, b| a | b),
        Opcode::VPORD => |m, i| map(m, i, 32, |a, b| a | b),
        Opcode::VPXOR | Opcode::VPXORQ => |m, i| map(m, i, 64, |a, b| a ^ b),
        Opcode::VPXORD => |m, i| map(m, i, 32, |a, b| a ^ b),
        // DEST := NOT SRC1 AND SRC2.
        Opcode::VPANDN | Opcode::VPANDNQ => |m, i| map(m, i, 64, |a, b| !a & b),
        Opcode::VPANDND => |m, i| map(m, i, 32, |a, b| !a & b),
        // Bit j of DEST := bit (DEST[j] ∗ 4 + SRC1[j] ∗ 2 + SRC2[j]) of the constant.
        Opcode::VPTERNLOGD => |m, i| ternary(m, i, 32),
        Opcode::VPTERNLOGQ => |m, i| ternary(m, i, 64),
        // Amounts from the element's size on give 0.
        Opcode::VPSLLD => |m, i| map_one(m, i, 32, |a, k| a.checked_shl(k).unwrap_or(0)),
        Opcode::VPSLLQ => |m, i| map_one(m, i, 64, |a, k| a.checked_shl(k).unwrap_or(0)),
        Opcode::VPSRLD => |m, i| map_one(m, i, 32, |a, k| a.checked_shr(k).unwrap_or(0)),
        Opcode::VPSRLQ => |m, i| map_one(m, i, 64, |a, k| a.checked_shr(k).unwrap_or(0)),
        // Amounts from the element's size on give copies of the sign.
        Opcode::VPSRAD => |m, i| map_one(m, i, 32, |a, k| (i64::from(a as i32) >> k.min(31)).cast_unsigned()),
        Opcode::VPSRAQ => |m, i| map_one(m, i, 64, |a, k| (a.cast_signed() >> k.min(63)).cast_unsigned()),
        // The amount counts modulo the element's size.
        Opcode::VPROLD => |m, i| map_one(m, i, 32, |a, k| u64::from((a as u32).rotate_left(k % 32))),
        Opcode::VPROLQ => |m, i| map_one(m, i, 64, |a, k| a.rotate_left(k % 64)),
        // DEST[k] := low half of concat(SRC2[k], SRC1[k]) >> (constant modulo the size).
        Opcode::VPSHRDD => |m, i| {
            let count = i.immediate()? & 31;
            map_three(m, i, 32, |_, a, b| (b << 32 | a) >> count)
        },
        Opcode::VPSHRDQ => |m, i| {
            let count = i.immediate()? & 63;
            map_three(m, i, 64, |_, a, b| ((u128::from(b) << 64 | u128::from(a)) >> count) as u64)
        },
        // DEST[k] := all ones where SRC1[k] > SRC2[k] of signed integers.
        Opcode::VPCMPGTD => |m, i| map(m, i, 32, |a, b| if (a as i32) > (b as i32) { u64::from(u32::MAX) } else { 0 }),
        Opcode::VPCMPGTQ => |m, i| map(m, i, 64, |a, b| if a.cast_signed() > b.cast_signed() { u64::MAX } else { 0 }),
        // DEST[k] := the lesser of SRC1[k] and SRC2[k], unsigned.
        Opcode::VPMINUD => |m, i| map(m, i, 32, u64::min),
        _ => return None,
    })
}

fn ternary(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let table = i.immediate()?;
    map_three(m, i, bits, |d, a, b| {
        (0..bits).fold(0, |result, j| {
            let index = (d >> j & 1) * 4 + (a >> j & 1) * 2 + (b >> j & 1);
            result | (table.cast_unsigned() >> index & 1) << j
        })
    })
}

//! Products of integers (SDM volume 2: PMULLD/PMULLQ, PMULUDQ, VPMADD52HUQ, VPMADD52LUQ).

use yaxpeax_x86::long_mode::Opcode;

use crate::machine::Operation;

use super::operands::{map, map_three};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST[k] := the low half of SRC1[k] ∗ SRC2[k].
        Opcode::VPMULLD => |m, i| map(m, i, 32, u64::wrapping_mul),
        Opcode::VPMULLQ => |m, i| map(m, i, 64, u64::wrapping_mul),
        // DEST[k] := SRC1[k][31:0] ∗ SRC2[k][31:0], elements of 64 bits.
        Opcode::VPMULUDQ => |m, i| map(m, i, 64, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
        // DEST[k] := DEST[k] + ZeroExtend64(temp128[51:0]), temp128 := SRC1[k][51:0] ∗ SRC2[k][51:0].
        Opcode::VPMADD52LUQ => |m, i| map_three(m, i, 64, |d, a, b| d.wrapping_add(product_52(a, b) as u64 & LOW_52)),
        // DEST[k] := DEST[k] + ZeroExtend64(temp128[103:52]).
        Opcode::VPMADD52HUQ => |m, i| map_three(m, i, 64, |d, a, b| d.wrapping_add((product_52(a, b) >> 52) as u64)),
        _ => return None,
    })
}

const LOW_52: u64 = (1 << 52) - 1;

fn product_52(a: u64, b: u64) -> u128 {
    u128::from(a & LOW_52) * u128::from(b & LOW_52)
}

//! Doubles, rounded to nearest, as MXCSR is set for every thread at its start (SDM volume 2: ADDPD, MULPD, SUBPD,
//! VFMADD231PD; what becomes of NaNs: volume 1, sections 4.8.3.5 and 14.5.2).

use yaxpeax_x86::long_mode::Opcode;

use crate::machine::Operation;

use super::operands::map_three;

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        Opcode::VADDPD => |m, i| map_three(m, i, 64, |_, a, b| rounded([a, b], |[a, b]| a + b)),
        Opcode::VSUBPD => |m, i| map_three(m, i, 64, |_, a, b| rounded([a, b], |[a, b]| a - b)),
        Opcode::VMULPD => |m, i| map_three(m, i, 64, |_, a, b| rounded([a, b], |[a, b]| a * b)),
        // DEST[k] := SRC1[k] ∗ SRC2[k] + DEST[k], rounded once.
        Opcode::VFMADD231PD => |m, i| map_three(m, i, 64, |d, a, b| rounded([a, b, d], |[a, b, d]| a.mul_add(b, d))),
        _ => return None,
    })
}

/// The bit that tells a quiet NaN from a signalling one.
const QUIET: u64 = 1 << 51;

/// What an invalid operation gives.
const DEFAULT_NAN: u64 = 0xfff8 << 48;

/// The first operand that is no number, made quiet; otherwise the result.
fn rounded<const N: usize>(operands: [u64; N], compute: fn([f64; N]) -> f64) -> u64 {
    let numbers = operands.map(f64::from_bits);
    if let Some(k) = numbers.iter().position(|x| x.is_nan()) {
        return operands[k] | QUIET;
    }
    let result = compute(numbers);
    if result.is_nan() { DEFAULT_NAN } else { result.to_bits() }
}

//! Sums and differences (SDM volume 2: ADC, ADCX, ADD, ADOX, CLC, CMP, NEG, SBB, STC, SUB).

use yaxpeax_x86::long_mode::Opcode;

use crate::decode::Instruction;
use crate::fault::Fault;
use crate::flags::Flags;
use crate::machine::{Machine, Operation, ones};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // DEST := DEST + SRC.
        Opcode::ADD => |m, i| two(m, i, |_| Ok(false), sum, true),
        // DEST := DEST + SRC + CF.
        Opcode::ADC => |m, i| two(m, i, Flags::carry, sum, true),
        // DEST := DEST − SRC.
        Opcode::SUB => |m, i| two(m, i, |_| Ok(false), difference, true),
        // DEST := DEST − (SRC + CF).
        Opcode::SBB => |m, i| two(m, i, Flags::carry, difference, true),
        // As SUB, without the result.
        Opcode::CMP => |m, i| two(m, i, |_| Ok(false), difference, false),
        Opcode::NEG => negate,
        // {CF, DEST} := DEST + SRC + CF, other flags unmodified.
        Opcode::ADCX => |m, i| {
            let carry = m.flags.carry()?;
            m.flags.carry = Some(chained_sum(m, i, carry)?);
            Ok(())
        },
        // {OF, DEST} := DEST + SRC + OF, other flags unmodified.
        Opcode::ADOX => |m, i| {
            let carry = m.flags.overflow()?;
            m.flags.overflow = Some(chained_sum(m, i, carry)?);
            Ok(())
        },
        Opcode::CLC => |m, _| {
            m.flags.carry = Some(false);
            Ok(())
        },
        Opcode::STC => |m, _| {
            m.flags.carry = Some(true);
            Ok(())
        },
        _ => return None,
    })
}

/// `a + b + carry` of so many bits, and all six flags.
fn sum(a: u64, b: u64, carry: bool, bits: u32) -> (u64, Flags) {
    let exact = u128::from(a) + u128::from(b) + u128::from(carry);
    let result = exact as u64 & ones(bits);
    let nibbles = (a & 15) + (b & 15) + u64::from(carry);
    let signs = (a ^ result) & (b ^ result);
    (result, flags(result, exact >> bits != 0, nibbles > 15, signs, bits))
}

/// `a − b − borrow` of so many bits, and all six flags.
fn difference(a: u64, b: u64, borrow: bool, bits: u32) -> (u64, Flags) {
    let taken = u128::from(b) + u128::from(borrow);
    let result = u128::from(a).wrapping_sub(taken) as u64 & ones(bits);
    let adjust = (a & 15) < (b & 15) + u64::from(borrow);
    let signs = (a ^ b) & (a ^ result);
    (result, flags(result, u128::from(a) < taken, adjust, signs, bits))
}

/// Flags of a result; `signs` has at the top bit whether the signed result overflows.
fn flags(result: u64, carry: bool, adjust: bool, signs: u64, bits: u32) -> Flags {
    let mut flags = Flags {
        carry: Some(carry),
        adjust: Some(adjust),
        overflow: Some(signs >> (bits - 1) & 1 == 1),
        ..Flags::default()
    };
    flags.set_by_result(result, bits);
    flags
}

/// Operand 0 and operand 1 make operand 0 (if `kept`) and the flags.
fn two(
    m: &mut Machine,
    i: &Instruction,
    carry: fn(Flags) -> Result<bool, Fault>,
    compute: fn(u64, u64, bool, u32) -> (u64, Flags),
    kept: bool,
) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let carry = carry(m.flags)?;
    let (result, flags) = compute(m.get(i, 0, bits)?, m.get(i, 1, bits)?, carry, bits);
    if kept {
        m.set(i, 0, bits, result)?;
    }
    m.flags = flags;
    Ok(())
}

/// CF := DEST ≠ 0; DEST := −DEST; the other flags as by a difference.
fn negate(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let (result, flags) = difference(0, m.get(i, 0, bits)?, false, bits);
    m.set(i, 0, bits, result)?;
    m.flags = flags;
    Ok(())
}

/// The carry of a sum that is written to operand 0.
fn chained_sum(m: &mut Machine, i: &Instruction, carry: bool) -> Result<bool, Fault> {
    let bits = Machine::size(i)?;
    let exact = u128::from(m.get(i, 0, bits)?) + u128::from(m.get(i, 1, bits)?) + u128::from(carry);
    m.set(i, 0, bits, exact as u64 & ones(bits))?;
    Ok(exact >> bits != 0)
}

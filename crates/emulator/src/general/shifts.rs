//! Shifts and rotations by a constant, and those of BMI2 (SDM volume 2: ROL, RORX, SAL/SAR/SHL/SHR, SHLD, SHLX/SHRX,
//! SHRD).

use yaxpeax_x86::long_mode::Opcode;

use crate::decode::Instruction;
use crate::fault::Fault;
use crate::flags::Flags;
use crate::machine::{Machine, Operation, ones};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        // CF is the last bit shifted out; of one place OF := MSB(DEST) XOR CF.
        Opcode::SHL | Opcode::SAL => |m, i| {
            shift(m, i, |a, count, bits| {
                let result = a << count & ones(bits);
                let carry = a >> (bits - count) & 1 == 1;
                (result, carry, (result >> (bits - 1) & 1 == 1) != carry)
            })
        },
        // Of one place OF := MSB(tempDEST), the old top bit.
        Opcode::SHR => {
            |m, i| shift(m, i, |a, count, bits| (a >> count, a >> (count - 1) & 1 == 1, a >> (bits - 1) & 1 == 1))
        }
        // Of one place OF := 0.
        Opcode::SAR => |m, i| {
            shift(m, i, |a, count, bits| {
                let signed = (a << (64 - bits)).cast_signed() >> (64 - bits);
                ((signed >> count).cast_unsigned() & ones(bits), a >> (count - 1) & 1 == 1, false)
            })
        },
        Opcode::ROL => rotate,
        Opcode::SHLD => |m, i| {
            // DEST shifted left, filled from the top of SRC.
            double_shift(m, i, |a, b, count, bits| (a << count | b >> (bits - count), a >> (bits - count) & 1 == 1))
        },
        Opcode::SHRD => |m, i| {
            // DEST shifted right, filled from the bottom of SRC.
            double_shift(m, i, |a, b, count, bits| (a >> count | b << (bits - count), a >> (count - 1) & 1 == 1))
        },
        // DEST := SRC rotated right by the constant; no flags.
        Opcode::RORX => |m, i| {
            let bits = Machine::size(i)?;
            let (a, count) = (m.get(i, 1, bits)?, amount(i, bits)?);
            let result = if count == 0 { a } else { (a >> count | a << (bits - count)) & ones(bits) };
            m.set(i, 0, bits, result)
        },
        // The amount is a register modulo the size; no flags.
        Opcode::SHLX => |m, i| {
            let bits = Machine::size(i)?;
            let count = m.get(i, 2, bits)? & u64::from(bits - 1);
            let result = m.get(i, 1, bits)? << count & ones(bits);
            m.set(i, 0, bits, result)
        },
        Opcode::SHRX => |m, i| {
            let bits = Machine::size(i)?;
            let count = m.get(i, 2, bits)? & u64::from(bits - 1);
            let result = m.get(i, 1, bits)? >> count;
            m.set(i, 0, bits, result)
        },
        _ => return None,
    })
}

/// "The count is masked to 5 bits (or 6 bits with a 64-bit operand)." A shift by `cl` is not among our forms.
fn amount(i: &Instruction, bits: u32) -> Result<u32, Fault> {
    Ok(i.immediate()? as u32 & if bits == 64 { 63 } else { 31 })
}

/// By 0 nothing happens. OF is undefined but for one place, AF always, CF where the count reaches the size.
fn shift(m: &mut Machine, i: &Instruction, compute: fn(u64, u32, u32) -> (u64, bool, bool)) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let count = amount(i, bits)?;
    if count == 0 {
        return write_back(m, i, bits);
    }
    if count >= bits {
        return Err(i.unknown());
    }
    let (result, carry, overflow) = compute(m.get(i, 0, bits)?, count, bits);
    m.set(i, 0, bits, result)?;
    m.flags = Flags { carry: Some(carry), overflow: (count == 1).then_some(overflow), ..Flags::default() };
    m.flags.set_by_result(result, bits);
    Ok(())
}

/// CF := LSB(DEST); of one place OF := MSB(DEST) XOR CF, otherwise undefined; the other flags stay.
fn rotate(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let count = amount(i, bits)?;
    if count == 0 {
        return write_back(m, i, bits);
    }
    let (a, places) = (m.get(i, 0, bits)?, count % bits);
    let result = if places == 0 { a } else { (a << places | a >> (bits - places)) & ones(bits) };
    m.set(i, 0, bits, result)?;
    let carry = result & 1 == 1;
    m.flags.carry = Some(carry);
    m.flags.overflow = (count == 1).then_some((result >> (bits - 1) & 1 == 1) != carry);
    Ok(())
}

/// CF is the last bit shifted out; of one place OF says whether the sign changed, otherwise it is undefined.
fn double_shift(m: &mut Machine, i: &Instruction, compute: fn(u64, u64, u32, u32) -> (u64, bool)) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let count = amount(i, bits)?;
    if count == 0 {
        return write_back(m, i, bits);
    }
    // Of 16 bits the result is undefined where the count is more; none of our forms.
    if bits < 32 {
        return Err(i.unknown());
    }
    let a = m.get(i, 0, bits)?;
    let (result, carry) = compute(a, m.get(i, 1, bits)?, count, bits);
    let result = result & ones(bits);
    m.set(i, 0, bits, result)?;
    let changed = (a ^ result) >> (bits - 1) & 1 == 1;
    m.flags = Flags { carry: Some(carry), overflow: (count == 1).then_some(changed), ..Flags::default() };
    m.flags.set_by_result(result, bits);
    Ok(())
}

/// A shift by 0 writes its operand back (which memory must allow) and leaves the flags.
fn write_back(m: &mut Machine, i: &Instruction, bits: u32) -> Result<(), Fault> {
    let value = m.get(i, 0, bits)?;
    m.set(i, 0, bits, value)
}

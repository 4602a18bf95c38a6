//! Logic and tests of bits (SDM volume 2: AND, ANDN, BT, NOT, OR, TEST, XOR).

use yaxpeax_x86::long_mode::Opcode;

use crate::decode::Instruction;
use crate::fault::Fault;
use crate::flags::Flags;
use crate::machine::{Machine, Operation, ones};

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        Opcode::AND => |m, i| two(m, i, |a, b| a & b, true),
        Opcode::OR => |m, i| two(m, i, |a, b| a | b, true),
        Opcode::XOR => |m, i| two(m, i, |a, b| a ^ b, true),
        Opcode::TEST => |m, i| two(m, i, |a, b| a & b, false),
        // DEST := NOT DEST; no flags.
        Opcode::NOT => |m, i| {
            let bits = Machine::size(i)?;
            let result = !m.get(i, 0, bits)? & ones(bits);
            m.set(i, 0, bits, result)
        },
        Opcode::ANDN => and_not,
        Opcode::BT => test_bit,
        _ => return None,
    })
}

/// OF and CF are cleared; SF, ZF, PF are set by the result; AF is undefined.
fn flags(result: u64, bits: u32) -> Flags {
    let mut flags = Flags { carry: Some(false), overflow: Some(false), ..Flags::default() };
    flags.set_by_result(result, bits);
    flags
}

fn two(m: &mut Machine, i: &Instruction, compute: fn(u64, u64) -> u64, kept: bool) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let result = compute(m.get(i, 0, bits)?, m.get(i, 1, bits)?);
    if kept {
        m.set(i, 0, bits, result)?;
    }
    m.flags = flags(result, bits);
    Ok(())
}

/// DEST := NOT SRC1 AND SRC2. SF and ZF by the result, OF and CF cleared; AF and PF undefined.
fn and_not(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let result = !m.get(i, 1, bits)? & m.get(i, 2, bits)?;
    m.set(i, 0, bits, result)?;
    m.flags = Flags { parity: None, ..flags(result, bits) };
    Ok(())
}

/// CF := Bit(BitBase, BitOffset), the offset modulo the size. ZF is unaffected; OF, SF, AF, PF are undefined.
fn test_bit(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let offset = i.immediate()?.rem_euclid(i64::from(bits));
    let carry = m.get(i, 0, bits)? >> offset & 1 == 1;
    m.flags = Flags { carry: Some(carry), zero: m.flags.zero, ..Flags::default() };
    Ok(())
}

//! Products (SDM volume 2: IMUL, MUL, MULX).

use yaxpeax_x86::long_mode::Opcode;

use crate::decode::Instruction;
use crate::fault::Fault;
use crate::flags::Flags;
use crate::machine::{Machine, Operation, ones};

const RAX: usize = 0;
const RDX: usize = 2;

pub(super) fn operation(opcode: Opcode) -> Option<Operation> {
    Some(match opcode {
        Opcode::MUL => multiply,
        Opcode::IMUL => multiply_signed,
        Opcode::MULX => multiply_without_flags,
        _ => return None,
    })
}

/// CF and OF say whether the product needs more than the destination; SF, ZF, AF, PF are undefined.
fn flags(longer: bool) -> Flags {
    Flags { carry: Some(longer), overflow: Some(longer), ..Flags::default() }
}

/// RDX:RAX := RAX ∗ SRC (EDX:EAX of 32 bits). CF = OF = the upper half is not 0.
fn multiply(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    if bits < 32 || i.operands.len() != 1 {
        return Err(i.unknown());
    }
    let product = u128::from(m.general[RAX] & ones(bits)) * u128::from(m.get(i, 0, bits)?);
    let high = (product >> bits) as u64;
    // Halves of 32 bits clear the upper half of their registers.
    m.general[RAX] = product as u64 & ones(bits);
    m.general[RDX] = high;
    m.flags = flags(high != 0);
    Ok(())
}

/// DEST := the low half of DEST ∗ SRC, or of SRC1 ∗ SRC2. CF = OF = the signed product is longer.
fn multiply_signed(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let (a, b) = match i.operands.len() {
        2 => (m.get(i, 0, bits)?, m.get(i, 1, bits)?),
        3 => (m.get(i, 1, bits)?, m.get(i, 2, bits)?),
        _ => return Err(i.unknown()),
    };
    let signed = |x: u64| i128::from((x << (64 - bits)).cast_signed() >> (64 - bits));
    let product = signed(a) * signed(b);
    let result = product as u64 & ones(bits);
    m.set(i, 0, bits, result)?;
    m.flags = flags(signed(result) != product);
    Ok(())
}

/// DEST2:DEST1 := RDX ∗ SRC; where the destinations are one register, it gets the high half. No flags.
fn multiply_without_flags(m: &mut Machine, i: &Instruction) -> Result<(), Fault> {
    let bits = Machine::size(i)?;
    let product = u128::from(m.general[RDX] & ones(bits)) * u128::from(m.get(i, 2, bits)?);
    m.set(i, 1, bits, product as u64 & ones(bits))?;
    m.set(i, 0, bits, (product >> bits) as u64)
}

//! Vector instructions: from an opcode to the encoder's code, and the operands that only they have.

use evariste_codegen::x86_64::{Inst, Operand, Program, Vector, Width};
use iced_x86::{Instruction, OpKind, Register};

use super::encode::{BadAddress, memory, no_form};
use super::forms::code;
use crate::error::EncodeError;

/// The encoder's form of a vector instruction, and how far into the constants its address points.
pub(crate) fn instruction(
    program: &Program,
    at: usize,
    inst: &Inst,
    op: Vector,
    width: Width,
) -> Result<(Instruction, Option<i32>), EncodeError> {
    let refused = |reason: &str| EncodeError::Refused { at, inst: format!("{inst:?}"), reason: reason.to_string() };
    let to_memory = matches!(inst.operands[0], Some(Operand::Memory(_)));
    let mut out = Instruction::default();
    out.set_code(code(op, inst.bits, width, to_memory).ok_or_else(|| no_form(at, inst))?);
    let vector = |n: u8| register(width, n).ok_or_else(|| refused("no such register"));
    let mask = |k: u8| {
        if (1..8).contains(&k) { Ok(Register::K0 + u32::from(k)) } else { Err(refused("mask registers are k1 to k7")) }
    };
    let mut constant = None;
    let mut count = 0;
    for (place, operand) in (0u32..).zip(inst.operands()) {
        count = place + 1;
        let mut address = |out: &mut Instruction, address| {
            out.set_op_kind(place, OpKind::Memory);
            constant = memory(program, out, address).map_err(|e| match e {
                BadAddress::Constant => EncodeError::NoConstant { at },
                BadAddress::Index => refused("rsp is no index, and scales are 1, 2, 4 and 8"),
            })?;
            // A distance in whole vectors or elements takes a byte: the encoder sees to it.
            if out.memory_displ_size() == 8 && out.memory_base() != Register::RIP {
                out.set_memory_displ_size(1);
            }
            Ok(())
        };
        match operand {
            Operand::Vector(n) | Operand::Masked(n, _) => {
                out.set_op_kind(place, OpKind::Register);
                out.set_op_register(place, vector(n)?);
                if let Operand::Masked(_, k) = operand {
                    out.set_op_mask(mask(k)?);
                }
            }
            Operand::Mask(k) => {
                out.set_op_kind(place, OpKind::Register);
                out.set_op_register(place, mask(k)?);
            }
            // Not aligned, which only moves may be without a destination of their own.
            Operand::Memory(_) if width.two_operands() && op != Vector::Move => return Err(no_form(at, inst)),
            Operand::Memory(a) => address(&mut out, &a)?,
            Operand::Broadcast(a) if width.has_masks() => {
                address(&mut out, &a)?;
                out.set_is_broadcast(true);
            }
            _ => return Err(no_form(at, inst)),
        }
    }
    if let Some(value) = op.immediate() {
        out.set_op_kind(count, OpKind::Immediate8);
        out.set_immediate8(value);
    }
    Ok((out, constant))
}

fn register(width: Width, n: u8) -> Option<Register> {
    let first = match width {
        Width::S | Width::X => Register::XMM0,
        Width::Y => Register::YMM0,
        Width::Z => Register::ZMM0,
    };
    (usize::from(n) < width.registers()).then(|| first + u32::from(n))
}

//! What instructions do to the stack, for the notes of [`unwind`](crate::assembly::unwind).

use crate::aarch64::instruction::{Address, Gpr, Inst, Sum};
use crate::assembly::unwind::{Flow, Frame};

/// Where control goes from an instruction.
pub(super) fn flow(inst: &Inst) -> Flow {
    match *inst {
        Inst::Return => Flow::Return,
        Inst::Jump(label) => Flow::Jump(label),
        Inst::JumpUnlessZero { label, .. } => Flow::Branch(label),
        Inst::Call(label) => Flow::Call(label),
        _ => Flow::Behind,
    }
}

/// What it does to a frame.
pub(super) fn step(frame: &mut Frame, inst: &Inst) -> Result<(), &'static str> {
    let number = |r: Gpr| r.place().unwrap_or(usize::MAX);
    let on_stack = |a: Address| (a.base == Gpr::SP).then_some(a.offset);
    match *inst {
        Inst::SumOf { op: op @ (Sum::Add | Sum::Sub), to: Gpr::SP, left: Gpr::SP, value, high } => {
            let bytes = i64::from(value) << if high { 12 } else { 0 };
            frame.grow(if op == Sum::Sub { bytes } else { -bytes })?;
        }
        Inst::Push { first, second, bytes } => {
            frame.grow(bytes.into())?;
            frame.store(number(first), 0);
            frame.store(number(second), 8);
        }
        Inst::Pop { first, second, bytes } => {
            frame.load(number(first), 0);
            frame.load(number(second), 8);
            frame.grow(-i64::from(bytes))?;
        }
        Inst::Store { bytes: 8, from, address } => {
            if let Some(offset) = on_stack(address) {
                frame.store(number(from), offset);
            }
        }
        Inst::StorePair { first, second, address } => {
            if let Some(offset) = on_stack(address) {
                frame.store(number(first), offset);
                frame.store(number(second), offset + 8);
            }
        }
        Inst::Load { bytes: 8, to, address } => {
            if let Some(offset) = on_stack(address) {
                frame.load(number(to), offset);
            }
        }
        Inst::LoadPair { first, second, address } => {
            if let Some(offset) = on_stack(address) {
                frame.load(number(first), offset);
                frame.load(number(second), offset + 8);
            }
        }
        _ => {
            if inst.writes().any(|r| r == Gpr::SP) {
                return Err("writes the stack pointer");
            }
        }
    }
    Ok(())
}

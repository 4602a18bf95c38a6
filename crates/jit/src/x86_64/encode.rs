//! From a program to bytes. Positions only: what an instruction means was decided before.

use std::collections::HashMap;

use evariste_codegen::x86_64::{Address, Base, Gpr, Inst, Opcode, Operand, Program};
use iced_x86::{Code as IcedCode, Encoder, Instruction, OpKind, Register};

use super::PROCESSOR;
use super::codes::{Kind, branch, code, short};
use crate::code::Code;
use crate::error::EncodeError;

/// A piece of the code before its place is known.
enum Piece {
    /// Bytes `start..start + len` of the raw text; the four bytes at `patch` are a distance to that many bytes into the
    /// constants.
    Fixed { start: usize, len: usize, patch: Option<(usize, i32)> },
    /// A branch to a piece, short or near.
    Branch { short: Option<IcedCode>, near: IcedCode, to: usize, is_near: bool },
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Fixed { len, .. } => *len,
            Piece::Branch { is_near: false, .. } => 2,
            Piece::Branch { near: IcedCode::Jmp_rel32_64 | IcedCode::Call_rel32_64, .. } => 5,
            Piece::Branch { .. } => 6,
        }
    }
}

/// The instruction set has no such form.
pub(super) fn no_form(at: usize, inst: &Inst) -> EncodeError {
    EncodeError::NoForm { at, inst: format!("{inst:?}") }
}

/// Encodes a program.
///
/// # Errors
/// An instruction without an encoding; a label that is missing or there twice.
pub fn encode(program: &Program) -> Result<Code, EncodeError> {
    let labels = labels(program)?;
    let mut encoder = Encoder::new(64);
    let mut pieces = Vec::with_capacity(program.code.len());
    let mut raw = 0;
    for (at, inst) in program.code.iter().enumerate() {
        let piece = match (inst.op, inst.operands) {
            (Opcode::Label, _) => Piece::Fixed { start: raw, len: 0, patch: None },
            (op, [Some(Operand::Label(label)), None, None]) => {
                let (short, near) = branch(op).ok_or_else(|| no_form(at, inst))?;
                let to = *labels.get(&label).ok_or(EncodeError::NoLabel { at, label })?;
                Piece::Branch { short, near, to, is_near: short.is_none() }
            }
            _ => {
                let (instruction, constant) = instruction(program, at, inst)?;
                // Relative addresses are patched later: a distance of 0 stands in.
                let len = encoder.encode(&instruction, 0).map_err(|e| EncodeError::Refused {
                    at,
                    inst: format!("{inst:?}"),
                    reason: e.to_string(),
                })?;
                let patch = constant.map(|bytes| (raw + encoder.get_constant_offsets().displacement_offset(), bytes));
                Piece::Fixed { start: raw, len, patch }
            }
        };
        if let Piece::Fixed { len, .. } = piece {
            raw += len;
        }
        pieces.push(piece);
    }
    let raw = encoder.take_buffer();
    let offsets = place(&mut pieces);
    Ok(write(program, &raw, &pieces, offsets))
}

/// Label → position of its instruction.
fn labels(program: &Program) -> Result<HashMap<u32, usize>, EncodeError> {
    let mut labels = HashMap::new();
    for (at, inst) in program.code.iter().enumerate() {
        if let (Opcode::Label, Some(Operand::Label(label))) = (inst.op, inst.operands[0])
            && labels.insert(label, at).is_some()
        {
            return Err(EncodeError::LabelTwice { label });
        }
    }
    Ok(labels)
}

/// Where each piece begins. All branches start short; those that do not reach grow until none is left. Ends with the
/// whole length.
fn place(pieces: &mut [Piece]) -> Vec<usize> {
    loop {
        let mut offsets = Vec::with_capacity(pieces.len() + 1);
        let mut at = 0;
        for piece in pieces.iter() {
            offsets.push(at);
            at += piece.len();
        }
        offsets.push(at);
        let mut grew = false;
        for (i, piece) in pieces.iter_mut().enumerate() {
            if let Piece::Branch { to, is_near, .. } = piece {
                let distance = offsets[*to] as i64 - offsets[i + 1] as i64;
                if !*is_near && i8::try_from(distance).is_err() {
                    *is_near = true;
                    grew = true;
                }
            }
        }
        if !grew {
            return offsets;
        }
    }
}

fn write(program: &Program, raw: &[u8], pieces: &[Piece], mut offsets: Vec<usize>) -> Code {
    let code_len = offsets.pop().unwrap_or(0);
    let constants_at = if program.constants.is_empty() { code_len } else { code_len.next_multiple_of(64) };
    let mut bytes = Vec::with_capacity(constants_at + 8 * program.constants.len());
    for (i, piece) in pieces.iter().enumerate() {
        let begin = bytes.len();
        match piece {
            Piece::Fixed { start, len, patch } => {
                bytes.extend_from_slice(&raw[*start..*start + *len]);
                if let Some((place, into)) = patch {
                    // Code and constants together are far below 2^31 bytes: a program has at most some million
                    // instructions.
                    let distance = constants_at as i64 + i64::from(*into) - (begin + len) as i64;
                    bytes[begin + place - start..][..4].copy_from_slice(&(distance as i32).to_le_bytes());
                }
            }
            Piece::Branch { short, near, to, is_near } => {
                let target = offsets.get(*to).copied().unwrap_or(code_len) as u64;
                let code = if *is_near { *near } else { short.unwrap_or(*near) };
                let mut encoder = Encoder::new(64);
                let written = Instruction::with_branch(code, target)
                    .and_then(|branch| encoder.encode(&branch, offsets[i] as u64));
                debug_assert_eq!(written.as_ref().ok(), Some(&piece.len()), "a branch of known length");
                bytes.extend(encoder.take_buffer());
            }
        }
    }
    // The gap is never reached; `int3` would stop whoever jumps there.
    bytes.resize(constants_at, 0xcc);
    bytes.extend(program.constants.iter().flat_map(|c| c.to_le_bytes()));
    Code { processor: &PROCESSOR, name: program.name.clone(), bytes, entry: 0, code_len, constants_at, offsets }
}

/// The encoder's form of an instruction, and how far into the constants its address points.
fn instruction(program: &Program, at: usize, inst: &Inst) -> Result<(Instruction, Option<i32>), EncodeError> {
    let refused = |reason: &str| EncodeError::Refused { at, inst: format!("{inst:?}"), reason: reason.to_string() };
    if let Opcode::Vector(op, width) = inst.op {
        return super::vector::instruction(program, at, inst, op, width);
    }
    let operands: Vec<Operand> = inst.operands().collect();
    let mut kinds = Vec::with_capacity(3);
    for operand in &operands {
        kinds.push(match operand {
            Operand::Register(_) => Kind::Register,
            Operand::Memory(_) => Kind::Memory,
            Operand::Immediate(value) => {
                immediate_kind(*value, inst.bits).ok_or_else(|| refused("the immediate does not fit"))?
            }
            _ => return Err(no_form(at, inst)),
        });
    }
    let mut chosen = code(inst.op, inst.bits, &kinds).ok_or_else(|| no_form(at, inst))?;
    if inst.op == Opcode::Mov
        && inst.bits == 64
        && kinds[0] == Kind::Register
        && matches!(operands.get(1), Some(Operand::Immediate(v)) if u32::try_from(*v).is_ok())
    {
        // The half register zero-extends: the same value in fewer bytes.
        chosen = IcedCode::Mov_r32_imm32;
    }
    let (first, last) = (operands.first(), operands.last());
    let value = match last {
        Some(Operand::Immediate(value)) => Some(*value),
        _ => None,
    };
    chosen = short(inst.op, inst.bits, &kinds, first == Some(&Operand::Register(Gpr::Rax)), value).unwrap_or(chosen);
    let mut out = Instruction::default();
    out.set_code(chosen);
    let mut constant = None;
    for (i, operand) in operands.iter().enumerate() {
        let place = i as u32;
        match operand {
            Operand::Register(gpr) => {
                let bits = match (chosen, inst.op, i) {
                    (IcedCode::Mov_r32_imm32, _, _) => 32,
                    (_, Opcode::MovZeroExtend, 0) => 32,
                    _ => inst.bits,
                };
                out.set_op_kind(place, OpKind::Register);
                out.set_op_register(place, register(*gpr, bits));
            }
            Operand::Memory(address) => {
                out.set_op_kind(place, OpKind::Memory);
                constant = match memory(program, &mut out, address) {
                    Ok(constant) => constant,
                    Err(BadAddress::Constant) => return Err(EncodeError::NoConstant { at }),
                    Err(BadAddress::Index) => return Err(refused("rsp is no index, and scales are 1, 2, 4 and 8")),
                };
            }
            Operand::Immediate(value) => {
                if is_count(inst.op) && !(0..i64::from(inst.bits)).contains(value) {
                    return Err(refused("the amount of a shift is below the size"));
                }
                let kind = immediate_form(chosen, kinds[i], inst);
                out.set_op_kind(place, kind);
                // The operand's kind was set just before, so this cannot fail.
                out.set_immediate_i64(
                    place,
                    if kind == OpKind::Immediate32 { i64::from(*value as i32) } else { *value },
                );
            }
            _ => {}
        }
    }
    Ok((out, constant))
}

fn is_count(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::Shl
            | Opcode::Shr
            | Opcode::Sar
            | Opcode::Rol
            | Opcode::Shld
            | Opcode::Shrd
            | Opcode::Rorx
            | Opcode::BitTest
    )
}

/// The least immediate that holds the value; smaller sizes take it signed or unsigned.
fn immediate_kind(value: i64, bits: u8) -> Option<Kind> {
    if i8::try_from(value).is_ok() {
        return Some(Kind::Byte);
    }
    match bits {
        64 if i32::try_from(value).is_ok() => Some(Kind::Half),
        64 => Some(Kind::Full),
        n => (-(1i64 << (n - 1))..1i64 << n).contains(&value).then_some(Kind::Half),
    }
}

/// How the chosen code holds its immediate.
fn immediate_form(chosen: IcedCode, kind: Kind, inst: &Inst) -> OpKind {
    if is_count(inst.op) {
        return OpKind::Immediate8;
    }
    match (chosen, inst.op, inst.bits, kind) {
        (IcedCode::Mov_r32_imm32, ..) => OpKind::Immediate32,
        (IcedCode::Mov_r64_imm64, ..) => OpKind::Immediate64,
        (_, _, 8, _) => OpKind::Immediate8,
        // These have no byte form.
        (_, Opcode::Mov | Opcode::Test, 64, _) => OpKind::Immediate32to64,
        (_, Opcode::Mov | Opcode::Test, 32, _) => OpKind::Immediate32,
        (_, Opcode::Mov | Opcode::Test, 16, _) => OpKind::Immediate16,
        (_, _, 64, Kind::Byte) => OpKind::Immediate8to64,
        (_, _, 32, Kind::Byte) => OpKind::Immediate8to32,
        (_, _, 16, Kind::Byte) => OpKind::Immediate8to16,
        (_, _, 64, _) => OpKind::Immediate32to64,
        (_, _, 32, _) => OpKind::Immediate32,
        _ => OpKind::Immediate16,
    }
}

pub(crate) enum BadAddress {
    /// Outside of the constants.
    Constant,
    /// No such index.
    Index,
}

/// Writes an address; gives the distance into the constants, if it points there.
pub(crate) fn memory(program: &Program, out: &mut Instruction, address: &Address) -> Result<Option<i32>, BadAddress> {
    match address.base {
        Base::Constants => {
            let end = i64::from(address.displacement) + 8;
            if address.index.is_some() || address.displacement < 0 || end > 8 * program.constants.len() as i64 {
                return Err(BadAddress::Constant);
            }
            out.set_memory_base(Register::RIP);
            out.set_memory_displ_size(8);
            out.set_memory_displacement64(0);
            Ok(Some(address.displacement))
        }
        Base::Register(base) => {
            out.set_memory_base(register(base, 64));
            if let Some((index, scale)) = address.index {
                if index == Gpr::Rsp || ![1, 2, 4, 8].contains(&scale) {
                    return Err(BadAddress::Index);
                }
                out.set_memory_index(register(index, 64));
                out.set_memory_index_scale(u32::from(scale));
            }
            let size = match address.displacement {
                0 => 0,
                d if i8::try_from(d).is_ok() => 1,
                _ => 8,
            };
            out.set_memory_displ_size(size);
            out.set_memory_displacement64(i64::from(address.displacement) as u64);
            Ok(None)
        }
    }
}

/// A register of that size; of eight bits always the low ones (`spl`, never `ah`).
pub(crate) fn register(gpr: Gpr, bits: u8) -> Register {
    const BYTE: [Register; 8] = [
        Register::AL,
        Register::CL,
        Register::DL,
        Register::BL,
        Register::SPL,
        Register::BPL,
        Register::SIL,
        Register::DIL,
    ];
    let n = gpr.number() as usize;
    match bits {
        8 if n < 8 => BYTE[n],
        8 => Register::R8L + (n as u32 - 8),
        16 => Register::AX + n as u32,
        32 => Register::EAX + n as u32,
        _ => Register::RAX + n as u32,
    }
}

//! From a program to bytes: 32 bits an instruction, as the manual's chapter C6 draws them.

use std::collections::HashMap;

use evariste_codegen::aarch64::instruction::pattern;
use evariste_codegen::aarch64::{Chosen, Gpr, Half, Inst, Logic, Program, Shift, Shifted, Sum, Wide};

use super::PROCESSOR;
use crate::code::Code;
use crate::error::EncodeError;

/// Where constants may begin, and what code begins at.
const LINE: usize = 64;

/// Encodes a program.
///
/// # Errors
/// An instruction without an encoding; a label that is missing or there twice.
pub fn encode(program: &Program) -> Result<Code, EncodeError> {
    let mut labels = HashMap::new();
    let mut offsets = Vec::with_capacity(program.code.len());
    let mut end = 0usize;
    for inst in &program.code {
        offsets.push(end);
        match inst {
            Inst::Label(label) if labels.insert(*label, end).is_some() => {
                return Err(EncodeError::LabelTwice { label: *label });
            }
            Inst::Label(_) => {}
            _ => end += 4,
        }
    }
    let constants_at = end.next_multiple_of(LINE);
    let mut bytes = Vec::with_capacity(constants_at + 8 * program.constants.len());
    for (at, inst) in program.code.iter().enumerate().filter(|(_, inst)| !matches!(inst, Inst::Label(_))) {
        let here = Here { at, inst, place: offsets[at], labels: &labels, constants_at, program };
        bytes.extend(here.word()?.to_le_bytes());
    }
    if !program.constants.is_empty() {
        // `udf #0` is all zeros: what lies between is never run.
        bytes.resize(constants_at, 0);
        program.constants.iter().for_each(|constant| bytes.extend(constant.to_le_bytes()));
    }
    let constants_at = if program.constants.is_empty() { bytes.len() } else { constants_at };
    Ok(Code {
        processor: &PROCESSOR,
        name: program.name.clone(),
        bytes,
        entry: 0,
        code_len: end,
        constants_at,
        offsets,
    })
}

/// An instruction at its place.
struct Here<'a> {
    at: usize,
    inst: &'a Inst,
    place: usize,
    labels: &'a HashMap<u32, usize>,
    constants_at: usize,
    program: &'a Program,
}

/// Fields that registers fill.
fn d(register: Gpr) -> u32 {
    u32::from(register.number())
}

fn n(register: Gpr) -> u32 {
    d(register) << 5
}

fn m(register: Gpr) -> u32 {
    d(register) << 16
}

/// The field that tells shifts of operands apart.
fn shift(shift: Shift) -> u32 {
    (match shift {
        Shift::Left => 0,
        Shift::Right => 1,
        Shift::Signed => 2,
        Shift::Rotate => 3,
    }) << 22
}

fn second(right: Shifted) -> u32 {
    shift(right.shift) | m(right.register) | u32::from(right.amount) << 10
}

/// A word of a sum: without carry as instructions with a shifted register, with it as those that take it.
fn sum(op: Sum) -> u32 {
    match op {
        Sum::Add => 0x8b00_0000,
        Sum::Adds => 0xab00_0000,
        Sum::Sub => 0xcb00_0000,
        Sum::Subs => 0xeb00_0000,
        Sum::Adc => 0x9a00_0000,
        Sum::Adcs => 0xba00_0000,
        Sum::Sbc => 0xda00_0000,
        Sum::Sbcs => 0xfa00_0000,
    }
}

fn logic(op: Logic) -> u32 {
    match op {
        Logic::And => 0x8a00_0000,
        Logic::AndNot => 0x8a20_0000,
        Logic::Or => 0xaa00_0000,
        Logic::OrNot => 0xaa20_0000,
        Logic::Xor => 0xca00_0000,
        Logic::XorNot => 0xca20_0000,
    }
}

impl Here<'_> {
    fn no_form<T>(&self) -> Result<T, EncodeError> {
        Err(EncodeError::NoForm { at: self.at, inst: self.inst.to_string() })
    }

    fn refused<T>(&self, reason: &str) -> Result<T, EncodeError> {
        Err(EncodeError::Refused { at: self.at, inst: self.inst.to_string(), reason: reason.into() })
    }

    /// None of these is the stack pointer, which shares its number with the zero register.
    fn plain<const N: usize>(&self, registers: [Gpr; N]) -> Result<(), EncodeError> {
        if registers.contains(&Gpr::SP) { self.no_form() } else { Ok(()) }
    }

    /// None of these is the zero register, where its number means the stack pointer.
    fn pointers<const N: usize>(&self, registers: [Gpr; N]) -> Result<(), EncodeError> {
        if registers.contains(&Gpr::ZERO) { self.no_form() } else { Ok(()) }
    }

    /// A distance in instructions, in a field of so many bits.
    fn distance(&self, to: usize, bits: u32) -> Result<u32, EncodeError> {
        let distance = (to as i64 - self.place as i64) / 4;
        let half = 1i64 << (bits - 1);
        if !(-half..half).contains(&distance) {
            return self.refused("it is too far away");
        }
        Ok(distance as u32 & ((1 << bits) - 1))
    }

    fn label(&self, label: u32, bits: u32) -> Result<u32, EncodeError> {
        let to = *self.labels.get(&label).ok_or(EncodeError::NoLabel { at: self.at, label })?;
        self.distance(to, bits)
    }

    fn word(&self) -> Result<u32, EncodeError> {
        match *self.inst {
            Inst::Sum { .. } | Inst::SumOf { .. } => self.sum(),
            Inst::Logic { .. } | Inst::LogicOf { .. } => self.logic(),
            Inst::Product { .. } | Inst::ProductSum { .. } => self.product(),
            Inst::Shift { .. } | Inst::Extract { .. } | Inst::Field { .. } => self.shift(),
            Inst::Select { .. } | Inst::Move { .. } => self.choice(),
            Inst::Load { .. } | Inst::Store { .. } | Inst::Constant { .. } => self.access(),
            Inst::LoadPair { .. } | Inst::StorePair { .. } | Inst::Push { .. } | Inst::Pop { .. } => self.pair(),
            Inst::Label(_) => self.no_form(),
            Inst::Jump(label) => Ok(0x1400_0000 | self.label(label, 26)?),
            Inst::Call(label) => Ok(0x9400_0000 | self.label(label, 26)?),
            Inst::JumpUnlessZero { register, label } => {
                self.plain([register])?;
                Ok(0xb500_0000 | self.label(label, 19)? << 5 | d(register))
            }
            Inst::Return => Ok(0xd65f_03c0),
        }
    }

    fn sum(&self) -> Result<u32, EncodeError> {
        match *self.inst {
            Inst::Sum { op, to, left, right } => {
                self.plain([to, left, right.register])?;
                let plain = right.shift == Shift::Left && right.amount == 0;
                if right.amount > 63 || right.shift == Shift::Rotate || op.takes_carry() && !plain {
                    return self.no_form();
                }
                Ok(sum(op) | second(right) | n(left) | d(to))
            }
            Inst::SumOf { op, to, left, value, high } if !op.takes_carry() => {
                // Of those that set flags the destination may be the zero register, of the others the stack pointer.
                self.pointers([left])?;
                if op.sets_flags() { self.plain([to]) } else { self.pointers([to]) }?;
                if value >= 1 << 12 {
                    return self.refused("immediates have 12 bits");
                }
                let form = sum(op) & 0x6000_0000 | 0x9100_0000;
                Ok(form | u32::from(high) << 22 | u32::from(value) << 10 | n(left) | d(to))
            }
            _ => self.no_form(),
        }
    }

    fn logic(&self) -> Result<u32, EncodeError> {
        match *self.inst {
            Inst::Logic { op, to, left, right } if right.amount <= 63 => {
                self.plain([to, left, right.register])?;
                Ok(logic(op) | second(right) | n(left) | d(to))
            }
            Inst::LogicOf { op: op @ (Logic::And | Logic::Or | Logic::Xor), to, left, value } => {
                self.plain([left])?;
                self.pointers([to])?;
                // Nothing makes a stack pointer of bits.
                self.plain([to])?;
                let Some((whole, turn, ones)) = pattern(value) else {
                    return self.refused("no pattern of bits is this number");
                };
                Ok(logic(op) & 0x6000_0000 | 0x9200_0000 | whole << 22 | turn << 16 | ones << 10 | n(left) | d(to))
            }
            _ => self.no_form(),
        }
    }

    fn product(&self) -> Result<u32, EncodeError> {
        match *self.inst {
            Inst::Product { half, to, left, right } => {
                self.plain([to, left, right])?;
                let form = if half == Half::Low { 0x9b00_7c00 } else { 0x9bc0_7c00 };
                Ok(form | m(right) | n(left) | d(to))
            }
            // With the zero register it is `mul`.
            Inst::ProductSum { to, left, right, addend } if addend != Gpr::ZERO => {
                self.plain([to, left, right, addend])?;
                Ok(0x9b00_0000 | m(right) | d(addend) << 10 | n(left) | d(to))
            }
            _ => self.no_form(),
        }
    }

    fn shift(&self) -> Result<u32, EncodeError> {
        let field = |form: u32, turn: u32, last: u32, to, from| form | turn << 16 | last << 10 | n(from) | d(to);
        match *self.inst {
            Inst::Shift { shift, to, from, amount } if (1..64).contains(&amount) => {
                self.plain([to, from])?;
                let k = u32::from(amount);
                Ok(match shift {
                    Shift::Left => field(0xd340_0000, 64 - k, 63 - k, to, from),
                    Shift::Right => field(0xd340_0000, k, 63, to, from),
                    Shift::Signed => field(0x9340_0000, k, 63, to, from),
                    Shift::Rotate => field(0x93c0_0000, d(from), k, to, from),
                })
            }
            Inst::Extract { to, high, low, amount } if (1..64).contains(&amount) => {
                self.plain([to, high, low])?;
                Ok(field(0x93c0_0000, d(low), amount.into(), to, high))
            }
            Inst::Field { to, from, from_bit, bits } if bits > 0 && from_bit < 64 && from_bit + bits < 64 => {
                self.plain([to, from])?;
                Ok(field(0xd340_0000, from_bit.into(), u32::from(from_bit + bits) - 1, to, from))
            }
            _ => self.no_form(),
        }
    }

    fn choice(&self) -> Result<u32, EncodeError> {
        match *self.inst {
            Inst::Select { chosen, to, left, right, carry } => {
                self.plain([to, left, right])?;
                let form = match chosen {
                    Chosen::AsIs => 0x9a80_0000,
                    Chosen::PlusOne => 0x9a80_0400,
                    Chosen::Complement => 0xda80_0000,
                };
                let condition = if carry { 2 } else { 3 };
                Ok(form | m(right) | condition << 12 | n(left) | d(to))
            }
            Inst::Move { wide, to, value, place } if place < 4 => {
                self.plain([to])?;
                let form = match wide {
                    Wide::Ones => 0x9280_0000,
                    Wide::Zeros => 0xd280_0000,
                    Wide::Keep => 0xf280_0000,
                };
                Ok(form | u32::from(place) << 21 | u32::from(value) << 5 | d(to))
            }
            _ => self.no_form(),
        }
    }

    fn access(&self) -> Result<u32, EncodeError> {
        let (bytes, register, address, form) = match *self.inst {
            Inst::Load { bytes, to, address } => (bytes, to, address, 0x3940_0000),
            Inst::Store { bytes, from, address } => (bytes, from, address, 0x3900_0000),
            Inst::Constant { to, offset } => {
                self.plain([to])?;
                if offset % 8 != 0 || offset as usize / 8 >= self.program.constants.len() {
                    return Err(EncodeError::NoConstant { at: self.at });
                }
                let distance = self.distance(self.constants_at + offset as usize, 19)?;
                return Ok(0x5800_0000 | distance << 5 | d(to));
            }
            _ => return self.no_form(),
        };
        self.plain([register])?;
        self.pointers([address.base])?;
        let size = match bytes {
            1 => 0u32,
            2 => 1,
            4 => 2,
            8 => 3,
            _ => return self.no_form(),
        };
        let scaled = address.offset >> size;
        if scaled << size != address.offset || !(0..1 << 12).contains(&scaled) {
            return self.refused("offsets are 0 to 4095 times the size");
        }
        Ok(form | size << 30 | (scaled as u32) << 10 | n(address.base) | d(register))
    }

    fn pair(&self) -> Result<u32, EncodeError> {
        let (first, last, base, offset, form) = match *self.inst {
            Inst::LoadPair { first, second, address } => (first, second, address.base, address.offset, 0xa940_0000),
            Inst::StorePair { first, second, address } => (first, second, address.base, address.offset, 0xa900_0000),
            Inst::Push { first, second, bytes } => (first, second, Gpr::SP, -i32::from(bytes), 0xa980_0000),
            Inst::Pop { first, second, bytes } => (first, second, Gpr::SP, i32::from(bytes), 0xa8c0_0000),
            _ => return self.no_form(),
        };
        self.plain([first, last])?;
        self.pointers([base])?;
        // Two loads into one register are unpredictable.
        if first == last && matches!(self.inst, Inst::LoadPair { .. } | Inst::Pop { .. }) {
            return self.no_form();
        }
        if offset % 8 != 0 || !(-64..64).contains(&(offset / 8)) {
            return self.refused("offsets are −64 to 63 words");
        }
        let field = (offset / 8) as u32 & 0x7f;
        Ok(form | field << 15 | d(last) << 10 | n(base) | d(first))
    }
}

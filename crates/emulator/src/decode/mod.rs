//! From bytes to one instruction with its operands, by `yaxpeax-x86`.

mod gaps;

use yaxpeax_arch::LengthedInstruction;
use yaxpeax_x86::long_mode::{
    InstDecoder, Instruction as Raw, MergeMode, Opcode, Operand as RawOperand, RegSpec, register_class as class,
};

use crate::fault::Fault;

/// An operand, in the manual's order: the destination first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// The low `bits` of a general register.
    General { number: usize, bits: u32 },
    /// The low `bytes` of a vector register.
    Vector { number: usize, bytes: usize },
    /// A mask register.
    Mask(usize),
    /// A place in memory.
    Memory(Address),
    /// A constant, extended to 64 bits as the encoding says.
    Immediate(i64),
}

/// `[base + index·scale + displacement]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub(crate) base: Base,
    /// General register and scale.
    pub(crate) index: Option<(usize, u64)>,
    pub(crate) displacement: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    General(usize),
    /// The address of the next instruction.
    NextInstruction,
    None,
}

/// A decoded instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    pub(crate) opcode: Opcode,
    pub(crate) operands: Vec<Operand>,
    /// The mask register that chooses elements of the destination; `None` for all of them.
    pub(crate) mask: Option<usize>,
    /// Are elements outside of the mask cleared, or left alone?
    pub(crate) zeroing: bool,
    /// Is the operand in memory one element for all?
    pub(crate) broadcast: bool,
    /// Bytes of the operand in memory, as far as the decoder knows.
    pub(crate) memory_bytes: Option<usize>,
    pub(crate) bytes: usize,
    /// The instruction as text, for messages.
    pub(crate) text: String,
}

impl Instruction {
    pub(crate) fn unknown(&self) -> Fault {
        Fault::Unknown(self.text.clone())
    }

    pub(crate) fn operand(&self, i: usize) -> Result<Operand, Fault> {
        self.operands.get(i).copied().ok_or_else(|| self.unknown())
    }

    /// The constant that is the last operand.
    pub(crate) fn immediate(&self) -> Result<i64, Fault> {
        match self.operands.last() {
            Some(Operand::Immediate(value)) => Ok(*value),
            _ => Err(self.unknown()),
        }
    }
}

/// The instruction at the start of the bytes.
pub(crate) fn decode(bytes: &[u8]) -> Result<Instruction, Fault> {
    gaps::decode(bytes).unwrap_or_else(|| decode_known(bytes))
}

/// The instruction as the decoder sees it.
fn decode_known(bytes: &[u8]) -> Result<Instruction, Fault> {
    let raw = InstDecoder::default().decode_slice(bytes).map_err(|e| Fault::Undecodable {
        bytes: bytes.iter().take(15).map(|b| format!("{b:02x}")).collect(),
        reason: e.to_string(),
    })?;
    let mut instruction = Instruction {
        opcode: raw.opcode(),
        operands: Vec::with_capacity(4),
        mask: None,
        zeroing: false,
        broadcast: false,
        memory_bytes: raw.mem_size().and_then(|size| size.bytes_size()).map(usize::from),
        bytes: raw.len().to_const() as usize,
        text: raw.to_string(),
    };
    let prefixes = &raw.prefixes;
    if prefixes.lock() || prefixes.address_size() || (0..4).any(|i| raw.segment_override_for_op(i).is_some()) {
        return Err(instruction.unknown());
    }
    if let Some(evex) = prefixes.evex() {
        instruction.broadcast = evex.broadcast();
        instruction.mask = Some(usize::from(evex.mask_reg())).filter(|k| *k != 0);
        instruction.zeroing = evex.merge();
    }
    for i in 0..raw.operand_count() {
        let operand = operand(&raw, i).ok_or_else(|| instruction.unknown())?;
        instruction.operands.push(operand);
    }
    Ok(instruction)
}

fn operand(raw: &Raw, i: u8) -> Option<Operand> {
    use RawOperand as O;
    let memory = |base, index, displacement: i32| {
        Some(Operand::Memory(Address { base, index, displacement: i64::from(displacement) }))
    };
    match raw.operand(i) {
        O::ImmediateI8 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateU8 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateI16 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateU16 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateI32 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateU32 { imm } => Some(Operand::Immediate(imm.into())),
        O::ImmediateI64 { imm } => Some(Operand::Immediate(imm)),
        O::ImmediateU64 { imm } => Some(Operand::Immediate(imm.cast_signed())),
        O::Register { reg } => register(reg),
        // Whether merged or cleared is said of the whole instruction.
        O::RegisterMaskMerge { reg, merge: MergeMode::Merge | MergeMode::Zero, .. } => register(reg),
        O::MemDeref { base } | O::MemDerefMasked { base, .. } => memory(self::base(base)?, None, 0),
        O::Disp { base, disp } | O::DispMasked { base, disp, .. } => memory(self::base(base)?, None, disp),
        O::MemIndexScale { index, scale } | O::MemIndexScaleMasked { index, scale, .. } => {
            memory(Base::None, Some(self::index(index, scale)?), 0)
        }
        O::MemIndexScaleDisp { index, scale, disp } | O::MemIndexScaleDispMasked { index, scale, disp, .. } => {
            memory(Base::None, Some(self::index(index, scale)?), disp)
        }
        O::MemBaseIndexScale { base, index, scale } | O::MemBaseIndexScaleMasked { base, index, scale, .. } => {
            memory(self::base(base)?, Some(self::index(index, scale)?), 0)
        }
        O::MemBaseIndexScaleDisp { base, index, scale, disp }
        | O::MemBaseIndexScaleDispMasked { base, index, scale, disp, .. } => {
            memory(self::base(base)?, Some(self::index(index, scale)?), disp)
        }
        // Rounding of the instruction's own, absolute addresses: not written by us.
        _ => None,
    }
}

/// A register that an operand may be.
fn register(reg: RegSpec) -> Option<Operand> {
    let number = usize::from(reg.num());
    let general = |bits| Some(Operand::General { number, bits });
    let vector = |bytes| Some(Operand::Vector { number, bytes });
    match reg.class() {
        class::Q => general(64),
        class::D => general(32),
        class::W => general(16),
        class::RB => general(8),
        // ah, ch, dh, bh are the others.
        class::B if number < 4 => general(8),
        class::X => vector(16),
        class::Y => vector(32),
        class::Z => vector(64),
        class::K => Some(Operand::Mask(number)),
        _ => None,
    }
}

fn base(reg: RegSpec) -> Option<Base> {
    match reg.class() {
        class::Q => Some(Base::General(usize::from(reg.num()))),
        class::RIP => Some(Base::NextInstruction),
        _ => None,
    }
}

fn index(reg: RegSpec, scale: u8) -> Option<(usize, u64)> {
    (reg.class() == class::Q).then(|| (usize::from(reg.num()), u64::from(scale)))
}

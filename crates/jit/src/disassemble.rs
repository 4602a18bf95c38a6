//! Code as text, read back by the decoder, and the list of instructions that constant-time code may consist of.

use std::fmt;

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, Mnemonic};

use crate::encode::Code;

/// The instructions of some code with their offsets.
fn decode(code: &Code) -> impl Iterator<Item = Instruction> {
    let mut decoder = Decoder::with_ip(64, &code.bytes[..code.code_len], 0, DecoderOptions::NONE);
    std::iter::from_fn(move || decoder.can_decode().then(|| decoder.decode()))
}

/// One instruction a line: offset, bytes, Intel's syntax. Then the constants.
pub fn disassemble(code: &Code) -> String {
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut text = String::new();
    for instruction in decode(code) {
        let at = instruction.ip() as usize;
        let bytes: String = code.bytes[at..at + instruction.len()].iter().map(|b| format!("{b:02x}")).collect();
        text += &format!("{at:5x}  {bytes:<22} ");
        formatter.format(&instruction, &mut text);
        text.push('\n');
    }
    for (i, constant) in code.bytes[code.constants_at..].as_chunks::<8>().0.iter().enumerate() {
        text += &format!("{:5x}  .quad {:#018x}\n", code.constants_at + 8 * i, u64::from_le_bytes(*constant));
    }
    text
}

/// Instructions whose time does not depend on the values of their operands: a part of the list that Intel publishes for its data-operand-independent
/// timing mode (general registers only, shifts by a constant or by `shlx` and its fellows), which AMD's and earlier cores keep as well.
/// No division is in it, and no instruction that reads a flag to go elsewhere.
const DATA_INDEPENDENT: &[Mnemonic] = &[
    Mnemonic::Adc,
    Mnemonic::Adcx,
    Mnemonic::Add,
    Mnemonic::Adox,
    Mnemonic::And,
    Mnemonic::Andn,
    Mnemonic::Bt,
    Mnemonic::Clc,
    Mnemonic::Cmc,
    Mnemonic::Cmovae,
    Mnemonic::Cmovb,
    Mnemonic::Cmove,
    Mnemonic::Cmovne,
    Mnemonic::Cmovno,
    Mnemonic::Cmovo,
    Mnemonic::Cmp,
    Mnemonic::Imul,
    Mnemonic::Lea,
    Mnemonic::Mov,
    Mnemonic::Movzx,
    Mnemonic::Mul,
    Mnemonic::Mulx,
    Mnemonic::Neg,
    Mnemonic::Not,
    Mnemonic::Or,
    Mnemonic::Pop,
    Mnemonic::Push,
    Mnemonic::Rol,
    Mnemonic::Rorx,
    Mnemonic::Sar,
    Mnemonic::Sarx,
    Mnemonic::Sbb,
    Mnemonic::Setae,
    Mnemonic::Setb,
    Mnemonic::Sete,
    Mnemonic::Setne,
    Mnemonic::Setno,
    Mnemonic::Seto,
    Mnemonic::Shl,
    Mnemonic::Shld,
    Mnemonic::Shlx,
    Mnemonic::Shr,
    Mnemonic::Shrd,
    Mnemonic::Shrx,
    Mnemonic::Stc,
    Mnemonic::Sub,
    Mnemonic::Test,
    Mnemonic::Xor,
];

/// Where control goes. Calls, returns and jumps take no data; conditional jumps are for loop counters: that the counter is no secret is shown by the
/// checker (every condition is a constant), not by this list. By zero only: counters end at 0.
const CONTROL: &[Mnemonic] = &[Mnemonic::Call, Mnemonic::Endbr64, Mnemonic::Je, Mnemonic::Jmp, Mnemonic::Jne, Mnemonic::Ret];

/// An instruction outside of the lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotConstantTime {
    /// Where it begins.
    pub offset: usize,
    /// Its name.
    pub mnemonic: String,
}

impl fmt::Display for NotConstantTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:#x} is not in the list of instructions whose time is independent of data", self.mnemonic, self.offset)
    }
}

impl std::error::Error for NotConstantTime {}

/// What the disassembly consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimingClass {
    /// Instructions in all.
    pub instructions: usize,
    /// Conditional jumps among them.
    pub conditional_jumps: usize,
}

/// Reads the bytes back and judges every instruction by the allow-list.
///
/// # Errors
/// The first instruction that is not in it.
pub fn constant_time(code: &Code) -> Result<TimingClass, NotConstantTime> {
    let mut class = TimingClass { instructions: 0, conditional_jumps: 0 };
    for instruction in decode(code) {
        let mnemonic = instruction.mnemonic();
        let allowed = DATA_INDEPENDENT.contains(&mnemonic) || CONTROL.contains(&mnemonic);
        if !allowed || instruction.is_invalid() {
            return Err(NotConstantTime { offset: instruction.ip() as usize, mnemonic: format!("{mnemonic:?}").to_lowercase() });
        }
        class.instructions += 1;
        class.conditional_jumps += usize::from(matches!(mnemonic, Mnemonic::Je | Mnemonic::Jne));
    }
    Ok(class)
}

//! x86-64: the encoder and the decoder with its list of instructions, and on such a processor what moves data fast.

mod codes;
mod disassemble;
mod encode;
mod forms;
#[cfg(target_arch = "x86_64")]
pub(crate) mod native;
#[cfg(target_arch = "x86_64")]
mod numbers;
#[cfg(target_arch = "x86_64")]
mod residues;
mod slices;
#[cfg(target_arch = "x86_64")]
mod transpose;
#[cfg(target_arch = "x86_64")]
mod unpack;
mod vector;

use evariste_codegen::isa::Isa;
use evariste_codegen::x86_64::{Program, X86_64};

use crate::code::{Code, Encode, Processor};
use crate::error::EncodeError;

/// Its code in the System V convention.
static PROCESSOR: Processor = Processor {
    name: X86_64::NAME,
    native: || cfg!(all(target_arch = "x86_64", not(windows))),
    constant_time: disassemble::constant_time,
    disassemble: disassemble::disassemble,
};

// SAFETY: every form of the encoder is compared with the processor and with a second decoder in the tests, and that of
// the checker with both; elsewhere than under System V nothing is native.
unsafe impl Encode for X86_64 {
    const PROCESSOR: &'static Processor = &PROCESSOR;

    fn encode(program: &Program) -> Result<Code, EncodeError> {
        encode::encode(program)
    }
}

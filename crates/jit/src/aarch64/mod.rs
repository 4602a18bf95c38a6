//! AArch64: the encoder, and a decoder with its list of instructions.

mod decode;
mod disassemble;
mod encode;

use evariste_codegen::aarch64::{Aarch64, Program};
use evariste_codegen::isa::Isa;

use crate::code::{Code, Encode, Processor};
use crate::error::EncodeError;

/// Its code in Arm's convention. No process calls it: nothing here tells the caches of such a processor that memory holds
/// new instructions. It runs as a part of programs, from a package.
static PROCESSOR: Processor = Processor {
    name: Aarch64::NAME,
    native: || false,
    constant_time: disassemble::constant_time,
    disassemble: disassemble::disassemble,
};

// SAFETY: every form of the encoder is compared with GNU's assembler in the tests, and programs of all of them run under
// an emulator; nothing is native.
unsafe impl Encode for Aarch64 {
    const PROCESSOR: &'static Processor = &PROCESSOR;

    fn encode(program: &Program) -> Result<Code, EncodeError> {
        encode::encode(program)
    }
}

//! Bytes of instructions, and what is known of the processor that they are for.

use std::fmt;

use evariste_codegen::isa::Isa;
use evariste_codegen::program::Program;

use crate::error::EncodeError;

/// An instruction set that programs are encoded for.
///
/// # Safety
/// The processor does with the bytes that [`Encode::encode`] gives what the checker's [`Meaning`](evariste_codegen::check::machine::Meaning) says of
/// the instructions, and
/// functions are called by [`Isa::CONVENTION`] where [`Processor::native`] says so: what the checker shows of a program
/// is then so of its bytes.
pub unsafe trait Encode: Isa {
    /// What is known without a program.
    const PROCESSOR: &'static Processor;

    /// The bytes of a program.
    ///
    /// # Errors
    /// An instruction without an encoding; a label that is missing or there twice.
    fn encode(program: &Program<Self>) -> Result<Code, EncodeError>;
}

/// What is done with the bytes of an instruction set.
#[derive(Debug)]
pub struct Processor {
    /// Its name.
    pub name: &'static str,
    /// Can its code be called from this process at all?
    pub native: fn() -> bool,
    /// Judges every instruction by the list of those whose time does not depend on data.
    pub constant_time: fn(&Code) -> Result<TimingClass, NotConstantTime>,
    /// The instructions as text.
    pub disassemble: fn(&Code) -> String,
}

impl PartialEq for Processor {
    fn eq(&self, other: &Processor) -> bool {
        self.name == other.name
    }
}

impl Eq for Processor {}

/// Machine code that can lie at any address: instructions, padding to 64 bytes, constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Who runs it.
    pub processor: &'static Processor,
    /// The program's name.
    pub name: String,
    /// Everything; wants an address that is a multiple of 64.
    pub bytes: Vec<u8>,
    /// Where a call lands.
    pub entry: usize,
    /// Bytes of instructions, from the start.
    pub code_len: usize,
    /// Where the constants begin (a multiple of 64; equal to the length of `bytes` when there are none).
    pub constants_at: usize,
    /// Where each instruction of the program begins (labels: where the next one begins).
    pub offsets: Vec<usize>,
}

/// Encodes a program.
///
/// # Errors
/// An instruction without an encoding; a label that is missing or there twice.
pub fn encode<I: Encode>(program: &Program<I>) -> Result<Code, EncodeError> {
    I::encode(program)
}

/// One instruction a line: offset, bytes, text. Then the constants.
pub fn disassemble(code: &Code) -> String {
    (code.processor.disassemble)(code)
}

/// Reads the bytes back and judges every instruction by the allow-list of its processor. Nothing becomes executable, and
/// no package is written, without it.
///
/// Jumps on counters pass: that they depend on counters only, and addresses on nothing secret, is what the checker of
/// programs shows ([`check`](evariste_codegen::check::check)).
///
/// # Errors
/// The first instruction that is not in it.
pub fn constant_time(code: &Code) -> Result<TimingClass, NotConstantTime> {
    (code.processor.constant_time)(code)
}

/// An instruction outside of the lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotConstantTime {
    /// The program's name.
    pub program: String,
    /// Where the instruction begins.
    pub offset: usize,
    /// The instruction, as the processor's manuals write it.
    pub instruction: String,
}

impl fmt::Display for NotConstantTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}` at {:#x} is not in the list of instructions whose time is independent of data",
            self.program, self.instruction, self.offset
        )
    }
}

impl std::error::Error for NotConstantTime {}

/// What the disassembly consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimingClass {
    /// Instructions in all.
    pub instructions: usize,
    /// Those on the list of instructions whose time does not depend on data.
    pub independent: usize,
    /// Arithmetic on doubles: on no list, independent of data where numbers are normal or 0.
    pub doubles: usize,
    /// Conditional jumps.
    pub conditional_jumps: usize,
}

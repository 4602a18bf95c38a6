//! What an instruction set supplies: the seam between the neutral folders and one folder for each processor.
//!
//! Lowering gives graphs of machine words, `schedule` orders them, `check` compares what is stored with what the kernel
//! says: none of them knows an instruction. A folder beside this file knows one set of them. It makes a
//! [`Program`](crate::program::Program) of instructions over its own registers, and says here what the rest must know:
//! which registers there are and how functions are called ([`Convention`]), what a processor must offer ([`FeatureSet`]).
//! To the checker it says what an instruction means on forms ([`Meaning`](crate::check::machine::Meaning)), to callers how
//! kernels are compiled ([`Compile`](crate::compile::Compile)) and what code costs ([`Costs`](crate::costs::Costs)), to
//! packages how it is printed ([`Assembly`](crate::assembly::Assembly)).

use std::fmt;
use std::hash::Hash;

/// An instruction set. **Trusted**: what it says of an instruction is what a check believes.
pub trait Isa: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// Its name, as users know it.
    const NAME: &'static str;

    /// How its functions are called.
    const CONVENTION: Convention;

    /// An instruction over physical registers: what the encoder encodes and assembly prints.
    type Inst: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync;

    /// What processors have beyond the least one.
    type Features: FeatureSet;

    /// The label that stands here, where the instruction is one.
    fn label(inst: &Self::Inst) -> Option<u32>;

    /// The label that the instruction calls.
    fn callee(inst: &Self::Inst) -> Option<u32>;

    /// What instructions on vectors ask of the checker; `None`: it is none.
    fn on_vectors(inst: &Self::Inst) -> Option<OnVectors>;
}

/// How functions are called. Parameters are pointers; general registers are named by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convention {
    /// General registers, the stack pointer among them.
    pub registers: usize,
    /// The stack pointer.
    pub stack_pointer: usize,
    /// Registers of the first parameters. Later ones lie on the stack, a word each, above the return address if that is
    /// there.
    pub parameters: &'static [usize],
    /// Registers whose value a function must leave as it found it (the stack pointer aside).
    pub saved: &'static [usize],
    /// The register that holds the return address; `None`: a call pushes it.
    pub link: Option<usize>,
    /// Bytes below the stack pointer that are the function's own.
    pub red_zone: i64,
    /// What the stack pointer is always a multiple of, reckoned from where it is at entry.
    pub alignment: i64,
}

impl Convention {
    /// Bytes that a call pushes.
    pub const fn pushed(&self) -> i64 {
        if self.link.is_none() { 8 } else { 0 }
    }
}

/// Instruction sets beyond the least processor.
pub trait FeatureSet: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// What this machine offers; `None` when it is another processor.
    fn of_this_machine() -> Option<Self>;

    /// What is wrong with a list of sets separated by commas, of which `EVARISTE_WITHOUT` asks to do without; with help.
    fn misnamed(_names: &str) -> Option<String> {
        None
    }

    /// Does a processor with `self` run what needs `other`?
    fn covers(self, other: Self) -> bool;

    /// Those of the sets that a text names, as printed.
    fn only(self, names: &str) -> Self;

    /// Those that schedules of scalar code are kept under.
    fn scalar(self) -> Self;
}

/// What an instruction on vectors asks of the checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnVectors {
    /// Does it multiply halves of words, so that products of words are read as sums of such?
    pub multiplies_halves: bool,
    /// Does it look words up in a table, so that a look-up is read as one operation?
    pub looks_up: bool,
    /// Does it work on pairs of 64 bits, so that one depends on the other?
    pub pairs: bool,
    /// Are its registers of four words of 64 bits? In a program for one element each of them is followed by itself.
    pub four_words: bool,
}

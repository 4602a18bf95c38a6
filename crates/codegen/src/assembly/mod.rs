//! Checked programs as text for the C compiler's assembler, and what C must know of the processor that runs them.
//!
//! An instruction set says it by [`Assembly`]: rows of text ([`Target`]), the spelling of an instruction, and what one does
//! to the stack, of which [`unwind`] makes the notes for debuggers. Packages take [`Printable`] programs and name none.

mod counts;
mod printable;
mod target;
pub mod unwind;

pub use counts::Counts;
pub use printable::Printable;
pub use target::{Constants, Dialect, Extension, InRust, Landing, Question, Separator, Target};

use crate::isa::Isa;
use crate::program::Program;
use unwind::{Flow, Frame};

/// The name, in a file of many functions, of what one function has: a label or its constants.
pub type Local<'a> = &'a dyn Fn(&str) -> String;

/// What a program's constants are called.
pub const CONSTANTS: &str = "constants";

/// An instruction set whose programs are printed for an assembler.
pub trait Assembly: Isa {
    /// What files say of the processor.
    const TARGET: &'static Target;

    /// What packages are compiled for: all that C asks for.
    const PACKAGED: Self::Features;

    /// What they are compiled for besides, for kernels that [gain](crate::compile::Compile::ranked_apart) by it, and the
    /// name by which such code is ranked. `None`: nothing.
    const PACKAGED_APART: Option<(Self::Features, &'static str)> = None;

    /// The instruction sets of scalar code among them, as printed: those that schedules of packages are for.
    const PACKAGED_SETS: &'static str;

    /// All sets under which schedules may be kept.
    const SCHEDULE_SETS: &'static [&'static str];

    /// The [bits](Extension::bit) of what a processor must offer; `None`: C cannot ask for all of it.
    fn extensions(features: Self::Features) -> Option<u32>;

    /// An instruction, which is no label, as a line, so spelled that an assembler chooses the encoding that was
    /// measured.
    fn line(inst: &Self::Inst, local: Local<'_>) -> String;

    /// Is it what indirect calls land on?
    fn is_landing(inst: &Self::Inst) -> bool;

    /// The name of a general register.
    fn register(number: usize) -> &'static str;

    /// Where control goes from an instruction.
    fn flow(inst: &Self::Inst) -> Flow;

    /// What an instruction does to the stack and to registers that the caller wants back.
    ///
    /// # Errors
    /// What it does that no note describes, in words.
    fn step(frame: &mut Frame, inst: &Self::Inst) -> Result<(), &'static str>;

    /// The instructions of a program by class.
    fn count(program: &Program<Self>) -> Counts;
}

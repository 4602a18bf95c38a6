//! AArch64, integers alone: the bound that a table puts under a kernel ([`mod@bound`]), instructions as data
//! ([`instruction`]), and the way from a graph to them: what orders go by ([`schedule`]), registers and flags
//! ([`allocate`]), frames, loops and calls ([`assemble`]); all together [`mod@compile`]. What an instruction means, for the
//! checker, is `machine`'s; what assembly files say of it, `target`'s.

pub mod allocate;
pub mod assemble;
pub mod bound;
pub mod compile;
pub mod cost;
pub mod count;
mod error;
pub mod instruction;
mod isa;
mod machine;
pub mod schedule;
mod seam;
pub mod speeds;
mod target;
mod text;

pub use bound::limits;
pub use compile::{compile_kernel, compile_within};
pub use error::CompileError;
pub use instruction::{Address, Chosen, Features, Gpr, Half, Inst, Logic, Shift, Shifted, Sum, Wide};
pub use isa::{Aarch64, Program};

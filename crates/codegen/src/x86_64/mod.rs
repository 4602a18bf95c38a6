//! x86-64: the bound that its table puts under a kernel ([`mod@bound`]), instructions as data ([`instruction`]), and the
//! way from a graph to them: what orders go by ([`schedule`]), registers and flags ([`allocate`]), vectors ([`lanes`]); all
//! together [`compile()`]. What an instruction means, for the checker, is `machine`'s; what assembly files say of it,
//! `target`'s.

pub mod allocate;
pub mod assemble;
pub mod bound;
pub mod compile;
pub mod cost;
pub mod count;
mod error;
pub mod instruction;
mod isa;
pub mod lanes;
mod machine;
pub mod schedule;
mod seam;
pub mod speeds;
pub mod steps;
pub mod table;
mod target;
pub mod text;
pub mod vector;

pub use bound::limits;
pub use compile::{compile, compile_abreast, compile_kernel, compile_within, heuristic_schedule};
pub use error::CompileError;
pub use instruction::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand};
pub use isa::{Program, X86_64};
pub use vector::{Comparison, Vector, Width};

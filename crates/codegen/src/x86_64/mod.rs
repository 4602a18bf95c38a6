//! x86-64: the bound that its table puts under a kernel ([`bound`]), machine code as data ([`program`]), and the way
//! from a proved kernel to it: [`graph`], made by [`lower`](lower::lower); an order of its nodes ([`schedule`]);
//! registers and flags ([`allocate`]); all together [`compile`].

pub mod allocate;
pub mod assemble;
pub mod bound;
pub mod check;
pub mod compile;
pub mod count;
mod error;
pub mod genes;
pub mod graph;
pub mod lanes;
pub mod lower;
pub mod outline;
pub mod program;
pub mod schedule;
pub mod table;
pub mod text;
pub mod vector;

pub use bound::{INSTRUCTIONS, PER_CYCLE, bound, limits};
pub use check::{CheckError, Checked, Checker, check, check_kernel};
pub use compile::{compile, compile_kernel, compile_within, heuristic_genes};
pub use error::CompileError;
pub use genes::Genes;
pub use outline::Limits;
pub use program::{Address, Base, Condition, Features, Gpr, Inst, Lanes, Opcode, Operand, Param, Program};
pub use vector::{Vector, Width};

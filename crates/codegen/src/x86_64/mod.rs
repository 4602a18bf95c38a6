//! x86-64: the bound that its table puts under a kernel ([`bound`]), machine code as data ([`program`]), and the way
//! from a proved kernel to it: [`graph`], made by [`lower`](lower::lower()); an order of its nodes ([`schedule`]);
//! registers and flags ([`allocate`]); all together [`compile`].

pub mod allocate;
pub mod assemble;
pub mod bound;
pub mod compile;
pub mod count;
mod error;
pub mod lanes;
pub mod machine;
pub mod program;
pub mod table;
pub mod text;
pub mod vector;

pub use crate::check::{CheckError, Checked, Checker, check, check_kernel};
pub use crate::outline::Limits;
pub use crate::schedule::{self, Genes, genes};
pub use crate::{check, graph, lower};
pub use bound::{INSTRUCTIONS, PER_CYCLE, bound, limits};
pub use compile::{compile, compile_kernel, compile_within, heuristic_genes};
pub use error::CompileError;
pub use program::{Address, Base, Callee, Condition, Features, Gpr, Inst, Lanes, Opcode, Operand, Param, Program};
pub use vector::{Vector, Width};

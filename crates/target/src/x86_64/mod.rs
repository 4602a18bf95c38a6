//! x86-64: the bound that its table puts under a kernel ([`bound`]), and machine code as data ([`program`]).

pub mod bound;
pub mod program;

pub use bound::{INSTRUCTIONS, PER_CYCLE, bound, limits};
pub use program::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Param, Program};

//! x86-64: the bound that its table puts under a kernel ([`bound`]), machine code as data ([`program`]), and the way from a proved kernel to it: [`graph`],
//! made by [`lower`](lower::lower); an order of its nodes ([`schedule`]); registers and flags ([`allocate`]); all together [`compile`].

pub mod bound;
pub mod graph;
pub mod lower;
pub mod program;

pub use bound::{INSTRUCTIONS, PER_CYCLE, bound, limits};
pub use program::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Param, Program};

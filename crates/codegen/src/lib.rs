//! The way from a proved kernel to machine code as data, for a few instruction sets; tables of machines, and the bound
//! that a table puts under a kernel: no schedule and no compiler can be faster.
//!
//! A bound here is a lower bound by counting slots: what a compiler might fold away (constants, moves, splitting of
//! double words) costs nothing. It is no prediction.
//!
//! What is the same everywhere stands here: a kernel becomes a [graph] of machine words ([`lower`]), which is put in
//! order ([`schedule`]); a [`Program`](program::Program) is compared with its kernel ([`check`]). Each instruction set has
//! a folder of its own, behind one seam ([`isa`]): [`x86_64`], [`aarch64`].

pub mod aarch64;
pub mod aim;
pub mod assembly;
pub mod check;
pub mod compile;
pub mod costs;
pub mod graph;
mod groups;
pub mod isa;
pub mod lower;
pub mod outline;
pub mod program;
pub mod schedule;
pub mod simulate;
pub mod slots;
pub mod x86_64;

pub use aim::{Aim, FoundOrders};
pub use check::{Checked, Checker};
pub use slots::Slots;

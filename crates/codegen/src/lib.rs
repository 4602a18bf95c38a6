//! Tables of machines, and the bound that a table puts under a kernel: no schedule and no compiler can be faster.
//!
//! A bound here is a lower bound by counting slots: what a compiler might fold away (constants, moves, splitting of
//! double words) costs nothing. It is no prediction.
//!
//! For x86-64 also the way from a proved kernel to machine code as data: [`x86_64::compile`].

pub mod check;
pub mod graph;
pub mod lower;
pub mod outline;
pub mod schedule;
pub mod slots;
pub mod x86_64;

pub use check::{Checked, Checker};
pub use slots::Slots;

//! The translation of kernels into equations (trusted): each operation is the exact equation that its meaning gives.
//!
//! * `values`: operations of arithmetic; what must stay in its word becomes an obligation;
//! * [`bits`]: bit operations, by the few rules that field arithmetic needs;
//! * [`ops`]: one operation of the kernel language after another;
//! * `floats`: floats, as the integers that they hold;
//! * [`run`]: a whole kernel, from its input numbers to its outputs;
//! * [`calls`]: calls, by the callee's contract.

pub mod bits;
pub mod calls;
mod floats;
pub mod ops;
pub mod run;
mod values;

pub use run::{Translation, translate};
pub use values::{Obligation, Values};

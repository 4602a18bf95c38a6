//! The translation of kernels into equations (trusted): each operation is the exact equation that its meaning gives.
//!
//! * [`values`]: operations of arithmetic; what must stay in its word becomes an obligation;
//! * [`bits`]: bit operations, by the few rules that field arithmetic needs;
//! * [`ops`]: one operation of the kernel language after another;
//! * [`unroll`]: statements, with loops unrolled and arrays as lists of values;
//! * [`calls`]: calls, by the callee's contract.

pub mod bits;
pub mod calls;
pub mod ops;
pub mod unroll;
pub mod values;

pub use unroll::{Translation, translate};
pub use values::{Obligation, Values};

//! The interpreter: runs a kernel on many lanes at once, at any word size, and checks what the kernel owes.
//!
//! A kernel is prepared once ([`Interpreter::new`]); a [`Batch`] holds the parameters' elements as lane vectors, and
//! [`Interpreter::run`] executes every statement on all lanes before the next one, so that each operation is one short
//! loop that the compiler vectorises: what its row in `op` says. Lanes are `u16`, `u64` or `u128`, the narrowest that holds every type of the
//! kernel; a kernel of bits alone is bit-sliced, 64 lanes a machine word.
//!
//! Every exact operation is checked: a result that leaves its type is reported with its lane and statement, as are
//! indices outside of arrays and look-ups outside of tables. [`Interpreter::checking_ranges`] also checks every
//! interval that the kernel stores (loop invariants included). Execution goes on after a fault.
//!
//! Values are patterns of their type's bits: a value whose interval reaches below 0 is read in two's complement.
//!
//! The kernel must be one that [`verify`](crate::verify::verify) accepts; others may panic (never do anything unsafe).
//!
//! Rate, in statements of the kernel times lanes per second, on one core of a Xeon (Sapphire Rapids generation) without
//! special compiler flags, as `cargo run --release -p evariste-ir --example rate` prints it: words of up to 16 bits 17
//! G/s (additions, masks, selections) and 2.8 G/s (products of digits); words of 64 bits 3 G/s and 1.3 G/s; bit-sliced
//! 200 G/s. Every input of a product of two words, contract checked by
//! [`ClaimChecker`]: 60 million inputs a second of processor time, so 10^9 evaluations take some 15 seconds.

mod batch;
mod bit_maps;
mod claim_blocks;
pub mod claims;
mod divisor;
pub mod exhaust;
mod interpreter;
mod machine;
mod program;
mod report;
mod small;

pub use batch::Batch;
pub use claim_blocks::ClaimChecker;
pub use claims::{inadmissible, refute, violates};
pub use exhaust::{Axis, Product};
pub use interpreter::{Interpreter, Outputs, RunError, decode};
pub use report::{Fault, Report, Violation};

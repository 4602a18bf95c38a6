//! The kernel language of Évariste.
//!
//! A [`Kernel`] says what happens to *one* element (one lane), over words of `w` bits: parameters are arrays of words,
//! the body is SSA statements over [`Value`]s, and the [`Contract`] says what the outputs are worth. The language has
//! no branch on data and no index that depends on data: every kernel is constant-time by construction. A target decides
//! how many lanes run at once; bit-slicing is `w = 1`.
//!
//! Nothing here knows fields or machines. Kernels are written through the [`Builder`], which keeps the exact interval
//! of every word (and of every [`Number`]: a group of words) so that algorithms can ask for headroom instead of
//! assuming it.
//!
//! Modules: [`kernel`] the data, [`op`] the operations, [`range`] intervals and transfer functions, [`contract`]
//! claims, [`build`] the builder, [`number`] numbers that answer headroom questions; [`interpret`] runs kernels on many
//! lanes at once and checks contracts on values, [`mod@verify`] the structural invariants, [`text`] the form that
//! prints and parses back, [`statements`] all statements of a block, [`unroll`] the straight-line trace, [`mod@legalise`] a kernel in the operations of a machine, [`mod@prune`] removes ghosts and dead code, [`count`]
//! operations by class, [`mutate`] single-fault mutants.

mod arrangement;
pub mod build;
pub mod contract;
pub mod count;
pub mod divsteps;
pub mod float;
pub mod interpret;
mod interval;
pub mod kernel;
mod lanes;
pub mod legalise;
mod look_ups;
pub mod mutate;
pub mod number;
pub mod op;
pub mod prune;
pub mod range;
pub mod recurrence;
pub mod ring;
pub mod statements;
pub mod text;
mod times;
mod types;
pub mod unroll;
pub mod verify;
mod write_out;

pub use arrangement::Arrangement;
pub use build::{Builder, ONCE};
pub use contract::{
    Below, BitMap, Claim, Contract, Coordinate, Digit, Fact, Modulo, Multiplication, Operand, Polynomial,
};
pub use interpret::{Batch, ClaimChecker, Interpreter, Product, Report, inadmissible, refute, violates};
pub use kernel::{
    Array, ArrayInfo, ArrayKind, Carried, Counter, Index, Kernel, Loop, Parameter, Role, Stmt, Type, Value, ValueInfo,
    View, fingerprint,
};
pub use legalise::{Carries, Illegal, Machine, Products, legalise};
pub use number::Number;
pub use op::Op;
pub use prune::prune;
pub use range::Interval;
pub use recurrence::{BitOf, Recurrence};
pub use ring::Ring;
pub use text::ParseError;
pub use times::times;
pub use verify::{Defect, verify};

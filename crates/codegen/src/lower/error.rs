//! Why a kernel has no graph.

use std::fmt;

/// The most nodes of a program, and a bound on the steps that are lowered.
pub const MOST_NODES: usize = 1 << 16;

/// Why a kernel has no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LowerError {
    /// The code is too long, even with what loops and calls there may be.
    TooLong {
        /// The most nodes.
        most: usize,
    },
    /// The kernel is compiled with loops and calls, not as one graph.
    Rolled,
    /// Nothing of the kernel can stay a loop on vectors.
    NoLoops,
    /// An operation, a type or a form of code that machine code, scalar or on vectors, has no form for.
    Unsupported(String),
    /// The kernel breaks a rule of the language; the verifier would say which.
    Malformed(&'static str),
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LowerError::TooLong { most } => write!(f, "the kernel has more than {most} operations where it cannot be rolled: too long for machine code"),
            LowerError::Rolled => f.write_str("the kernel is long and becomes loops and calls, which have no schedule: each piece has the heuristic's"),
            LowerError::NoLoops => f.write_str("no loop of the kernel can stay one on vectors: only long ones of bit-sliced kernels do"),
            LowerError::Unsupported(what) => write!(f, "machine code has no form for {what}"),
            LowerError::Malformed(what) => write!(f, "the kernel does not verify: {what}"),
        }
    }
}

//! Why there is no program.

use std::fmt;

use super::allocate::Infeasible;
use crate::lower::LowerError;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// The kernel has no graph.
    Lower(LowerError),
    /// The schedule belongs to another graph.
    Schedule,
    /// The schedule's order gives no code.
    Infeasible(Infeasible),
    /// A routine's frame would have so many bytes.
    Frame(u32),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Lower(e) => write!(f, "{e}"),
            CompileError::Schedule => f.write_str("the schedule belongs to another kernel: it has other operations, or an order in which one comes before what it needs"),
            CompileError::Infeasible(e) => write!(f, "{e}"),
            CompileError::Frame(bytes) => write!(f, "the machine code would want {bytes} bytes of stack"),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<LowerError> for CompileError {
    fn from(e: LowerError) -> CompileError {
        CompileError::Lower(e)
    }
}

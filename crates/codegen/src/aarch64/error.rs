//! Why there is no program.

use std::fmt;

use super::allocate::Infeasible;
use super::assemble::Unfit;
use crate::lower::LowerError;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// The kernel has no graph.
    Lower(LowerError),
    /// It computes with doubles or carry-less products, which need vector registers.
    Vectors,
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
            CompileError::Vectors => {
                f.write_str("its doubles and carry-less products need vector registers, which this code has not")
            }
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

impl From<Unfit> for CompileError {
    fn from(e: Unfit) -> CompileError {
        match e {
            Unfit::Segment(e) => CompileError::Infeasible(e),
            Unfit::Frame { bytes } => CompileError::Frame(bytes),
        }
    }
}

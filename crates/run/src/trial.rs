//! Short samples of functions that take the same arguments: the raw material of a search, which compares thousands of
//! them in pairs.
//!
//! Everything that could favour one function over another is fixed: the arrays are the same, where they lie to each
//! other and to the stack is too. A sample is some fifty calls, about a microsecond: too short to be interrupted often,
//! too short to mean much alone. For numbers that are shown, use [`time_paired`](crate::time_paired).

use crate::buffer::Buffer;
use crate::clock::tick_ghz;
use crate::error::RunError;
use crate::library::{Argument, NativeFunction};
use crate::rows::Rows;

/// What is measured, and sought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Goal {
    /// The time of each of many independent operations.
    Throughput,
    /// The time from operand to result, where each operation needs the one before.
    Latency,
}

/// Arrays on which functions with the same arguments are timed in turn.
#[derive(Debug)]
pub struct Trial {
    rows: Rows,
    passes: usize,
}

impl Trial {
    /// Arrays for functions with these arguments, at most 16. `operands` are sets of what the arguments that are read
    /// hold; for latency the first output and the first argument that is read change places from call to call.
    ///
    /// # Errors
    /// [`RunError::Arity`] for more arguments; [`RunError::OperandCount`] and [`RunError::BufferLength`] where operands do not
    /// fit.
    pub fn new(arguments: &[Argument], operands: &[Vec<Buffer>], goal: Goal) -> Result<Trial, RunError> {
        Ok(Trial { rows: Rows::new("a trial", arguments, operands, 0, goal)?, passes: 1 })
    }

    /// Chooses the number of calls so that a sample of this function takes about `ns` nanoseconds.
    ///
    /// # Errors
    /// As [`Trial::sample`].
    pub fn settle(&mut self, function: &NativeFunction, ns: f64) -> Result<(), RunError> {
        self.passes = 64;
        let mut least = f64::INFINITY;
        for _ in 0..8 {
            least = least.min(self.sample(function)?);
        }
        self.passes = ((ns * tick_ghz() / (least / 64.0)).round() as usize).clamp(1, 1 << 16);
        Ok(())
    }

    /// Calls in a sample.
    pub fn calls(&self) -> usize {
        self.passes * self.rows.len()
    }

    /// Ticks of one sample.
    ///
    /// # Errors
    /// The function takes other arguments than the trial was made for.
    pub fn sample(&mut self, function: &NativeFunction) -> Result<f64, RunError> {
        self.rows.sample(function, self.rows.len(), self.passes)
    }
}

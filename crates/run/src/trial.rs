//! Short samples of functions that take the same arguments: the raw material of a search, which compares thousands of them in pairs.
//!
//! Everything that could favour one function over another is fixed: the arrays are the same, they lie one behind the other, and half a page away from the stack (a store to the
//! stack and a load from an array whose addresses agree in their low twelve bits wait for each other). A sample is some fifty calls, about a microsecond: too short to be interrupted
//! often, too short to mean much alone. For numbers that are shown, use [`time_paired`](crate::time_paired).

use crate::buffer::Buffer;
use crate::clock::{tick_ghz, ticks};
use crate::error::RunError;
use crate::library::{Argument, NativeFunction, Role};
use crate::raw_call::{STEP_ROWS, step_loop};

/// What is measured, and sought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Goal {
    /// The time of each of many independent operations.
    Throughput,
    /// The time from operand to result, where each operation needs the one before.
    Latency,
}

/// Addresses that agree in their low bits up to here disturb each other.
const PAGE: usize = 4096;

/// Arrays on which functions with the same arguments are timed in turn.
#[derive(Debug)]
pub struct Trial {
    arguments: Vec<Argument>,
    goal: Goal,
    /// What `base` and `table` point into.
    _memory: Buffer,
    base: *mut u8,
    /// Bytes from one array to the next.
    slot: usize,
    /// Two rows of arguments for chained calls, or `STEP_ROWS` independent ones.
    table: Vec<*mut u8>,
    passes: usize,
}

impl Trial {
    /// Arrays for functions with these arguments, at most 8. `operands` are sets of what the arguments that are read hold; for latency the first output and the first argument
    /// that is read change places from call to call. Fails when operands do not fit.
    pub fn new(arguments: &[Argument], operands: &[Vec<Buffer>], goal: Goal) -> Result<Trial, RunError> {
        let read: Vec<usize> = (0..arguments.len()).filter(|&i| arguments[i].role != Role::Output).collect();
        let fits = |set: &&Vec<Buffer>| set.len() == read.len() && read.iter().zip(set.iter()).all(|(&i, b)| b.len() == arguments[i].bytes);
        if operands.is_empty() || operands.iter().any(|set| !fits(&set)) {
            return Err(RunError::OperandCount { symbol: "a trial".into(), expected: read.len(), given: operands.first().map_or(0, Vec::len) });
        }
        let slot = arguments.iter().map(|a| a.bytes).max().unwrap_or(0).max(64).next_power_of_two();
        let used = STEP_ROWS * arguments.len() * slot;
        let mut memory = Buffer::zeroed(used + 2 * PAGE);
        let start = memory.pointer() as usize;
        // The middle of the arrays lies half a page from the stack.
        let wanted = (stack_address() + PAGE / 2).wrapping_sub(used / 2) / 64 * 64;
        let skip = wanted.wrapping_sub(start) % PAGE;
        for row in 0..STEP_ROWS {
            let set = &operands[if goal == Goal::Latency { 0 } else { row % operands.len() }];
            for (&i, operand) in read.iter().zip(set) {
                let at = skip + (row * arguments.len() + i) * slot;
                memory.bytes_mut()[at..at + operand.len()].copy_from_slice(operand.bytes());
            }
        }
        let base = memory.pointer().wrapping_add(skip);
        let place = |row: usize, i: usize| base.wrapping_add((row * arguments.len() + i) * slot);
        let mut table: Vec<*mut u8> = Vec::new();
        match goal {
            Goal::Throughput => table.extend((0..STEP_ROWS).flat_map(|row| (0..arguments.len()).map(move |i| (row, i))).map(|(row, i)| place(row, i))),
            Goal::Latency => {
                let mut first: Vec<*mut u8> = (0..arguments.len()).map(|i| place(0, i)).collect();
                table.extend(&first);
                let output = arguments.iter().position(|a| a.role == Role::Output);
                let chained = read.first().filter(|_| arguments.iter().all(|a| a.role != Role::InOut));
                if let (Some(output), Some(&input)) = (output, chained) {
                    // What an output does not cover stays a value in range.
                    let (from, to) = (skip + input * slot, skip + output * slot);
                    memory.bytes_mut().copy_within(from..from + slot, to);
                    first.swap(output, input);
                }
                table.extend(&first);
            }
        }
        Ok(Trial { arguments: arguments.to_vec(), goal, _memory: memory, base, slot, table, passes: 1 })
    }

    /// Chooses the number of calls so that a sample of this function takes about `ns` nanoseconds.
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
        self.passes * if self.goal == Goal::Latency { 2 } else { STEP_ROWS }
    }

    /// Ticks of one sample. Fails when the function takes other arguments than the trial was made for.
    pub fn sample(&mut self, function: &NativeFunction) -> Result<f64, RunError> {
        if function.arguments() != self.arguments {
            return Err(RunError::ArgumentCount { symbol: function.symbol().to_string(), expected: self.arguments.len(), given: function.arguments().len() });
        }
        let step = if self.goal == Goal::Throughput { step_loop(self.arguments.len(), self.slot) } else { None };
        let start = ticks();
        match step {
            // SAFETY: `STEP_ROWS` rows of slots that are at least as long as the arguments are declared lie behind `base`; the function takes as many.
            Some(step) => unsafe { step(function.function, self.base, self.passes) },
            // SAFETY: the table has whole rows of the function's arity, each pointer to a slot that is as long as the argument is declared.
            None => unsafe { (function.call_loop)(function.function, &self.table, self.passes) },
        }
        Ok(ticks().wrapping_sub(start) as f64)
    }
}

/// About where the stack of the caller is.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0u8;
    std::hint::black_box(&raw const here) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_lie_away_from_the_stack() {
        let arguments = [Argument::output(32), Argument::input(32), Argument::input(32)];
        let operands = vec![vec![Buffer::from_u64(&[1, 2, 3, 4]), Buffer::from_u64(&[5, 6, 7, 8])]];
        for goal in [Goal::Throughput, Goal::Latency] {
            let trial = Trial::new(&arguments, &operands, goal).unwrap();
            let used = STEP_ROWS * 3 * 64;
            let from_stack = (trial.base as usize).wrapping_sub(stack_address()) % PAGE;
            assert!(from_stack > 256 && from_stack + used < PAGE - 256, "{from_stack}");
            assert_eq!(trial.base as usize % 64, 0);
        }
        assert!(Trial::new(&arguments, &[], Goal::Latency).is_err());
        assert!(Trial::new(&arguments, &[vec![Buffer::zeroed(32)]], Goal::Latency).is_err());
        assert!(Trial::new(&arguments, &[vec![Buffer::zeroed(32), Buffer::zeroed(24)]], Goal::Latency).is_err());
    }
}

//! Where the arrays of a timed function lie: one layout for all that is timed, so that no function is luckier than
//! another.
//!
//! A load and an earlier store whose addresses agree in their low twelve bits wait for each other: a kernel that spills
//! to the stack may take twice as long beside arrays that lie unluckily. So all arrays of a function lie in one piece
//! of memory, one behind the other, rows of arguments at constant steps, as far from the stack as a page allows. And
//! where the arrays are short enough, the loop of calls steps through them by constants.

use crate::buffer::Buffer;
use crate::error::RunError;
use crate::library::{Argument, Entry, NativeFunction, Role};
use crate::processor::ticks;
use crate::raw_call::{StepLoop, step_loop};
use crate::trial::Goal;

/// Addresses that agree in their low bits up to here disturb each other.
const PAGE: usize = 4096;

/// What all arrays may take of a page, so that the stack has the rest; more when two rows take more.
const MOST_BYTES: usize = 3072;

/// The most rows.
const MOST_ROWS: usize = 8;

/// Rows of arguments of one function, as many independent operations as they are; or two rows whose calls wait for each
/// other.
#[derive(Debug)]
pub(crate) struct Rows {
    arguments: Vec<Argument>,
    /// What `base` and `table` point into.
    _memory: Buffer,
    base: *mut u8,
    /// One pointer an argument for each row.
    table: Vec<*mut u8>,
    /// Steps through all rows, where there is such a loop and the rows are independent.
    step: Option<StepLoop>,
}

impl Rows {
    /// Rows for functions with these arguments, at least one and at most 16. `operands` are sets of what the arguments
    /// that are read hold, in turn.
    ///
    /// Latency: both rows share the operands; the first output and the argument `chain` of those that are read change
    /// places from row to row, so that each call waits for the one before and none has its output over its input.
    /// (In-out arguments wait for each other by themselves.) Fails when operands do not fit; `symbol` is named then.
    #[inline(never)]
    pub(crate) fn new(
        symbol: &str,
        arguments: &[Argument],
        operands: &[Vec<Buffer>],
        chain: usize,
        goal: Goal,
    ) -> Result<Rows, RunError> {
        Rows::away_from(stack_address(), symbol, arguments, operands, chain, goal)
    }

    /// [`Rows::new`] with the address of the stack, taken in a frame as small as that of [`Rows::sample`].
    #[inline(never)]
    fn away_from(
        stack: usize,
        symbol: &str,
        arguments: &[Argument],
        operands: &[Vec<Buffer>],
        chain: usize,
        goal: Goal,
    ) -> Result<Rows, RunError> {
        let read: Vec<usize> = (0..arguments.len()).filter(|&i| arguments[i].role != Role::Output).collect();
        fit(symbol, arguments, &read, operands)?;
        let slot = arguments.iter().map(|a| a.bytes).max().unwrap_or(0).next_multiple_of(64).max(64);
        let row_bytes = (arguments.len() * slot).max(1);
        let rows = if goal == Goal::Latency {
            2
        } else {
            [MOST_ROWS, 4].into_iter().find(|rows| rows * row_bytes <= MOST_BYTES).unwrap_or(2)
        };
        let used = rows * row_bytes;
        let mut memory = Buffer::zeroed(used + 2 * PAGE);
        let start = memory.pointer() as usize;
        // Away from the stack on both sides, more where it grows.
        let wanted = (stack + PAGE.saturating_sub(used) / 4) / 64 * 64;
        let skip = wanted.wrapping_sub(start) % PAGE;
        let place = |row: usize, i: usize| skip + (row * arguments.len() + i) * slot;
        for row in 0..rows {
            let set = &operands[if goal == Goal::Latency { 0 } else { row % operands.len() }];
            for (&i, operand) in read.iter().zip(set) {
                memory.bytes_mut()[place(row, i)..][..operand.len()].copy_from_slice(operand.bytes());
            }
        }
        let output = arguments.iter().position(|a| a.role == Role::Output);
        let chained = read.get(chain).copied().filter(|_| arguments.iter().all(|a| a.role != Role::InOut));
        let mut places: Vec<usize> = (0..rows)
            .flat_map(|row| (0..arguments.len()).map(move |i| (row, i)))
            .map(|(row, i)| place(row, i))
            .collect();
        if goal == Goal::Latency {
            places.copy_within(..arguments.len(), arguments.len());
            if let (Some(output), Some(input)) = (output, chained) {
                // What an output does not cover stays a value in range.
                memory.bytes_mut().copy_within(place(0, input)..place(0, input) + slot, place(0, output));
                places.swap(arguments.len() + output, arguments.len() + input);
            }
        }
        let first = memory.pointer();
        let table = places.into_iter().map(|at| first.wrapping_add(at)).collect();
        let step = if goal == Goal::Throughput { step_loop(arguments.len(), slot, rows) } else { None };
        Ok(Rows { arguments: arguments.to_vec(), _memory: memory, base: first.wrapping_add(skip), table, step })
    }

    /// Rows, an even number.
    pub(crate) fn len(&self) -> usize {
        self.table.len() / self.arguments.len().max(1)
    }

    /// Ticks of `passes` calls on each of the first `rows` rows. Fails when the function takes other arguments than the
    /// rows were made for.
    #[inline(never)]
    pub(crate) fn sample(&self, function: &NativeFunction, rows: usize, passes: usize) -> Result<f64, RunError> {
        if function.arguments() != self.arguments {
            return Err(RunError::ArgumentCount {
                symbol: function.symbol().to_string(),
                expected: self.arguments.len(),
                given: function.arguments().len(),
            });
        }
        function.reserve_stack();
        let start = ticks();
        match (self.step, &function.entry) {
            // SAFETY: the loop is for as many rows as there are, of slots that are at least as long as the arguments
            // are declared, and they lie behind `base`; the function takes as many, and nothing else uses this memory
            // during the call.
            (Some(step), Entry::Address(address, _)) if rows == self.len() => unsafe {
                step(*address, self.base, passes)
            },
            // SAFETY: whole rows of the function's arity, each pointer to a slot that is as long as the argument is
            // declared; as above.
            _ => unsafe { function.call_rows(&self.table[..rows.min(self.len()) * self.arguments.len()], passes) },
        }
        Ok(ticks().wrapping_sub(start) as f64)
    }
}

/// Has every set of operands a buffer of the right length for each argument that is read?
fn fit(symbol: &str, arguments: &[Argument], read: &[usize], operands: &[Vec<Buffer>]) -> Result<(), RunError> {
    let count = |given| RunError::OperandCount { symbol: symbol.to_string(), expected: read.len(), given };
    if operands.is_empty() {
        return Err(count(0));
    }
    for set in operands {
        if set.len() != read.len() {
            return Err(count(set.len()));
        }
        if let Some((&argument, b)) = read.iter().zip(set).find(|(i, b)| b.len() != arguments[**i].bytes) {
            return Err(RunError::BufferLength {
                symbol: symbol.to_string(),
                argument,
                expected: arguments[argument].bytes,
                given: b.len(),
            });
        }
    }
    Ok(())
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

    fn operands(bytes: &[usize]) -> Vec<Vec<Buffer>> {
        (1..4).map(|k| bytes.iter().map(|n| Buffer::from_bytes(&vec![k; *n])).collect()).collect()
    }

    /// For any address of the stack, so that no compiler's frames matter.
    #[test]
    fn arrays_lie_away_from_the_stack() {
        for (out, input, rows) in [(32, 32, 8), (96, 48, 8), (144, 72, 4), (256, 128, 4), (8000, 4000, 2)] {
            let arguments = [Argument::output(out), Argument::input(input), Argument::input(input)];
            let operands = operands(&[input, input]);
            for goal in [Goal::Throughput, Goal::Latency] {
                for stack in (0x7fff_0000_0000..0x7fff_0000_0000 + PAGE).step_by(56) {
                    let made = Rows::away_from(stack, "f", &arguments, &operands, 0, goal).unwrap();
                    assert_eq!(made.len(), if goal == Goal::Latency { 2 } else { rows });
                    assert!(made.table.iter().all(|p| (*p as usize).is_multiple_of(64)));
                    let used = made.len() * 3 * out.next_multiple_of(64);
                    let from_stack = (made.base as usize).wrapping_sub(stack) % PAGE;
                    assert!(used > MOST_BYTES || from_stack > 128 && from_stack + used < PAGE - 512, "{from_stack}");
                }
            }
        }
    }

    #[test]
    fn the_stack_is_where_locals_are() {
        let local = 0u8;
        let distance = stack_address().abs_diff(std::hint::black_box(&raw const local) as usize);
        assert!(distance < 16 * PAGE, "{distance}");
    }

    #[test]
    fn chained_rows_change_places() {
        let arguments = [Argument::output(64), Argument::input(32), Argument::input(32)];
        for (chain, swapped) in [(0, [1, 0, 2]), (1, [2, 1, 0])] {
            let made = Rows::new("f", &arguments, &operands(&[32, 32]), chain, Goal::Latency).unwrap();
            assert_eq!(made.table[3..], swapped.map(|i| made.table[i]));
        }
        // Arguments that are read and written wait by themselves.
        let made = Rows::new("f", &[Argument::in_out(32), Argument::input(32)], &operands(&[32, 32]), 0, Goal::Latency)
            .unwrap();
        assert_eq!(made.table[..2], made.table[2..]);
    }

    #[test]
    fn operands_must_fit() {
        let arguments = [Argument::output(32), Argument::input(32), Argument::input(32)];
        let new = |operands: &[Vec<Buffer>]| {
            Rows::new("f", &arguments, operands, 0, Goal::Latency).map(|_| ()).map_err(|e| e.to_string())
        };
        assert_eq!(new(&[]), Err("`f` reads 2 operands, 0 were given to time it on".into()));
        assert_eq!(new(&operands(&[32])), Err("`f` reads 2 operands, 1 were given to time it on".into()));
        assert_eq!(new(&operands(&[32, 24])), Err("`f`: argument 2 needs a buffer of 32 bytes, 24 were given".into()));
    }
}

//! Do the times of a compiled operation depend on its operands? Zeros against random operands
//! ([`evariste_run::leakage`]), for the record.

use evariste_ir::Kernel;
use evariste_run::leakage::{Leakage, LeakageOptions, leakage};
use evariste_run::{Buffer, TimedProgram};

use crate::buffers::read_buffers;
use crate::error::TuneError;
use crate::operands::{arrays, operand_values};

/// Sets of random operands.
const RANDOM_SETS: usize = 256;

/// What the class of fixed operands holds.
pub const FIXED: &str = "0";

/// Tests a function that does what the kernel says, on operands within its bounds.
///
/// # Errors
/// Operands that do not fit it; a process that ends early.
pub fn of_function(
    kernel: &Kernel,
    program: &TimedProgram,
    function: usize,
    options: &LeakageOptions,
) -> Result<Leakage, TuneError> {
    let arguments = program.arguments(function);
    let buffers = |values: &Vec<_>| -> Option<Vec<Buffer>> {
        Some(read_buffers(kernel, arguments, &arrays(kernel, &kernel.contract.inputs, values)?))
    };
    let zero = vec![0.into(); kernel.contract.inputs.len()];
    let fixed = buffers(&zero)
        .ok_or_else(|| TuneError::Operand(format!("{} does not take zeros", program.symbol(function))))?;
    // Random operands are the second half of the list.
    let random: Vec<Vec<Buffer>> = operand_values(kernel, 2 * RANDOM_SETS, options.seed)
        .split_off(RANDOM_SETS)
        .iter()
        .filter_map(buffers)
        .collect();
    Ok(leakage(program, function, &fixed, &random, options)?)
}

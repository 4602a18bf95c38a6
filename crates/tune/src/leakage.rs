//! Do the times of a compiled operation depend on its operands? Zeros against random operands
//! ([`evariste_run::leakage`]), for the record.

use evariste_ir::Kernel;
use evariste_run::leakage::{Leakage, LeakageOptions, leakage};
use evariste_run::{Buffer, Library};

use crate::error::TuneError;
use crate::measure::{arguments, read_buffers};
use crate::operands::{arrays, operand_values};

/// Sets of random operands.
const RANDOM_SETS: usize = 256;

/// What the class of fixed operands holds.
pub const FIXED: &str = "0";

/// Tests the function `symbol` of a library, which must be what the kernel says: `kernel` gives its parameters and the
/// bounds of its operands.
///
/// # Errors
/// The library has no such function; operands that do not fit it.
pub fn of_function(
    kernel: &Kernel,
    library: &Library,
    symbol: &str,
    options: &LeakageOptions,
) -> Result<Leakage, TuneError> {
    let arguments = arguments(&evariste_emit::parameters(kernel));
    let function = library.function(symbol, &arguments)?;
    let buffers = |values: &Vec<_>| -> Option<Vec<Buffer>> {
        Some(read_buffers(kernel, &arguments, &arrays(kernel, &kernel.contract.inputs, values)?))
    };
    let zero = vec![0.into(); kernel.contract.inputs.len()];
    let fixed = buffers(&zero).ok_or_else(|| TuneError::Operand(format!("{symbol} does not take zeros")))?;
    // Random operands are the second half of the list.
    let random: Vec<Vec<Buffer>> = operand_values(kernel, 2 * RANDOM_SETS, options.seed)
        .split_off(RANDOM_SETS)
        .iter()
        .filter_map(buffers)
        .collect();
    Ok(leakage(&function, &fixed, &random, options)?)
}

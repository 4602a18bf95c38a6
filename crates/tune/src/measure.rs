//! From proved kernels to measured candidates: compiled in parallel, timed alone. How numbers lie in the functions'
//! arrays is `buffers`'s matter.

use evariste_backend::{Backend, Choice, Made};
use evariste_ir::Kernel;
use evariste_proof::Proved;
use evariste_run::{RunError, Stop, Timing, TimingOptions, Workload, time_paired_until};
use rayon::prelude::*;

use crate::buffers::{buffers, lane_buffers, read_buffers, written};
use crate::encode::Arrays;
use crate::error::TuneError;
use crate::operands::{arrays, operand_values};

/// Sets of operands that a function is timed on.
const OPERAND_SETS: usize = 8;
/// Sets of operands that a function of many elements is timed on.
const LANE_SETS: usize = 2;

/// Makes functions of many kernels on all cores, until somebody asks to stop; `done` is called after each.
pub fn make_all(
    kernels: &[&Proved],
    backend: &dyn Backend,
    stop: &Stop,
    done: impl Fn() + Sync,
) -> Vec<Result<Made, TuneError>> {
    let make = |proved: &&Proved| {
        if stop.is_asked() {
            return Err(RunError::Stopped.into());
        }
        let made = backend.make(proved, &Choice::default()).map_err(TuneError::from);
        done();
        made
    };
    kernels.par_iter().map(make).collect()
}

/// Calls a function once on element arrays and gives all parameters that its kernel writes.
pub fn call(kernel: &Kernel, made: &Made, inputs: &Arrays) -> Result<Arrays, TuneError> {
    let mut buffers = buffers(kernel, made.function.arguments(), inputs);
    made.function.call(&mut buffers)?;
    Ok(written(kernel, &buffers))
}

/// A function with random operands within its kernel's contract.
pub fn workload(proved: &Proved, made: &Made) -> Workload {
    let kernel = proved.kernel();
    let elements = made.order.elements() as usize;
    // Calls on many elements bring their own variety.
    let count = if elements == 1 { OPERAND_SETS } else { LANE_SETS * elements };
    // The first half of the list is edges, the second half is random.
    let random = operand_values(kernel, 2 * count, 1).split_off(count);
    let given: Vec<Arrays> =
        random.iter().filter_map(|values| arrays(kernel, &kernel.contract.inputs, values)).collect();
    let operands = match elements {
        1 => given.iter().map(|given| read_buffers(kernel, made.function.arguments(), given)).collect(),
        _ => given.chunks_exact(elements).map(|given| lane_buffers(kernel, made, given)).collect(),
    };
    Workload { function: made.function.clone(), operands, chain: 0 }
}

/// Times functions side by side; one result for each.
pub fn time(kernels: &[(&Proved, &Made)], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    time_until(kernels, options, &Stop::default())
}

/// Times functions side by side until somebody asks to stop; one result for each, all of the same rounds.
pub fn time_until(kernels: &[(&Proved, &Made)], options: &TimingOptions, stop: &Stop) -> Result<Vec<Timing>, RunError> {
    let workloads: Vec<Workload> = kernels.iter().map(|(proved, made)| workload(proved, made)).collect();
    time_paired_until(&workloads, options, stop)
}

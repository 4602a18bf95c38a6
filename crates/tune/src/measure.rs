//! From proved kernels to measured candidates: compiled in parallel, timed alone. How numbers lie in the functions'
//! arrays is `buffers`'s matter.

use evariste_backend::{Backend, Kind, Made};
use evariste_ir::Kernel;
use evariste_proof::Proved;
use evariste_run::{RunError, Stop, Timing, TimingOptions, Workload, time_paired_until};
use rayon::prelude::*;

use crate::buffers::{buffers, lane_buffers, read_buffers, written};
use crate::encode::Arrays;
use crate::error::TuneError;
use crate::narrow::lengths;
use crate::operands::{arrays, operand_values};

/// Sets of operands that a function is timed on.
const OPERAND_SETS: usize = 8;
/// Sets of operands that a function of many elements is timed on.
const LANE_SETS: usize = 2;

/// Makes functions of many kernels on all cores, until somebody asks to stop; `done` is called after each. Compilers
/// are given many kernels at once: for a short one they take longer to start than to compile it.
pub fn make_all(
    kernels: &[&Proved],
    backend: &dyn Backend,
    stop: &Stop,
    done: impl Fn() + Sync,
) -> Vec<Result<Made, TuneError>> {
    let make = |batch: &Vec<usize>| -> Vec<(usize, Result<Made, TuneError>)> {
        if stop.is_asked() {
            return batch.iter().map(|i| (*i, Err(RunError::Stopped.into()))).collect();
        }
        let together: Vec<&Proved> = batch.iter().map(|i| kernels[*i]).collect();
        let made = backend.make_many(&together).into_iter().map(|made| made.map_err(TuneError::from));
        batch.iter().for_each(|_| done());
        batch.iter().copied().zip(made).collect()
    };
    let mut all: Vec<_> = batches(kernels, backend).par_iter().flat_map_iter(make).collect();
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, made)| made).collect()
}

/// Most kernels that a compiler is given at once.
const BATCH: usize = 16;
/// Most operations of kernels that a compiler is given at once: about a second's work.
const BATCH_OPERATIONS: usize = 6_000;

/// Which kernels are made together: for a compiler neighbours in length of one kind, enough of them for all cores.
fn batches(kernels: &[&Proved], backend: &dyn Backend) -> Vec<Vec<usize>> {
    if backend.entry().kind != Kind::Compiled {
        return (0..kernels.len()).map(|i| vec![i]).collect();
    }
    let lengths = lengths(kernels, backend);
    let sum = lengths.iter().fold(0usize, |sum, length| sum.saturating_add(*length));
    let most = (sum / (2 * rayon::current_num_threads())).clamp(1, BATCH_OPERATIONS);
    let kind = |i: usize| (kernels[i].kernel().word, kernels[i].kernel().uses_floats());
    let mut order: Vec<usize> = (0..kernels.len()).collect();
    order.sort_by_key(|i| (kind(*i), std::cmp::Reverse(lengths[*i])));
    let mut batches: Vec<(usize, Vec<usize>)> = Vec::new();
    for i in order {
        match batches.last_mut() {
            Some((sum, batch))
                if batch.len() < BATCH && sum.saturating_add(lengths[i]) <= most && kind(batch[0]) == kind(i) =>
            {
                *sum += lengths[i];
                batch.push(i);
            }
            _ => batches.push((lengths[i], vec![i])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

/// Calls a function once on element arrays and gives all parameters that its kernel writes.
///
/// # Errors
/// [`TuneError::Run`]: the function takes other arrays than the kernel's.
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
///
/// # Errors
/// As [`time_paired_until`].
pub fn time(kernels: &[(&Proved, &Made)], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    time_until(kernels, options, &Stop::default())
}

/// Times functions side by side until somebody asks to stop; one result for each, all of the same rounds.
///
/// # Errors
/// As [`time_paired_until`].
pub fn time_until(kernels: &[(&Proved, &Made)], options: &TimingOptions, stop: &Stop) -> Result<Vec<Timing>, RunError> {
    let workloads: Vec<Workload> = kernels.iter().map(|(proved, made)| workload(proved, made)).collect();
    time_paired_until(&workloads, options, stop)
}

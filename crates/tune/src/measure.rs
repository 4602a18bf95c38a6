//! From proved kernels to measured candidates: compiled in parallel, timed alone.

use evariste_backend::{Backend, Choice, Made};
use evariste_ir::{ArrayKind, Kernel};
use evariste_proof::Proved;
use evariste_run::{Argument, Buffer, RunError, Stop, Timing, TimingOptions, Workload, time_paired_until};
use num_bigint::BigInt;
use rayon::prelude::*;

use crate::encode::{Arrays, bits};
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

/// An array as the compiled function takes it: elements of the machine's size for their type, in the machine's byte
/// order; a one-bit element fills a word of 64 lanes.
fn buffer(kernel: &Kernel, values: &[BigInt], bytes: usize) -> Buffer {
    let size = bytes / values.len().max(1);
    let mut content = Vec::with_capacity(bytes);
    for v in values {
        let word = if kernel.word == 1 { bits(v).wrapping_neg() } else { bits(v) };
        let word = if cfg!(target_endian = "big") { word << (64 - 8 * size.min(8)) } else { word };
        content.extend_from_slice(&word.to_ne_bytes()[..size.min(8)]);
    }
    Buffer::from_bytes(&content)
}

/// The values of a buffer's elements (lane 0 of one-bit words).
fn values(kernel: &Kernel, buffer: &Buffer, elements: usize) -> Vec<BigInt> {
    let size = buffer.len() / elements.max(1);
    let join = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
    let word = |chunk: &[u8]| {
        if cfg!(target_endian = "big") { chunk.iter().fold(0, join) } else { chunk.iter().rev().fold(0, join) }
    };
    buffer
        .bytes()
        .chunks(size)
        .take(elements)
        .map(|c| (if kernel.word == 1 { word(c) & 1 } else { word(c) }).into())
        .collect()
}

/// The arguments of a kernel that are read, as buffers.
pub(crate) fn read_buffers(kernel: &Kernel, arguments: &[Argument], arrays: &Arrays) -> Vec<Buffer> {
    let visible = kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost);
    let read =
        visible.zip(arguments).filter(|(a, _)| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    read.map(|(a, argument)| {
        let zeros = vec![BigInt::from(0); kernel.array(a).len as usize];
        let elements = arrays.iter().find(|(b, _)| *b == a).map(|(_, v)| v).unwrap_or(&zeros);
        buffer(kernel, elements, argument.bytes)
    })
    .collect()
}

/// One buffer an argument: the arrays that are given, and zeros for the others.
pub fn argument_buffers(kernel: &Kernel, arguments: &[Argument], given: &Arrays) -> Vec<Buffer> {
    let one = |(argument, a): (&Argument, evariste_ir::Array)| match given.iter().find(|(b, _)| *b == a) {
        Some((_, elements)) => buffer(kernel, elements, argument.bytes),
        None => Buffer::zeroed(argument.bytes),
    };
    arguments.iter().zip(kernel.params()).map(one).collect()
}

/// Calls a compiled kernel once on element arrays and gives all parameters that it writes.
pub fn call(kernel: &Kernel, compiled: &Made, inputs: &Arrays) -> Result<Arrays, TuneError> {
    let mut buffers = argument_buffers(kernel, compiled.function.arguments(), inputs);
    compiled.function.call(&mut buffers)?;
    let written = kernel.params().zip(&buffers).filter(|(a, _)| !matches!(kernel.array(*a).kind, ArrayKind::Input));
    Ok(written.map(|(a, b)| (a, values(kernel, b, kernel.array(a).len as usize))).collect())
}

/// A compiled kernel with random operands within its contract.
pub fn workload(proved: &Proved, compiled: &Made) -> Workload {
    let kernel = proved.kernel();
    let elements = compiled.order.elements() as usize;
    // Random operands: the second half of the list. Calls on many elements bring their own variety.
    let count = if elements == 1 { OPERAND_SETS } else { LANE_SETS * elements };
    let sets = operand_values(kernel, 2 * count, 1).split_off(count);
    let arrays: Vec<Arrays> =
        sets.iter().filter_map(|values| arrays(kernel, &kernel.contract.inputs, values)).collect();
    let operands = if elements == 1 {
        arrays.iter().map(|arrays| read_buffers(kernel, compiled.function.arguments(), arrays)).collect()
    } else {
        arrays.chunks_exact(elements).map(|elements| lane_buffers(kernel, compiled, elements)).collect()
    };
    Workload { function: compiled.function.clone(), operands, chain: 0 }
}

/// The arguments that are read, for many elements.
fn lane_buffers(kernel: &Kernel, compiled: &Made, elements: &[Arrays]) -> Vec<Buffer> {
    let read = kernel
        .params()
        .zip(compiled.function.arguments())
        .filter(|(a, _)| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    read.map(|(a, argument)| {
        let len = kernel.array(a).len as usize;
        let zero = BigInt::from(0);
        let word = |at: usize| {
            let (element, i) = compiled.order.at(at, len);
            elements[element].iter().find(|(b, _)| *b == a).map_or(zero.clone(), |(_, words)| words[i].clone())
        };
        let words: Vec<BigInt> = (0..len * elements.len()).map(word).collect();
        buffer(kernel, &words, argument.bytes)
    })
    .collect()
}

/// Times compiled kernels side by side; one result for each.
pub fn time(kernels: &[(&Proved, &Made)], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    time_until(kernels, options, &Stop::default())
}

/// Times compiled kernels side by side until somebody asks to stop; one result for each, all of the same rounds.
pub fn time_until(kernels: &[(&Proved, &Made)], options: &TimingOptions, stop: &Stop) -> Result<Vec<Timing>, RunError> {
    let workloads: Vec<Workload> = kernels.iter().map(|(proved, compiled)| workload(proved, compiled)).collect();
    time_paired_until(&workloads, options, stop)
}

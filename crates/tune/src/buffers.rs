//! Numbers of kernels in the arrays of functions, and back.
//!
//! A function takes one buffer for each parameter of its kernel, in the same order. Elements have the machine's size for
//! their type, in the machine's byte order; a one-bit element fills a word of 64 lanes.

use evariste_backend::Made;
use evariste_ir::{Array, ArrayKind, Kernel};
use evariste_run::{Argument, Buffer};
use num_bigint::BigInt;

use crate::encode::{Arrays, bits};

/// The parameters of a kernel with the arguments of its function.
fn parameters<'a>(kernel: &'a Kernel, arguments: &'a [Argument]) -> impl Iterator<Item = (Array, &'a Argument)> {
    kernel.visible().zip(arguments)
}

/// Those that the function reads.
fn read_parameters<'a>(kernel: &'a Kernel, arguments: &'a [Argument]) -> impl Iterator<Item = (Array, &'a Argument)> {
    let is_read = |(a, _): &(Array, _)| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut);
    parameters(kernel, arguments).filter(is_read)
}

/// The elements of an array among those that are given.
fn elements(given: &Arrays, array: Array) -> Option<&Vec<BigInt>> {
    given.iter().find(|(of, _)| *of == array).map(|(_, elements)| elements)
}

/// A buffer of so many bytes with these elements.
fn buffer(kernel: &Kernel, elements: &[BigInt], bytes: usize) -> Buffer {
    let size = (bytes / elements.len().max(1)).min(8);
    let mut content = Vec::with_capacity(bytes);
    for element in elements {
        // All lanes of a bit are alike.
        let word = if kernel.word == 1 { bits(element).wrapping_neg() } else { bits(element) };
        let word = if cfg!(target_endian = "big") { word << (64 - 8 * size) } else { word };
        content.extend_from_slice(&word.to_ne_bytes()[..size]);
    }
    Buffer::from_bytes(&content)
}

/// One buffer a parameter: the arrays that are given, and zeros for the others.
pub(crate) fn buffers(kernel: &Kernel, arguments: &[Argument], given: &Arrays) -> Vec<Buffer> {
    let one = |(array, argument): (Array, &Argument)| match elements(given, array) {
        Some(elements) => buffer(kernel, elements, argument.bytes),
        None => Buffer::zeroed(argument.bytes),
    };
    parameters(kernel, arguments).map(one).collect()
}

/// Buffers of the parameters that are read.
pub(crate) fn read_buffers(kernel: &Kernel, arguments: &[Argument], given: &Arrays) -> Vec<Buffer> {
    let one = |(array, argument): (Array, &Argument)| {
        let zeros = vec![BigInt::from(0); kernel.array(array).len as usize];
        buffer(kernel, elements(given, array).unwrap_or(&zeros), argument.bytes)
    };
    read_parameters(kernel, arguments).map(one).collect()
}

/// Buffers of the parameters that are read, of a function of many elements in its order of lanes; one entry of `given`
/// for each of them.
pub(crate) fn lane_buffers(kernel: &Kernel, made: &Made, given: &[Arrays]) -> Vec<Buffer> {
    let one = |(array, argument): (Array, &Argument)| {
        let len = kernel.array(array).len as usize;
        let word = |place: usize| {
            let (element, i) = made.order.at(place, len);
            elements(&given[element], array).map_or(BigInt::from(0), |words| words[i].clone())
        };
        let words: Vec<BigInt> = (0..len * given.len()).map(word).collect();
        buffer(kernel, &words, argument.bytes)
    };
    read_parameters(kernel, made.function.arguments()).map(one).collect()
}

/// What is in the buffers of the parameters that are written.
pub(crate) fn written(kernel: &Kernel, buffers: &[Buffer]) -> Arrays {
    let is_written = |(a, _): &(Array, _)| !matches!(kernel.array(*a).kind, ArrayKind::Input);
    let content = |(a, buffer)| (a, content(kernel, buffer, kernel.array(a).len as usize));
    kernel.visible().zip(buffers).filter(is_written).map(content).collect()
}

/// The elements in a buffer (lane 0 of one-bit words).
fn content(kernel: &Kernel, buffer: &Buffer, elements: usize) -> Vec<BigInt> {
    let size = buffer.len() / elements.max(1);
    let join = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
    let word = |bytes: &[u8]| {
        if cfg!(target_endian = "big") { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    };
    let element = |bytes: &[u8]| (if kernel.word == 1 { word(bytes) & 1 } else { word(bytes) }).into();
    buffer.bytes().chunks(size).take(elements).map(element).collect()
}

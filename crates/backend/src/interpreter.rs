//! The interpreter of kernels as a back end: slow code for every machine, made when it is asked for.

use std::sync::Arc;

use evariste_algorithms::Layout;
use evariste_descriptions::Field;
use evariste_ir::count::count_operations;
use evariste_ir::{Array, ArrayKind, Interpreter, Kernel};
use evariste_proof::Proved;
use evariste_run::{Argument, Buffer, NativeFunction};

use crate::backend::{Backend, Choice, Entry, Estimate, Kind, Refusal};
use crate::made::{Made, bit_lanes};

/// The line of the table.
pub static INTERPRETER: Entry = Entry {
    name: "interpreter",
    title: "interpreter",
    kind: Kind::Interpreted,
    find: |_| Ok(Arc::new(Interpreted)),
    machine: None,
    package: None,
};

#[derive(Debug)]
struct Interpreted;

impl Backend for Interpreted {
    fn entry(&self) -> &'static Entry {
        &INTERPRETER
    }

    fn setting(&self) -> String {
        "interpreted".into()
    }

    fn takes(&self, _: &Field, layout: &Layout, _: bool) -> bool {
        layout.radix.is_none()
    }

    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal> {
        let operations = count_operations(kernel, &|_| true);
        Ok(Estimate { operations: operations as usize, cycles: operations as f64, beside: None })
    }

    fn make(&self, proved: &Proved, _: &Choice) -> Result<Made, Refusal> {
        let interpreter = Interpreter::new(proved.kernel());
        let arrays: Vec<Array> = visible(proved.kernel()).collect();
        let arguments: Vec<Argument> = arrays.iter().map(|a| argument(proved.kernel(), *a)).collect();
        let call = move |buffers: &mut [Buffer]| run(&interpreter, &arrays, buffers);
        let function = NativeFunction::from_closure(&proved.kernel().name, &arguments, Arc::new(call))?;
        Ok(Made::scalar(proved.kernel(), function))
    }
}

fn visible(kernel: &Kernel) -> impl Iterator<Item = Array> + '_ {
    kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost)
}

/// Bytes of an element in memory, as C has it: a one-bit element fills a word of 64 lanes.
fn element_bytes(kernel: &Kernel, array: Array) -> usize {
    if kernel.word == 1 { 8 } else { kernel.array(array).ty.bits().div_ceil(8).next_power_of_two() as usize }
}

fn argument(kernel: &Kernel, array: Array) -> Argument {
    let bytes = element_bytes(kernel, array) * kernel.array(array).len as usize;
    match kernel.array(array).kind {
        ArrayKind::Output => Argument::output(bytes),
        ArrayKind::InOut => Argument::in_out(bytes),
        _ => Argument::input(bytes),
    }
}

/// Runs the kernel on the buffers of its arrays.
fn run(interpreter: &Interpreter, arrays: &[Array], buffers: &mut [Buffer]) {
    let kernel = interpreter.kernel();
    let lanes = bit_lanes(kernel) as usize;
    let mut batch = interpreter.batch(lanes);
    for (array, buffer) in arrays.iter().zip(buffers.iter()) {
        if kernel.array(*array).kind == ArrayKind::Output {
            continue;
        }
        for (i, element) in buffer.bytes().chunks(element_bytes(kernel, *array)).enumerate() {
            let word = element.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
            let mask = u64::MAX >> (64 - kernel.array(*array).ty.bits());
            // One word, or in each lane a bit of it.
            (0..lanes).for_each(|lane| batch.set(*array, i as u32, lane, u128::from(word >> lane & mask)));
        }
    }
    interpreter.run(&mut batch);
    for (array, buffer) in arrays.iter().zip(buffers) {
        if kernel.array(*array).kind == ArrayKind::Input {
            continue;
        }
        for (i, element) in buffer.bytes_mut().chunks_mut(element_bytes(kernel, *array)).enumerate() {
            let word = (0..lanes).fold(0u64, |word, lane| word | (batch.get(*array, i as u32, lane) as u64) << lane);
            element.copy_from_slice(&word.to_le_bytes()[..element.len()]);
        }
    }
}

//! A call by the System V convention: pointers to arrays in `rdi rsi rdx rcx r8 r9` and on the stack.

use crate::fault::Fault;
use crate::image::Image;
use crate::machine::{Machine, RSP};
use crate::memory::{Access, Memory, Region};

/// An array that a function gets a pointer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Content; after a call, what the function left.
    pub bytes: Vec<u8>,
    /// May it be written?
    pub writable: bool,
    /// Does it hold something? If not, the function must write a byte before it reads it.
    pub filled: bool,
    /// Bytes of an element: the array lies at an odd multiple of them.
    pub element_bytes: usize,
}

/// Registers of the first six parameters.
const PARAMETERS: [usize; 6] = [7, 6, 2, 1, 8, 9];

/// Registers that come back as they were: rbx, rbp, r12 to r15.
const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

const STACK: u64 = 0x7ffd_0000_0000;
/// Bytes of stack: what a function may use, and more than it may reach to for want of an aligned place.
const STACK_BYTES: u64 = (1 << 19) + 4096;

/// A caller's stack pointer is a multiple of this; what a function may rely on, and no more.
const STACK_ALIGNMENT: u64 = 16;
const ARRAYS: u64 = 0x6100_0000_0000;

/// Where a function returns to: no code lies there.
const CALLER: u64 = 0x4141_0000_0000;

/// Calls the code at offset `entry`. Parameter `i` is a pointer to `arrays[pointers[i]]`, so that two may be the same
/// array. Registers hold arbitrary values that the seed chooses, and it chooses where the stack ends among multiples of
/// 16; flags and the stack hold nothing. Gives the number of instructions.
///
/// # Errors
/// The first fault; the arrays are as they were then.
///
/// # Panics
/// When a pointer is to no array.
pub fn call(image: &Image, entry: u64, arrays: &mut [Array], pointers: &[usize], seed: u64) -> Result<u64, Fault> {
    call_with(image, entry, arrays, |places| pointers.iter().map(|p| places[*p]).collect(), seed)
}

/// [`call`] of a function whose parameters are any words, given where the arrays lie.
///
/// # Errors
/// As [`call`].
pub fn call_with(
    image: &Image,
    entry: u64,
    arrays: &mut [Array],
    parameters: impl FnOnce(&[u64]) -> Vec<u64>,
    seed: u64,
) -> Result<u64, Fault> {
    let mut machine = Machine::new(seed);
    let mut places = Vec::with_capacity(arrays.len());
    let mut at = ARRAYS;
    for (i, array) in arrays.iter().enumerate() {
        // No more aligned than elements are, and with a gap to the next.
        let base = at + array.element_bytes as u64;
        at = (base + array.bytes.len() as u64 + 4096).next_multiple_of(4096);
        places.push(base);
        machine.memory.add(Region {
            name: format!("array {i}"),
            base,
            bytes: array.bytes.clone(),
            access: if array.writable { Access::ReadWrite } else { Access::Read },
            defined: (!array.filled).then(|| vec![false; array.bytes.len()]),
        });
    }
    machine.memory.add(image.constants());
    enter(&mut machine, &parameters(&places), seed % 8);
    let before = machine.general;
    let steps = machine.run(image, entry, CALLER)?;
    for register in SAVED {
        same(register, before[register], machine.general[register])?;
    }
    // `ret` took the return address away.
    same(RSP, before[RSP] + 8, machine.general[RSP])?;
    for (i, array) in arrays.iter_mut().enumerate() {
        if let Some(region) = array_region(&machine.memory, i) {
            array.bytes.clone_from(&region.bytes);
        }
    }
    Ok(steps)
}

fn array_region(memory: &Memory, i: usize) -> Option<&Region> {
    memory.region(&format!("array {i}"))
}

fn same(register: usize, before: u64, after: u64) -> Result<(), Fault> {
    if before == after { Ok(()) } else { Err(Fault::Lost { register, before, after }) }
}

/// The stack as a callee finds it: `rsp` at the return address, 8 below the `from_end`-th multiple of 16 from the end;
/// parameters from the seventh on above it.
fn enter(machine: &mut Machine, parameters: &[u64], from_end: u64) {
    for (register, parameter) in PARAMETERS.into_iter().zip(parameters) {
        machine.general[register] = *parameter;
    }
    let bytes_of_stack = (STACK_BYTES - STACK_ALIGNMENT * from_end) as usize;
    let rsp = STACK + bytes_of_stack as u64 - 8;
    let above: Vec<u8> = parameters.iter().skip(6).flat_map(|p| p.to_le_bytes()).collect();
    machine.general[RSP] = rsp;
    machine.stack = STACK..rsp + 8;
    let mut bytes = vec![0; bytes_of_stack];
    bytes[bytes_of_stack - 8..].copy_from_slice(&CALLER.to_le_bytes());
    let mut defined = vec![false; bytes_of_stack];
    defined[bytes_of_stack - 8..].fill(true);
    let access = Access::ReadWrite;
    machine.memory.add(Region { name: "the stack".into(), base: STACK, bytes, access, defined: Some(defined) });
    machine.memory.add(Region {
        name: "the caller's frame".into(),
        base: rsp + 8,
        bytes: above,
        access: Access::Read,
        defined: None,
    });
}

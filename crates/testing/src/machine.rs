//! Machine code as tests call it: by the processor where it has what the code needs, else by the emulator. Tests see no
//! difference, so that none is skipped for want of a processor.

use std::cell::Cell;

use evariste_codegen::Checked;
use evariste_codegen::program::Parameter;
use evariste_codegen::x86_64::{Program, X86_64};
use evariste_emulator::{Array, Image};
use evariste_jit::{Argument, Code, EncodeError, Function, JitError, encode};

/// A function in machine code.
#[derive(Clone, Debug)]
pub struct Callable {
    params: Vec<Parameter>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Native(Function),
    Emulated { image: Image, entry: u64 },
}

/// Where emulated code lies: a multiple of 64, as code wants it.
const BASE: u64 = 0x5555_5540_0000;

impl Callable {
    /// Native where this processor covers the program's features, else emulated.
    ///
    /// # Errors
    /// Why the code cannot be loaded; a missing feature is none.
    pub fn new(checked: &Checked<X86_64>) -> Result<Callable, JitError> {
        Callable::of(Function::new(checked), checked.program())
    }

    /// The program's function, or where it could not be loaded for want of the processor, the program emulated.
    ///
    /// # Errors
    /// Why else it could not be loaded.
    pub fn of(loaded: Result<Function, JitError>, program: &Program) -> Result<Callable, JitError> {
        match loaded {
            Ok(function) => Ok(Callable { params: function.params().to_vec(), way: Way::Native(function) }),
            Err(JitError::Features { .. } | JitError::AnotherProcessor(_)) => Ok(Callable::emulated(program)?),
            Err(e) => Err(e),
        }
    }

    /// Emulated on every machine. What a wrong program does there harms nobody, so nothing needs to be checked.
    ///
    /// # Errors
    /// The program has no encoding.
    pub fn emulated(program: &Program) -> Result<Callable, EncodeError> {
        Ok(Callable::emulated_code(&program.params, &encode(program)?))
    }

    /// Code with these parameters, right or wrong, emulated.
    pub fn emulated_code(params: &[Parameter], code: &Code) -> Callable {
        let image = Image::new(BASE, &code.bytes, code.code_len, code.constants_at);
        Callable { params: params.to_vec(), way: Way::Emulated { image, entry: code.entry as u64 } }
    }

    /// Is the other code emulated too, and made of the same instructions, whatever bits an encoding ignores?
    pub fn reads_as(&self, other: &Callable) -> bool {
        match (&self.way, &other.way) {
            (Way::Emulated { image: a, .. }, Way::Emulated { image: b, .. }) => a.reads_as(b),
            _ => false,
        }
    }

    /// Does the processor run it?
    pub fn is_native(&self) -> bool {
        matches!(self.way, Way::Native(_))
    }

    /// The parameters, in calling order.
    pub fn params(&self) -> &[Parameter] {
        &self.params
    }

    /// Calls the function: `arrays` has the elements of each parameter's array, and parameter `i` gets the array of
    /// parameter `shared[i]` (its own: `i`).
    ///
    /// # Errors
    /// What the call refuses, or the emulator's fault.
    pub fn call_shared(&self, arrays: &mut [Vec<u64>], shared: &[usize]) -> Result<(), String> {
        match &self.way {
            Way::Native(function) => {
                let memory: Vec<Memory> = self.params.iter().zip(&*arrays).map(|(p, x)| Memory::new(p, x)).collect();
                let arguments: Vec<Argument<'_>> = shared.iter().map(|i| memory[*i].argument()).collect();
                function.call(&arguments).map_err(|e| e.to_string())?;
                arrays.iter_mut().zip(&memory).for_each(|(words, memory)| *words = memory.words());
            }
            Way::Emulated { image, entry } => {
                let mut memory: Vec<Array> = (0..arrays.len()).map(|i| self.array(i, &arrays[i], shared)).collect();
                // Other registers and another place of the stack for other words.
                let seed = arrays.iter().flatten().fold(1, |seed: u64, word| seed.rotate_left(7) ^ word);
                evariste_emulator::call(image, *entry, &mut memory, shared, seed).map_err(|e| e.to_string())?;
                for (words, array) in arrays.iter_mut().zip(&memory) {
                    *words = array.bytes.chunks_exact(array.element_bytes).map(integer).collect();
                }
            }
        }
        Ok(())
    }

    /// Calls the function on an array for each parameter.
    ///
    /// # Errors
    /// As [`Callable::call_shared`].
    pub fn call(&self, arrays: &mut [Vec<u64>]) -> Result<(), String> {
        self.call_shared(arrays, &(0..arrays.len()).collect::<Vec<usize>>())
    }

    /// Array `i` as the emulator has it: it may be written where a parameter that gets it is, and holds something unless
    /// all that get it only write.
    fn array(&self, i: usize, words: &[u64], shared: &[usize]) -> Array {
        let users = || self.params.iter().zip(shared).filter(|(_, own)| **own == i).map(|(param, _)| param);
        let element_bytes = self.params[i].element_bytes as usize;
        Array {
            bytes: words.iter().flat_map(|word| word.to_le_bytes()[..element_bytes].to_vec()).collect(),
            writable: users().any(|param| param.role.is_written()),
            filled: users().any(|param| param.role.is_read() || !param.role.is_written()),
            element_bytes,
        }
    }
}

fn integer(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// An array that native code may write though two parameters have it.
enum Memory {
    Bytes(Vec<Cell<u8>>),
    Pairs(Vec<Cell<u16>>),
    Halves(Vec<Cell<u32>>),
    Words(Vec<Cell<u64>>),
}

impl Memory {
    fn new(param: &Parameter, words: &[u64]) -> Memory {
        match param.element_bytes {
            1 => Memory::Bytes(words.iter().map(|w| Cell::new(*w as u8)).collect()),
            2 => Memory::Pairs(words.iter().map(|w| Cell::new(*w as u16)).collect()),
            4 => Memory::Halves(words.iter().map(|w| Cell::new(*w as u32)).collect()),
            _ => Memory::Words(words.iter().map(|w| Cell::new(*w)).collect()),
        }
    }

    fn argument(&self) -> Argument<'_> {
        match self {
            Memory::Bytes(x) => x.as_slice().into(),
            Memory::Pairs(x) => x.as_slice().into(),
            Memory::Halves(x) => x.as_slice().into(),
            Memory::Words(x) => x.as_slice().into(),
        }
    }

    fn words(&self) -> Vec<u64> {
        match self {
            Memory::Bytes(x) => x.iter().map(|c| u64::from(c.get())).collect(),
            Memory::Pairs(x) => x.iter().map(|c| u64::from(c.get())).collect(),
            Memory::Halves(x) => x.iter().map(|c| u64::from(c.get())).collect(),
            Memory::Words(x) => x.iter().map(Cell::get).collect(),
        }
    }
}

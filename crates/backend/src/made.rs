//! Code that was made of a kernel.

use evariste_ir::{Arrangement, Kernel};
use evariste_run::NativeFunction;

/// The code of a kernel, as a function.
#[derive(Clone, Debug)]
pub struct Made {
    /// The function.
    pub function: NativeFunction,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
    /// Elements that one call computes: 64 for each one-bit word, else 1 for each lane.
    pub lanes: u32,
    /// How the words of these elements lie: one of each for scalar code.
    pub order: Arrangement,
    /// On vectors: the shape of the code, as text.
    pub shape: Option<String>,
}

impl Made {
    /// Scalar code of a kernel.
    pub fn scalar(kernel: &Kernel, function: NativeFunction) -> Made {
        let word_bits = if kernel.word == 1 { 64 } else { kernel.word.next_power_of_two().max(8) };
        let order = Arrangement::single(word_bits);
        Made { code_bytes: function.code_size(), function, lanes: bit_lanes(kernel), order, shape: None }
    }

    /// The same of code that computes so many elements, one after the other.
    pub(crate) fn repeated(self, times: u32) -> Made {
        let order = Arrangement { groups: self.order.groups * times, ..self.order };
        Made { lanes: self.lanes * times, order, ..self }
    }
}

/// Elements in a word: 64 of one bit, or one.
pub fn bit_lanes(kernel: &Kernel) -> u32 {
    if kernel.word == 1 { 64 } else { 1 }
}

//! What one value of a function stands for.

use evariste_ir::{ArrayKind, Kernel, Type};

/// What one value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// One element, words of integers.
    Words,
    /// Many elements, one bit of each: 64 unless the compiler is told otherwise.
    Lanes,
}

impl Model {
    /// Bit-sliced exactly when words, values and parameters all have one bit, here and in everything that is called:
    /// a caller and its callees share arrays, so that they share the model.
    pub fn of(kernel: &Kernel) -> Model {
        let single = |ty: Type| ty.bits() == 1;
        let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).all(|a| single(a.ty));
        let callees = kernel.callees.iter().all(|callee| Model::of(callee) == Model::Lanes);
        if kernel.word == 1 && arrays && kernel.values.iter().all(|v| single(v.ty)) && callees {
            Model::Lanes
        } else {
            Model::Words
        }
    }

    /// Bytes that an element of this type occupies in memory.
    pub fn element_bytes(self, ty: Type) -> usize {
        match self {
            Model::Lanes => 8,
            Model::Words => container(ty.bits()) as usize / 8,
        }
    }
}

/// Bits of the smallest power of two of bytes that holds `bits` bits.
pub fn container(bits: u32) -> u32 {
    match bits {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        33..=64 => 64,
        _ => 128,
    }
}

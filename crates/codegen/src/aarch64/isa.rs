//! AArch64 as the neutral folders see it.

use super::instruction::{Features, Inst};
use crate::isa::{Convention, FeatureSet, Isa, OnVectors};
use crate::program;

/// The instruction set, 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aarch64;

/// A function in machine code.
pub type Program = program::Program<Aarch64>;

impl Isa for Aarch64 {
    const NAME: &'static str = "aarch64";
    const CONVENTION: Convention = Convention {
        registers: 32,
        stack_pointer: 31,
        parameters: &[0, 1, 2, 3, 4, 5, 6, 7],
        // x18 is the system's on some: it counts as one that must be kept, and so does the frame pointer.
        saved: &[18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
        link: Some(30),
        red_zone: 0,
        alignment: 16,
    };

    type Inst = Inst;
    type Features = Features;

    fn label(inst: &Inst) -> Option<u32> {
        if let Inst::Label(label) = inst { Some(*label) } else { None }
    }

    fn callee(inst: &Inst) -> Option<u32> {
        if let Inst::Call(label) = inst { Some(*label) } else { None }
    }

    fn on_vectors(_: &Inst) -> Option<OnVectors> {
        None
    }
}

impl FeatureSet for Features {
    fn of_this_machine() -> Option<Features> {
        cfg!(target_arch = "aarch64").then_some(Features)
    }

    fn covers(self, _: Features) -> bool {
        true
    }

    fn only(self, _: &str) -> Features {
        self
    }

    fn scalar(self) -> Features {
        self
    }
}

//! What the neutral folders ask of x86-64.

use super::instruction::{Features, Gpr, Inst, Opcode, Operand};
use super::vector::{Vector, Width};
use crate::isa::{Convention, FeatureSet, Isa, OnVectors};

/// The instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct X86_64;

/// A program of its instructions.
pub type Program = crate::program::Program<X86_64>;

/// The label that an instruction names.
fn named(inst: &Inst) -> Option<u32> {
    match inst.operands {
        [Some(Operand::Label(l)), None, None] => Some(l),
        _ => None,
    }
}

const fn numbers<const N: usize>(registers: [Gpr; N]) -> [usize; N] {
    let mut all = [0; N];
    let mut i = 0;
    while i < N {
        all[i] = registers[i] as usize;
        i += 1;
    }
    all
}

impl Isa for X86_64 {
    const NAME: &'static str = "x86-64";

    // That of System V.
    const CONVENTION: Convention = Convention {
        registers: Gpr::ALL.len(),
        stack_pointer: Gpr::Rsp as usize,
        parameters: &numbers(Gpr::PARAMETERS),
        saved: &numbers(Gpr::SAVED),
        link: None,
        red_zone: 128,
        alignment: 8,
    };

    type Inst = Inst;
    type Features = Features;

    fn label(inst: &Inst) -> Option<u32> {
        named(inst).filter(|_| inst.op == Opcode::Label)
    }

    fn callee(inst: &Inst) -> Option<u32> {
        named(inst).filter(|_| inst.op == Opcode::Call)
    }

    fn on_vectors(inst: &Inst) -> Option<OnVectors> {
        match inst.op {
            Opcode::Vector(op, width) => Some(OnVectors {
                multiplies_halves: op == Vector::MulHalf,
                looks_up: matches!(op, Vector::LookUp | Vector::LookUpHalves | Vector::LookUpHalvesOfTwo),
                pairs: op.pairs(),
                four_words: width == Width::Y && op != Vector::ZeroUpper,
            }),
            _ => None,
        }
    }
}

impl FeatureSet for Features {
    fn of_this_machine() -> Option<Features> {
        Features::of_this_machine()
    }

    fn misnamed(names: &str) -> Option<String> {
        Features::misnamed(names)
    }

    fn covers(self, other: Features) -> bool {
        Features::covers(self, other)
    }

    fn only(self, names: &str) -> Features {
        Features::only(self, names)
    }

    fn scalar(self) -> Features {
        Features::scalar(self)
    }
}

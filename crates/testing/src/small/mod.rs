//! The smallest instruction set that kernels are compiled for, checked and printed: what the seam of `codegen::isa` asks
//! of a processor, and nothing else. No machine runs it.
//!
//! It differs from real ones where they differ from each other: a register holds the return address, there is no red
//! zone, the stack pointer moves by 16 bytes, two parameters have registers, lines of its assembler end in `%%`.

mod assembly;
mod compile;

use std::fmt;

use evariste_codegen::check::machine::{Content, Fault, Machine, Meaning, Next};
use evariste_codegen::isa::{Convention, FeatureSet, Isa, OnVectors};
use evariste_codegen::program::Program;

pub use compile::NoCode;

/// A register that functions must keep.
pub const KEPT: usize = 3;
/// The register of the return address.
pub const LINK: usize = 4;
/// The stack pointer.
pub const STACK: usize = 5;
/// A register that is free.
pub const FREE: usize = 2;

/// An instruction; registers by number, addresses are a register and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Inst {
    Load { to: usize, base: usize, offset: i64 },
    Store { from: usize, base: usize, offset: i64 },
    Step { to: usize, from: usize, bytes: i64 },
    Xor { to: usize, from: usize },
    Label(u32),
    Call(u32),
    Return(usize),
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// There is only one such processor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoFeatures;

impl fmt::Display for NoFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any")
    }
}

impl FeatureSet for NoFeatures {
    fn of_this_machine() -> Option<NoFeatures> {
        None
    }

    fn covers(self, _: NoFeatures) -> bool {
        true
    }

    fn only(self, _: &str) -> NoFeatures {
        self
    }

    fn scalar(self) -> NoFeatures {
        self
    }
}

/// The instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Small;

impl Isa for Small {
    const NAME: &'static str = "small";
    const CONVENTION: Convention = Convention {
        registers: 6,
        stack_pointer: STACK,
        parameters: &[0, 1],
        saved: &[KEPT],
        link: Some(LINK),
        red_zone: 0,
        alignment: 16,
    };

    type Inst = Inst;
    type Features = NoFeatures;

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

impl Meaning for Small {
    type State = ();

    fn enter(_: &Program<Small>) {}

    fn after_call(_: &mut ()) {}

    fn stack_pointer_set(_: &mut ()) {}

    fn step(machine: &mut Machine<'_, Small>, inst: &Inst, at: usize) -> Result<Next, Fault> {
        match *inst {
            Inst::Load { to, base, offset } => {
                let pointer = Machine::<Small>::moved(machine.registers[base], offset)?;
                let content = machine.load_at(pointer, 8)?;
                machine.set_general(to, content)?;
            }
            Inst::Store { from, base, offset } => {
                let pointer = Machine::<Small>::moved(machine.registers[base], offset)?;
                machine.store_at(pointer, 8, machine.registers[from])?;
            }
            Inst::Step { to, from, bytes } => {
                let pointer = Machine::<Small>::moved(machine.registers[from], bytes)?;
                machine.set_general(to, pointer)?;
            }
            Inst::Xor { to, from } => {
                let (Content::Word(x, 64), Content::Word(y, 64)) = (machine.registers[to], machine.registers[from])
                else {
                    return Err(Fault::Undefined("an operand"));
                };
                let sum = machine.terms.xor(x, y);
                machine.set_general(to, Content::Word(sum, 64))?;
            }
            Inst::Label(_) => {}
            Inst::Call(label) => return machine.call(Some(label), at),
            Inst::Return(register) => return machine.returns(machine.registers[register]),
        }
        Ok(Next::Behind)
    }
}

//! What an AArch64 instruction means on forms: registers and the carry. **Trusted.**
//!
//! Memory, stack, calls and what must be kept are the [checker's](crate::check::machine). Of the flags only the carry is
//! followed, as the processor has it: after a difference it is set where nothing was borrowed. No instruction here reads
//! another flag.

mod arithmetic;
mod memory;

use super::instruction::{Gpr, Inst};
use super::{Aarch64, Program};
use crate::check::machine::{Content, Fault, Meaning, Next};
use crate::check::terms::{Flag, Word};

/// The processor in the middle of a program.
pub(super) type Machine<'a> = crate::check::machine::Machine<'a, Aarch64>;

/// The carry.
pub struct State {
    carry: Option<Flag>,
}

impl Meaning for Aarch64 {
    type State = State;

    fn enter(_: &Program) -> State {
        State { carry: None }
    }

    fn after_call(state: &mut State) {
        state.carry = None;
    }

    fn stack_pointer_set(_: &mut State) {}

    fn step(machine: &mut Machine<'_>, inst: &Inst, at: usize) -> Result<Next, Fault> {
        match *inst {
            Inst::Sum { .. } | Inst::SumOf { .. } => machine.sums(inst)?,
            Inst::Logic { .. } | Inst::LogicOf { .. } => machine.bits(inst)?,
            Inst::Product { .. } | Inst::ProductSum { .. } => machine.products(inst)?,
            Inst::Shift { .. } | Inst::Extract { .. } | Inst::Field { .. } => machine.shifts(inst)?,
            Inst::Select { .. } | Inst::Move { .. } => machine.choices(inst)?,
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::LoadPair { .. }
            | Inst::StorePair { .. }
            | Inst::Push { .. }
            | Inst::Pop { .. }
            | Inst::Constant { .. } => machine.accesses(inst)?,
            Inst::Label(_) => {}
            Inst::Jump(label) => return Ok(Next::At(machine.target(label)?)),
            Inst::JumpUnlessZero { register, label } => {
                // Only what constants made says whether it jumps.
                let Content::Known(x) = machine.content(register)? else { return Err(Fault::SecretBranch) };
                return Ok(if x != 0 { Next::At(machine.target(label)?) } else { Next::Behind });
            }
            Inst::Call(label) => return machine.call(Some(label), at),
            Inst::Return => {
                let to = machine.content(Gpr::LINK)?;
                return machine.returns(to);
            }
        }
        Ok(Next::Behind)
    }
}

impl Machine<'_> {
    /// What a register that is not the stack pointer holds.
    fn content(&self, register: Gpr) -> Result<Content, Fault> {
        match register.place() {
            None => Ok(Content::Known(0)),
            _ if register == Gpr::SP => Err(Fault::Form),
            Some(place) => Ok(self.registers[place]),
        }
    }

    /// The same, or the stack pointer, and not the zero register: the base of an address.
    fn base(&self, register: Gpr) -> Result<Content, Fault> {
        register.place().map(|place| self.registers[place]).ok_or(Fault::Form)
    }

    /// A number of 64 bits.
    fn word(&mut self, content: Content) -> Result<Word, Fault> {
        match self.number(content) {
            Some((x, 64)) => Ok(x),
            _ => Err(Fault::Undefined("operand")),
        }
    }

    /// Writes a register that is not the stack pointer.
    fn set(&mut self, register: Gpr, content: Content) -> Result<(), Fault> {
        match register.place() {
            None => Ok(()),
            _ if register == Gpr::SP => Err(Fault::Form),
            Some(place) => self.set_general(place, content),
        }
    }

    fn carry(&self) -> Result<Flag, Fault> {
        self.own.carry.ok_or(Fault::Undefined("C"))
    }
}

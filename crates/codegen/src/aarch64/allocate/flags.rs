//! What the carry holds, flags that wait in registers, and selections.

use super::uses::NEVER;
use super::{Allocator, Carry, Infeasible, NO_SLOT, Why};
use crate::aarch64::instruction::{Chosen, Gpr, Inst, Logic, Sum};
use crate::graph::{Id, Node, Operation};

impl Allocator<'_> {
    /// Is the flag in a register, or on the stack?
    fn is_saved(&self, f: Id) -> bool {
        self.register(f).is_some() || self.slot_of[f as usize] != NO_SLOT
    }

    /// Before an instruction that sets the flags: what later nodes want of the carry goes to a register.
    pub(super) fn protect(&mut self) -> Result<(), Infeasible> {
        match self.carry {
            Carry::Holds { flag, .. } if self.uses.next(flag) != NEVER => self.save(flag),
            _ => Ok(()),
        }
    }

    /// The flag that the carry holds as a word, too.
    fn save(&mut self, f: Id) -> Result<(), Infeasible> {
        if self.is_saved(f) {
            return Ok(());
        }
        let Carry::Holds { flag, inverted } = self.carry else { return self.fail(Why::Undefined) };
        if flag != f {
            return self.fail(Why::Undefined);
        }
        if self.strict {
            return self.fail(Why::LiveFlag);
        }
        let to = self.alloc();
        self.word(to, inverted);
        self.define(f, to);
        Ok(())
    }

    /// The carry, or where it is inverted its complement, as a word.
    fn word(&mut self, to: Gpr, inverted: bool) {
        let (left, right) = (Gpr::ZERO, Gpr::ZERO);
        self.code.push(Inst::Select { chosen: Chosen::PlusOne, to, left, right, carry: inverted });
    }

    /// Brings a flag to the carry, or its complement, from wherever it is.
    pub(super) fn to_carry(&mut self, f: Id, inverted: bool) -> Result<(), Infeasible> {
        if self.carry == (Carry::Holds { flag: f, inverted }) {
            return Ok(());
        }
        if matches!(self.carry, Carry::Holds { flag, .. } if flag == f) {
            self.save(f)?;
        }
        if !self.is_saved(f) {
            return self.fail(Why::Undefined);
        }
        self.protect()?;
        let word = self.to_register(f)?;
        self.from_word(f, word, inverted);
        Ok(())
    }

    /// The carry from a word that is 0 or 1: 1 less 1 borrows nothing, and neither does 0 less 0.
    fn from_word(&mut self, flag: Id, word: Gpr, inverted: bool) {
        let to = Gpr::ZERO;
        self.code.push(match inverted {
            false => Inst::SumOf { op: Sum::Subs, to, left: word, value: 1, high: false },
            true => Inst::sum(Sum::Subs, to, Gpr::ZERO, word),
        });
        self.carry = Carry::Holds { flag, inverted };
    }

    /// Brings a flag to the carry in either form, and says whether it is inverted.
    fn condition(&mut self, f: Id) -> Result<bool, Infeasible> {
        match self.carry {
            Carry::Holds { flag, inverted } if flag == f => Ok(inverted),
            _ => self.to_carry(f, false).map(|()| false),
        }
    }

    pub(super) fn word_of_flag(&mut self, node: &Node) -> Result<(), Infeasible> {
        let f = node.args[0];
        if self.is_saved(f) {
            return self.copy_of(node);
        }
        let inverted = self.condition(f)?;
        let to = self.result(node);
        self.word(to, inverted);
        Ok(())
    }

    pub(super) fn mask_of_flag(&mut self, node: &Node) -> Result<(), Infeasible> {
        let f = node.args[0];
        let (left, right) = (Gpr::ZERO, Gpr::ZERO);
        if !matches!(self.carry, Carry::Holds { flag, .. } if flag == f) {
            if !self.is_saved(f) {
                return self.fail(Why::Undefined);
            }
            let right = self.to_register(f)?;
            let to = self.result(node);
            self.code.push(Inst::sum(Sum::Sub, to, left, right));
            return Ok(());
        }
        let inverted = self.condition(f)?;
        let to = self.result(node);
        self.code.push(Inst::Select { chosen: Chosen::Complement, to, left, right, carry: inverted });
        Ok(())
    }

    pub(super) fn flag_of_word(&mut self, node: &Node) -> Result<(), Infeasible> {
        self.protect()?;
        let (x, f) = (node.args[0], node.results[0]);
        let mut word = self.operand(x)?;
        if !self.is_bit(x) {
            let to = self.alloc();
            self.code.push(Inst::LogicOf { op: Logic::And, to, left: word, value: 1 });
            word = to;
        }
        // Differences and selections take either form; the first to ask for it is whom it is for.
        let inverted = self.wanted_inverted(f);
        self.from_word(f, word, inverted);
        Ok(())
    }

    /// Is the word 0 or 1, by what computes it?
    fn is_bit(&self, x: Id) -> bool {
        let maker = self.graph.nodes.iter().find(|node| node.results[0] == x);
        maker.is_some_and(|node| match node.op {
            Operation::WordOfFlag | Operation::Shr(63) => true,
            Operation::And => node.args[..2].iter().any(|v| self.graph.constant(*v) == Some(1)),
            _ => false,
        })
    }

    /// Do differences alone want the flag as a carry?
    fn wanted_inverted(&self, f: Id) -> bool {
        let mut takers = self.graph.nodes.iter().filter(|node| node.is_sum() && node.args[2] == f).peekable();
        takers.peek().is_some() && takers.all(|node| node.op == Operation::Sub)
    }

    pub(super) fn select(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [f, x, y] = node.args;
        let inverted = self.condition(f)?;
        let (left, right) = (self.operand(x)?, self.operand(y)?);
        let to = self.result(node);
        self.code.push(Inst::Select { chosen: Chosen::AsIs, to, left, right, carry: !inverted });
        Ok(())
    }
}

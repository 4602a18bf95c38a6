//! The stack pointer, and what it leaves and opens. **Trusted.**

use std::collections::BTreeMap;

use super::{Content, Fault, MOST_STACK, Machine, RED_ZONE};
use crate::x86_64::program::{Gpr, Inst, Operand};

impl Machine<'_> {
    /// `and rsp, -64`: from here to what `rsp` has left, or to the words that were pushed before, is the function's
    /// own, from a multiple of 64 on, and nothing else of the stack is until `rsp` comes back from a register. Those
    /// words stay what they are.
    pub(super) fn opens_frame(&mut self, inst: &Inst) -> Result<bool, Fault> {
        let [Some(Operand::Register(Gpr::Rsp)), Some(Operand::Immediate(mask)), None] = inst.operands else {
            return Ok(false);
        };
        if mask != -64 || inst.bits != 64 {
            return Err(Fault::Stack);
        }
        let top = self.top()?;
        self.stack = self.stack.split_off(&top);
        self.frame_bytes = self.stack.keys().next().map_or(0, |lowest| lowest.min(&0) - top);
        self.frame_number += 1;
        self.frame.iter_mut().for_each(BTreeMap::clear);
        self.registers[Gpr::Rsp.number() as usize] = Content::Frame(self.frame_number, 0);
        (self.carry, self.overflow, self.zero) = (None, None, None);
        Ok(true)
    }

    pub(super) fn set(&mut self, r: Gpr, content: Content) -> Result<(), Fault> {
        self.registers[r.number() as usize] = content;
        if r != Gpr::Rsp {
            return Ok(());
        }
        self.frame.iter_mut().for_each(BTreeMap::clear);
        self.frame_bytes = 0;
        let Content::Stack(top) = content else { return Err(Fault::Stack) };
        if top % 8 != 0 || !(-MOST_STACK..=8).contains(&top) {
            return Err(Fault::Stack);
        }
        self.lowest = self.lowest.min(top);
        // What is below the red zone may be overwritten by a signal at any time.
        self.stack = self.stack.split_off(&(top - RED_ZONE));
        Ok(())
    }

    pub(super) fn top(&self) -> Result<i64, Fault> {
        match self.registers[Gpr::Rsp.number() as usize] {
            Content::Stack(top) => Ok(top),
            _ => Err(Fault::Stack),
        }
    }

    pub(super) fn push(&mut self, content: Content) -> Result<(), Fault> {
        let top = self.top()? - 8;
        self.set(Gpr::Rsp, Content::Stack(top))?;
        self.store_slot(top, content)
    }

    pub(super) fn pop(&mut self) -> Result<Content, Fault> {
        let top = self.top()?;
        let content = self.load_slot(top)?;
        self.set(Gpr::Rsp, Content::Stack(top + 8))?;
        Ok(content)
    }
}

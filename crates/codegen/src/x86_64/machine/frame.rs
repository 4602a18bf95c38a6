//! The aligned part of the stack, in which vectors lie. **Trusted.**

use std::collections::BTreeMap;

use super::{Fault, Machine, Word};
use crate::x86_64::instruction::{Gpr, Inst, Operand};

impl Machine<'_> {
    /// What the vector there holds in one of the lanes of 64 bits that are followed.
    pub(super) fn frame_word(&mut self, number: u64, at: i64, lane: usize) -> Result<Word, Fault> {
        if number != self.own.frame_number {
            return Err(Fault::Stack);
        }
        let held = self.own.frame[lane].get(&at).copied().ok_or(Fault::Undefined("stack slot"))?;
        self.part_of(held.0, 64, 0)
    }

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
        self.own.frame_number += 1;
        self.own.frame_bytes = self.open_frame(self.own.frame_number)?;
        self.own.frame.iter_mut().for_each(BTreeMap::clear);
        (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
        Ok(true)
    }
}

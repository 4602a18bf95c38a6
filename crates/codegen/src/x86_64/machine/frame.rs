//! The aligned part of the stack, in which vectors lie. **Trusted.**

use std::collections::BTreeMap;

use super::{Fault, Machine};
use crate::x86_64::instruction::{Gpr, Inst, Operand};

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
        self.own.frame_number += 1;
        self.own.frame_bytes = self.open_frame(self.own.frame_number)?;
        self.own.frame.iter_mut().for_each(BTreeMap::clear);
        (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
        Ok(true)
    }
}

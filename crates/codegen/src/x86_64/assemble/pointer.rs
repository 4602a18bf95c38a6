//! Addresses that depend on counters, by a few plain instructions.

use super::{Assembler, mov, slot};
use crate::outline::{Pointer, PointerBase};
use crate::x86_64::instruction::{Address, Gpr, Inst, Opcode, Operand};

impl Assembler<'_> {
    /// Puts an address into a register; `rax` and `r10` are lost.
    pub(super) fn pointer(&mut self, to: Gpr, pointer: &Pointer) {
        let target = Operand::Register(to);
        for (i, (counter, bytes)) in pointer.terms.iter().enumerate() {
            let register = Operand::Register(if i == 0 { Gpr::Rax } else { Gpr::R10 });
            self.code.push(mov(register, slot(self.out + counter)));
            match bytes {
                1 => {}
                n if *n > 0 && n.count_ones() == 1 => self
                    .code
                    .push(Inst::new(Opcode::Shl, &[register, Operand::Immediate(i64::from(n.trailing_zeros()))])),
                n => self.code.push(Inst::new(Opcode::Imul, &[register, register, Operand::Immediate(*n)])),
            }
            if i > 0 {
                self.code.push(Inst::new(Opcode::Add, &[Operand::Register(Gpr::Rax), register]));
            }
        }
        let mut bytes = pointer.bytes;
        match pointer.base {
            PointerBase::Through(word) => self.code.push(mov(target, slot(self.out + word))),
            PointerBase::Frame(word) => {
                let at = Address::at(Gpr::Rsp, 8 * (self.out + word) as i32 + bytes as i32);
                bytes = 0;
                self.code.push(Inst::new(Opcode::Lea, &[target, Operand::Memory(at)]));
            }
            PointerBase::Table(number) => {
                let at = Address::constant(self.table(number));
                self.code.push(Inst::new(Opcode::Lea, &[target, Operand::Memory(at)]));
            }
        }
        if !pointer.terms.is_empty() {
            self.code.push(Inst::new(Opcode::Add, &[target, Operand::Register(Gpr::Rax)]));
        }
        if bytes != 0 {
            self.code.push(Inst::new(Opcode::Add, &[target, Operand::Immediate(bytes)]));
        }
    }
}

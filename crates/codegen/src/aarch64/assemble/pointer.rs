//! Addresses that depend on counters, by a few plain instructions.

use super::{Assembler, FIRST, SECOND, load, set};
use crate::aarch64::instruction::{Gpr, Half, Inst, Shift, Shifted, Sum};
use crate::outline::{Pointer, PointerBase};

impl Assembler<'_> {
    /// Puts an address into a register; the two that are free between parts are lost.
    pub(super) fn pointer(&mut self, to: Gpr, pointer: &Pointer) {
        let mut bytes = pointer.bytes;
        match pointer.base {
            PointerBase::Through(word) => self.code.push(load(to, self.out + word)),
            PointerBase::Frame(word) => {
                self.code.push(Inst::SumOf { op: Sum::Add, to, left: Gpr::SP, value: 0, high: false });
                bytes += 8 * i64::from(self.out + word);
            }
            // (Nothing asks for tables here.)
            PointerBase::Table(_) => {}
        }
        for (counter, unit) in &pointer.terms {
            self.code.push(load(FIRST, self.out + counter));
            if *unit > 0 && unit.count_ones() == 1 {
                let amount = unit.trailing_zeros() as u8;
                let right = Shifted { register: FIRST, shift: Shift::Left, amount };
                self.code.push(Inst::sum(Sum::Add, to, to, right));
            } else {
                self.code.extend(set(SECOND, *unit as u64));
                self.code.push(Inst::Product { half: Half::Low, to: FIRST, left: FIRST, right: SECOND });
                self.code.push(Inst::sum(Sum::Add, to, to, FIRST));
            }
        }
        if bytes != 0 {
            self.code.extend(set(FIRST, bytes as u64));
            self.code.push(Inst::sum(Sum::Add, to, to, FIRST));
        }
    }
}

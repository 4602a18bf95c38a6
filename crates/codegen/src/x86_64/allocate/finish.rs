//! The end of a function: saved registers come back, the stack gets its frame. Of a segment: its slots go to where they
//! are in the frame.

use super::{Allocated, Allocator, NO_SLOT, Setting};
use crate::x86_64::instruction::{Address, Base, Gpr, Inst, Opcode, Operand};

/// Words below the stack pointer that a function may use without moving it.
const RED_ZONE_WORDS: u32 = 16;

impl Allocator<'_> {
    pub(super) fn finish(&mut self) -> Allocated {
        if let Setting::Segment { spills, .. } = self.setting {
            let mut code = self.code.clone();
            code.iter_mut().for_each(|inst| move_spills(inst, spills));
            return Allocated { code, constants: self.constants.clone(), slots: self.slots };
        }
        let saved = self.graph.values.len() + self.graph.params.len();
        let mut restores: Vec<(usize, Inst)> = Vec::new();
        for (i, r) in Gpr::SAVED.iter().enumerate() {
            let slot = self.slot_of[saved + i];
            if slot != NO_SLOT {
                let last = self.code.iter().rposition(|inst| inst.mentions(*r)).map_or(0, |at| at + 1);
                restores.push((
                    last,
                    Inst::new(Opcode::Mov, &[Operand::Register(*r), Operand::Memory(Address::at(Gpr::Rsp, slot))]),
                ));
            }
        }
        restores.sort_by_key(|(at, _)| *at);
        // Beyond the red zone the stack pointer moves, by no more than what the red zone does not hold.
        let frame = 8 * self.slots.saturating_sub(RED_ZONE_WORDS) as i32;
        let mut code = Vec::with_capacity(self.code.len() + restores.len() + 3);
        let move_stack = |op| Inst::new(op, &[Operand::Register(Gpr::Rsp), Operand::Immediate(i64::from(frame))]);
        if frame > 0 {
            code.push(move_stack(Opcode::Sub));
        }
        let mut pending = restores.into_iter().peekable();
        for (i, inst) in self.code.iter().enumerate() {
            while let Some((_, restore)) = pending.next_if(|(at, _)| *at == i) {
                code.push(restore);
            }
            code.push(*inst);
        }
        code.extend(pending.map(|(_, restore)| restore));
        if frame > 0 {
            code[1..].iter_mut().for_each(|inst| move_frame(inst, frame));
            code.push(move_stack(Opcode::Add));
        }
        code.push(Inst::new(Opcode::Return, &[]));
        Allocated { code, constants: self.constants.clone(), slots: self.slots }
    }
}

/// Slots of a segment, which are below `rsp` while it is written, go to their place in the frame.
fn move_spills(inst: &mut Inst, spills: i32) {
    for operand in inst.operands.iter_mut().flatten() {
        if let Operand::Memory(a) = operand
            && a.base == Base::Register(Gpr::Rsp)
            && a.displacement < 0
        {
            a.displacement = spills - 8 - a.displacement;
        }
    }
}

fn move_frame(inst: &mut Inst, frame: i32) {
    for operand in inst.operands.iter_mut().flatten() {
        if let Operand::Memory(a) = operand
            && a.base == Base::Register(Gpr::Rsp)
        {
            a.displacement += frame;
        }
    }
}

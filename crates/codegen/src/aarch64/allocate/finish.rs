//! The end of a function: saved registers come back, the stack gets its frame. Of a segment: its slots go to where they
//! are in the frame.
//!
//! A frame is, from the stack pointer up: saved registers, slots. The first pair of registers is stored and loaded by
//! instructions that move the stack pointer.

use super::pairs::join_stores;
use super::registers::{add_constant, subtract_constant};
use super::{Allocated, Allocator, SAVED, Setting};
use crate::aarch64::instruction::{Address, Gpr, Inst};

/// The greatest frame that a pair of registers opens, and closes.
const PUSHED: u32 = 496;

impl Allocator<'_> {
    pub(super) fn finish(&mut self) -> Allocated {
        let mut code = std::mem::take(&mut self.code);
        let saved = match self.setting {
            Setting::Function => saved(code.iter()),
            _ => Vec::new(),
        };
        let below = 8 * saved.len() as u32;
        let frame = (below + 8 * self.slots).next_multiple_of(16);
        // Slots lie below 0 while code is written, and what the caller put on the stack from there on.
        let (slots, callers) = match self.setting {
            Setting::Segment { spills, .. } => (spills, 0),
            _ => (below as i32, frame as i32),
        };
        code.iter_mut().for_each(|inst| move_slots(inst, slots, callers));
        let code = join_stores(code);
        let constants = self.constants.clone();
        let slots = self.slots;
        if matches!(self.setting, Setting::Segment { .. }) {
            return Allocated { code, constants, slots, frame: 0 };
        }
        let mut whole = open(&saved, frame);
        whole.extend(code);
        whole.extend(close(&saved, frame));
        whole.push(Inst::Return);
        Allocated { code: whole, constants, slots, frame }
    }
}

/// The registers that code uses and a function must save, an even number: the return address is saved where one is left
/// over.
pub(crate) fn saved<'c>(code: impl Iterator<Item = &'c Inst> + Clone) -> Vec<Gpr> {
    let used = |r: &Gpr| code.clone().any(|inst| inst.mentions(*r));
    let mut saved: Vec<Gpr> = SAVED.iter().map(|n| Gpr::x(*n)).filter(used).collect();
    if saved.len() % 2 == 1 {
        saved.push(Gpr::LINK);
    }
    saved
}

fn move_slots(inst: &mut Inst, slots: i32, callers: i32) {
    let (Inst::Load { address, .. } | Inst::Store { address, .. }) = inst else { return };
    if address.base == Gpr::SP {
        address.offset = if address.offset < 0 { slots - 8 - address.offset } else { address.offset + callers };
    }
}

fn pairs(saved: &[Gpr]) -> impl DoubleEndedIterator<Item = (Gpr, Gpr, Address)> + ExactSizeIterator + '_ {
    let (pairs, _) = saved.as_chunks::<2>();
    pairs
        .iter()
        .enumerate()
        .map(|(i, [first, second])| (*first, *second, Address { base: Gpr::SP, offset: 16 * i as i32 }))
}

/// Makes the frame, and saves pairs of registers at its lower end.
pub(crate) fn open(saved: &[Gpr], frame: u32) -> Vec<Inst> {
    let mut code = Vec::new();
    let pushed = usize::from(!saved.is_empty() && frame <= PUSHED);
    if pushed == 1 {
        code.push(Inst::Push { first: saved[0], second: saved[1], bytes: frame as u16 });
    } else if frame > 0 {
        code.extend(subtract_constant(Gpr::SP, Gpr::SP, frame.into()));
    }
    code.extend(pairs(saved).skip(pushed).map(|(first, second, address)| Inst::StorePair { first, second, address }));
    code
}

/// Takes all that back.
pub(crate) fn close(saved: &[Gpr], frame: u32) -> Vec<Inst> {
    let pushed = usize::from(!saved.is_empty() && frame <= PUSHED);
    let mut code: Vec<Inst> = pairs(saved)
        .skip(pushed)
        .rev()
        .map(|(first, second, address)| Inst::LoadPair { first, second, address })
        .collect();
    if pushed == 1 {
        code.push(Inst::Pop { first: saved[0], second: saved[1], bytes: frame as u16 });
    } else if frame > 0 {
        code.extend(add_constant(Gpr::SP, Gpr::SP, frame.into()));
    }
    code
}

//! What the carry and the overflow flag hold, flags that wait in registers, and conditional moves.

use super::{Allocator, FlagState, Infeasible, NEVER, NO_SLOT, Why};
use crate::graph::{Id, NONE, Node};
use crate::x86_64::instruction::{Condition, Gpr, Inst, Opcode, Operand};

impl Allocator<'_> {
    /// The flag that somebody after this node wants.
    pub(super) fn live(&mut self, state: FlagState) -> Option<Id> {
        match state {
            FlagState::Holds(f) if self.next_use(f) != NEVER => Some(f),
            _ => None,
        }
    }

    pub(super) fn carry_is_live(&mut self) -> bool {
        self.live(self.carry).is_some()
    }

    pub(super) fn overflow_is_live(&mut self) -> bool {
        self.live(self.overflow).is_some()
    }

    pub(super) fn any_live(&mut self) -> bool {
        self.carry_is_live() || self.overflow_is_live()
    }

    /// Before an instruction that destroys both flags: what later nodes want of them goes to registers.
    pub(super) fn protect(&mut self) -> Result<(), Infeasible> {
        self.protect_carry()?;
        self.protect_overflow()
    }

    pub(super) fn protect_carry(&mut self) -> Result<(), Infeasible> {
        match self.live(self.carry) {
            Some(f) => self.save(f, Condition::Carry),
            None => Ok(()),
        }
    }

    pub(super) fn protect_overflow(&mut self) -> Result<(), Infeasible> {
        match self.live(self.overflow) {
            Some(f) => self.save(f, Condition::Overflow),
            None => Ok(()),
        }
    }

    fn save(&mut self, f: Id, condition: Condition) -> Result<(), Infeasible> {
        if self.register(f).is_some() || self.slot_of[f as usize] != NO_SLOT {
            return Ok(());
        }
        if self.strict {
            return self.fail(Why::LiveFlag);
        }
        let r = self.alloc();
        self.load_constant(r, 0);
        self.code.push(Inst::sized(Opcode::Set(condition), 8, &[Operand::Register(r)]));
        self.define(f, r);
        Ok(())
    }

    /// Brings a flag to the carry flag, from wherever it is. The overflow flag may be lost.
    pub(super) fn to_carry(&mut self, f: Id) -> Result<(), Infeasible> {
        if self.carry == FlagState::Holds(f) {
            return Ok(());
        }
        if self.overflow == FlagState::Holds(f) {
            self.save(f, Condition::Overflow)?;
        }
        if self.register(f).is_none() && self.slot_of[f as usize] == NO_SLOT {
            return self.fail(Why::Undefined);
        }
        self.protect()?;
        let saved = self.place(f)?;
        self.inst(Opcode::BitTest, &[saved, Operand::Immediate(0)]);
        self.carry = FlagState::Holds(f);
        self.overflow = FlagState::Garbage;
        Ok(())
    }

    /// Makes both flags 0; what they held is not wanted any more.
    pub(super) fn clear_both(&mut self) {
        let values = self.graph.values.len();
        let (r, _) = self.victim();
        if self.in_reg[r as usize] == NONE || self.in_reg[r as usize] as usize >= values {
            // Free, or what it holds is the caller's and wanted last. The idiom takes no port and waits for nothing.
            self.evict(r);
            self.code.push(Inst::sized(Opcode::Xor, 32, &[Operand::Register(r), Operand::Register(r)]));
        } else {
            // A register that holds a value of the kernel: saved registers and pointers are nobody's to compute with. The
            // instruction waits for the value, so one that has been there for long.
            let holds = |r: &Gpr| (self.in_reg[*r as usize] as usize) < values;
            let oldest = self.pool.iter().copied().filter(holds).min_by_key(|r| self.since[*r as usize]);
            let oldest = Operand::Register(oldest.unwrap_or(Gpr::Rax));
            self.inst(Opcode::Test, &[oldest, oldest]);
        }
        self.carry = FlagState::Zero;
        self.overflow = FlagState::Zero;
    }

    /// The condition under which the flag is set, once it is in the processor's flags.
    fn condition(&mut self, f: Id) -> Result<Condition, Infeasible> {
        if self.overflow == FlagState::Holds(f) && self.carry != FlagState::Holds(f) {
            return Ok(Condition::Overflow);
        }
        self.to_carry(f)?;
        Ok(Condition::Carry)
    }

    pub(super) fn word_of_flag(&mut self, node: &Node) -> Result<(), Infeasible> {
        let (f, r) = (node.args[0], node.results[0]);
        if self.register(f).is_some() || self.slot_of[f as usize] != NO_SLOT {
            let d = self.own(f)?;
            self.define(r, d);
            return Ok(());
        }
        let condition = self.condition(f)?;
        let d = self.alloc();
        self.load_constant(d, 0);
        if condition == Condition::Carry && self.dies(f) && !self.overflow_is_live() {
            self.inst(Opcode::Adc, &[Operand::Register(d), Operand::Register(d)]);
            self.carry = FlagState::Zero;
            self.overflow = FlagState::Garbage;
        } else {
            self.code.push(Inst::sized(Opcode::Set(condition), 8, &[Operand::Register(d)]));
        }
        self.define(r, d);
        Ok(())
    }

    pub(super) fn mask_of_flag(&mut self, node: &Node) -> Result<(), Infeasible> {
        let (f, r) = (node.args[0], node.results[0]);
        if self.overflow == FlagState::Holds(f) {
            self.save(f, Condition::Overflow)?;
        }
        self.to_carry(f)?;
        self.protect_overflow()?;
        let d = self.alloc();
        // The carry stays what it was.
        self.inst(Opcode::Sbb, &[Operand::Register(d), Operand::Register(d)]);
        self.overflow = FlagState::Garbage;
        self.define(r, d);
        Ok(())
    }

    pub(super) fn flag_of_word(&mut self, node: &Node) -> Result<(), Infeasible> {
        self.protect()?;
        let (x, f) = (node.args[0], node.results[0]);
        let place = match self.graph.constant(x) {
            Some(_) => Operand::Register(self.to_register(x)?),
            None => self.place(x)?,
        };
        self.inst(Opcode::BitTest, &[place, Operand::Immediate(0)]);
        self.carry = FlagState::Holds(f);
        self.overflow = FlagState::Garbage;
        Ok(())
    }

    pub(super) fn select(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [f, x, y] = node.args;
        let condition = self.condition(f)?;
        let ends = |s: &mut Self, v: Id| s.register(v).is_some() && s.dies(v);
        let (d, other, condition) = if !ends(self, y) && ends(self, x) {
            let d = self.own(x)?;
            (d, self.place(y)?, opposite(condition))
        } else {
            let d = self.own(y)?;
            (d, self.place(x)?, condition)
        };
        self.inst(Opcode::Cmov(condition), &[Operand::Register(d), other]);
        self.define(node.results[0], d);
        Ok(())
    }
}

fn opposite(condition: Condition) -> Condition {
    match condition {
        Condition::Carry => Condition::NotCarry,
        Condition::NotCarry => Condition::Carry,
        Condition::Overflow => Condition::NotOverflow,
        Condition::NotOverflow => Condition::Overflow,
        Condition::Zero => Condition::NotZero,
        Condition::NotZero => Condition::Zero,
    }
}

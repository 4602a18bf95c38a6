//! Bitwise operations, shifts, stores.

use super::{Allocator, FlagState, Infeasible};
use crate::graph::{Id, Node};
use crate::x86_64::instruction::{Address, Base, Inst, Opcode, Operand};

impl Allocator<'_> {
    fn flags_are(&mut self, state: FlagState) {
        self.carry = state;
        self.overflow = state;
    }

    pub(super) fn bitwise(&mut self, op: Opcode, node: &Node) -> Result<(), Infeasible> {
        self.protect()?;
        let (d, other) = self.destination(node.args[0], node.args[1], true, false)?;
        self.inst(op, &[Operand::Register(d), other]);
        self.flags_are(FlagState::ZeroAfter);
        self.finish_word(node, d)
    }

    pub(super) fn and_not(&mut self, node: &Node) -> Result<(), Infeasible> {
        self.protect()?;
        let [x, y, _] = node.args;
        if self.features.bmi2 {
            let inverted = self.to_register(y)?;
            let kept = self.place(x)?;
            self.unlock_dying(&[x, y]);
            let d = self.alloc();
            self.inst(Opcode::Andn, &[Operand::Register(d), Operand::Register(inverted), kept]);
            self.flags_are(FlagState::ZeroAfter);
            return self.finish_word(node, d);
        }
        let d = self.own(y)?;
        self.inst(Opcode::Not, &[Operand::Register(d)]);
        let other = self.operand(x)?;
        self.inst(Opcode::And, &[Operand::Register(d), other]);
        self.flags_are(FlagState::ZeroAfter);
        self.finish_word(node, d)
    }

    pub(super) fn complement(&mut self, node: &Node) -> Result<(), Infeasible> {
        let d = self.own(node.args[0])?;
        self.inst(Opcode::Not, &[Operand::Register(d)]);
        self.finish_word(node, d)
    }

    pub(super) fn copy_of(&mut self, node: &Node) -> Result<(), Infeasible> {
        let d = self.own(node.args[0])?;
        self.finish_word(node, d)
    }

    pub(super) fn shift(&mut self, op: Opcode, k: u8, node: &Node) -> Result<(), Infeasible> {
        let x = node.args[0];
        let amount = |k: u8| Operand::Immediate(i64::from(k));
        let ends = self.register(x).is_some() && self.dies(x);
        if op == Opcode::Rol && self.features.bmi2 && !ends {
            let source = self.place(x)?;
            let d = self.alloc();
            self.inst(Opcode::Rorx, &[Operand::Register(d), source, amount(64 - k)]);
            return self.finish_word(node, d);
        }
        if self.any_live() {
            if op == Opcode::Shl && k == 1 {
                let base = self.to_register(x)?;
                self.unlock_dying(&[x]);
                let d = self.alloc();
                let twice = Address { base: Base::Register(base), index: Some((base, 1)), displacement: 0 };
                self.inst(Opcode::Lea, &[Operand::Register(d), Operand::Memory(twice)]);
                return self.finish_word(node, d);
            }
            // `sarx` is not on the list of instructions whose time does not depend on data.
            if self.features.bmi2 && op != Opcode::Sar {
                let d = self.leave_flags(op, k, x)?;
                return self.finish_word(node, d);
            }
        }
        self.protect()?;
        let d = self.own(x)?;
        self.inst(op, &[Operand::Register(d), amount(k)]);
        self.flags_are(FlagState::Garbage);
        self.finish_word(node, d)
    }

    /// A shift that leaves the flags; its amount comes from a register.
    pub(super) fn leave_flags(
        &mut self,
        op: Opcode,
        k: u8,
        x: Id,
    ) -> Result<crate::x86_64::instruction::Gpr, Infeasible> {
        let source = self.place(x)?;
        if op == Opcode::Rol {
            self.unlock_dying(&[x]);
            let d = self.alloc();
            self.inst(Opcode::Rorx, &[Operand::Register(d), source, Operand::Immediate(64 - i64::from(k))]);
            return Ok(d);
        }
        let op = if op == Opcode::Shl { Opcode::Shlx } else { Opcode::Shrx };
        let d = self.alloc();
        self.load_constant(d, u64::from(k));
        self.inst(op, &[Operand::Register(d), source, Operand::Register(d)]);
        Ok(d)
    }

    pub(super) fn funnel(&mut self, k: u8, node: &Node) -> Result<(), Infeasible> {
        self.protect()?;
        let [high, low, _] = node.args;
        let ends = |s: &mut Self, v: Id| s.register(v).is_some() && s.dies(v);
        let upward = ends(self, high) || !ends(self, low);
        let (from, other, op, k) =
            if upward { (high, low, Opcode::Shld, 64 - k) } else { (low, high, Opcode::Shrd, k) };
        let d = self.own(from)?;
        let other = self.to_register(other)?;
        self.inst(op, &[Operand::Register(d), Operand::Register(other), Operand::Immediate(i64::from(k))]);
        self.flags_are(FlagState::Garbage);
        self.finish_word(node, d)
    }

    /// [`Allocator::funnel`] by a shift of each word, and their union.
    pub(super) fn funnel_apart(&mut self, k: u8, node: &Node) -> Result<(), Infeasible> {
        let [high, low, _] = node.args;
        if high == low {
            return self.funnel(k, node);
        }
        self.protect()?;
        let [d, above] = [low, high].map(|v| self.own(v));
        let (d, above) = (d?, above?);
        for (op, r, k) in [(Opcode::Shr, d, k), (Opcode::Shl, above, 64 - k)] {
            self.inst(op, &[Operand::Register(r), Operand::Immediate(i64::from(k))]);
        }
        self.inst(Opcode::Or, &[Operand::Register(d), Operand::Register(above)]);
        self.flags_are(FlagState::ZeroAfter);
        self.finish_word(node, d)
    }

    pub(super) fn store(&mut self, node: &Node, param: u16, index: u32) -> Result<(), Infeasible> {
        let x = node.args[0];
        let bytes = self.graph.element_bytes(param);
        let word = match self.graph.constant(x) {
            Some(c) if self.register(x).is_none() && bytes == 8 && i32::try_from(c as i64).is_ok() => {
                Operand::Immediate(c as i64)
            }
            _ => Operand::Register(self.to_register(x)?),
        };
        let address = self.element(param, index)?;
        self.code.push(Inst::sized(Opcode::Mov, 8 * bytes as u8, &[Operand::Memory(address), word]));
        Ok(())
    }
}

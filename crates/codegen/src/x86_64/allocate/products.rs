//! Products: `mulx` with one operand in rdx, or `mul` with one in rax where there is no `mulx`; low products by `imul`.

use super::{Allocator, FlagState, Infeasible, NEVER};
use crate::graph::{Id, NONE, Node};
use crate::x86_64::instruction::{Gpr, Opcode, Operand};

impl Allocator<'_> {
    fn is_in(&self, v: Id, r: Gpr) -> bool {
        self.register(v) == Some(r) || r == Gpr::Rdx && self.copy == v
    }

    /// The operand for rdx, and the other one.
    fn multiplicand(&mut self, x: Id, y: Id, swapped: bool) -> (Id, Id) {
        for (m, o) in [(x, y), (y, x)] {
            if self.is_in(m, Gpr::Rdx) {
                return (m, o);
            }
        }
        let next = self.next_product[self.at as usize];
        let shared = |s: &mut Self, v: Id| next != NEVER && s.next_use(v) == next;
        // One that the next product wants too; else one in a register, which costs nothing to move, while the other may
        // stay in memory.
        let first = match (shared(self, x), shared(self, y)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.register(x).is_some() || self.register(y).is_none(),
        };
        if first != swapped { (x, y) } else { (y, x) }
    }

    /// Puts a value into rdx beside its other places.
    fn to_rdx(&mut self, m: Id) -> Result<(), Infeasible> {
        if !self.is_in(m, Gpr::Rdx) {
            self.vacate(Gpr::Rdx);
            self.load(Gpr::Rdx, m)?;
            self.copy = m;
        }
        self.lock(Gpr::Rdx);
        Ok(())
    }

    pub(super) fn product(&mut self, node: &Node, swapped: bool) -> Result<(), Infeasible> {
        let [x, y, _] = node.args;
        let [low, high] = node.results;
        if !self.features.bmi2 {
            return self.old_product(x, y, low, high);
        }
        if let Some((x, k)) = self.graph.shift_of(node).filter(|_| swapped) {
            return self.by_shifts(x, k, [low, high]);
        }
        let (m, other) = self.multiplicand(x, y, swapped);
        self.mulx(m, other, low, high)
    }

    /// A product with 2^k by two shifts, which leave the flags.
    fn by_shifts(&mut self, x: Id, k: u8, [low, high]: [Id; 2]) -> Result<(), Infeasible> {
        for (v, op, k) in [(low, Opcode::Shl, k), (high, Opcode::Shr, 64 - k)] {
            if v != NONE {
                let d = self.leave_flags(op, k, x)?;
                self.define(v, d);
            }
        }
        Ok(())
    }

    fn mulx(&mut self, m: Id, other: Id, low: Id, high: Id) -> Result<(), Infeasible> {
        self.to_rdx(m)?;
        let source = if m == other { Operand::Register(Gpr::Rdx) } else { self.place(other)? };
        self.unlock_dying(&[m, other]);
        let h = self.alloc();
        // With the same register twice, the high word stays.
        let l = if low == NONE { h } else { self.alloc() };
        self.inst(Opcode::Mulx, &[Operand::Register(h), Operand::Register(l), source]);
        for (v, r) in [(low, l), (high, h)] {
            if v != NONE {
                self.define(v, r);
            }
        }
        Ok(())
    }

    fn old_product(&mut self, x: Id, y: Id, low: Id, high: Id) -> Result<(), Infeasible> {
        self.protect()?;
        let (x, y) = if self.is_in(y, Gpr::Rax) && !self.is_in(x, Gpr::Rax) { (y, x) } else { (x, y) };
        self.lock(Gpr::Rax);
        self.lock(Gpr::Rdx);
        // rax gets x, rdx is overwritten: what else they hold moves away. A copy of the dying y may stay in rdx, which
        // is read first.
        let keeps_x = self.is_in(x, Gpr::Rax);
        if !keeps_x || !self.dies(x) {
            self.vacate(Gpr::Rax);
        }
        if !(self.is_in(y, Gpr::Rdx) && self.dies(y)) {
            self.vacate(Gpr::Rdx);
        }
        if !keeps_x {
            self.load(Gpr::Rax, x)?;
        }
        let source = if x == y { Operand::Register(Gpr::Rax) } else { self.place(y)? };
        self.inst(Opcode::Mul, &[source]);
        self.carry = FlagState::Garbage;
        self.overflow = FlagState::Garbage;
        for r in [Gpr::Rax, Gpr::Rdx] {
            let v = self.in_reg[r as usize];
            if v != NONE {
                self.reg_of[v as usize] = super::NOWHERE;
                self.in_reg[r as usize] = NONE;
            }
        }
        for (v, r) in [(low, Gpr::Rax), (high, Gpr::Rdx)] {
            if v != NONE {
                self.define(v, r);
            }
        }
        Ok(())
    }

    pub(super) fn low_product(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [x, y, _] = node.args;
        let low = node.results[0];
        if self.features.bmi2 && self.any_live() {
            let (m, other) = self.multiplicand(x, y, false);
            self.to_rdx(m)?;
            let source = if m == other { Operand::Register(Gpr::Rdx) } else { self.place(other)? };
            self.unlock_dying(&[m, other]);
            let (l, h) = (self.alloc(), self.alloc());
            self.inst(Opcode::Mulx, &[Operand::Register(h), Operand::Register(l), source]);
            self.define(low, l);
            return Ok(());
        }
        self.protect()?;
        self.carry = FlagState::Garbage;
        self.overflow = FlagState::Garbage;
        let (x, y) = if self.graph.constant(x).is_some() { (y, x) } else { (x, y) };
        // A quotient that the next product takes as multiplicand is computed where that wants it.
        let next = self.next_use(low);
        let into_rdx = self.features.bmi2 && next != NEVER && next == self.next_product[self.at as usize];
        let immediate =
            self.graph.constant(y).and_then(|c| i32::try_from(c as i64).ok()).filter(|_| self.register(y).is_none());
        if let Some(c) = immediate {
            let source = self.place(x)?;
            // What leaves rdx must not go where x still is.
            let free = into_rdx && !self.rdx_is_needed(x);
            if free {
                self.vacate(Gpr::Rdx);
            }
            self.unlock_dying(&[x]);
            let d = if free { Gpr::Rdx } else { self.alloc() };
            self.inst(Opcode::Imul, &[Operand::Register(d), source, Operand::Immediate(i64::from(c))]);
            self.define(low, d);
            return Ok(());
        }
        if into_rdx {
            return self.low_product_in_rdx(low, x, y);
        }
        let (d, other) = self.destination(x, y, true, true)?;
        self.inst(Opcode::Imul, &[Operand::Register(d), other]);
        self.define(low, d);
        Ok(())
    }

    /// The low word of a product of two words that lie somewhere, in rdx.
    fn low_product_in_rdx(&mut self, low: Id, x: Id, y: Id) -> Result<(), Infeasible> {
        let (x, y) = if self.is_in(y, Gpr::Rdx) || self.register(x).is_none() && self.register(y).is_some() {
            (y, x)
        } else {
            (x, y)
        };
        if self.register(x) == Some(Gpr::Rdx) {
            if self.dies(x) {
                self.take(x);
            } else {
                // x goes on living elsewhere; rdx keeps its bits.
                self.vacate(Gpr::Rdx);
            }
        } else {
            self.vacate(Gpr::Rdx);
            self.load(Gpr::Rdx, x)?;
        }
        self.copy = NONE;
        let source = if x == y { Operand::Register(Gpr::Rdx) } else { self.place(y)? };
        self.inst(Opcode::Imul, &[Operand::Register(Gpr::Rdx), source]);
        self.define(low, Gpr::Rdx);
        Ok(())
    }

    /// Does rdx hold the only register copy of an operand of this node?
    fn rdx_is_needed(&self, x: Id) -> bool {
        self.is_in(x, Gpr::Rdx)
    }
}

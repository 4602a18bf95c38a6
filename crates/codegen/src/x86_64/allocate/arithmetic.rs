//! Sums and differences: links of chains, starts of chains, and plain ones that nobody wants a carry of.

use super::{Allocator, FlagState, Infeasible};
use crate::graph::{Id, NONE, Node};
use crate::schedule::lists::{IN_OVERFLOW, KEEPS_OVERFLOW};
use crate::x86_64::instruction::{Address, Base, Gpr, Opcode, Operand};

/// The result's register, or nothing when nobody wants the result.
fn result(node: &Node) -> Option<Id> {
    (node.results[0] != NONE).then_some(node.results[0])
}

impl Allocator<'_> {
    /// What the flag holds after a sum or difference.
    fn carry_of(node: &Node) -> FlagState {
        match node.results[1] {
            _ if node.no_carry => FlagState::ZeroAfter,
            NONE => FlagState::Garbage,
            c => FlagState::Holds(c),
        }
    }

    pub(super) fn sum(&mut self, node: &Node, style: u8) -> Result<(), Infeasible> {
        let [x, y, carry] = node.args;
        let wanted = node.results[1] != NONE && !node.no_carry;
        if carry == NONE && !wanted {
            return self.plain_sum(node);
        }
        let adx = self.features.adx;
        let mut op = Opcode::Adc;
        if carry == NONE {
            op = self.start(style)?;
        } else if adx && self.overflow == FlagState::Holds(carry) {
            op = Opcode::Adox;
        } else {
            self.to_carry(carry)?;
            if adx && (self.overflow_is_live() || style & KEEPS_OVERFLOW != 0 && self.overflow.is_zero()) {
                op = Opcode::Adcx;
            }
        }
        // What the instruction destroys beside the flag that it takes.
        match op {
            Opcode::Adcx => self.protect_carry()?,
            Opcode::Adox => self.protect_overflow()?,
            _ => self.protect()?,
        }
        let plain = matches!(op, Opcode::Adcx | Opcode::Adox);
        let (d, other) = self.destination(x, y, true, plain)?;
        self.inst(op, &[Operand::Register(d), other]);
        match op {
            Opcode::Adcx => self.carry = Self::carry_of(node),
            Opcode::Adox => self.overflow = Self::carry_of(node),
            _ => {
                self.carry = Self::carry_of(node);
                self.overflow = FlagState::Garbage;
            }
        }
        if let Some(s) = result(node) {
            self.define(s, d);
        }
        Ok(())
    }

    /// The instruction that starts a chain whose carry is wanted. It does not wait for the chain before: a flag that is 0
    /// only then is cleared once more.
    fn start(&mut self, style: u8) -> Result<Opcode, Infeasible> {
        if !self.features.adx {
            return Ok(Opcode::Add);
        }
        let (carry, overflow) = (self.carry_is_live(), self.overflow_is_live());
        if style & IN_OVERFLOW != 0 && !overflow {
            if self.overflow != FlagState::Zero && !carry {
                self.clear_both();
            }
            if self.overflow.is_zero() {
                return Ok(Opcode::Adox);
            }
        }
        if overflow {
            if !self.carry.is_zero() {
                self.protect_carry()?;
                self.inst(Opcode::ClearCarry, &[]);
                self.carry = FlagState::Zero;
            }
            return Ok(Opcode::Adcx);
        }
        if style & KEEPS_OVERFLOW != 0 {
            // Another chain may begin in the overflow flag while this one runs: it wants 0 there.
            if self.carry != FlagState::Zero || self.overflow != FlagState::Zero {
                self.protect_carry()?;
                self.clear_both();
            }
            return Ok(Opcode::Adcx);
        }
        Ok(Opcode::Add)
    }

    /// A sum without carries: `add` where the flags are free, else `lea`.
    fn plain_sum(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [x, y, _] = node.args;
        let live = self.any_live();
        let ends = |s: &mut Self, v: Id| s.register(v).is_some() && s.dies(v);
        let in_place = ends(self, x) || ends(self, y);
        let both = self.register(x).is_some() && (self.register(y).is_some() || self.short(y).is_some());
        if live || !in_place && both {
            let base = self.to_register(x)?;
            let displacement = self.short(y).filter(|_| self.register(y).is_none());
            let (index, displacement) = match displacement {
                Some(c) => (None, c),
                None => (Some((self.to_register(y)?, 1)), 0),
            };
            self.unlock_dying(&[x, y]);
            let d = self.alloc();
            let address = Address { base: Base::Register(base), index, displacement };
            self.inst(Opcode::Lea, &[Operand::Register(d), Operand::Memory(address)]);
            return self.finish_word(node, d);
        }
        let (d, other) = self.destination(x, y, true, false)?;
        self.inst(Opcode::Add, &[Operand::Register(d), other]);
        self.carry = Self::carry_of(node);
        self.overflow = FlagState::Garbage;
        self.finish_word(node, d)
    }

    pub(super) fn finish_word(&mut self, node: &Node, d: Gpr) -> Result<(), Infeasible> {
        if let Some(r) = result(node) {
            self.define(r, d);
        }
        Ok(())
    }

    /// A constant that an address or an immediate takes.
    fn short(&self, v: Id) -> Option<i32> {
        self.graph.constant(v).and_then(|c| i32::try_from(c as i64).ok())
    }

    /// The start of a chain whose carry is `y ≠ 0` and whose word nobody wants, where another flag waits or is kept: the
    /// carry of y + 2^64 − 1. `false`: a negation gives it as well.
    fn nonzero(&mut self, node: &Node, style: u8) -> Result<bool, Infeasible> {
        let keeps = style & (IN_OVERFLOW | KEEPS_OVERFLOW) != 0 || self.overflow_is_live();
        if !self.features.adx || !keeps || self.carry_is_live() && self.overflow_is_live() {
            return Ok(false);
        }
        let op = self.start(style)?;
        if op == Opcode::Add {
            return Ok(false);
        }
        let d = self.own(node.args[1])?;
        let ones = self.constant(u64::MAX);
        self.inst(op, &[Operand::Register(d), ones]);
        let flag = if op == Opcode::Adcx { &mut self.carry } else { &mut self.overflow };
        *flag = Self::carry_of(node);
        Ok(true)
    }

    pub(super) fn difference(&mut self, node: &Node, style: u8) -> Result<(), Infeasible> {
        let [x, y, borrow] = node.args;
        let wanted = node.results[1] != NONE && !node.no_carry;
        let is_nonzero = wanted && borrow == NONE && result(node).is_none() && self.graph.constant(x) == Some(0);
        if is_nonzero && self.nonzero(node, style)? {
            return Ok(());
        }
        if borrow == NONE && !wanted && self.any_live() {
            // Flags that wait: a constant is subtracted by an address.
            if let Some(c) = self.short(y).and_then(i32::checked_neg) {
                let base = self.to_register(x)?;
                self.unlock_dying(&[x]);
                let d = self.alloc();
                self.inst(Opcode::Lea, &[Operand::Register(d), Operand::Memory(Address::at(base, c))]);
                return self.finish_word(node, d);
            }
        }
        if borrow != NONE {
            self.to_carry(borrow)?;
        }
        self.protect()?;
        if result(node).is_none() && borrow == NONE && self.graph.constant(x).is_none() {
            // Only the borrow is wanted.
            let left = self.place(x)?;
            let right = self.operand(y)?;
            let left = match (left, right) {
                (Operand::Memory(_), Operand::Memory(_)) => Operand::Register(self.to_register(x)?),
                _ => left,
            };
            self.inst(Opcode::Cmp, &[left, right]);
        } else if borrow == NONE && self.graph.constant(x) == Some(0) {
            let d = self.own(y)?;
            self.inst(Opcode::Neg, &[Operand::Register(d)]);
            self.finish_word(node, d)?;
        } else {
            let (d, other) = self.destination(x, y, false, false)?;
            self.inst(if borrow == NONE { Opcode::Sub } else { Opcode::Sbb }, &[Operand::Register(d), other]);
            self.finish_word(node, d)?;
        }
        self.carry = Self::carry_of(node);
        self.overflow = FlagState::Garbage;
        Ok(())
    }
}

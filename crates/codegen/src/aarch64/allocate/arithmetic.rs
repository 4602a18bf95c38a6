//! Sums, differences and products.

use super::{Allocator, Carry, Infeasible};
use crate::aarch64::instruction::{Gpr, Half, Inst, Sum};
use crate::graph::{Id, NONE, Node, Operation};

/// An immediate of a sum, and whether it stands 12 places higher.
fn immediate(c: u64) -> Option<(u16, bool)> {
    match c {
        0..0x1000 => Some((c as u16, false)),
        _ if c & 0xfff == 0 && c >> 12 < 0x1000 => Some(((c >> 12) as u16, true)),
        _ => None,
    }
}

impl Allocator<'_> {
    /// Does somebody want the carry of a sum or difference?
    fn wants_carry(node: &Node) -> bool {
        node.results[1] != NONE && !node.no_carry
    }

    /// The carry after a sum or difference that sets the flags.
    fn flags_of(&mut self, node: &Node, inverted: bool) {
        self.carry = match node.results[1] {
            NONE => Carry::Garbage,
            _ if node.no_carry => Carry::Garbage,
            flag => Carry::Holds { flag, inverted },
        };
    }

    pub(super) fn sum(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [x, y, carry] = node.args;
        let wanted = Self::wants_carry(node);
        // What may be shifted, and constants, stand on the right.
        let (x, y) = if self.folded.get(x).is_some() || self.graph.constant(x).is_some() { (y, x) } else { (x, y) };
        if carry != NONE {
            return self.with_carry(node, [x, y, carry], if wanted { Sum::Adcs } else { Sum::Adc }, false);
        }
        if wanted {
            self.protect()?;
        }
        let ops = if wanted { [Sum::Adds, Sum::Subs] } else { [Sum::Add, Sum::Sub] };
        self.sum_of(node, ops, x, y)?;
        if wanted {
            self.flags_of(node, false);
        }
        Ok(())
    }

    pub(super) fn difference(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [x, y, borrow] = node.args;
        let wanted = Self::wants_carry(node);
        if borrow != NONE {
            return self.with_carry(node, [x, y, borrow], if wanted { Sum::Sbcs } else { Sum::Sbc }, true);
        }
        if wanted {
            self.protect()?;
        }
        let ops = if wanted { [Sum::Subs, Sum::Adds] } else { [Sum::Sub, Sum::Add] };
        self.sum_of(node, ops, x, y)?;
        if wanted {
            self.flags_of(node, true);
        }
        Ok(())
    }

    /// The first operation of x and y. A constant that is small below 0 is taken by the second one: the carry is the
    /// same.
    fn sum_of(&mut self, node: &Node, [op, opposite]: [Sum; 2], x: Id, y: Id) -> Result<(), Infeasible> {
        let c = self.graph.constant(y).filter(|_| self.register(y).is_none());
        let negative = c.filter(|c| *c != 0).and_then(|c| immediate(c.wrapping_neg()));
        match (c.and_then(immediate), negative) {
            (Some(value), _) => self.immediate(node, op, x, value),
            (None, Some(value)) => self.immediate(node, opposite, x, value),
            (None, None) => self.registers(node, op, x, y),
        }
    }

    fn with_carry(&mut self, node: &Node, [x, y, carry]: [Id; 3], op: Sum, inverted: bool) -> Result<(), Infeasible> {
        self.to_carry(carry, inverted)?;
        if op.sets_flags() {
            self.protect()?;
        }
        let (left, right) = (self.operand(x)?, self.operand(y)?);
        let to = self.result(node);
        self.code.push(Inst::sum(op, to, left, right));
        if op.sets_flags() {
            self.flags_of(node, inverted);
        }
        Ok(())
    }

    fn immediate(&mut self, node: &Node, op: Sum, x: Id, (value, high): (u16, bool)) -> Result<(), Infeasible> {
        // The zero register is none of these.
        let left = self.to_register(x)?;
        let to = self.result(node);
        if to != Gpr::ZERO || op.sets_flags() {
            self.code.push(Inst::SumOf { op, to, left, value, high });
        }
        Ok(())
    }

    fn registers(&mut self, node: &Node, op: Sum, x: Id, y: Id) -> Result<(), Infeasible> {
        let (left, right) = (self.operand(x)?, self.right(y)?);
        let to = self.result(node);
        self.code.push(Inst::sum(op, to, left, right));
        Ok(())
    }

    /// A product: those of its words that somebody wants.
    pub(super) fn product(&mut self, node: &Node) -> Result<(), Infeasible> {
        let (left, right) = (self.operand(node.args[0])?, self.operand(node.args[1])?);
        let [low, high] = if node.op == Operation::Mul { node.results } else { [node.results[0], NONE] };
        for (v, half, last) in [(low, Half::Low, high == NONE), (high, Half::High, true)] {
            if v == NONE {
                continue;
            }
            if last {
                self.unlock_dying(node);
            }
            let to = self.alloc();
            self.define(v, to);
            self.code.push(Inst::Product { half, to, left, right });
        }
        Ok(())
    }
}

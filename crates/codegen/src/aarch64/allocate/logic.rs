//! Bitwise operations, shifts, copies, stores.

use super::{Allocator, Infeasible};
use crate::aarch64::instruction::{Gpr, Inst, Logic, Shift, is_pattern};
use crate::graph::{NONE, Node};

impl Allocator<'_> {
    pub(super) fn bitwise(&mut self, op: Logic, node: &Node) -> Result<(), Infeasible> {
        let [x, y, _] = node.args;
        let turned = op != Logic::AndNot && (self.folded.get(x).is_some() || self.graph.constant(x).is_some());
        let (x, y) = if turned { (y, x) } else { (x, y) };
        let pattern = self.graph.constant(y).filter(|_| op != Logic::AndNot && self.register(y).is_none());
        if let Some(value) = pattern.filter(|c| is_pattern(*c)) {
            let left = self.operand(x)?;
            let to = self.result(node);
            self.code.push(Inst::LogicOf { op, to, left, value });
            return Ok(());
        }
        let (left, right) = (self.operand(x)?, self.right(y)?);
        let to = self.result(node);
        self.code.push(Inst::logic(op, to, left, right));
        Ok(())
    }

    pub(super) fn complement(&mut self, node: &Node) -> Result<(), Infeasible> {
        let from = self.operand(node.args[0])?;
        let to = self.result(node);
        self.code.push(Inst::logic(Logic::OrNot, to, Gpr::ZERO, from));
        Ok(())
    }

    /// A value that becomes another: in its register, where nobody else wants it there.
    pub(super) fn copy_of(&mut self, node: &Node) -> Result<(), Infeasible> {
        let [x, ..] = node.args;
        let from = self.operand(x)?;
        if node.results[0] == NONE {
            return Ok(());
        }
        match self.take(x) {
            Some(r) => self.define(node.results[0], r),
            None => {
                let to = self.result(node);
                self.code.push(Inst::copy(to, from));
            }
        }
        Ok(())
    }

    pub(super) fn shift(&mut self, shift: Shift, amount: u8, node: &Node) -> Result<(), Infeasible> {
        let from = self.operand(node.args[0])?;
        let to = self.result(node);
        self.code.push(Inst::Shift { shift, to, from, amount });
        Ok(())
    }

    pub(super) fn funnel(&mut self, amount: u8, node: &Node) -> Result<(), Infeasible> {
        let (high, low) = (self.operand(node.args[0])?, self.operand(node.args[1])?);
        let to = self.result(node);
        self.code.push(Inst::Extract { to, high, low, amount });
        Ok(())
    }

    pub(super) fn store(&mut self, node: &Node, param: u16, index: u32) -> Result<(), Infeasible> {
        let from = self.operand(node.args[0])?;
        let address = self.element(param, index)?;
        self.code.push(Inst::Store { bytes: self.graph.element_bytes(param) as u8, from, address });
        Ok(())
    }
}

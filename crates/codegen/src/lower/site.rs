//! An operation where it is lowered: its operands, and what the proof knows of them.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Kernel, Op, Type, Value};
use num_traits::{Signed, Zero};

use super::error::LowerError;
use super::lowering::Rep;

/// An operation of a kernel, its operands as values of the kernel and in machine words.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) op: &'a Op,
    pub(super) args: &'a [Value],
    pub(super) reps: &'a [Rep],
    pub(super) results: &'a [Value],
    /// Of a shift: by how many bits.
    pub(super) amount: u32,
}

impl Site<'_> {
    /// The proved interval of an operand.
    pub(super) fn range(&self, i: usize) -> &Interval {
        &self.kernel.value(self.args[i]).range
    }

    /// The type of the first operand.
    pub(super) fn ty(&self) -> Type {
        self.args.first().map_or(Type::Word(64), |v| self.kernel.value(*v).ty)
    }

    /// The type of the first result.
    pub(super) fn result_type(&self) -> Type {
        self.kernel.value(self.results[0]).ty
    }

    /// Bits of the first operand.
    pub(super) fn bits(&self) -> u32 {
        self.ty().bits()
    }

    /// Bits of the first result.
    pub(super) fn out(&self) -> u32 {
        self.result_type().bits()
    }

    /// No operand can be negative.
    pub(super) fn is_natural(&self) -> bool {
        self.args.iter().all(|v| !self.kernel.value(*v).range.lo.is_negative())
    }

    /// An exact operation whose result is not negative fits by the proof, in a word of its own bits only when its
    /// operands are not negative either.
    pub(super) fn is_exact(&self) -> bool {
        self.is_natural() && !self.kernel.value(self.results[0]).range.lo.is_negative()
    }

    /// Does a sum, difference or product of the first two operands fit their words: where it is exact by the proof,
    /// else by their intervals, of which `exact` makes that of the result?
    pub(super) fn fits(&self, exact: fn(&Interval, &Interval) -> Interval) -> bool {
        if matches!(self.op, Op::Add | Op::Sub | Op::Mul) {
            return self.is_exact();
        }
        let interval = exact(self.range(0), self.range(1));
        self.is_natural() && !interval.lo.is_negative() && interval.hi < pow2(self.bits())
    }

    /// Does a shift up lose nothing?
    pub(super) fn shift_fits(&self) -> bool {
        self.is_natural() && self.range(0).shl(self.amount).hi < pow2(self.bits())
    }

    /// Is an operand below 2^bits?
    pub(super) fn is_below(&self, i: usize, bits: u32) -> bool {
        self.is_natural() && self.range(i).hi < pow2(bits)
    }

    /// The carry or borrow out is always 0.
    pub(super) fn never_carries(&self) -> bool {
        self.kernel.value(self.results[1]).range.hi.is_zero()
    }

    pub(super) fn unsupported(&self) -> LowerError {
        LowerError::Unsupported(format!("the operation {}", self.op.name()))
    }
}

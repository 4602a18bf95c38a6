//! Numbers that may be negative, as patterns.

use super::lane::Word;
use super::vectors::Operand;

/// The sign bit's position and mask of an operand: `sign(x) = (x & top) >> (bits − 1)`, zero for unsigned ones.
#[derive(Clone, Copy)]
pub(crate) struct Sign<L> {
    top: L,
    at: u32,
}

impl<L: Word> Sign<L> {
    /// The sign that the operand's interval gives it.
    pub fn of(o: &Operand) -> Sign<L> {
        let top = if o.signed { L::ONE.shl(o.bits - 1) } else { L::ZERO };
        Sign { top, at: o.bits - 1 }
    }

    /// 1 when `x` is a negative pattern.
    #[inline(always)]
    pub fn bit(self, x: L) -> L {
        (x & self.top).shr(self.at)
    }

    /// All ones when `x` is a negative pattern.
    #[inline(always)]
    pub fn all(self, x: L) -> L {
        L::ZERO.sub(self.bit(x))
    }

    /// The sign extended to the whole lane.
    #[inline(always)]
    pub fn extend(self, x: L) -> L {
        x | self.all(x & self.top).shl(self.at)
    }
}

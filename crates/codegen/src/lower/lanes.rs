//! Operations of bit-sliced kernels: every value is a word of 64 lanes of one bit.

use evariste_ir::Op;

use super::writer::Writer;
use crate::graph::Id;

impl Writer {
    /// `x + y + z` of bits: sum and carry.
    fn full_adder(&mut self, x: Id, y: Id, z: Id) -> (Id, Id) {
        let half = self.xor(x, y);
        let (both, more) = (self.and(x, y), self.and(half, z));
        (self.xor(half, z), self.or(both, more))
    }

    /// The results of an operation on bits; `None` for those that bits have no use for. Constants are not meant here.
    pub fn lanes(&mut self, op: &Op, a: &[Id]) -> Option<Vec<Id>> {
        use Op::*;
        Some(match op {
            Add | WrappingAdd | Sub | WrappingSub | Xor => vec![self.xor(a[0], a[1])],
            Mul | WrappingMul | And => vec![self.and(a[0], a[1])],
            Or => vec![self.or(a[0], a[1])],
            Not => vec![self.not(a[0])],
            AndNot => vec![self.and_not(a[0], a[1])],
            MulWide => vec![self.and(a[0], a[1]), self.constant(0)],
            MulAddAdd => {
                let product = self.and(a[0], a[1]);
                let (low, high) = self.full_adder(product, a[2], a[3]);
                vec![low, high]
            }
            AddCarry => {
                let (sum, carry) = self.full_adder(a[0], a[1], a[2]);
                vec![sum, carry]
            }
            SubBorrow => {
                let differ = self.xor(a[0], a[1]);
                let (below, kept) = (self.and_not(a[1], a[0]), self.and_not(a[2], differ));
                vec![self.xor(differ, a[2]), self.or(below, kept)]
            }
            Equal => {
                let differ = self.xor(a[0], a[1]);
                vec![self.not(differ)]
            }
            Less => vec![self.and_not(a[1], a[0])],
            Select => {
                let differ = self.xor(a[1], a[2]);
                let chosen = self.and(differ, a[0]);
                vec![self.xor(chosen, a[2])]
            }
            FlagToWord | FlagToMask | MaskToWord | MaskToFlag | Widen | Narrow => vec![a[0]],
            LowBits(k) => vec![if *k == 0 { self.constant(0) } else { a[0] }],
            // The only amount that one bit allows is 0.
            Shl(_) | WrappingShl(_) | Shr(_) | Sar(_) | Rotate(_) => vec![a[0]],
            _ => return None,
        })
    }
}

//! Nodes of one instruction on vectors; what constants make of them is written at once.

use super::super::lane::pattern;
use super::super::writer::{Flag, Writer};
use crate::graph::{Id, Kind, NONE, Operation};

impl Writer {
    pub(in crate::lower) fn vector_word(&mut self, op: Operation, args: &[Id]) -> Id {
        let r = self.value(Kind::Word);
        self.push(op, args, [r, NONE], true);
        r
    }

    pub(in crate::lower) fn vector_flag(&mut self, op: Operation, x: Id, y: Id) -> Flag {
        let f = self.value(Kind::Flag);
        self.push(op, &[x, y], [f, NONE], false);
        Flag::Carry(f)
    }

    pub(in crate::lower) fn low_word(&mut self, x: Id, bits: u32) -> Id {
        let mask = self.constant(pattern(bits));
        self.and(x, mask)
    }

    pub(in crate::lower) fn lane_add(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.wrapped(a.wrapping_add(b)),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => match self.lesser_sum(x, y).or_else(|| self.lesser_sum(y, x)) {
                Some(sum) => sum,
                None => self.vector_word(Operation::Add, &[x, y]),
            },
        }
    }

    pub(in crate::lower) fn lane_sub(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.wrapped(a.wrapping_sub(b)),
            (_, Some(0)) => x,
            _ => self.vector_word(Operation::Sub, &[x, y]),
        }
    }

    pub(in crate::lower) fn lane_shl(&mut self, x: Id, k: u32, element: u32) -> Id {
        if k >= element { self.constant(0) } else { self.shl(x, k) }
    }

    pub(in crate::lower) fn sar_half(&mut self, x: Id, k: u32) -> Id {
        match self.graph.constant(x) {
            _ if k == 0 => x,
            Some(a) => self.constant(u64::from((a as u32 as i32 >> k) as u32)),
            None => self.vector_word(Operation::Sar(k as u8), &[x]),
        }
    }

    /// A shift of 0 < k < 64 that copies the sign: what is shifted in is added.
    pub(in crate::lower) fn sar_by_others(&mut self, x: Id, k: u32) -> Id {
        if k == 1 {
            let (down, top) = (self.shr(x, 1), self.constant(1 << 63));
            let sign = self.and(x, top);
            return self.lane_add(down, sign);
        }
        let (sign, zero) = (self.shr(x, 63), self.constant(0));
        let all = self.lane_sub(zero, sign);
        if k == 63 {
            return all;
        }
        let (down, above) = (self.shr(x, k), self.lane_shl(all, 64 - k, 64));
        self.lane_add(down, above)
    }

    pub(in crate::lower) fn mul_half(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.constant((a & 0xffff_ffff) * (b & 0xffff_ffff)),
            (Some(0), _) | (_, Some(0)) => self.constant(0),
            (Some(1), _) => y,
            (_, Some(1)) => x,
            _ => self.vector_word(Operation::MulHalf, &[x, y]),
        }
    }

    pub(in crate::lower) fn madd(&mut self, op: Operation, accumulator: Id, x: Id, y: Id) -> Id {
        let low = |v: u64| u128::from(v & pattern(52));
        match (self.graph.constant(accumulator), self.graph.constant(x), self.graph.constant(y)) {
            (Some(c), Some(a), Some(b)) => {
                let product = low(a) * low(b);
                let part = if op == Operation::MaddLow { product as u64 & pattern(52) } else { (product >> 52) as u64 };
                self.constant(c.wrapping_add(part))
            }
            (_, Some(a), _) if low(a) == 0 => accumulator,
            (_, _, Some(b)) if low(b) == 0 => accumulator,
            _ => self.vector_word(op, &[accumulator, x, y]),
        }
    }
}

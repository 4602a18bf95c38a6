//! Products in lanes.

use evariste_ir::Op;
use evariste_ir::range::Interval;

use super::super::flags::{Reading, Sum};
use super::super::lane::{Lane, pattern};
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::super::writer::Flag;
use super::{cut, one, two};
use crate::graph::{Id, Operation};

impl Lowering<'_, '_> {
    /// A product in one word.
    pub(super) fn lane_product(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Vec<Rep> {
        let w = &mut self.writer;
        let half = lane.bits == 64 && on.is_below(0, 32) && on.is_below(1, 32);
        let fits = matches!(on.op, Op::MulFull) || on.fits(Interval::mul);
        let product = match lane.bits {
            32 => w.short_mul_low(x[0], x[1], lane),
            _ if half => w.mul_half(x[0], x[1]),
            _ if !lane.masks => w.long_mul_low(x[0], x[1]),
            _ => w.mul_low(x[0], x[1]),
        };
        one(cut(w, product, on.out(), fits, lane))
    }

    /// A product in two words, with up to two words added. `None` where the machine has no way.
    pub(super) fn lane_double_product(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Option<Vec<Rep>> {
        let (w, n) = (&mut self.writer, on.bits());
        if lane.bits == 64 && n <= 32 {
            let mut product = w.mul_half(x[0], x[1]);
            for c in &x[2..] {
                product = w.lane_add(product, *c);
            }
            return Some(two(w.low_word(product, n), w.shr(product, n)));
        }
        if n != lane.bits {
            return None;
        }
        let (mut low, mut high) = if n == 32 {
            w.short_mul_wide(x[0], x[1], lane)
        } else {
            w.long_mul_wide([(x[0], on.is_below(0, 32)), (x[1], on.is_below(1, 32))])
        };
        for c in &x[2..] {
            if w.graph.constant(*c).is_some_and(|c| c & pattern(n) == 0) {
                continue;
            }
            let sum = Sum { plus: true, x: low, y: *c, carry: Flag::Known(false), bits: n };
            let (sum, carry) = w.lane_carry(sum, lane, Reading::default())?;
            let (one, zero) = (w.constant(1), w.constant(0));
            let carry = w.lane_select(carry, one, zero);
            (low, high) = (sum, w.lane_add(high, carry));
        }
        Some(two(low, high))
    }

    /// A word plus the low or the high half of a product of 52-bit words. `None` for other sizes.
    pub(super) fn lane_half_product(&mut self, on: &Site<'_>, x: &[Id]) -> Option<Vec<Rep>> {
        let op = match on.op {
            Op::MaddLo(52) if on.bits() == 64 => Operation::MaddLow,
            Op::MaddHi(52) if on.bits() == 64 => Operation::MaddHigh,
            _ => return None,
        };
        Some(one(self.writer.madd(op, x[0], x[1], x[2])))
    }
}

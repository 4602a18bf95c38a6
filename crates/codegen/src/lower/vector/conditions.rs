//! Comparisons in lanes, and conditions as words.

use evariste_ir::Op;
use evariste_ir::range::pow2;

use super::super::flags::Reading;
use super::super::lane::{Lane, pattern};
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::one;
use crate::graph::{Id, Operation};

/// What the intervals of the first two operands say of their difference: where words fill the lane, does its sign say
/// whether it borrows?
pub(super) fn reading(on: &Site<'_>, lane: Lane) -> Reading {
    if on.args.len() < 2 || !on.is_natural() {
        return Reading::default();
    }
    let half = pow2(lane.bits - 1);
    let (x, y) = (on.range(0), on.range(1));
    let most = &y.hi + 1u32;
    let spread = [&x.lo - &y.hi, &x.hi - &y.lo].map(|d| i128::try_from(d).ok());
    Reading {
        sure: false,
        signed: &x.hi - &y.lo < half && &most - &x.lo <= half,
        small: x.hi < half && most < half,
        spread: spread[0].zip(spread[1]),
    }
}

impl Lowering<'_, '_> {
    /// A flag or a mask as another of them or as a word; x: the operand as a word.
    pub(super) fn lane_converted(&mut self, on: &Site<'_>, x: Id, lane: Lane) -> Vec<Rep> {
        match on.op {
            Op::FlagToWord => return one(x),
            Op::FlagToMask => return vec![Rep::Mask(self.lane_flag(on.reps[0], lane))],
            Op::MaskToFlag => return vec![Rep::Flag(self.lane_flag(on.reps[0], lane))],
            _ => {}
        }
        let m = self.lane_flag(on.reps[0], lane);
        let (ones, zero) = (self.writer.constant(pattern(on.out())), self.writer.constant(0));
        one(self.writer.lane_select(m, ones, zero))
    }

    /// `x = y` or `x < y`. `None` where the machine has no way.
    pub(super) fn lane_compared(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Option<Vec<Rep>> {
        let (w, n, element) = (&mut self.writer, on.bits(), lane.bits);
        let flag = match on.op {
            Op::Less => w.less_lane(x[0], x[1], n, lane, reading(on, lane))?,
            _ if lane.masks => w.vector_flag(Operation::Equal, x[0], x[1]),
            _ if n == element && n >= 32 => {
                let (differ, one) = (w.xor(x[0], x[1]), w.constant(1));
                w.below_whole(differ, one, n, false)
            }
            _ if n < element => {
                // 0 where they are equal: one less is then below 0.
                let (differ, one) = (w.xor(x[0], x[1]), w.constant(1));
                w.below(differ, one, element)
            }
            _ => return None,
        };
        Some(vec![Rep::Mask(flag)])
    }
}

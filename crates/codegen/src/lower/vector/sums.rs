//! Sums and differences in lanes.

use evariste_ir::Op;
use evariste_ir::range::Interval;

use super::super::flags::{Reading, Sum};
use super::super::lane::Lane;
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::conditions::reading;
use super::{cut, one};
use crate::graph::{Id, NONE};

impl Lowering<'_, '_> {
    /// A sum or difference, exact or modulo 2^n.
    pub(super) fn lane_sum(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Vec<Rep> {
        let w = &mut self.writer;
        let (sum, fits) = match on.op {
            Op::Add | Op::WrappingAdd => (w.lane_add(x[0], x[1]), on.fits(Interval::add)),
            _ => (w.lane_sub(x[0], x[1]), on.fits(Interval::sub)),
        };
        one(cut(w, sum, on.bits(), fits, lane))
    }

    /// A sum or difference with a carry in and out. `None` where the machine has no way.
    pub(super) fn lane_with_carry(&mut self, on: &Site<'_>, lane: Lane) -> Option<Vec<Rep>> {
        let (x, y) = (self.lane_word(on.reps[0]), self.lane_word(on.reps[1]));
        let carry = self.lane_flag(on.reps[2], lane);
        let plus = matches!(on.op, Op::AddCarry);
        let reading = Reading { sure: on.never_carries(), ..reading(on, lane) };
        let (sum, carry) = self.writer.lane_carry(Sum { plus, x, y, carry, bits: on.bits() }, lane, reading)?;
        Some(vec![Rep::Limbs([sum, NONE]), Rep::Flag(carry)])
    }
}

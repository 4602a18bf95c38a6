//! Each operation of the kernel language on one lane of a vector: words of one size, no carries but by comparison,
//! conditions in mask registers.

mod conditions;
mod double;
mod fuse;
mod lesser;
mod look_ups;
mod pairs;
mod products;
mod sums;
mod words;

use evariste_ir::{Op, Type};

use super::error::LowerError;
use super::lane::{Lane, pattern};
use super::lowering::{Lowering, Rep};
use super::site::Site;
use super::writer::{Flag, Writer};
use crate::graph::{Id, NONE, Operation};
pub(super) use fuse::fuse;
pub(super) use pairs::side_by_side;

fn one(x: Id) -> Vec<Rep> {
    vec![Rep::Limbs([x, NONE])]
}

fn two(low: Id, high: Id) -> Vec<Rep> {
    vec![Rep::Limbs([low, NONE]), Rep::Limbs([high, NONE])]
}

/// Takes off what a result may have above its type.
fn cut(w: &mut Writer, x: Id, bits: u32, fits: bool, lane: Lane) -> Id {
    if fits || bits == lane.bits { x } else { w.low_word(x, bits) }
}

fn is_logic(op: &Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Xor | Op::AndNot | Op::Not)
}

/// Does a lane hold its operands and results, and has a vector of such lanes the operation?
fn is_taken(on: &Site<'_>, lane: Lane) -> bool {
    let of_bytes_alone = matches!(on.op, Op::RijndaelMul | Op::BitMatrix(_));
    // Bytes have no sums and shifts of their own, and their masks no logic.
    let bitwise = is_logic(on.op) && matches!(on.ty(), Type::Word(_));
    let of_bytes = bitwise || of_bytes_alone || matches!(on.op, Op::Equal | Op::Less | Op::Select);
    let has_form = if lane.bits == 8 { of_bytes } else { !of_bytes_alone };
    has_form && on.bits() <= lane.bits && on.results.iter().all(|v| on.kernel.value(*v).ty.bits() <= lane.bits)
}

impl Lowering<'_, '_> {
    fn lane_word(&mut self, rep: Rep) -> Id {
        match rep {
            Rep::Limbs(x) => x[0],
            Rep::Flag(Flag::Bit(w)) => w,
            Rep::Flag(f) => {
                let (one, zero) = (self.writer.constant(1), self.writer.constant(0));
                self.writer.lane_select(f, one, zero)
            }
            Rep::Mask(f) => {
                let (ones, zero) = (self.writer.constant(u64::MAX), self.writer.constant(0));
                self.writer.lane_select(f, ones, zero)
            }
        }
    }

    fn lane_flag(&mut self, rep: Rep, lane: Lane) -> Flag {
        match rep {
            Rep::Flag(f) | Rep::Mask(f) => f,
            Rep::Limbs(x) if lane.masks => {
                let zero = self.writer.constant(0);
                self.writer.vector_flag(Operation::Less, zero, x[0])
            }
            Rep::Limbs(x) => {
                let one = self.writer.constant(1);
                Flag::Bit(self.writer.and(x[0], one))
            }
        }
    }

    /// The results of one operation.
    pub(super) fn vector(&mut self, on: &Site<'_>, lane: Lane) -> Result<Vec<Rep>, LowerError> {
        if (on.bits() > lane.bits || on.out() > lane.bits)
            && let Some(reps) = self.double_words(on, lane)
        {
            return Ok(reps);
        }
        let unsupported = || LowerError::Unsupported(format!("the operation {} on vectors", on.op.name()));
        if !is_taken(on, lane) {
            return Err(unsupported());
        }
        let ty = on.ty();
        if matches!(ty, Type::Flag | Type::Mask(_)) && is_logic(on.op) {
            let flags: Vec<Flag> = on.reps.iter().map(|r| self.lane_flag(*r, lane)).collect();
            let flag = self.writer.flag_logic(on.op, &flags);
            return Ok(vec![if ty == Type::Flag { Rep::Flag(flag) } else { Rep::Mask(flag) }]);
        }
        match on.op {
            Op::AddCarry | Op::SubBorrow => return self.lane_with_carry(on, lane).ok_or_else(unsupported),
            Op::Select => {
                let f = self.lane_flag(on.reps[0], lane);
                let (a, b) = (self.lane_word(on.reps[1]), self.lane_word(on.reps[2]));
                return Ok(one(self.writer.lane_select(f, a, b)));
            }
            _ => {}
        }
        let x: Vec<Id> = on.reps.iter().map(|r| self.lane_word(*r)).collect();
        let results = match on.op {
            Op::Add | Op::WrappingAdd | Op::Sub | Op::WrappingSub => Some(self.lane_sum(on, &x, lane)),
            Op::Mul | Op::WrappingMul | Op::MulFull => Some(self.lane_product(on, &x, lane)),
            Op::MulWide | Op::MulAddAdd => self.lane_double_product(on, &x, lane),
            Op::MaddLo(_) | Op::MaddHi(_) => self.lane_half_product(on, &x),
            Op::BitsToFloat | Op::FloatToBits | Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma
                if lane.bits == 64 =>
            {
                self.writer.float(on.op, on.result_type(), ty, &x).map(one)
            }
            Op::RijndaelMul => Some(one(self.writer.vector_word(Operation::RijndaelMul, &x))),
            Op::BitMatrix(images) => Some(one(self.writer.vector_word(Operation::BitMatrix(*images), &x))),
            Op::FlagToWord | Op::MaskToWord | Op::FlagToMask | Op::MaskToFlag => {
                Some(self.lane_converted(on, x[0], lane))
            }
            Op::Equal | Op::Less => self.lane_compared(on, &x, lane),
            Op::Lookup { table, vartime: false } => self.lane_looked_up(on, *table, x[0], lane),
            Op::Shl(_) | Op::WrappingShl(_) | Op::Shr(_) | Op::Sar(_) => Some(self.lane_shifted(on, x[0], lane)),
            Op::Rotate(_) | Op::FunnelShift(_) => self.lane_turned(on, &x, lane),
            op if is_logic(op) => Some(self.lane_logic(on, &x)),
            Op::LowBits(_) | Op::Widen | Op::Narrow => Some(self.lane_resized(on, x[0], lane)),
            Op::Split | Op::Join => Some(self.lane_parts(on, &x, lane)),
            _ => None,
        };
        results.ok_or_else(unsupported)
    }

    /// One word shifted by a public amount.
    fn lane_shifted(&mut self, on: &Site<'_>, x: Id, lane: Lane) -> Vec<Rep> {
        let (w, k, n, element) = (&mut self.writer, on.amount, on.bits(), lane.bits);
        one(match on.op {
            Op::Shr(_) if k >= n => w.constant(0),
            Op::Shr(_) => w.shr(x, k),
            Op::Sar(_) => {
                let up = w.lane_shl(x, element - n, element);
                let k = (element - n + k).min(element - 1);
                let down = match element {
                    // Vectors without masks have no such shift of whole words.
                    64 if k > 0 && !lane.masks && !lane.alone => w.sar_by_others(up, k),
                    64 => w.sar(up, k),
                    _ => w.sar_half(up, k),
                };
                cut(w, down, n, false, lane)
            }
            _ => {
                let shifted = w.lane_shl(x, k, element);
                cut(w, shifted, n, on.shift_fits(), lane)
            }
        })
    }

    /// Rotations, and shifts through two words. `None` where the machine has no way.
    fn lane_turned(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Option<Vec<Rep>> {
        let (w, k, n) = (&mut self.writer, on.amount, on.bits());
        Some(one(match on.op {
            Op::Rotate(_) if k % n == 0 => x[0],
            Op::Rotate(_) if n == lane.bits && lane.masks => w.rol(x[0], k % n),
            // What has no masks has no rotations either.
            Op::Rotate(_) if n == lane.bits => {
                let (up, down) = (w.lane_shl(x[0], k % n, n), w.shr(x[0], n - k % n));
                w.or(up, down)
            }
            Op::Rotate(_) => return None,
            // Vectors of 256 bits have no funnel shift.
            _ if n == 64 && (lane.masks || k == 64) => w.funnel(x[0], x[1], k),
            _ => {
                let up = w.lane_shl(x[0], n - k, lane.bits);
                let up = w.low_word(up, n);
                let down = w.shr(x[1], k);
                if k == 0 { x[1] } else { w.or(up, down) }
            }
        }))
    }

    fn lane_logic(&mut self, on: &Site<'_>, x: &[Id]) -> Vec<Rep> {
        let (w, ones) = (&mut self.writer, pattern(on.bits()));
        one(match on.op {
            Op::And => w.and(x[0], x[1]),
            Op::Or => w.or(x[0], x[1]),
            Op::Xor => w.xor(x[0], x[1]),
            Op::AndNot => match w.graph.constant(x[1]) {
                Some(c) => {
                    let kept = w.constant(!c & ones);
                    w.and(x[0], kept)
                }
                None => w.and_not(x[0], x[1]),
            },
            _ => {
                let ones = w.constant(ones);
                w.xor(x[0], ones)
            }
        })
    }

    /// A word of more or fewer bits.
    fn lane_resized(&mut self, on: &Site<'_>, x: Id, lane: Lane) -> Vec<Rep> {
        let w = &mut self.writer;
        one(match on.op {
            Op::LowBits(bits) if !on.is_below(0, *bits) => w.low_word(x, *bits),
            Op::Narrow => cut(w, x, on.out(), on.is_natural(), lane),
            _ => x,
        })
    }

    /// A word's parts, or the word that is made of parts.
    fn lane_parts(&mut self, on: &Site<'_>, x: &[Id], lane: Lane) -> Vec<Rep> {
        let (w, n, out) = (&mut self.writer, on.bits(), on.out());
        if matches!(on.op, Op::Split) {
            let part = |i: u32| {
                let part = w.shr(x[0], i * out);
                Rep::Limbs([if (i + 1) * out >= n { part } else { w.low_word(part, out) }, NONE])
            };
            return (0..on.results.len() as u32).map(part).collect();
        }
        let mut sum = x[0];
        for (i, part) in x.iter().enumerate().skip(1) {
            let part = w.lane_shl(*part, n * i as u32, lane.bits);
            sum = w.or(sum, part);
        }
        one(sum)
    }
}

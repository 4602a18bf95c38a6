//! The operations on bit-sliced lanes: every value is one bit (words of one bit, flags, masks of one bit), 64 lanes in
//! a machine word.

use super::lane::Bits;
use super::machine::{Execute, Leftover, Machine};
use super::program::{Check, Inst};
use crate::op::Op;

impl Leftover for Bits {
    #[inline(always)]
    fn or(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }
    fn any(self) -> bool {
        self.0 != 0
    }
    fn lane(self, lane: usize) -> bool {
        self.0 >> (lane % 64) & 1 == 1
    }
}

impl Execute for Bits {
    fn execute(machine: &mut Machine<Bits>, inst: &Inst<Bits>, shift: u32) {
        execute(machine, inst, shift);
    }
    fn check(machine: &mut Machine<Bits>, checked: &Check<Bits>) {
        check(machine, checked);
    }
}

/// Runs one operation on every lane.
fn execute(m: &mut Machine<Bits>, inst: &Inst<Bits>, shift: u32) {
    let d = inst.results[0].slot;
    let arg = |i: usize| inst.args[i].slot;
    let pair = || [inst.results[0].slot, inst.results[1].slot];
    let zero = Bits(0);
    match &inst.op {
        Op::Const(_) => m.fill(d, inst.constant),
        Op::Add => m.exact2(inst, |a, b| (Bits(a.0 ^ b.0), Bits(a.0 & b.0))),
        Op::Sub => m.exact2(inst, |a, b| (Bits(a.0 ^ b.0), Bits(!a.0 & b.0))),
        Op::WrappingAdd | Op::WrappingSub | Op::Xor => m.map2(d, arg(0), arg(1), |a, b| Bits(a.0 ^ b.0)),
        Op::Mul | Op::WrappingMul | Op::And => m.map2(d, arg(0), arg(1), |a, b| Bits(a.0 & b.0)),
        Op::MulWide => m.map2_pair(pair(), arg(0), arg(1), |a, b| (Bits(a.0 & b.0), zero)),
        Op::MulAddAdd => m.map4_pair(pair(), [arg(0), arg(1), arg(2), arg(3)], |a, b, c, e| {
            let p = a.0 & b.0;
            (Bits(p ^ c.0 ^ e.0), Bits(p & c.0 | e.0 & (p ^ c.0)))
        }),
        Op::MaddLo(k) => {
            let on = if *k == 0 { 0 } else { !0 };
            m.exact3(inst, |acc, x, y| {
                let p = x.0 & y.0 & on;
                (Bits(acc.0 ^ p), Bits(acc.0 & p))
            });
        }
        // The high bit of a product of two bits is 0.
        Op::MaddHi(_)
        | Op::FlagToWord
        | Op::FlagToMask
        | Op::MaskToWord
        | Op::MaskToFlag
        | Op::Widen
        | Op::Narrow
        | Op::Split
        | Op::Join
        | Op::Rotate(_) => {
            m.move_slot(d, arg(0));
        }
        Op::AddCarry => m.map3_pair(pair(), [arg(0), arg(1), arg(2)], |a, b, c| {
            (Bits(a.0 ^ b.0 ^ c.0), Bits(a.0 & b.0 | c.0 & (a.0 ^ b.0)))
        }),
        Op::SubBorrow => m.map3_pair(pair(), [arg(0), arg(1), arg(2)], |a, b, c| {
            (Bits(a.0 ^ b.0 ^ c.0), Bits(!a.0 & b.0 | c.0 & !(a.0 ^ b.0)))
        }),
        Op::Equal => m.map2(d, arg(0), arg(1), |a, b| Bits(!(a.0 ^ b.0))),
        Op::Less => m.map2(d, arg(0), arg(1), |a, b| Bits(!a.0 & b.0)),
        Op::Select => m.map3(d, arg(0), arg(1), arg(2), |s, a, b| Bits(s.0 & a.0 | !s.0 & b.0)),
        Op::Shl(_) if shift > 0 => m.exact1(inst, |a| (zero, a)),
        Op::WrappingShl(_) | Op::Shr(_) | Op::Sar(_) if shift > 0 => m.fill(d, zero),
        Op::Shl(_) | Op::WrappingShl(_) | Op::Shr(_) | Op::Sar(_) => m.move_slot(d, arg(0)),
        Op::FunnelShift(_) => m.move_slot(d, if shift == 0 { arg(1) } else { arg(0) }),
        Op::Or => m.map2(d, arg(0), arg(1), |a, b| Bits(a.0 | b.0)),
        Op::Not => m.map1(d, arg(0), |a| Bits(!a.0)),
        Op::AndNot => m.map2(d, arg(0), arg(1), |a, b| Bits(a.0 & !b.0)),
        Op::LowBits(0) => m.fill(d, zero),
        Op::LowBits(_) => m.move_slot(d, arg(0)),
        // The machine knows the arrays; what has a body was written out.
        Op::Lookup { .. } | Op::Defined(_) => {}
        // Results of two bits, bytes and floats: such kernels are never bit-sliced.
        Op::MulFull
        | Op::Clmul
        | Op::RijndaelMul
        | Op::BitMatrix(_)
        | Op::BitsToFloat
        | Op::FloatToBits
        | Op::FloatAdd
        | Op::FloatSub
        | Op::FloatMul
        | Op::FloatFma => m.fill(d, zero),
    }
}

/// A bit's range that is not full is one constant.
fn check(m: &mut Machine<Bits>, c: &Check<Bits>) {
    if c.width == Bits(0) {
        let lo = c.lo;
        m.check_cells(c, |x| Bits(x.0 ^ lo.0));
    }
}

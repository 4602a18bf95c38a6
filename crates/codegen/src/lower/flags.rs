//! Comparisons, carries and choices in lanes: flags in mask registers, or where there are none bits in words.

use evariste_ir::Op;

use super::lane::{Lane, pattern};
use super::writer::{Difference, Flag, Writer};
use crate::graph::{Id, Kind, NONE, Operation};

/// What the intervals of operands and results say of a sum or difference.
#[derive(Clone, Copy, Default)]
pub(super) struct Reading {
    /// It neither carries nor borrows.
    pub(super) sure: bool,
    /// The sign of the difference says whether it borrows.
    pub(super) signed: bool,
    /// Both operands are below half of the lane, and so is the second one and one more.
    pub(super) small: bool,
    /// Between which the difference lies.
    pub(super) spread: Option<(i128, i128)>,
}

/// `x ± (y + carry)` of words of so many bits.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) plus: bool,
    pub(super) x: Id,
    pub(super) y: Id,
    pub(super) carry: Flag,
    pub(super) bits: u32,
}

impl Writer {
    /// `x < y` of words below 2^(bits − 1), as the sign of their difference.
    pub(super) fn below(&mut self, x: Id, y: Id, bits: u32) -> Flag {
        let difference = self.lane_sub(x, y);
        let sign = self.shr(difference, bits - 1);
        match self.graph.constant(sign) {
            Some(c) => Flag::Known(c & 1 == 1),
            None => Flag::Bit(sign),
        }
    }

    /// `x < y` of words of n bits. `None` where the machine has no way.
    pub(super) fn less_lane(&mut self, x: Id, y: Id, n: u32, lane: Lane, reading: Reading) -> Option<Flag> {
        match lane {
            Lane { masks: true, .. } => Some(self.vector_flag(Operation::Less, x, y)),
            Lane { bits, .. } if n < bits => Some(self.below(x, y, bits)),
            Lane { bits: 32, .. } if reading.signed && !reading.small => Some(self.below(x, y, 32)),
            Lane { bits: 32 | 64, .. } => Some(self.below_whole(x, y, n, reading.small)),
            _ => None,
        }
    }

    /// `x < y` of words that fill a lane without mask registers, by the comparison of signed words; `small`: both are
    /// below 2^(bits − 1).
    pub(super) fn below_whole(&mut self, x: Id, y: Id, bits: u32, small: bool) -> Flag {
        if let (Some(a), Some(b)) = (self.graph.constant(x), self.graph.constant(y)) {
            return Flag::Known(a < b);
        }
        if self.graph.constant(y) == Some(0) {
            return Flag::Known(false);
        }
        let half = if small { 0 } else { 1 << (bits - 1) };
        let [x, y] = [x, y].map(|v| match self.graph.constant(v) {
            Some(c) => self.constant(c.wrapping_add(half) & pattern(bits)),
            None => {
                let half = self.constant(half);
                self.lane_add(v, half)
            }
        });
        let mask = self.vector_word(Operation::Greater, &[y, x]);
        let flag = Flag::Bit(self.shr(mask, bits - 1));
        self.masks.insert(flag, mask);
        flag
    }

    /// `x` where the flag is set, else `y`.
    pub(super) fn lane_select(&mut self, flag: Flag, x: Id, y: Id) -> Id {
        if let Some(least) = self.lesser(flag, x, y) {
            return least;
        }
        let chosen = self.lane_chosen(flag, x, y);
        if let (Some(c), Some(0)) = (self.graph.constant(x), self.graph.constant(y)) {
            self.chosen.insert(chosen, (flag, c));
        }
        chosen
    }

    fn lane_chosen(&mut self, flag: Flag, x: Id, y: Id) -> Id {
        let Flag::Bit(bit) = flag else { return self.select(flag, x, y) };
        let zero = self.constant(0);
        if (self.graph.constant(x), self.graph.constant(y)) == (Some(1), Some(0)) {
            return bit;
        }
        let mask = match self.masks.get(&flag) {
            Some(mask) => *mask,
            None => self.lane_sub(zero, bit),
        };
        if self.graph.constant(y) == Some(0) {
            return self.and(x, mask);
        }
        let (first, second) = (self.and(x, mask), self.and_not(y, mask));
        self.lane_add(first, second)
    }

    /// `x ± (y + c)` modulo 2^n, and the carry or borrow. `None` where the machine has no way.
    pub(super) fn lane_carry(&mut self, sum: Sum, lane: Lane, reading: Reading) -> Option<(Id, Flag)> {
        let (word, flag) = self.lane_carried(sum, lane, reading)?;
        let plain = !sum.plus && sum.carry == Flag::Known(false) && !matches!(flag, Flag::Known(_));
        if plain && (sum.bits, lane.bits) == (32, 32) {
            self.differences.insert(flag, Difference { minuend: sum.x, word, spread: reading.spread });
        }
        Some((word, flag))
    }

    fn lane_carried(&mut self, sum: Sum, lane: Lane, reading: Reading) -> Option<(Id, Flag)> {
        let Sum { plus, x, y, carry, bits } = sum;
        // One comparison is fewer operations than a sign and its mask.
        let compared = bits == lane.bits && bits >= 32 && !lane.masks && !plus && !reading.sure;
        if let (true, true, Flag::Bit(bit)) = (compared, reading.small, carry) {
            let limit = match self.masks.get(&carry).copied() {
                Some(mask) => self.lane_sub(y, mask),
                None => self.lane_add(y, bit),
            };
            return Some((self.lane_sub(x, limit), self.below_whole(x, limit, bits, true)));
        }
        let signed = reading.signed && !plus && !lane.masks && (!compared || carry != Flag::Known(false));
        if bits < lane.bits || signed {
            return Some(self.carry_above(sum, lane, reading.sure));
        }
        match self.graph.constant(y).filter(|_| !plus && lane.masks) {
            Some(y) => {
                let (difference, flag) = self.borrow_of_constant(x, y, carry, lane);
                Some((difference, if reading.sure { Flag::Known(false) } else { flag }))
            }
            None => self.carry_by_comparison(sum, lane, reading),
        }
    }

    /// `v ± y`.
    fn lane_step(&mut self, plus: bool, v: Id, y: Id) -> Id {
        if plus { self.lane_add(v, y) } else { self.lane_sub(v, y) }
    }

    /// Where there is room above the word: the carry is a bit of the sum, the borrow the sign of the difference.
    fn carry_above(&mut self, Sum { plus, x, y, carry, bits }: Sum, lane: Lane, sure: bool) -> (Id, Flag) {
        let mut total = self.lane_step(plus, x, y);
        if carry != Flag::Known(false) {
            let (one, zero) = (self.constant(1), self.constant(0));
            let c = self.lane_select(carry, one, zero);
            total = self.lane_step(plus, total, c);
        }
        if sure {
            return (total, Flag::Known(false));
        }
        let above = self.shr(total, if plus { bits } else { lane.bits - 1 });
        let low = if bits < lane.bits { self.low_word(total, bits) } else { total };
        let zero = self.constant(0);
        (low, if lane.masks { self.vector_flag(Operation::Less, zero, above) } else { Flag::Bit(above) })
    }

    /// A difference borrows where x is below y and the borrow together; of the greatest y that is no word, and it
    /// borrows where x is not above one less.
    fn borrow_of_constant(&mut self, x: Id, y: u64, borrow: Flag, lane: Lane) -> (Id, Flag) {
        let most = pattern(lane.bits);
        let (low, high) = if y < most { (y, y + 1) } else { (y - 1, y) };
        let (low, high, one) = (self.constant(low), self.constant(high), self.constant(1));
        let limit = self.lane_select(borrow, high, low);
        if y < most {
            let flag = self.vector_flag(Operation::Less, x, limit);
            return (self.lane_sub(x, limit), flag);
        }
        let above = self.vector_flag(Operation::Less, limit, x);
        let difference = self.lane_sub(x, limit);
        let flag = self.flag_logic(&Op::Not, &[above]);
        (self.lane_sub(difference, one), flag)
    }

    /// A sum below an operand has wrapped; a difference borrows where the second operand is greater. The carry is
    /// taken in by a step of its own, and at most one of the two carries.
    fn carry_by_comparison(&mut self, sum: Sum, lane: Lane, reading: Reading) -> Option<(Id, Flag)> {
        let Sum { plus, x, y, carry, bits } = sum;
        let over = |w: &mut Writer, before: Id, after: Id| {
            let (low, high) = if plus { (after, before) } else { (before, after) };
            w.less_lane(low, high, bits, lane, Reading::default())
        };
        let first = self.lane_step(plus, x, y);
        let flag = match reading.sure {
            true => Flag::Known(false),
            false if plus => over(self, x, first)?,
            false => self.less_lane(x, y, bits, lane, reading)?,
        };
        let one = self.constant(1);
        if carry == Flag::Known(false) {
            return Some((first, flag));
        }
        let second = self.carried_in(plus, first, carry, one);
        if reading.sure {
            return Some((second, Flag::Known(false)));
        }
        let both = match (flag, over(self, first, second)?) {
            (Flag::Bit(f), Flag::Bit(g)) => Flag::Bit(self.lane_add(f, g)),
            (_, again) => self.flag_logic(&Op::Or, &[flag, again]),
        };
        Some((second, both))
    }

    /// `v ± c`, where the carry c is not known to be 0.
    fn carried_in(&mut self, plus: bool, v: Id, carry: Flag, one: Id) -> Id {
        match carry {
            Flag::Known(_) => self.lane_step(plus, v, one),
            // A word that is −1 where the flag is set is taken away instead.
            Flag::Bit(bit) => match self.masks.get(&carry).copied() {
                Some(mask) => self.lane_step(!plus, v, mask),
                None => self.lane_step(plus, v, bit),
            },
            Flag::Carry(_) => {
                let moved = self.lane_step(plus, v, one);
                self.lane_select(carry, moved, v)
            }
        }
    }

    pub(super) fn flag_logic(&mut self, op: &Op, flags: &[Flag]) -> Flag {
        if flags.iter().any(|f| matches!(f, Flag::Bit(_))) {
            return self.bit_logic(op, flags);
        }
        let ids: Vec<Option<Id>> = flags.iter().map(|f| if let Flag::Carry(f) = f { Some(*f) } else { None }).collect();
        let known = |i: usize| if let Some(Flag::Known(c)) = flags.get(i) { Some(*c) } else { None };
        let flag = |w: &mut Writer, op: Operation, args: &[Id]| {
            let f = w.value(Kind::Flag);
            w.push(op, args, [f, NONE], false);
            Flag::Carry(f)
        };
        let not = |w: &mut Writer, f: Flag| match f {
            Flag::Known(c) => Flag::Known(!c),
            Flag::Carry(f) | Flag::Bit(f) => flag(w, Operation::FlagNot, &[f]),
        };
        match (op, ids.as_slice()) {
            (Op::Not, _) => not(self, flags[0]),
            (Op::AndNot, [_, Some(_)]) => {
                let second = not(self, flags[1]);
                self.flag_logic(&Op::And, &[flags[0], second])
            }
            (Op::AndNot, _) => {
                if known(1) == Some(true) {
                    Flag::Known(false)
                } else {
                    flags[0]
                }
            }
            (_, [Some(x), Some(y)]) => {
                let op = match op {
                    Op::And => Operation::FlagAnd,
                    Op::Or => Operation::FlagOr,
                    _ => Operation::FlagXor,
                };
                flag(self, op, &[*x, *y])
            }
            _ => {
                let (known, other) =
                    if let Some(c) = known(0) { (c, flags[1]) } else { (known(1).unwrap_or(false), flags[0]) };
                match (op, known) {
                    (Op::And, false) => Flag::Known(false),
                    (Op::Or, true) => Flag::Known(true),
                    (Op::Xor, true) => not(self, other),
                    _ => other,
                }
            }
        }
    }

    /// Logic of conditions that are words 0 or 1.
    pub(super) fn bit_logic(&mut self, op: &Op, flags: &[Flag]) -> Flag {
        let bits: Vec<Id> = flags
            .iter()
            .map(|f| match f {
                Flag::Known(c) => self.constant(u64::from(*c)),
                Flag::Bit(w) | Flag::Carry(w) => *w,
            })
            .collect();
        let one = self.constant(1);
        let bit = match op {
            Op::And => self.and(bits[0], bits[1]),
            Op::Or => self.or(bits[0], bits[1]),
            Op::Xor => self.xor(bits[0], bits[1]),
            Op::AndNot => self.and_not(bits[0], bits[1]),
            _ => self.xor(bits[0], one),
        };
        match self.graph.constant(bit) {
            Some(c) => Flag::Known(c & 1 == 1),
            None => Flag::Bit(bit),
        }
    }
}

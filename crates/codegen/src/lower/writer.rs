//! Appends nodes to a graph; folds what is constant and what changes nothing.

use std::collections::HashMap;

use super::lane::pattern;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// A carry, borrow or condition while the graph is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flag {
    /// Always 0 or always 1.
    Known(bool),
    /// A flag of the graph.
    Carry(Id),
    /// Bit 0 of a word.
    Bit(Id),
}

/// A difference of words of 32 bits, none of which is taken from another borrow.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    /// What the other word was taken from.
    pub(super) minuend: Id,
    /// The difference modulo 2^32.
    pub(super) word: Id,
    /// Between which it lies as an integer.
    pub(super) spread: Option<(i128, i128)>,
}

/// Writes a graph.
pub struct Writer {
    /// The graph so far.
    pub graph: Graph,
    /// Bits of a lane, 64 where there are none.
    bits: u32,
    constants: HashMap<u64, Id>,
    inputs: HashMap<(u16, u32), Id>,
    /// Words, masks and flags that were made from a flag already.
    words: HashMap<Flag, Id>,
    pub(super) masks: HashMap<Flag, Id>,
    flags: HashMap<Id, Id>,
    /// In lanes of 32 bits: what borrows are of, and the words that are a constant where a flag is set, else 0.
    pub(super) differences: HashMap<Flag, Difference>,
    pub(super) chosen: HashMap<Id, (Flag, u64)>,
    /// In lanes of 32 bits: words with the even and with the odd lanes of a word in their low halves.
    pub(super) halves: HashMap<Id, [Id; 2]>,
}

impl Writer {
    /// Goes on with a graph; `bits`: those of a lane, 64 where there are none.
    pub fn new(graph: Graph, bits: u32) -> Writer {
        Writer {
            graph,
            bits,
            constants: HashMap::new(),
            inputs: HashMap::new(),
            words: HashMap::new(),
            masks: HashMap::new(),
            flags: HashMap::new(),
            differences: HashMap::new(),
            chosen: HashMap::new(),
            halves: HashMap::new(),
        }
    }

    pub(super) fn value(&mut self, kind: Kind) -> Id {
        self.graph.values.push(kind);
        self.graph.values.len() as Id - 1
    }

    /// A constant word.
    pub fn constant(&mut self, c: u64) -> Id {
        if let Some(v) = self.constants.get(&c) {
            return *v;
        }
        let v = self.value(Kind::Constant(c));
        self.constants.insert(c, v);
        v
    }

    /// The constant that a lane keeps of c.
    pub(super) fn wrapped(&mut self, c: u64) -> Id {
        self.constant(c & pattern(self.bits))
    }

    /// An element of a parameter, as the caller left it.
    pub fn input(&mut self, param: u16, index: u32) -> Id {
        if let Some(v) = self.inputs.get(&(param, index)) {
            return *v;
        }
        let v = self.value(Kind::Input { param, index });
        self.inputs.insert((param, index), v);
        v
    }

    pub(super) fn push(&mut self, op: Operation, args: &[Id], results: [Id; 2], no_carry: bool) {
        let mut all = [NONE; 3];
        all[..args.len()].copy_from_slice(args);
        self.graph.nodes.push(Node { op, args: all, results, no_carry });
    }

    fn word(&mut self, op: Operation, args: &[Id]) -> Id {
        let r = self.value(Kind::Word);
        self.push(op, args, [r, NONE], false);
        r
    }

    /// Writes an element of a parameter.
    pub fn store(&mut self, param: u16, index: u32, x: Id) {
        // Two stores of input words could otherwise wait for each other.
        let input = matches!(self.graph.values[x as usize], Kind::Input { .. });
        let x = if input { self.word(Operation::Load, &[x]) } else { x };
        self.push(Operation::Store { param, index }, &[x], [NONE; 2], false);
    }

    fn pair(&self, x: Id, y: Id) -> (Option<u64>, Option<u64>) {
        (self.graph.constant(x), self.graph.constant(y))
    }

    /// The carry-in argument of a sum: [`NONE`] for a known 0.
    fn carry_in(&mut self, flag: Flag) -> Id {
        match flag {
            Flag::Known(false) => NONE,
            Flag::Carry(f) => f,
            Flag::Known(true) => {
                let one = self.constant(1);
                self.flag_of_word(one)
            }
            Flag::Bit(w) => self.flag_of_word(w),
        }
    }

    fn flag_of_word(&mut self, w: Id) -> Id {
        if let Some(f) = self.flags.get(&w) {
            return *f;
        }
        let f = self.value(Kind::Flag);
        self.push(Operation::FlagOfWord, &[w], [f, NONE], false);
        self.flags.insert(w, f);
        f
    }

    /// `x + y + carry` and its carry; `exact`: the caller knows that there is none.
    pub fn add(&mut self, x: Id, y: Id, carry: Flag, exact: bool) -> (Id, Flag) {
        let (cx, cy) = self.pair(x, y);
        let (x, y, cx, cy) = if cx.is_some() && cy.is_none() { (y, x, cy, cx) } else { (x, y, cx, cy) };
        match (cx, cy, carry) {
            (Some(a), Some(b), Flag::Known(c)) => {
                let sum = u128::from(a) + u128::from(b) + u128::from(c);
                return (self.constant(sum as u64), Flag::Known(sum >> 64 != 0));
            }
            (_, Some(0), Flag::Known(false)) => return (x, Flag::Known(false)),
            (_, Some(0), Flag::Bit(w)) => return self.add(x, w, Flag::Known(false), exact),
            (Some(0), Some(0), _) => return (self.word_of(carry), Flag::Known(false)),
            (_, Some(b), Flag::Known(true)) if b != u64::MAX => {
                let y = self.constant(b + 1);
                return self.add(x, y, Flag::Known(false), exact);
            }
            _ => {}
        }
        let carry = self.carry_in(carry);
        let (s, c) = (self.value(Kind::Word), self.value(Kind::Flag));
        self.push(Operation::Add, &[x, y, carry], [s, c], exact);
        (s, if exact { Flag::Known(false) } else { Flag::Carry(c) })
    }

    /// `x − y − borrow` and its borrow; `exact`: the caller knows that there is none.
    pub fn sub(&mut self, x: Id, y: Id, borrow: Flag, exact: bool) -> (Id, Flag) {
        match (self.pair(x, y), borrow) {
            ((Some(a), Some(b)), Flag::Known(c)) => {
                let d = i128::from(a) - i128::from(b) - i128::from(c);
                return (self.constant(d as u64), Flag::Known(d < 0));
            }
            ((_, Some(0)), Flag::Known(false)) => return (x, Flag::Known(false)),
            ((_, Some(0)), Flag::Bit(w)) => return self.sub(x, w, Flag::Known(false), exact),
            ((_, Some(b)), Flag::Known(true)) if b != u64::MAX => {
                let y = self.constant(b + 1);
                return self.sub(x, y, Flag::Known(false), exact);
            }
            _ => {}
        }
        let borrow = self.carry_in(borrow);
        let (d, b) = (self.value(Kind::Word), self.value(Kind::Flag));
        self.push(Operation::Sub, &[x, y, borrow], [d, b], exact);
        (d, if exact { Flag::Known(false) } else { Flag::Carry(b) })
    }

    /// Low and high word of `x·y`.
    pub fn mul(&mut self, x: Id, y: Id) -> (Id, Id) {
        match self.pair(x, y) {
            (Some(a), Some(b)) => {
                let p = u128::from(a) * u128::from(b);
                return (self.constant(p as u64), self.constant((p >> 64) as u64));
            }
            (Some(0), _) | (_, Some(0)) => return (self.constant(0), self.constant(0)),
            (Some(1), _) => return (y, self.constant(0)),
            (_, Some(1)) => return (x, self.constant(0)),
            _ => {}
        }
        let (low, high) = (self.value(Kind::Word), self.value(Kind::Word));
        self.push(Operation::Mul, &[x, y], [low, high], false);
        (low, high)
    }

    /// Low word of `x·y`.
    pub fn mul_low(&mut self, x: Id, y: Id) -> Id {
        match self.pair(x, y) {
            (Some(a), Some(b)) => self.wrapped(a.wrapping_mul(b)),
            (Some(0), _) | (_, Some(1)) => x,
            (_, Some(0)) | (Some(1), _) => y,
            _ => self.word(Operation::MulLow, &[x, y]),
        }
    }

    /// `x and y`.
    pub fn and(&mut self, x: Id, y: Id) -> Id {
        match self.pair(x, y) {
            (Some(a), Some(b)) => self.constant(a & b),
            (Some(0), _) | (_, Some(u64::MAX)) => x,
            (_, Some(0)) | (Some(u64::MAX), _) => y,
            _ if x == y => x,
            _ => self.word(Operation::And, &[x, y]),
        }
    }

    /// `x or y`.
    pub fn or(&mut self, x: Id, y: Id) -> Id {
        match self.pair(x, y) {
            (Some(a), Some(b)) => self.constant(a | b),
            (Some(0), _) | (_, Some(u64::MAX)) => y,
            (_, Some(0)) | (Some(u64::MAX), _) => x,
            _ if x == y => x,
            _ => self.word(Operation::Or, &[x, y]),
        }
    }

    /// `x xor y`.
    pub fn xor(&mut self, x: Id, y: Id) -> Id {
        match self.pair(x, y) {
            (Some(a), Some(b)) => self.constant(a ^ b),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            (_, Some(u64::MAX)) => self.not(x),
            (Some(u64::MAX), _) => self.not(y),
            _ if x == y => self.constant(0),
            _ => self.word(Operation::Xor, &[x, y]),
        }
    }

    /// `x and not y`.
    pub fn and_not(&mut self, x: Id, y: Id) -> Id {
        match self.pair(x, y) {
            (_, Some(b)) => {
                let b = self.wrapped(!b);
                self.and(x, b)
            }
            (Some(0), _) => x,
            (Some(u64::MAX), _) => self.not(y),
            _ if x == y => self.constant(0),
            _ => self.word(Operation::AndNot, &[x, y]),
        }
    }

    /// `not x`.
    pub fn not(&mut self, x: Id) -> Id {
        match self.graph.constant(x) {
            Some(a) => self.wrapped(!a),
            None => self.word(Operation::Not, &[x]),
        }
    }

    /// `x · 2^k` modulo the power of two that a word is; 0 from k = 64 on.
    pub fn shl(&mut self, x: Id, k: u32) -> Id {
        match self.graph.constant(x) {
            _ if k == 0 => x,
            _ if k >= 64 => self.constant(0),
            Some(a) => self.wrapped(a << k),
            None => self.word(Operation::Shl(k as u8), &[x]),
        }
    }

    /// `⌊x / 2^k⌋`; 0 from k = 64 on.
    pub fn shr(&mut self, x: Id, k: u32) -> Id {
        match self.graph.constant(x) {
            _ if k == 0 => x,
            _ if k >= 64 => self.constant(0),
            Some(a) => self.constant(a >> k),
            None => self.word(Operation::Shr(k as u8), &[x]),
        }
    }

    /// Signed shift right; the sign from k = 63 on.
    pub fn sar(&mut self, x: Id, k: u32) -> Id {
        let k = k.min(63);
        match self.graph.constant(x) {
            _ if k == 0 => x,
            Some(a) => self.constant((a as i64 >> k) as u64),
            None => self.word(Operation::Sar(k as u8), &[x]),
        }
    }

    /// Rotation left, 0 ≤ k < the bits of a word.
    pub fn rol(&mut self, x: Id, k: u32) -> Id {
        match self.graph.constant(x) {
            _ if k == 0 => x,
            Some(a) => self.wrapped(a << k | a >> (self.bits - k)),
            None => self.word(Operation::Rol(k as u8), &[x]),
        }
    }

    /// Low word of `(high:low) / 2^k`, 0 ≤ k ≤ 64.
    pub fn funnel(&mut self, high: Id, low: Id, k: u32) -> Id {
        match self.pair(high, low) {
            _ if k == 0 => low,
            _ if k >= 64 => high,
            (Some(0), _) => self.shr(low, k),
            (_, Some(0)) => self.shl(high, 64 - k),
            (Some(h), Some(l)) => self.constant(((u128::from(h) << 64 | u128::from(l)) >> k) as u64),
            _ if high == low => self.rol(high, 64 - k),
            _ => self.word(Operation::Funnel(k as u8), &[high, low]),
        }
    }

    /// The flag as a word 0 or 1.
    pub fn word_of(&mut self, flag: Flag) -> Id {
        match flag {
            Flag::Known(c) => self.constant(u64::from(c)),
            Flag::Bit(w) => w,
            Flag::Carry(f) => {
                if let Some(w) = self.words.get(&flag) {
                    return *w;
                }
                let w = self.word(Operation::WordOfFlag, &[f]);
                self.words.insert(flag, w);
                w
            }
        }
    }

    /// The flag as a word 0 or 2^64 − 1.
    pub fn mask_of(&mut self, flag: Flag) -> Id {
        if let Flag::Known(c) = flag {
            return self.constant(if c { u64::MAX } else { 0 });
        }
        if let Some(w) = self.masks.get(&flag) {
            return *w;
        }
        let f = self.carry_in(flag);
        let w = self.word(Operation::MaskOfFlag, &[f]);
        self.masks.insert(flag, w);
        w
    }

    /// `x` where the flag is set, else `y`.
    pub fn select(&mut self, flag: Flag, x: Id, y: Id) -> Id {
        match flag {
            Flag::Known(c) => {
                if c {
                    x
                } else {
                    y
                }
            }
            _ if x == y => x,
            _ => {
                let f = self.carry_in(flag);
                self.word(Operation::Select, &[f, x, y])
            }
        }
    }

    /// `x = 0`.
    pub fn is_zero(&mut self, x: Id) -> Flag {
        let one = self.constant(1);
        self.sub(x, one, Flag::Known(false), false).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_lanes_wrap() {
        for (bits, ones) in [(32, 0xffff_ffffu64), (64, u64::MAX)] {
            let mut w = Writer::new(Graph::empty(), bits);
            let [zero, one, top] = [0, 1, ones - (ones >> 1)].map(|c| w.constant(c));
            let made = [
                w.lane_add(top, top),
                w.lane_sub(zero, one),
                w.mul_low(top, top),
                w.shl(top, 1),
                w.rol(top, 1),
                w.not(zero),
                w.and_not(top, one),
            ];
            let made = made.map(|v| w.graph.constant(v));
            assert_eq!(made, [0, ones, 0, 0, 1, ones, ones - (ones >> 1)].map(Some), "lanes of {bits} bits");
        }
    }
}

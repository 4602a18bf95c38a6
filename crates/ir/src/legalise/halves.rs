//! Products in halves that are summed without carries: `low + 2^k·high` with low below `2^k`, k less than a word.
//!
//! With digits of k bits, the product of `x·2^i` and `y·2^j`, i + j = n − k, has `⌊x·y/2^k⌋` as its high word and
//! `x·y mod 2^k`, moved up, as its low word: two words with room above, as multiply-add in lanes has them. Sums of
//! double words are then sums of their halves, and only a sum that is shifted down or cut is put together.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Image, Rewriter, constant, is_unsigned};
use crate::build::Builder;
use crate::interval::pow2;
use crate::kernel::{Kernel, Stmt};
use crate::op::Op;
use crate::statements::with_times;
use crate::types::Value;

/// What products in halves share: operands that were cut at k bits, moved up, and the words of products of these. What a
/// loop's body adds is of no use behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    cut: HashMap<(Value, u32), Value>,
    operands: HashMap<(Value, u32), Value>,
    products: HashMap<(Value, Value), (Value, Value)>,
}

/// `low + 2^k·high`: both words have room above for sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    low: Value,
    high: Value,
    k: u32,
}

/// How many bits the lower halves of a kernel's products have: as many as most double words are shifted down by, or more
/// where operands leave too little room to be moved up by the rest of a word. `None` where products are not cut so, or
/// fill their words.
pub(super) fn cut_of(kernel: &Kernel, word: u32) -> Option<u32> {
    let mut times: HashMap<u32, u64> = HashMap::new();
    let mut least = 0;
    for (stmt, n) in with_times(&kernel.body) {
        match stmt {
            Stmt::Op { op: Op::Shr(k), args, .. } if kernel.value(args[0]).ty.bits() == 2 * word => {
                if let Some(k) = constant(k).filter(|k| (word / 2 + 1..word).contains(k)) {
                    *times.entry(k).or_default() += n;
                }
            }
            Stmt::Op { op: Op::MulFull, args, .. } => {
                let bits = args.iter().map(|v| kernel.value(*v).range.hi.bits() as u32).sum::<u32>();
                least = least.max((bits + 2).saturating_sub(word));
            }
            _ => {}
        }
    }
    let (cut, _) = times.into_iter().max_by_key(|(k, n)| (*n, *k))?;
    Some(cut.max(least)).filter(|k| *k < word)
}

impl Rewriter<'_> {
    /// Writes an operation on double words that gives halves, or takes such and needs no more of them; false where both
    /// words are needed.
    pub(super) fn by_halves(&mut self, b: &mut Builder, op: &Op, args: &[Value], r: Value) -> bool {
        let first = args.first().and_then(|v| self.halves.get(v).copied());
        let halves = match op {
            Op::MulFull => self.product_in_halves(b, args),
            Op::Add => self.sum_of_halves(b, args),
            _ => None,
        };
        let word = match op {
            Op::Shr(j) => first.zip(constant(j)).and_then(|(halves, j)| halves.down(b, j)),
            Op::LowBits(j) => first.filter(|halves| *j <= halves.k).map(|halves| b.low_bits(halves.low, *j)),
            _ => None,
        };
        if let Some(halves) = halves {
            self.halves.insert(r, halves);
        } else if let Some(word) = word {
            let zero = b.constant(b.ty(word), 0);
            if b.constant_of(word).is_none() {
                b.declare(word, &self.kernel.value(r).range);
            }
            self.values.insert(r, Image::Two(word, zero));
        }
        halves.is_some() || word.is_some()
    }

    fn product_in_halves(&mut self, b: &mut Builder, args: &[Value]) -> Option<Halves> {
        let k = self.cut?;
        let (x, y) = (self.one(args[0]), self.one(args[1]));
        let (low, high) = self.words_of_moved(b, k, x, y)?;
        Some(Halves { low: b.shr(low, self.machine.word - k), high, k })
    }

    /// The words of `x·2^i` times `y·2^j`, i + j what a word has above k bits: `(x·y mod 2^k)·2^(i + j)` and `⌊x·y/2^k⌋`.
    /// `None` where the operands leave no room to be moved up.
    fn words_of_moved(&mut self, b: &mut Builder, k: u32, x: Value, y: Value) -> Option<(Value, Value)> {
        let (x_room, y_room) = (self.room(b, x)?, self.room(b, y)?);
        let total = self.machine.word.checked_sub(k).filter(|total| *total <= x_room + y_room)?;
        // As few operands as can be are moved up in two ways: the first by the larger half, since what is premultiplied by a
        // constant is the second.
        let known = |v: Value, i: u32| self.moved.operands.contains_key(&(v, i)) || b.constant_of(v).is_some();
        let price = |i: &u32| {
            let new = u32::from(!known(x, *i)) + u32::from(!known(y, total - i));
            (new, (2 * i).abs_diff(total + 1))
        };
        let i = (total.saturating_sub(y_room)..=total.min(x_room)).min_by_key(price)?;
        let (x, y) = (self.moved_up(b, x, i), self.moved_up(b, y, total - i));
        if let Some(words) = [(x, y), (y, x)].iter().find_map(|pair| self.moved.products.get(pair)) {
            return Some(*words);
        }
        let words = b.mul_wide(x, y);
        self.moved.products.insert((x, y), words);
        Some(words)
    }

    /// By how many bits an unsigned word can be moved up and still read as a signed one.
    fn room(&self, b: &Builder, x: Value) -> Option<u32> {
        let bits = u32::try_from(b.max(x).bits()).ok().filter(|_| is_unsigned(b.range(x)))?;
        (self.machine.word - 1).checked_sub(bits)
    }

    fn moved_up(&mut self, b: &mut Builder, x: Value, i: u32) -> Value {
        if let Some(c) = b.constant_of(x).cloned() {
            return b.constant(b.ty(x), c << i);
        }
        *self.moved.operands.entry((x, i)).or_insert_with(|| b.shl(x, i))
    }

    /// The low or the high k bits of the product of the low k bits of two words; `None` as above.
    pub(super) fn half_of_product(
        &mut self,
        b: &mut Builder,
        k: u32,
        (x, y): (Value, Value),
        high: bool,
    ) -> Option<Value> {
        let [x, y] = [x, y].map(|v| *self.moved.cut.entry((v, k)).or_insert_with(|| b.low_bits(v, k)));
        let power = |v: Value| b.constant_of(v).and_then(BigInt::to_u64).filter(|c| c.is_power_of_two());
        if let Some((x, c)) = power(y).map(|c| (x, c)).or(power(x).map(|c| (y, c))) {
            let below = k - c.trailing_zeros();
            if high {
                return Some(b.shr(x, below));
            }
            let low = b.low_bits(x, below);
            return Some(b.shl(low, k - below));
        }
        let (low, above) = self.words_of_moved(b, k, x, y)?;
        Some(if high { above } else { b.shr(low, self.machine.word - k) })
    }

    /// A sum of double words in halves, or of one in halves and a word; `None` of others, and where a half has no room.
    fn sum_of_halves(&self, b: &mut Builder, args: &[Value]) -> Option<Halves> {
        let [x, y] = [0, 1].map(|i| self.halves.get(&args[i]).copied());
        let (Halves { low, high, k }, other) = x.map(|x| (x, args[1])).or(y.map(|y| (y, args[0])))?;
        let (more, above) = match self.halves.get(&other) {
            Some(other) if other.k == k => (other.low, other.high),
            Some(_) => return None,
            None => Some(self.two(b, other)).filter(|(_, high)| b.is_zero(*high))?,
        };
        // There is always room to put them together.
        let (most, most_above) = (b.max(low) + b.max(more), b.max(high) + b.max(above));
        let word = pow2(self.machine.word);
        let has_room = most < word && most_above + (most >> k) < word && is_unsigned(b.range(more));
        has_room.then(|| Halves { low: b.add(low, more), high: b.add(high, above), k })
    }
}

impl Halves {
    /// What they are from `2^j` on, where that is a word.
    fn down(self, b: &mut Builder, j: u32) -> Option<Value> {
        let Halves { low, high, k } = self;
        let carry = b.shr(low, k.min(j));
        let raised = k.saturating_sub(j);
        if (b.max(high) << raised) + b.max(carry) >= pow2(b.ty(low).bits()) {
            return None;
        }
        let high = b.shl(high, raised);
        let sum = b.add(high, carry);
        Some(b.shr(sum, j.saturating_sub(k)))
    }

    /// Two words.
    pub(super) fn put_together(self, b: &mut Builder) -> (Value, Value) {
        let Halves { low, high, k } = self;
        let rest = b.ty(low).bits() - k;
        let (below, carry) = (b.low_bits(low, k), b.shr(low, k));
        let above = b.add(high, carry);
        let part = b.low_bits(above, rest);
        let part = b.shl(part, k);
        (b.add(part, below), b.shr(above, rest))
    }
}

//! Operations on double words that are pairs of words.

use super::{Illegal, Image, Rewriter, constant, is_unsigned};
use crate::build::Builder;
use crate::interval::pow2;
use crate::op::Op;
use crate::types::{Type, Value};

/// A word, read without its sign.
fn unsigned(b: &mut Builder, x: Value) -> Value {
    if is_unsigned(b.range(x)) { x } else { b.low_bits(x, b.ty(x).bits()) }
}

impl Rewriter<'_> {
    /// The two words of a value; those of a word are itself and 0.
    fn two(&self, b: &mut Builder, v: Value) -> (Value, Value) {
        match self.image(v) {
            Image::Two(low, high) => (low, high),
            Image::One(v) => {
                let ty = b.ty(v);
                (v, b.constant(ty, 0))
            }
        }
    }

    /// Keeps what is known of a whole double word for its high word.
    fn give_two(&mut self, b: &mut Builder, v: Value, (low, high): (Value, Value)) {
        let n = b.ty(low).bits();
        if b.constant_of(high).is_none() {
            b.declare(high, &self.kernel.value(v).range.shr(n));
        }
        self.values.insert(v, Image::Two(low, high));
    }

    fn are_unsigned(&self, args: &[Value]) -> bool {
        args.iter().all(|v| is_unsigned(&self.kernel.value(*v).range))
    }

    /// An operation with a double word among its operands or results.
    pub(super) fn wide_operation(
        &mut self,
        b: &mut Builder,
        op: &Op,
        args: &[Value],
        results: &[Value],
    ) -> Result<(), Illegal> {
        let r = results[0];
        let split = args.iter().chain(results).copied().find(|v| self.is_split(self.ty(*v)));
        let word = Self::half(self.ty(split.unwrap_or(r)));
        let n = word.bits();
        let unsupported =
            || self.illegal(format!("`{}` of double words", op.name()), "take a plan that keeps words apart");
        let pair = match op {
            Op::Const(c) => {
                let low = b.constant(word, ((c % pow2(n)) + pow2(n)) % pow2(n));
                (low, b.constant(word, c >> n))
            }
            Op::Clmul => {
                return Err(self.illegal("a carry-less product", "take a plan without carry-less products"));
            }
            Op::MulFull => {
                let (x, y) = (self.one(args[0]), self.one(args[1]));
                self.words_of_product(b, x, y)?
            }
            Op::Add | Op::WrappingAdd | Op::Sub | Op::WrappingSub => {
                let (x, y) = (self.two(b, args[0]), self.two(b, args[1]));
                let none = b.no_flag();
                let adds = matches!(op, Op::Add | Op::WrappingAdd);
                let (low, carry) = match adds {
                    true => self.add_carry(b, x.0, y.0, none),
                    false => self.sub_borrow(b, x.0, y.0, none),
                };
                let carry = b.flag_to_word(carry, word);
                let exact = matches!(op, Op::Add | Op::Sub);
                let step = |b: &mut Builder, x: Value, y: Value| match (exact, adds) {
                    (true, true) => b.add(x, y),
                    (true, false) => b.sub(x, y),
                    (false, true) => b.wrapping_add(x, y),
                    (false, false) => b.wrapping_sub(x, y),
                };
                let high = step(b, x.1, y.1);
                (low, step(b, high, carry))
            }
            // low·low′ in two words, and what of the others falls into the high word
            Op::Mul | Op::WrappingMul if !matches!(op, Op::Mul) || self.are_unsigned(args) => {
                let (x, y) = (self.two(b, args[0]), self.two(b, args[1]));
                let (low, carry) = self.words_of_product(b, x.0, y.0)?;
                let exact = matches!(op, Op::Mul);
                let mut high = carry;
                for (p, q) in [(x.0, y.1), (x.1, y.0)] {
                    let part = if exact { b.mul(p, q) } else { b.wrapping_mul(p, q) };
                    high = if exact { b.add(high, part) } else { b.wrapping_add(high, part) };
                }
                (low, high)
            }
            Op::FlagToWord => {
                let flag = self.one(args[0]);
                (b.flag_to_word(flag, word), b.constant(word, 0))
            }
            Op::Widen if !self.is_split(self.ty(args[0])) && self.ty(args[0]).bits() <= n => {
                let x = self.one(args[0]);
                (b.widen(x, word), b.constant(word, 0))
            }
            Op::Shl(k) | Op::WrappingShl(k) => {
                let (k, (low, high)) = (constant(k).ok_or_else(unsupported)?, self.two(b, args[0]));
                let (zero, wraps) = (b.constant(word, 0), matches!(op, Op::WrappingShl(_)));
                if !wraps && !is_unsigned(&self.kernel.value(args[0]).range) {
                    return Err(unsupported());
                }
                match k {
                    0 => (low, high),
                    k if k < n => (b.wrapping_shl(low, k), b.funnel_shift(high, low, n - k)),
                    k => (zero, b.wrapping_shl(low, k - n)),
                }
            }
            Op::Shr(k) | Op::Sar(k) => {
                let k = constant(k).ok_or_else(unsupported)?;
                self.shifted_down(b, matches!(op, Op::Sar(_)), k, args[0]).ok_or_else(unsupported)?
            }
            Op::LowBits(k) => {
                let (low, high) = self.two(b, args[0]);
                if *k <= n { (b.low_bits(low, *k), b.constant(word, 0)) } else { (low, b.low_bits(high, k - n)) }
            }
            Op::And | Op::Or | Op::Xor | Op::AndNot => {
                let (x, y) = (self.two(b, args[0]), self.two(b, args[1]));
                let low = b.op(op.clone(), &[x.0, y.0], &[word])[0];
                (low, b.op(op.clone(), &[x.1, y.1], &[word])[0])
            }
            Op::Not => {
                let (low, high) = self.two(b, args[0]);
                (b.not(low), b.not(high))
            }
            Op::Select => {
                let (mask, x, y) = (self.one(args[0]), self.two(b, args[1]), self.two(b, args[2]));
                (b.select(mask, x.0, y.0), b.select(mask, x.1, y.1))
            }
            Op::Join if self.ty(args[0]) == word => (self.one(args[0]), self.one(args[1])),
            Op::Split | Op::Narrow => return self.take_apart(b, op, args[0], results, word),
            _ => return Err(unsupported()),
        };
        // What wraps is a pattern, also where the words that it is made of have signs.
        let is_pattern = !op.row().exact && self.are_unsigned(results);
        let high = if is_pattern { unsigned(b, pair.1) } else { pair.1 };
        self.give_two(b, r, (pair.0, high));
        Ok(())
    }

    /// A double word moved down by k bits; `None` where its low word would have a sign.
    fn shifted_down(&self, b: &mut Builder, arithmetic: bool, k: u32, arg: Value) -> Option<(Value, Value)> {
        let (low, high) = self.two(b, arg);
        let word = b.ty(high);
        let n = word.bits();
        let shifted = |b: &mut Builder, k: u32| match (arithmetic, k) {
            (_, 0) => high,
            (true, _) => b.sar(high, k.min(n - 1)),
            (false, _) => b.shr(high, k),
        };
        Some(match k {
            0 => (low, high),
            k if k < n => (b.funnel_shift(high, low, k), shifted(b, k)),
            // The low word of a negative number is read without its sign.
            _ if arithmetic && !is_unsigned(&self.kernel.value(arg).range) => return None,
            // A number of so many bits that the highest is 1 is shifted as a negative one.
            k if arithmetic => (shifted(b, k - n), b.sar(high, n - 1)),
            k => (shifted(b, k - n), b.constant(word, 0)),
        })
    }

    /// Double words into words.
    fn take_apart(
        &mut self,
        b: &mut Builder,
        op: &Op,
        arg: Value,
        results: &[Value],
        word: Type,
    ) -> Result<(), Illegal> {
        let (low, high) = self.two(b, arg);
        let ty = self.ty(results[0]);
        match op {
            Op::Split if ty == word => {
                // The parts are patterns: a high word with a sign is read without it.
                let high = unsigned(b, high);
                self.give(b, results[0], Image::One(low));
                self.give(b, results[1], Image::One(high));
                Ok(())
            }
            // The high word is 0: the number is its low word.
            Op::Narrow if is_unsigned(&self.kernel.value(arg).range) => {
                let narrow = b.narrow(low, ty);
                self.give(b, results[0], Image::One(narrow));
                Ok(())
            }
            _ => Err(self.illegal(format!("`{}` of double words", op.name()), "take a plan that keeps words apart")),
        }
    }
}

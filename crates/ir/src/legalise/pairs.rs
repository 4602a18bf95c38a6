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
    pub(super) fn two(&self, b: &mut Builder, v: Value) -> (Value, Value) {
        match self.image(b, v) {
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
        if matches!(op, Op::Split | Op::Narrow) {
            return self.take_apart(b, op, args[0], results, word);
        }
        if self.by_halves(b, op, args, r) {
            return Ok(());
        }
        let (low, high) = self.pair(b, op, args, word)?;
        // What wraps is a pattern, also where the words that it is made of have signs.
        let is_pattern = !op.row().exact && self.are_unsigned(results);
        let high = if is_pattern { unsigned(b, high) } else { high };
        self.give_two(b, r, (low, high));
        Ok(())
    }

    fn unsupported(&self, op: &Op) -> Illegal {
        self.illegal(format!("`{}` of double words", op.name()), "take a plan that keeps words apart")
    }

    /// The two words of an operation's result, which is a double word.
    fn pair(&mut self, b: &mut Builder, op: &Op, args: &[Value], word: Type) -> Result<(Value, Value), Illegal> {
        let n = word.bits();
        Ok(match op {
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
            Op::Add | Op::WrappingAdd | Op::Sub | Op::WrappingSub => self.sum_of_pairs(b, op, args, word),
            Op::WrappingMul => self.product_of_pairs(b, op, args)?,
            Op::Mul if self.are_unsigned(args) => self.product_of_pairs(b, op, args)?,
            Op::FlagToWord => {
                let flag = self.one(args[0]);
                (b.flag_to_word(flag, word), b.constant(word, 0))
            }
            Op::Widen if !self.is_split(self.ty(args[0])) && self.ty(args[0]).bits() <= n => {
                let x = self.one(args[0]);
                (b.widen(x, word), b.constant(word, 0))
            }
            Op::Shl(k) | Op::WrappingShl(k) => {
                let k = constant(k).ok_or_else(|| self.unsupported(op))?;
                let wraps = matches!(op, Op::WrappingShl(_));
                self.shifted_up(b, wraps, k, args[0]).ok_or_else(|| self.unsupported(op))?
            }
            Op::Shr(k) | Op::Sar(k) => {
                let k = constant(k).ok_or_else(|| self.unsupported(op))?;
                let arithmetic = matches!(op, Op::Sar(_));
                self.shifted_down(b, arithmetic, k, args[0]).ok_or_else(|| self.unsupported(op))?
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
            _ => return Err(self.unsupported(op)),
        })
    }

    /// A sum or difference: of the low words with a carry, which the high words take in.
    fn sum_of_pairs(&mut self, b: &mut Builder, op: &Op, args: &[Value], word: Type) -> (Value, Value) {
        let (x, y) = (self.two(b, args[0]), self.two(b, args[1]));
        let none = b.no_flag();
        let (low, carry) = match op {
            Op::Add | Op::WrappingAdd => self.add_carry(b, x.0, y.0, none),
            _ => self.sub_borrow(b, x.0, y.0, none),
        };
        let carry = b.flag_to_word(carry, word);
        let step = match op {
            Op::Add => Builder::add,
            Op::Sub => Builder::sub,
            Op::WrappingAdd => Builder::wrapping_add,
            _ => Builder::wrapping_sub,
        };
        let high = step(b, x.1, y.1);
        (low, step(b, high, carry))
    }

    /// low·low′ in two words, and what of the others falls into the high word.
    fn product_of_pairs(&mut self, b: &mut Builder, op: &Op, args: &[Value]) -> Result<(Value, Value), Illegal> {
        let (x, y) = (self.two(b, args[0]), self.two(b, args[1]));
        let (low, mut high) = self.words_of_product(b, x.0, y.0)?;
        let exact = matches!(op, Op::Mul);
        for (p, q) in [(x.0, y.1), (x.1, y.0)] {
            let part = if exact { b.mul(p, q) } else { b.wrapping_mul(p, q) };
            high = if exact { b.add(high, part) } else { b.wrapping_add(high, part) };
        }
        Ok((low, high))
    }

    /// A double word moved up by k bits; `None` where an exact one may be negative.
    fn shifted_up(&self, b: &mut Builder, wraps: bool, k: u32, arg: Value) -> Option<(Value, Value)> {
        let (low, high) = self.two(b, arg);
        let word = b.ty(high);
        let n = word.bits();
        let zero = b.constant(word, 0);
        if !wraps && !is_unsigned(&self.kernel.value(arg).range) {
            return None;
        }
        Some(match k {
            0 => (low, high),
            k if k < n => (b.wrapping_shl(low, k), b.funnel_shift(high, low, n - k)),
            k => (zero, b.wrapping_shl(low, k - n)),
        })
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
            _ => Err(self.unsupported(op)),
        }
    }
}

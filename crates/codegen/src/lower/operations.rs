//! Each operation of the kernel language on machine words.

use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Op, Type};

use super::error::LowerError;
use super::lowering::{Lowering, Rep};
use super::site::Site;
use super::words::Limbs;
use super::writer::{Flag, Writer};
use crate::graph::NONE;

const NO: Flag = Flag::Known(false);

pub(super) fn one(x: Limbs) -> Vec<Rep> {
    vec![Rep::Limbs(x)]
}

impl Lowering<'_, '_> {
    pub(super) fn limbs(&mut self, rep: Rep, bits: u32) -> Limbs {
        match rep {
            Rep::Limbs(x) => x,
            Rep::Flag(f) => {
                let word = self.writer.word_of(f);
                self.writer.resize([word, NONE], bits)
            }
            Rep::Mask(f) => self.writer.mask_limbs(f, bits),
        }
    }

    pub(super) fn flag(&mut self, rep: Rep) -> Flag {
        match rep {
            Rep::Flag(f) | Rep::Mask(f) => f,
            Rep::Limbs(x) => {
                let one = self.writer.constant(1);
                Flag::Bit(self.writer.and(x[0], one))
            }
        }
    }

    /// An operand in words of the first one's bits.
    pub(super) fn operand(&mut self, on: &Site<'_>, i: usize) -> Limbs {
        self.limbs(on.reps[i], on.bits())
    }

    /// The first two operands.
    pub(super) fn operands(&mut self, on: &Site<'_>) -> (Limbs, Limbs) {
        (self.operand(on, 0), self.operand(on, 1))
    }

    /// The results of one operation.
    pub(super) fn compute(&mut self, on: &Site<'_>) -> Result<Vec<Rep>, LowerError> {
        if let Op::Const(c) = on.op {
            return Ok(vec![self.constant(c, on.result_type())?]);
        }
        if self.lanes {
            let words: Vec<_> = on.reps.iter().map(|r| self.limbs(*r, 1)[0]).collect();
            let computed = self.writer.lanes(on.op, &words).ok_or_else(|| on.unsupported())?;
            return Ok(computed.into_iter().map(|w| Rep::Limbs([w, NONE])).collect());
        }
        if let Some(lane) = self.element {
            return self.vector(on, lane);
        }
        let n = on.bits();
        match on.op {
            Op::Add | Op::WrappingAdd => {
                let (a, b) = self.operands(on);
                Ok(one(self.writer.add_limbs(a, b, NO, n, on.fits(Interval::add)).0))
            }
            Op::Sub | Op::WrappingSub => {
                let (a, b) = self.operands(on);
                Ok(one(self.writer.sub_limbs(a, b, NO, n, on.fits(Interval::sub)).0))
            }
            Op::AddCarry | Op::SubBorrow => Ok(self.with_carry(on)),
            Op::Mul | Op::WrappingMul => {
                let (a, b) = self.operands(on);
                Ok(one(self.writer.mul_limbs(a, b, n, on.fits(Interval::mul))))
            }
            Op::MulWide | Op::MulAddAdd if n <= 64 => Ok(self.double_product(on)),
            Op::MulFull if n <= 64 => {
                let (a, b) = self.operands(on);
                let product = self.writer.product(a[0], b[0], 2 * n);
                Ok(one(self.writer.resize(product, 2 * n)))
            }
            Op::MaddLo(bits) | Op::MaddHi(bits) if n <= 64 => Ok(self.half_product(on, *bits)),
            Op::FlagToWord | Op::MaskToWord | Op::FlagToMask | Op::MaskToFlag => Ok(self.converted(on)),
            Op::Equal | Op::Less | Op::Select => Ok(self.condition(on)),
            Op::Shl(_) | Op::WrappingShl(_) | Op::Shr(_) | Op::Sar(_) | Op::Rotate(_) => Ok(self.shifted(on)),
            Op::FunnelShift(_) if n <= 64 => {
                let (a, b) = self.operands(on);
                Ok(one([self.writer.funnel_words(a[0], b[0], on.amount, n), NONE]))
            }
            Op::And | Op::Or | Op::Xor | Op::AndNot | Op::Not => Ok(self.logic(on)),
            Op::LowBits(_) | Op::Widen | Op::Narrow => Ok(self.resized(on)),
            Op::Split => {
                let (a, out) = (self.operand(on, 0), on.out());
                let part = |i: u32| Rep::Limbs(self.writer.extract(a, i * out, out, n));
                Ok((0..on.results.len() as u32).map(part).collect())
            }
            Op::Join => {
                let parts: Vec<Limbs> =
                    on.args.iter().zip(on.reps).map(|(v, r)| self.limbs(*r, on.kernel.value(*v).ty.bits())).collect();
                Ok(one(self.writer.join(&parts, n, on.out())))
            }
            Op::Lookup { table, .. } => self.looked_up(on, *table),
            _ => Err(on.unsupported()),
        }
    }

    /// A sum or difference with a carry in and out.
    fn with_carry(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let (a, b) = self.operands(on);
        let carry = self.flag(on.reps[2]);
        let (n, none) = (on.bits(), on.never_carries());
        let (sum, carry) = if matches!(on.op, Op::AddCarry) {
            self.writer.add_limbs(a, b, carry, n, none)
        } else {
            self.writer.sub_limbs(a, b, carry, n, none)
        };
        vec![Rep::Limbs(sum), Rep::Flag(carry)]
    }

    /// A product in two words, with up to two words added.
    fn double_product(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let n = on.bits();
        let (a, b) = self.operands(on);
        let mut product = self.writer.product(a[0], b[0], 2 * n);
        for i in 2..on.args.len() {
            let c = self.operand(on, i);
            product = self.add_to_product(product, c, 2 * n <= 64);
        }
        let low = self.writer.low_bits([product[0], NONE], n, n);
        let high = self.writer.funnel_of_product(product, n);
        vec![Rep::Limbs(low), Rep::Limbs([high, NONE])]
    }

    /// A word plus the low or the high half of the product of the low `bits` bits of two.
    fn half_product(&mut self, on: &Site<'_>, bits: u32) -> Vec<Rep> {
        let n = on.bits();
        let acc = self.operand(on, 0);
        let [a, b] = [1, 2].map(|i| {
            let word = self.operand(on, i);
            if on.is_below(i, bits) { word } else { self.writer.low_bits(word, bits, n) }
        });
        let part = if matches!(on.op, Op::MaddLo(_)) {
            let low = self.writer.mul_low(a[0], b[0]);
            self.writer.low_bits([low, NONE], bits, n)
        } else {
            let product = self.writer.product(a[0], b[0], 2 * bits);
            [self.writer.funnel_of_product(product, bits), NONE]
        };
        one(self.writer.add_limbs(acc, part, NO, n, on.is_exact()).0)
    }

    /// Product plus a word; their sum fits two words, and with `short` one.
    fn add_to_product(&mut self, product: Limbs, c: Limbs, short: bool) -> Limbs {
        let (low, carry) = self.writer.add(product[0], c[0], NO, short);
        let zero = self.writer.constant(0);
        [low, self.writer.add(product[1], zero, carry, true).0]
    }

    /// A flag or a mask as another of them or as a word.
    fn converted(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let f = self.flag(on.reps[0]);
        match on.op {
            Op::FlagToMask => vec![Rep::Mask(f)],
            Op::MaskToFlag => vec![Rep::Flag(f)],
            Op::FlagToWord => one(self.limbs(Rep::Flag(f), on.out())),
            _ => one(self.limbs(Rep::Mask(f), on.out())),
        }
    }

    /// Comparisons and choices.
    fn condition(&mut self, on: &Site<'_>) -> Vec<Rep> {
        if matches!(on.op, Op::Select) {
            let f = self.flag(on.reps[0]);
            let (a, b) = (self.limbs(on.reps[1], on.out()), self.limbs(on.reps[2], on.out()));
            return one(self.writer.select_limbs(f, a, b));
        }
        let (a, b) = self.operands(on);
        let flag = if matches!(on.op, Op::Equal) { self.writer.equal(a, b) } else { self.writer.less(a, b) };
        vec![Rep::Mask(flag)]
    }

    /// One number shifted by a public amount.
    fn shifted(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let (a, k, n) = (self.operand(on, 0), on.amount, on.bits());
        one(match on.op {
            Op::Shr(_) => self.writer.shr_limbs(a, k, n),
            Op::Sar(_) => self.writer.sar_limbs(a, k, n),
            Op::Rotate(_) => self.writer.rotate_limbs(a, k % n, n),
            _ => self.writer.shl_limbs(a, k, n, on.shift_fits()),
        })
    }

    /// A number of more or fewer bits.
    fn resized(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let (a, out) = (self.operand(on, 0), on.out());
        if let Op::LowBits(k) = on.op {
            return one(self.writer.low_bits(a, *k, on.bits()));
        }
        let sized = self.writer.resize(a, out);
        let is_whole = matches!(on.op, Op::Widen) || on.is_natural();
        one(if is_whole { sized } else { self.writer.low_bits(sized, out, out) })
    }

    /// The entry of a table at a secret index: every entry is read.
    fn looked_up(&mut self, on: &Site<'_>, table: Array) -> Result<Vec<Rep>, LowerError> {
        let ArrayKind::Table(entries) = &on.kernel.array(table).kind else { return Err(on.unsupported()) };
        let index = self.operand(on, 0);
        let mut found = self.writer.constant_limbs(0, on.out());
        for (i, entry) in entries.iter().enumerate() {
            let Rep::Limbs(entry) = self.constant(entry, on.result_type())? else {
                return Err(on.unsupported());
            };
            let place = self.writer.constant_limbs(i as u128, on.bits());
            let here = self.writer.equal(index, place);
            found = self.writer.select_limbs(here, entry, found);
        }
        Ok(one(found))
    }

    fn logic(&mut self, on: &Site<'_>) -> Vec<Rep> {
        let (ty, n) = (on.ty(), on.bits());
        if matches!(ty, Type::Flag | Type::Mask(_)) {
            let flag = self.logic_of_flags(on);
            return vec![if ty == Type::Flag { Rep::Flag(flag) } else { Rep::Mask(flag) }];
        }
        let a = self.limbs(on.reps[0], n);
        let Some(b) = on.reps.get(1).map(|b| self.limbs(*b, n)) else {
            return one(self.writer.not_limbs(a, n));
        };
        let op = match on.op {
            Op::And => Writer::and,
            Op::Or => Writer::or,
            Op::Xor => Writer::xor,
            _ => Writer::and_not,
        };
        one(self.writer.zip(a, b, op))
    }

    fn logic_of_flags(&mut self, on: &Site<'_>) -> Flag {
        let words: Vec<_> = on
            .reps
            .iter()
            .map(|r| {
                let f = self.flag(*r);
                self.writer.word_of(f)
            })
            .collect();
        let w = &mut self.writer;
        let bit = match on.op {
            Op::And => w.and(words[0], words[1]),
            Op::Or => w.or(words[0], words[1]),
            Op::Xor => w.xor(words[0], words[1]),
            Op::AndNot => w.and_not(words[0], words[1]),
            _ => {
                let one = w.constant(1);
                w.xor(words[0], one)
            }
        };
        match w.graph.constant(bit) {
            Some(c) => Flag::Known(c & 1 == 1),
            None => Flag::Bit(bit),
        }
    }
}

impl Writer {
    /// `⌊product / 2^bits⌋` of a product of two words of `bits` bits.
    fn funnel_of_product(&mut self, product: Limbs, bits: u32) -> crate::graph::Id {
        self.funnel(product[1], product[0], bits)
    }
}

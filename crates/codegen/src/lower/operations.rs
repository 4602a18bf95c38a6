//! Each operation of the kernel language on machine words.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Kernel, Op, Type, Value};
use num_traits::Signed;

use super::error::LowerError;
use super::lowering::{Lowering, Rep};
use super::words::Limbs;
use super::writer::{Flag, Writer};
use crate::graph::NONE;

const NO: Flag = Flag::Known(false);

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

    /// The results of one operation.
    pub(super) fn compute(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        args: &[Value],
        reps: &[Rep],
        results: &[Value],
        k: u32,
    ) -> Result<Vec<Rep>, LowerError> {
        let unsupported = || LowerError::Unsupported(format!("the operation {}", op.name()));
        if let Op::Const(c) = op {
            return Ok(vec![self.constant(c, kernel.value(results[0]).ty)?]);
        }
        if self.lanes {
            let words: Vec<_> = reps.iter().map(|r| self.limbs(*r, 1)[0]).collect();
            let computed = self.writer.lanes(op, &words).ok_or_else(unsupported)?;
            return Ok(computed.into_iter().map(|w| Rep::Limbs([w, NONE])).collect());
        }
        if let Some(element) = self.element {
            return self.vector(kernel, op, args, reps, results, k, element);
        }
        let range = |i: usize| &kernel.value(args[i]).range;
        let result_range = &kernel.value(results[0]).range;
        let ty = args.first().map_or(Type::Word(64), |v| kernel.value(*v).ty);
        let n = ty.bits();
        let out = kernel.value(results[0]).ty.bits();
        let natural = args.iter().all(|v| !kernel.value(*v).range.lo.is_negative());
        let fits = |exact: Interval| natural && !exact.lo.is_negative() && exact.hi < pow2(n);
        // An exact operation whose result is not negative fits by the proof, in a word of its own bits only when its
        // operands are not negative either.
        let exact = natural && !result_range.lo.is_negative();
        let x = |s: &mut Self, i: usize| {
            s.limbs(reps[i], if matches!(op, Op::Join) { kernel.value(args[i]).ty.bits() } else { n })
        };
        let one = |x: Limbs| Ok(vec![Rep::Limbs(x)]);
        match op {
            Op::Const(_) => Err(unsupported()),
            Op::Add | Op::WrappingAdd => {
                let (a, b) = (x(self, 0), x(self, 1));
                let fits = if matches!(op, Op::Add) { exact } else { fits(range(0).add(range(1))) };
                one(self.writer.add_limbs(a, b, NO, n, fits).0)
            }
            Op::Sub | Op::WrappingSub => {
                let (a, b) = (x(self, 0), x(self, 1));
                let fits = if matches!(op, Op::Sub) { exact } else { fits(range(0).sub(range(1))) };
                one(self.writer.sub_limbs(a, b, NO, n, fits).0)
            }
            Op::Mul | Op::WrappingMul => {
                let (a, b) = (x(self, 0), x(self, 1));
                let fits = if matches!(op, Op::Mul) { exact } else { fits(range(0).mul(range(1))) };
                one(self.writer.mul_limbs(a, b, n, fits))
            }
            Op::MulWide | Op::MulAddAdd if n <= 64 => {
                let (a, b) = (x(self, 0), x(self, 1));
                let mut product = self.writer.product(a[0], b[0], 2 * n);
                if matches!(op, Op::MulAddAdd) {
                    for i in [2, 3] {
                        let c = x(self, i);
                        product = self.add_to_product(product, c, 2 * n <= 64);
                    }
                }
                let low = self.writer.low_bits([product[0], NONE], n, n);
                let high = self.writer.funnel_of_product(product, n);
                Ok(vec![Rep::Limbs(low), Rep::Limbs([high, NONE])])
            }
            Op::MulFull if n <= 64 => {
                let (a, b) = (x(self, 0), x(self, 1));
                let product = self.writer.product(a[0], b[0], 2 * n);
                one(self.writer.resize(product, 2 * n))
            }
            Op::MaddLo(bits) | Op::MaddHi(bits) if n <= 64 => {
                let acc = x(self, 0);
                let [a, b] = [1, 2].map(|i| {
                    let word = x(self, i);
                    if natural && range(i).hi < pow2(*bits) { word } else { self.writer.low_bits(word, *bits, n) }
                });
                let part = if matches!(op, Op::MaddLo(_)) {
                    let low = self.writer.mul_low(a[0], b[0]);
                    self.writer.low_bits([low, NONE], *bits, n)
                } else {
                    let product = self.writer.product(a[0], b[0], 2 * bits);
                    [self.writer.funnel_of_product(product, *bits), NONE]
                };
                one(self.writer.add_limbs(acc, part, NO, n, exact).0)
            }
            Op::AddCarry | Op::SubBorrow => {
                let (a, b) = (x(self, 0), x(self, 1));
                let carry = self.flag(reps[2]);
                let none = kernel.value(results[1]).range.hi.sign() == num_bigint::Sign::NoSign;
                let (sum, carry) = if matches!(op, Op::AddCarry) {
                    self.writer.add_limbs(a, b, carry, n, none)
                } else {
                    self.writer.sub_limbs(a, b, carry, n, none)
                };
                Ok(vec![Rep::Limbs(sum), Rep::Flag(carry)])
            }
            Op::FlagToWord => {
                let f = self.flag(reps[0]);
                one(self.limbs(Rep::Flag(f), out))
            }
            Op::FlagToMask => Ok(vec![Rep::Mask(self.flag(reps[0]))]),
            Op::MaskToWord => {
                let f = self.flag(reps[0]);
                one(self.limbs(Rep::Mask(f), out))
            }
            Op::MaskToFlag => Ok(vec![Rep::Flag(self.flag(reps[0]))]),
            Op::Equal | Op::Less => {
                let (a, b) = (x(self, 0), x(self, 1));
                Ok(vec![Rep::Mask(if matches!(op, Op::Equal) {
                    self.writer.equal(a, b)
                } else {
                    self.writer.less(a, b)
                })])
            }
            Op::Select => {
                let f = self.flag(reps[0]);
                let (a, b) = (self.limbs(reps[1], out), self.limbs(reps[2], out));
                one(self.writer.select_limbs(f, a, b))
            }
            Op::Shl(_) | Op::WrappingShl(_) => {
                let a = x(self, 0);
                let fits = natural && range(0).shl(k).hi < pow2(n);
                one(self.writer.shl_limbs(a, k, n, fits))
            }
            Op::Shr(_) => {
                let a = x(self, 0);
                one(self.writer.shr_limbs(a, k, n))
            }
            Op::Sar(_) => {
                let a = x(self, 0);
                one(self.writer.sar_limbs(a, k, n))
            }
            Op::Rotate(_) => {
                let a = x(self, 0);
                one(self.writer.rotate_limbs(a, k % n, n))
            }
            Op::FunnelShift(_) if n <= 64 => {
                let (a, b) = (x(self, 0), x(self, 1));
                one([self.writer.funnel_words(a[0], b[0], k, n), NONE])
            }
            Op::And | Op::Or | Op::Xor | Op::AndNot | Op::Not => self.logic(op, ty, reps),
            Op::LowBits(k) => {
                let a = x(self, 0);
                one(self.writer.low_bits(a, *k, n))
            }
            Op::Widen => {
                let a = x(self, 0);
                one(self.writer.resize(a, out))
            }
            Op::Narrow => {
                let a = x(self, 0);
                let narrow = self.writer.resize(a, out);
                one(if natural { narrow } else { self.writer.low_bits(narrow, out, out) })
            }
            Op::Split => {
                let a = x(self, 0);
                Ok((0..results.len() as u32).map(|i| Rep::Limbs(self.writer.extract(a, i * out, out, n))).collect())
            }
            Op::Join => {
                let parts: Vec<Limbs> = (0..args.len()).map(|i| x(self, i)).collect();
                one(self.writer.join(&parts, n, out))
            }
            Op::Lookup { table, .. } => {
                let ArrayKind::Table(entries) = &kernel.array(*table).kind else { return Err(unsupported()) };
                let index = x(self, 0);
                let mut found = self.writer.constant_limbs(0, out);
                for (i, entry) in entries.iter().enumerate() {
                    let Rep::Limbs(entry) = self.constant(entry, kernel.value(results[0]).ty)? else {
                        return Err(unsupported());
                    };
                    let place = self.writer.constant_limbs(i as u128, n);
                    let here = self.writer.equal(index, place);
                    found = self.writer.select_limbs(here, entry, found);
                }
                one(found)
            }
            _ => Err(unsupported()),
        }
    }

    /// Product plus a word; their sum fits two words, and with `short` one.
    fn add_to_product(&mut self, product: Limbs, c: Limbs, short: bool) -> Limbs {
        let (low, carry) = self.writer.add(product[0], c[0], NO, short);
        let zero = self.writer.constant(0);
        [low, self.writer.add(product[1], zero, carry, true).0]
    }

    fn logic(&mut self, op: &Op, ty: Type, reps: &[Rep]) -> Result<Vec<Rep>, LowerError> {
        let n = ty.bits();
        if matches!(ty, Type::Flag | Type::Mask(_)) {
            let words: Vec<_> = reps
                .iter()
                .map(|r| {
                    let f = self.flag(*r);
                    self.writer.word_of(f)
                })
                .collect();
            let w = &mut self.writer;
            let bit = match op {
                Op::And => w.and(words[0], words[1]),
                Op::Or => w.or(words[0], words[1]),
                Op::Xor => w.xor(words[0], words[1]),
                Op::AndNot => w.and_not(words[0], words[1]),
                _ => {
                    let one = w.constant(1);
                    w.xor(words[0], one)
                }
            };
            let flag = match w.graph.constant(bit) {
                Some(c) => Flag::Known(c & 1 == 1),
                None => Flag::Bit(bit),
            };
            return Ok(vec![if ty == Type::Flag { Rep::Flag(flag) } else { Rep::Mask(flag) }]);
        }
        let a = self.limbs(reps[0], n);
        let Some(b) = reps.get(1).map(|b| self.limbs(*b, n)) else {
            return Ok(vec![Rep::Limbs(self.writer.not_limbs(a, n))]);
        };
        let op = match op {
            Op::And => Writer::and,
            Op::Or => Writer::or,
            Op::Xor => Writer::xor,
            _ => Writer::and_not,
        };
        Ok(vec![Rep::Limbs(self.writer.zip(a, b, op))])
    }
}

impl Writer {
    /// `⌊product / 2^bits⌋` of a product of two words of `bits` bits.
    fn funnel_of_product(&mut self, product: Limbs, bits: u32) -> crate::graph::Id {
        self.funnel(product[1], product[0], bits)
    }
}

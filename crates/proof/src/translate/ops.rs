//! One operation of the kernel language after another.

use evariste_ir::Op;
use num_bigint::{BigInt, Sign};
use num_traits::{One, ToPrimitive, Zero};

use crate::equations::Poly;
use crate::equations::system::{Affine, pow2};

use super::bits::Bitwise;
use crate::unroll::Applied;

use super::values::{Values, window};

impl Values {
    /// The results of an operation.
    pub fn apply(&mut self, o: &Applied, args: &[Affine]) -> Vec<Affine> {
        use Op::*;
        let n = o.types[0].bits();
        // A result whose declared range goes below 0 is read with a sign; nothing else of the declaration is used.
        let signed = o.kernel.value(o.results[0]).range.lo.sign() == Sign::Minus;
        let edges = window(n, signed);
        let what: &dyn Fn() -> String = &|| format!("v{} = {} stays in its type", o.results[0].0, o.op.name());
        let raw = self.as_read(o, args);
        if let Some(several) = self.several(o, &raw, n) {
            return several;
        }
        let r = |i: usize| &raw[i];
        let one = match o.op {
            Const(c) => Affine::constant(c.clone()),
            Add => self.within(&self.sum(r(0), 1, r(1)), edges, what),
            Sub => self.within(&self.sum(r(0), -1, r(1)), edges, what),
            Mul => self.within(&self.product(r(0), r(1)), edges, what),
            Shl(_) => self.within(&r(0).poly().scaled(&pow2(o.shift)), edges, what),
            Narrow => self.within(&r(0).poly(), edges, what),
            WrappingAdd => self.wrapping_sum(r(0), 1, r(1), n),
            WrappingSub => self.wrapping_sum(r(0), -1, r(1), n),
            WrappingMul => self.wrapping_product(r(0), r(1), n),
            WrappingShl(_) => self.sys.split(&r(0).poly().scaled(&pow2(o.shift)), n).0,
            MulFull => self.full_product(r(0), r(1)),
            MaddLo(k) | MaddHi(k) => {
                let (lo, hi) = self.low_product(r(1), r(2), *k);
                let part = if matches!(o.op, MaddLo(_)) { lo } else { hi };
                self.within(&self.sum(r(0), 1, &part), edges, what)
            }
            FlagToWord | MaskToWord | Widen => r(0).clone(),
            FlagToMask => self.mask(r(0), n),
            MaskToFlag => self.flag_of_mask(r(0), o.arg_types[0].bits()),
            Equal => self.equal(r(0), r(1), n),
            Less => self.less(r(0), r(1), o.arg_types[0].bits(), n),
            Select => {
                let chosen = self.select(r(0), r(1), r(2), o.arg_types[0].bits());
                let (lo, hi) = self.interval(&chosen);
                if lo >= edges.0 && hi <= edges.1 { chosen } else { self.within(&chosen.poly(), edges, what) }
            }
            Shr(_) => self.split(r(0), o.shift).1,
            Sar(_) => self.arithmetic_shift(r(0), n, o.shift, signed),
            Rotate(_) => self.rotation(r(0), o.shift % n, n),
            FunnelShift(_) => self.funnel_shift(r(0), r(1), o.shift, n),
            And => self.bitwise(Bitwise::And, r(0), r(1), n),
            Or => self.bitwise(Bitwise::Or, r(0), r(1), n),
            Xor => self.bitwise(Bitwise::Xor, r(0), r(1), n),
            AndNot => self.bitwise(Bitwise::AndNot, r(0), r(1), n),
            Not => r(0).map(&-BigInt::one(), &(pow2(n) - 1)),
            LowBits(k) => self.split(r(0), *k).0,
            Join => self.joined(o, &raw),
            Clmul => self.carryless(r(0), r(1)),
            RijndaelMul | BitMatrix(_) => self.sys.opaque(&BigInt::zero(), &(pow2(8) - 1)),
            Lookup { .. } if o.table.is_empty() => self.look_up_among(r(0), &args[1..], what),
            Lookup { .. } => self.look_up(r(0), o.table, what),
            // Floats are in a file of their own, several results above; what has a body was written out.
            Defined(_) | BitsToFloat | FloatToBits | FloatAdd | FloatSub | FloatMul | FloatFma | MulWide
            | MulAddAdd | AddCarry | SubBorrow | Split => self.sys.opaque(&edges.0, &edges.1),
        };
        vec![one]
    }

    /// The operands as the operation reads them: everything but exact arithmetic reads bit patterns.
    fn as_read(&mut self, o: &Applied, args: &[Affine]) -> Vec<Affine> {
        use Op::*;
        match o.op {
            Add | Sub | Mul | Shl(_) | Select | Narrow | WrappingAdd | WrappingSub | WrappingMul | WrappingShl(_)
            | LowBits(_) | Sar(_) | MaddLo(_) | MaddHi(_) => args.to_vec(),
            _ => args.iter().zip(o.arg_types).map(|(x, t)| self.unsigned(x, t.bits())).collect(),
        }
    }

    /// The results of an operation with several results; `None`: it has one.
    fn several(&mut self, o: &Applied, r: &[Affine], n: u32) -> Option<Vec<Affine>> {
        let (low, high) = match o.op {
            Op::MulWide | Op::MulAddAdd => {
                let product = self.product(&r[0], &r[1]);
                let exact = r[2..].iter().fold(product, |sum, addend| sum.plus(&BigInt::one(), &addend.poly()));
                self.sys.split(&exact, n)
            }
            Op::AddCarry => {
                let exact = self.sum(&r[0], 1, &r[1]).plus(&BigInt::one(), &r[2].poly());
                self.sys.split(&exact, n)
            }
            Op::SubBorrow => self.difference(&r[0], &r[1], &r[2], n),
            Op::Split => {
                let mut rest = r[0].clone();
                let parts = o.types.iter().map(|t| {
                    let (low, high) = self.split(&rest, t.bits());
                    rest = high;
                    low
                });
                return Some(parts.collect());
            }
            _ => return None,
        };
        Some(vec![low, high])
    }

    /// The product of two words in a double word.
    fn full_product(&mut self, a: &Affine, b: &Affine) -> Affine {
        let product = self.product(a, b);
        self.sys.value_of(&product)
    }

    /// The low n bits of `a + factor·b`.
    fn wrapping_sum(&mut self, a: &Affine, factor: i32, b: &Affine, n: u32) -> Affine {
        let sum = self.sum(a, factor, b);
        self.sys.split(&sum, n).0
    }

    /// The mask of `a < b`, both of `bits` bits.
    fn less(&mut self, a: &Affine, b: &Affine, bits: u32, n: u32) -> Affine {
        let (_, borrow) = self.difference(a, b, &Affine::constant(0), bits);
        self.mask(&borrow, n)
    }

    /// A word of n bits turned left by k.
    fn rotation(&mut self, x: &Affine, k: u32, n: u32) -> Affine {
        let (low, high) = self.split(x, n - k);
        let poly = low.poly().scaled(&pow2(k)).plus(&BigInt::one(), &high.poly());
        self.sys.value_of(&poly)
    }

    /// The low word of `(high·2^n + low) / 2^k`.
    fn funnel_shift(&mut self, high: &Affine, low: &Affine, k: u32, n: u32) -> Affine {
        let above = self.split(high, k).0;
        let below = self.split(low, k).1;
        let poly = below.poly().plus(&pow2(n - k), &above.poly());
        self.sys.value_of(&poly)
    }

    /// A carry-less product: nothing is known of it but its length.
    fn carryless(&mut self, a: &Affine, b: &Affine) -> Affine {
        let bits = self.interval(a).1.bits() + self.interval(b).1.bits();
        self.sys.opaque(&BigInt::zero(), &(pow2((bits as u32).saturating_sub(1)) - 1))
    }

    /// The number of an operation's operands side by side, the first one lowest.
    fn joined(&mut self, o: &Applied, parts: &[Affine]) -> Affine {
        let mut poly = Poly::default();
        let mut at = 0;
        for (x, t) in parts.iter().zip(o.arg_types) {
            poly = poly.plus(&pow2(at), &x.poly());
            at += t.bits();
        }
        self.sys.value_of(&poly)
    }

    /// The mask of `a == b`.
    fn equal(&mut self, a: &Affine, b: &Affine, n: u32) -> Affine {
        let ones: BigInt = pow2(n) - 1;
        if a == b {
            return Affine::constant(ones);
        }
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        if ah < bl || bh < al {
            return Affine::constant(0);
        }
        if let (Some((f, a0, a1)), Some((g, b0, b1))) = (self.cases(a), self.cases(b))
            && (f == g || f.is_none() || g.is_none())
            && let Some(atom) = f.or(g)
        {
            let test = |x: &BigInt, y: &BigInt| if x == y { ones.clone() } else { BigInt::zero() };
            let (t0, t1) = (test(&a0, &b0), test(&a1, &b1));
            return Affine::new(t0.clone(), t1 - t0, atom);
        }
        let flag = self.opaque_flag();
        self.mask(&flag, n)
    }

    /// `⌊x / 2^k⌋` of the two's complement reading.
    fn arithmetic_shift(&mut self, x: &Affine, n: u32, shift: u32, signed: bool) -> Affine {
        let (lo, hi) = self.interval(x);
        if lo.sign() == Sign::Minus || hi < pow2(n - 1) {
            return self.split(x, shift).1;
        }
        let sign = self.split(x, n - 1).1;
        let shifted = self.split(x, shift).1;
        // As a signed number the word is x − 2^n·sign; as an unsigned one its copies of the sign fill up from the top.
        let fill = if signed { -pow2(n - shift) } else { pow2(n) - pow2(n - shift) };
        let poly = shifted.poly().plus(&fill, &sign.poly());
        self.sys.value_of(&poly)
    }

    /// One of these values.
    fn look_up_among(&mut self, index: &Affine, entries: &[Affine], what: &dyn Fn() -> String) -> Affine {
        self.owe(index, &BigInt::zero(), &(BigInt::from(entries.len()) - 1), what);
        let ends: Vec<(BigInt, BigInt)> = entries.iter().map(|x| self.interval(x)).collect();
        let (lo, hi) = (
            ends.iter().map(|e| &e.0).min().cloned().unwrap_or_default(),
            ends.iter().map(|e| &e.1).max().cloned().unwrap_or_default(),
        );
        self.sys.opaque(&lo, &hi)
    }

    /// A table's entry; exact when the index is known or a flag, or the entries grow evenly.
    fn look_up(&mut self, index: &Affine, table: &[BigInt], what: &dyn Fn() -> String) -> Affine {
        let last = BigInt::from(table.len()) - 1;
        self.owe(index, &BigInt::zero(), &last, what);
        let entry = |i: &BigInt| i.to_usize().and_then(|i| table.get(i)).cloned().unwrap_or_default();
        if let Some((flag, i0, i1)) = self.cases(index) {
            return match flag {
                None => Affine::constant(entry(&i0)),
                Some(f) => Affine::new(entry(&i0), entry(&i1) - entry(&i0), f),
            };
        }
        let (lo, hi) =
            (table.iter().min().cloned().unwrap_or_default(), table.iter().max().cloned().unwrap_or_default());
        if let [a, b, ..] = table {
            let step = b - a;
            if table.windows(2).all(|w| &w[1] - &w[0] == step) {
                return index.map(&step, a);
            }
        }
        self.sys.opaque(&lo, &hi)
    }
}

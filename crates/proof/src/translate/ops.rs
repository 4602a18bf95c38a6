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
        // Everything but exact arithmetic reads bit patterns.
        let raw = match o.op {
            Add | Sub | Mul | Shl(_) | Select | Narrow | WrappingAdd | WrappingSub | WrappingMul | WrappingShl(_)
            | LowBits(_) | Sar(_) | MaddLo(_) | MaddHi(_) => args.to_vec(),
            _ => args.iter().zip(o.arg_types).map(|(x, t)| self.unsigned(x, t.bits())).collect(),
        };
        let r = |i: usize| &raw[i];
        let zero = BigInt::zero();
        let one = match o.op {
            Const(c) => Affine::constant(c.clone()),
            Add => self.within(&self.sum(r(0), 1, r(1)), edges, what),
            Sub => self.within(&self.sum(r(0), -1, r(1)), edges, what),
            Mul => self.within(&self.product(r(0), r(1)), edges, what),
            Shl(_) => self.within(&r(0).poly().scaled(&pow2(o.shift)), edges, what),
            Narrow => self.within(&r(0).poly(), edges, what),
            WrappingAdd => {
                let sum = self.sum(r(0), 1, r(1));
                self.sys.split(&sum, n).0
            }
            WrappingSub => {
                let difference = self.sum(r(0), -1, r(1));
                self.sys.split(&difference, n).0
            }
            WrappingMul => self.wrapping_product(r(0), r(1), n),
            WrappingShl(_) => self.sys.split(&r(0).poly().scaled(&pow2(o.shift)), n).0,
            MulFull => {
                let product = self.product(r(0), r(1));
                self.sys.value_of(&product)
            }
            MulWide | MulAddAdd => {
                let mut exact = self.product(r(0), r(1));
                for addend in &raw[2..] {
                    exact = exact.plus(&BigInt::one(), &addend.poly());
                }
                return self.both(&exact, n);
            }
            MaddLo(k) => {
                let (lo, _) = self.low_product(r(1), r(2), *k);
                self.within(&self.sum(r(0), 1, &lo), edges, what)
            }
            MaddHi(k) => {
                let (_, hi) = self.low_product(r(1), r(2), *k);
                self.within(&self.sum(r(0), 1, &hi), edges, what)
            }
            AddCarry => {
                let exact = self.sum(r(0), 1, r(1)).plus(&BigInt::one(), &r(2).poly());
                return self.both(&exact, n);
            }
            SubBorrow => {
                let (d, borrow) = self.difference(r(0), r(1), r(2), n);
                return vec![d, borrow];
            }
            FlagToWord | MaskToWord | Widen => r(0).clone(),
            FlagToMask => self.mask(r(0), n),
            MaskToFlag => self.flag_of_mask(r(0), o.arg_types[0].bits()),
            Equal => self.equal(r(0), r(1), n),
            Less => {
                let (_, borrow) = self.difference(r(0), r(1), &Affine::constant(0), o.arg_types[0].bits());
                self.mask(&borrow, n)
            }
            Select => {
                let chosen = self.select(r(0), r(1), r(2), o.arg_types[0].bits());
                let (lo, hi) = self.interval(&chosen);
                if lo < edges.0 || hi > edges.1 { self.within(&chosen.poly(), edges, what) } else { chosen }
            }
            Shr(_) => self.split(r(0), o.shift).1,
            Sar(_) => self.arithmetic_shift(r(0), n, o.shift, signed),
            Rotate(_) => {
                let k = o.shift % n;
                let (low, high) = self.split(r(0), n - k);
                let poly = low.poly().scaled(&pow2(k)).plus(&BigInt::one(), &high.poly());
                self.sys.value_of(&poly)
            }
            FunnelShift(_) => {
                let low = self.split(r(0), o.shift).0;
                let high = self.split(r(1), o.shift).1;
                let poly = high.poly().plus(&pow2(n - o.shift), &low.poly());
                self.sys.value_of(&poly)
            }
            And => self.bitwise(Bitwise::And, r(0), r(1), n),
            Or => self.bitwise(Bitwise::Or, r(0), r(1), n),
            Xor => self.bitwise(Bitwise::Xor, r(0), r(1), n),
            AndNot => self.bitwise(Bitwise::AndNot, r(0), r(1), n),
            Not => r(0).map(&-BigInt::one(), &(pow2(n) - 1)),
            LowBits(k) => self.split(r(0), *k).0,
            Split => {
                let mut rest = r(0).clone();
                return o
                    .types
                    .iter()
                    .map(|t| {
                        let (low, high) = self.split(&rest, t.bits());
                        rest = high;
                        low
                    })
                    .collect();
            }
            Join => {
                let mut poly = Poly::default();
                let mut at = 0;
                for (x, t) in raw.iter().zip(o.arg_types) {
                    poly = poly.plus(&pow2(at), &x.poly());
                    at += t.bits();
                }
                self.sys.value_of(&poly)
            }
            Clmul => {
                let bits = self.interval(r(0)).1.bits() + self.interval(r(1)).1.bits();
                self.sys.opaque(&zero, &(pow2((bits as u32).saturating_sub(1)) - 1))
            }
            RijndaelMul | BitMatrix(_) => self.sys.opaque(&zero, &(pow2(8) - 1)),
            Lookup { .. } if o.table.is_empty() => self.look_up_among(r(0), &args[1..], what),
            Lookup { .. } => self.look_up(r(0), o.table, what),
            // Floats are in a file of their own; what has a body was written out.
            Defined(_) | BitsToFloat | FloatToBits | FloatAdd | FloatSub | FloatMul | FloatFma => {
                self.sys.opaque(&edges.0, &edges.1)
            }
        };
        vec![one]
    }

    fn both(&mut self, exact: &Poly, n: u32) -> Vec<Affine> {
        let (lo, hi) = self.sys.split(exact, n);
        vec![lo, hi]
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

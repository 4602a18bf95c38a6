//! Products of words by products of half words: a kernel of their own, proved once, which the others call.

use super::{Carries, Illegal, Products, Rewriter};
use crate::build::Builder;
use crate::contract::Polynomial;
use crate::kernel::Kernel;
use crate::op::Op;
use crate::types::Value;

use super::called::{Called, word_kernel};

/// The low and the high half of a word, as words.
pub(super) fn halves(b: &mut Builder, x: Value) -> (Value, Value) {
    let h = b.ty(x).bits() / 2;
    (b.low_bits(x, h), b.shr(x, h))
}

/// `low + 2^h·high` for halves.
pub(super) fn whole(b: &mut Builder, low: Value, high: Value) -> Value {
    let h = b.ty(low).bits() / 2;
    let high = b.shl(high, h);
    b.add(low, high)
}

/// `x·y + c + d`.
fn multiply_add_add() -> Polynomial {
    Polynomial::default().plus(1, &[0, 1]).plus(1, &[2]).plus(1, &[3])
}

/// `low + 2^n·high = x·y + c + d` by schoolbook multiplication of halves: no sum leaves a word, since
/// `(2^h − 1)² + 2·(2^h − 1) = 2^(2h) − 1`.
fn by_halves(n: u32) -> Kernel {
    word_kernel("mul_add_add_by_halves", n, &["x", "y", "c", "d"], n, multiply_add_add(), |b, a| {
        let parts: Vec<(Value, Value)> = a.iter().map(|x| halves(b, *x)).collect();
        let [(x0, x1), (y0, y1), (c0, c1), (d0, d1)] = parts[..] else { unreachable!("four operands") };
        let h = n / 2;
        // of weight 1
        let p = b.mul(x0, y0);
        let p = b.add(p, c0);
        let p = b.add(p, d0);
        // of weight 2^h, twice
        let carry = b.shr(p, h);
        let q = b.mul(x0, y1);
        let q = b.add(q, c1);
        let q = b.add(q, carry);
        let middle = b.low_bits(q, h);
        let r = b.mul(x1, y0);
        let r = b.add(r, d1);
        let r = b.add(r, middle);
        // of weight 2^n
        let high = b.mul(x1, y1);
        let (from_q, from_r) = (b.shr(q, h), b.shr(r, h));
        let high = b.add(high, from_q);
        let high = b.add(high, from_r);
        let (low, middle) = (b.low_bits(p, h), b.low_bits(r, h));
        (whole(b, low, middle), high)
    })
}

impl Rewriter<'_> {
    /// `(low, high)` of `x·y` and up to two addends.
    pub(super) fn product(
        &mut self,
        b: &mut Builder,
        x: Value,
        y: Value,
        addends: &[Value],
    ) -> Result<(Value, Value), Illegal> {
        let ty = b.ty(x);
        if !ty.bits().is_multiple_of(2) {
            return Err(self.illegal("a product of words of odd size", "take words of an even number of bits"));
        }
        let mut a = vec![x, y];
        a.extend(addends);
        while a.len() < 4 {
            a.push(b.constant(ty, 0));
        }
        Ok(self.call_words(b, Called::Product, ty, &a, by_halves))
    }

    /// Both words of a product, as the machine gives them.
    pub(super) fn words_of_product(&mut self, b: &mut Builder, x: Value, y: Value) -> Result<(Value, Value), Illegal> {
        match self.machine.products {
            Products::Low => self.product(b, x, y, &[]),
            _ => Ok(b.mul_wide(x, y)),
        }
    }

    /// `acc` plus the low or the high k bits of the product of the low k bits of two words.
    pub(super) fn part_product(&mut self, b: &mut Builder, k: u32, a: &[Value], high: bool) -> Result<Value, Illegal> {
        let ty = b.ty(a[0]);
        let half = if self.machine.carries == Carries::Written {
            self.half_of_product(b, k, (a[1], a[2]), high)
        } else {
            None
        };
        let part = match half {
            Some(half) => half,
            None => {
                let (x, y) = (b.low_bits(a[1], k), b.low_bits(a[2], k));
                let (lo, hi) = self.words_of_product(b, x, y)?;
                if high { b.funnel_shift(hi, lo, k) } else { b.low_bits(lo, k) }
            }
        };
        Ok(b.op(Op::Add, &[a[0], part], &[ty])[0])
    }
}

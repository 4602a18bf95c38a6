//! Carries, borrows and unsigned comparisons by what a machine without them has.

use super::Rewriter;
use super::called::{Called, word_kernel};
use super::products::{halves, whole};
use crate::build::Builder;
use crate::contract::Polynomial;
use crate::interval::pow2;
use crate::kernel::Kernel;
use crate::op::Op;
use crate::types::{Type, Value};

/// `low + 2^n·high = x + y + c` by sums of halves.
fn sum(n: u32) -> Kernel {
    let promise = Polynomial::default().plus(1, &[0]).plus(1, &[1]).plus(1, &[2]);
    word_kernel("add_by_halves", n, &["x", "y", "c"], 1, promise, |b, a| {
        let ((x0, x1), (y0, y1)) = (halves(b, a[0]), halves(b, a[1]));
        let low = b.add(x0, y0);
        let low = b.add(low, a[2]);
        let carry = b.shr(low, n / 2);
        let high = b.add(x1, y1);
        let high = b.add(high, carry);
        let carry = b.shr(high, n / 2);
        let (low, high) = (b.low_bits(low, n / 2), b.low_bits(high, n / 2));
        (whole(b, low, high), carry)
    })
}

/// `low + 2^n·high = 2^n + x − y − c` by differences of halves, each with 2^h more.
fn difference(n: u32) -> Kernel {
    let promise = Polynomial::constant(pow2(n)).plus(1, &[0]).plus(-1, &[1]).plus(-1, &[2]);
    word_kernel("sub_by_halves", n, &["x", "y", "c"], 1, promise, |b, a| {
        let ty = b.word_type();
        let (one, base) = (b.constant(ty, 1), b.constant(ty, pow2(n / 2)));
        let ((x0, x1), (y0, y1)) = (halves(b, a[0]), halves(b, a[1]));
        let half = |b: &mut Builder, x: Value, y: Value, borrow: Value| {
            let d = b.add(x, base);
            let d = b.sub(d, y);
            let d = b.sub(d, borrow);
            (b.low_bits(d, n / 2), b.shr(d, n / 2))
        };
        let (low, kept) = half(b, x0, y0, a[2]);
        let borrow = b.sub(one, kept);
        let (high, kept) = half(b, x1, y1, borrow);
        (whole(b, low, high), kept)
    })
}

impl Rewriter<'_> {
    /// `(sum, carry)` of `a + b + c`.
    pub(super) fn add_carry(&mut self, b: &mut Builder, x: Value, y: Value, c: Value) -> (Value, Value) {
        if self.machine.flags {
            return b.add_carry(x, y, c);
        }
        let ty = b.ty(x);
        let carry = b.flag_to_word(c, ty);
        if b.range(x).add(b.range(y)).add(b.range(carry)).fits(ty) {
            let sum = b.add(x, y);
            return (b.add(sum, carry), b.no_flag());
        }
        let (sum, carry) = self.call_words(b, Called::Sum, ty, &[x, y, carry], sum);
        (sum, self.flag(b, carry))
    }

    /// `(difference, borrow)` of `a − b − c`.
    pub(super) fn sub_borrow(&mut self, b: &mut Builder, x: Value, y: Value, c: Value) -> (Value, Value) {
        if self.machine.flags {
            return b.sub_borrow(x, y, c);
        }
        let ty = b.ty(x);
        let borrow = b.flag_to_word(c, ty);
        let (difference, kept) = self.call_words(b, Called::Difference, ty, &[x, y, borrow], difference);
        let one = b.constant(ty, 1);
        let borrow = b.sub(one, kept);
        (difference, self.flag(b, borrow))
    }

    /// The mask of `a < b`.
    pub(super) fn less(&mut self, b: &mut Builder, x: Value, y: Value) -> Value {
        let none = b.no_flag();
        let (_, borrow) = self.sub_borrow(b, x, y, none);
        let ty = Type::Mask(b.ty(x).bits() as u8);
        b.op(Op::FlagToMask, &[borrow], &[ty])[0]
    }

    /// A word that is 0 or 1 as a flag.
    fn flag(&self, b: &mut Builder, word: Value) -> Value {
        if let Some(c) = b.constant_of(word).cloned() {
            return b.constant(Type::Flag, c);
        }
        let one = b.constant(b.ty(word), 1);
        let mask = b.equal(word, one);
        b.mask_to_flag(mask)
    }
}

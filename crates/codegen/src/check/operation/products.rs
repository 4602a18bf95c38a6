//! Products of words, and of double words modulo 2^n. **Trusted.**

use evariste_ir::Op;

use super::super::terms::{Flag, Terms};
use super::operands::{Item, Operands, one};

/// `x·y`: exact, modulo 2^n, or in full.
pub(super) fn product(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let n = on.bits();
    if *op == Op::WrappingMul && n > 64 {
        return of_double_words(t, on);
    }
    let (mut lo, hi) = t.mul(on.word(0)?, on.word(1)?);
    if *op == Op::MulFull {
        return Some(vec![Item::Words(if 2 * n <= 64 { vec![lo] } else { vec![lo, hi] })]);
    }
    if *op == Op::Mul {
        if on.unsigned {
            // The product is below 2^n.
            let high = t.int(hi);
            t.learn_zero(high);
            t.bound_word(lo, 0, (1 << n) - 1);
        }
        lo = t.refresh_word(lo);
    }
    one(t.low(lo, n))
}

/// `x·y` modulo 2^n of numbers of two limbs.
fn of_double_words(t: &mut Terms, on: &Operands<'_>) -> Option<Vec<Item>> {
    let ([x0, x1], [y0, y1]) = (on.limbs(0)?, on.limbs(1)?) else { return None };
    let (lo, hi) = t.mul(*x0, *y0);
    let (cross, other) = (t.mul(*x0, *y1).0, t.mul(*x1, *y0).0);
    let hi = t.add(hi, cross, 64);
    let hi = t.add(hi, other, 64);
    Some(vec![Item::Words(vec![lo, t.low(hi, on.bits() - 64)])])
}

/// Products in two words with up to two words added, and sums of a word and half of a product.
pub(super) fn with_sums(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let n = on.bits();
    if let Op::MaddLo(k) | Op::MaddHi(k) = op {
        let none = Flag(t.constant(0));
        let (x, y) = (t.low(on.word(1)?, *k), t.low(on.word(2)?, *k));
        let (lo, hi) = t.halves(x, y, *k);
        let part = if matches!(op, Op::MaddLo(_)) { lo } else { hi };
        let (sum, carry) = t.add_carry(on.word(0)?, part, none, n);
        if on.unsigned {
            t.learn_zero(carry.0);
        }
        return one(t.refresh_word(sum));
    }
    let zero = t.word_constant(0);
    let (c, d) = if *op == Op::MulWide { (zero, zero) } else { (on.word(2)?, on.word(3)?) };
    let (lo, hi) = t.mul_add_add(on.word(0)?, on.word(1)?, c, d, n);
    Some(vec![Item::Words(vec![lo]), Item::Words(vec![hi])])
}

//! Numbers of other sizes: their low bits, their parts, and numbers made of parts. **Trusted.**

use evariste_ir::Op;

use super::super::terms::{Terms, Word};
use super::operands::{Item, Operands, widths};

/// A number of more or fewer bits.
pub(super) fn resized(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let limbs = on.limbs(0)?;
    if let Op::LowBits(k) = op {
        let low = limbs.iter().enumerate().map(|(i, x)| t.low(*x, k.saturating_sub(64 * i as u32).min(64)));
        return Some(vec![Item::Words(low.collect())]);
    }
    let target = on.to.first()?.bits();
    if *op == Op::Narrow && on.unsigned {
        // The value fits: what is above is zero.
        for x in place(t, limbs, -i64::from(target), on.bits()) {
            let value = t.int(x);
            t.learn_zero(value);
        }
    }
    Some(vec![Item::Words(place(t, limbs, 0, target))])
}

/// A number's parts, the lowest first.
pub(super) fn split(t: &mut Terms, on: &Operands<'_>) -> Option<Vec<Item>> {
    let limbs = on.limbs(0)?;
    let mut at = 0;
    let mut out = Vec::new();
    for ty in on.to {
        let moved = place(t, limbs, -at, on.bits());
        out.push(Item::Words(place(t, &moved, 0, ty.bits())));
        at += i64::from(ty.bits());
    }
    Some(out)
}

/// The number whose parts are the operands, the lowest first.
pub(super) fn join(t: &mut Terms, on: &Operands<'_>) -> Option<Vec<Item>> {
    let target = on.to.first()?.bits();
    let mut sum: Vec<Word> = widths(target).map(|_| t.word_constant(0)).collect();
    let mut at = 0;
    for (item, ty) in on.args.iter().zip(on.from) {
        let moved = place(t, item.limbs()?, at, target);
        // No bit in common: no carry.
        sum = sum.iter().zip(&moved).zip(widths(target)).map(|((x, y), n)| joined(t, *x, *y, n)).collect();
        at += i64::from(ty.bits());
    }
    Some(vec![Item::Words(sum)])
}

/// `x + y` below 2^n, for words without a common bit.
fn joined(t: &mut Terms, x: Word, y: Word, n: u32) -> Word {
    let (x, y) = (t.int(x), t.int(y));
    let value = t.sum(&[(x, 1), (y, 1)], 0);
    t.seal(value, 0, (1 << n) - 1)
}

/// The number shifted up by `by` bits (down when negative), modulo 2^bits.
pub(super) fn place(t: &mut Terms, limbs: &[Word], by: i64, bits: u32) -> Vec<Word> {
    let (whole, part) = (by.div_euclid(64), by.rem_euclid(64) as u32);
    let at = |i: i64| usize::try_from(i).ok().and_then(|i| limbs.get(i)).copied();
    let zero = t.word_constant(0);
    widths(bits)
        .enumerate()
        .map(|(i, n)| {
            let i = i as i64 - whole;
            let (here, below) = (at(i).unwrap_or(zero), at(i - 1).unwrap_or(zero));
            let word = match part {
                0 => here,
                k => {
                    let (up, down) = (t.shift_left(here, k, 64), t.shift_right(below, 64 - k));
                    joined(t, up, down, 64)
                }
            };
            t.low(word, n)
        })
        .collect()
}

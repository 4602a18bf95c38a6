//! Shifts and rotations by public amounts. **Trusted.**

use evariste_ir::Op;

use super::super::terms::{Terms, Word};
use super::operands::{Item, Operands, one, widths};
use super::sizes::place;

/// A number shifted up or down.
pub(super) fn shift(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let (n, by) = (on.bits(), i64::from(on.amount));
    match (op, on.limbs(0)?) {
        (Op::Shl(_), [x]) if on.unsigned => {
            // x·2^k stays below 2^n.
            let x = t.int(*x);
            let value = t.sum(&[(x, 1 << on.amount)], 0);
            let above = t.floor(value, n);
            t.learn_zero(above);
            one(t.seal(value, 0, (1 << n) - 1))
        }
        (Op::Sar(_), limbs) if n > 64 => signed_down(t, on, limbs),
        (Op::Sar(_), _) => one(t.shift_right_signed(on.word(0)?, on.amount, n)),
        (Op::Shr(_), limbs) => Some(vec![Item::Words(place(t, limbs, -by, n))]),
        (_, limbs) => Some(vec![Item::Words(place(t, limbs, by, n))]),
    }
}

/// A number of two limbs in its signed reading, shifted down.
fn signed_down(t: &mut Terms, on: &Operands<'_>, limbs: &[Word]) -> Option<Vec<Item>> {
    let n = on.bits();
    let sign = t.bit(*limbs.last()?, n - 65);
    let shifted = place(t, limbs, -i64::from(on.amount), n);
    // The bits that come in from above are the sign.
    let above = (u128::MAX >> (128 - n)) & !(u128::MAX.checked_shr(128 - n + on.amount).unwrap_or(0));
    let mut out = Vec::new();
    for ((i, x), n) in shifted.into_iter().enumerate().zip(widths(n)) {
        let extend = (above >> (64 * i)) as u64;
        let x = t.int(x);
        let value = t.sum(&[(x, 1), (sign.0, i128::from(extend))], 0);
        out.push(t.seal(value, 0, (1 << n) - 1));
    }
    Some(vec![Item::Words(out)])
}

/// Rotations of one word and shifts through two.
pub(super) fn turn(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let (n, k, first) = (on.bits(), on.amount, on.word(0)?);
    if matches!(op, Op::Rotate(_)) {
        return one(t.rotate(first, k % n, n));
    }
    let low = on.word(1)?;
    one(match k {
        0 => low,
        k if k == n => first,
        k => t.funnel(first, low, k, n),
    })
}

//! Comparisons, conditions as words, and choices. **Trusted.**

use evariste_ir::Op;

use super::super::terms::{Flag, Terms};
use super::operands::{Item, Operands, one};
use super::sizes::place;
use super::sums::sub;

/// A flag or a mask as another of them or as a word.
pub(super) fn converted(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let flag = on.flag(0)?;
    match op {
        Op::FlagToWord => {
            let x = t.flag_word(flag);
            Some(vec![Item::Words(place(t, &[x], 0, on.to.first()?.bits()))])
        }
        Op::MaskToWord => one(t.mask_word(flag, on.bits())),
        _ => Some(vec![Item::Flag(flag)]),
    }
}

/// `x = y` or `x < y`.
pub(super) fn compared(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let none = Flag(t.constant(0));
    let (x, y) = (on.limbs(0)?, on.limbs(1)?);
    if *op == Op::Less {
        return Some(vec![Item::Flag(sub(t, x, y, none, on.bits()).1)]);
    }
    let mut differ = none;
    for (x, y) in x.iter().zip(y) {
        let difference = t.sub(*x, *y, 64);
        let more = t.nonzero(difference);
        differ = t.flag_or(differ, more);
    }
    Some(vec![Item::Flag(t.complement(differ))])
}

/// The second operand where the first is set, else the third.
pub(super) fn select(t: &mut Terms, on: &Operands<'_>) -> Option<Vec<Item>> {
    let f = on.flag(0)?;
    match (&on.args[1], &on.args[2]) {
        (Item::Words(x), Item::Words(y)) => {
            Some(vec![Item::Words(x.iter().zip(y).map(|(x, y)| t.select(f, *x, *y)).collect())])
        }
        (Item::Flag(x), Item::Flag(y)) => {
            let difference = t.sum(&[(x.0, 1), (y.0, -1)], 0);
            let product = t.times(f, difference);
            let l = t.sum(&[(y.0, 1), (product, 1)], 0);
            Some(vec![Item::Flag(t.flag(l))])
        }
        _ => None,
    }
}

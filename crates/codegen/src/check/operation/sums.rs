//! Sums and differences of numbers of any number of limbs. **Trusted.**

use evariste_ir::Op;

use super::super::terms::{Flag, Terms, Word};
use super::operands::{Item, Operands, widths};

/// `x + y`, exact or modulo 2^n, and with a carry in and out.
pub(super) fn sum(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    if *op == Op::AddCarry {
        let (limbs, carry) = add(t, on.limbs(0)?, on.limbs(1)?, on.flag(2)?, on.bits());
        return Some(vec![Item::Words(limbs), Item::Flag(carry)]);
    }
    let none = Flag(t.constant(0));
    let (limbs, carry) = add(t, on.limbs(0)?, on.limbs(1)?, none, on.bits());
    if *op == Op::Add && on.unsigned {
        t.learn_zero(carry.0);
    }
    Some(vec![words(t, limbs)])
}

/// `x − y`, exact or modulo 2^n, and with a borrow in and out.
pub(super) fn difference(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    if *op == Op::SubBorrow {
        let (limbs, borrow) = sub(t, on.limbs(0)?, on.limbs(1)?, on.flag(2)?, on.bits());
        return Some(vec![Item::Words(limbs), Item::Flag(borrow)]);
    }
    let none = Flag(t.constant(0));
    let (limbs, borrow) = sub(t, on.limbs(0)?, on.limbs(1)?, none, on.bits());
    if *op == Op::Sub && on.unsigned {
        t.learn_zero(borrow.0);
    }
    Some(vec![words(t, limbs)])
}

/// The limbs with what was learned meanwhile.
fn words(t: &mut Terms, limbs: Vec<Word>) -> Item {
    Item::Words(limbs.into_iter().map(|x| t.refresh_word(x)).collect())
}

fn add(t: &mut Terms, x: &[Word], y: &[Word], carry: Flag, bits: u32) -> (Vec<Word>, Flag) {
    let mut carry = carry;
    let mut out = Vec::new();
    for ((x, y), n) in x.iter().zip(y).zip(widths(bits)) {
        let (s, c) = t.add_carry(*x, *y, carry, n);
        out.push(s);
        carry = c;
    }
    (out, carry)
}

pub(super) fn sub(t: &mut Terms, x: &[Word], y: &[Word], borrow: Flag, bits: u32) -> (Vec<Word>, Flag) {
    let mut borrow = borrow;
    let mut out = Vec::new();
    for ((x, y), n) in x.iter().zip(y).zip(widths(bits)) {
        let (d, b) = t.sub_borrow(*x, *y, borrow, n);
        out.push(d);
        borrow = b;
    }
    (out, borrow)
}

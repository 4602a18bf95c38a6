//! Sum modulo p.
//!
//! * **computes** `a + b mod p`. Saturated: the sum, then one conditional subtraction of p (of 2p in lazy layouts);
//!   redundant: the carry is folded by `2^(wn) ≡ c·2^(wn−k)`, twice; unsaturated: digit by digit, then a carry pass.
//!   Modulo `2^k` the last carry is dropped. Modulo `2^k − 1`: `s = a + b + 1`; where s has the bit at `2^k`, s without it
//!   is `a + b − p`, else `s − 1` is the sum.
//! * **needs** resting operands. Outputs may be an operand.
//! * **gives** a resting element.
//! * **cost** 2n additions and n selects (n + 1 words where `2p − 2` leaves n words); modulo
//!   `2^k − 1` 2n additions and three operations on the highest word; redundant 2n + ⌈fold/word⌉
//!   additions; unsaturated n additions and the pass.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithm 14.7; folding: Crandall,
//!   US patent 5159632 (1992). A sum with one more, and the carry that decides: as in `bignum_add_p521` of s2n-bignum.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Polynomial, Type, Value};

use super::representation::{Resting, is_canonical, kernel_name, masked, modulus, prime, resting_of, sum};
use super::sub::sum_without_carry;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::reduction::carry_pass::{carry_pass, pseudo_mersenne};
use crate::reduction::conditional_subtraction::normalise;
use crate::reduction::short_products::truncated;
use crate::signature::{self, NotApplicable, ValueClaim};
use crate::words::constant_digits;

/// Saturated layouts with a bound in multiples of p.
pub const CONDITIONAL_SUBTRACTION: Whole = Whole {
    name: "conditional-subtraction",
    applies: |f, l, op| *op == Operation::ADD && matches!(resting_of(f, l), Some(Resting::Below(_))),
    write: |f, l, op| {
        write(f, l, &kernel_name(op, "conditional-subtraction"), |b, m, x, y| {
            let t = sum(b, l.word, x, y);
            Ok(normalise(b, m, t, &l.resting.bound))
        })
    },
};

/// Modulo `2^k − 1` in whole words: the sum and 1 is what it is above p, but for the bit at `2^k`; else 1 is taken away.
pub const MERSENNE: Whole = Whole {
    name: "one-more",
    applies: |f, l, op| *op == Operation::ADD && is_canonical(f, l) && l.saturated() && mersenne(f, l).is_some(),
    write: |f, l, op| {
        let place = mersenne(f, l).ok_or_else(|| NotApplicable("the modulus is not 2^k − 1".into()))?;
        write(f, l, &kernel_name(op, "one-more"), |b, m, x, y| {
            let one = b.constant(Type::Flag, 1);
            let (low, high) = sum_and_bit(b, x, &y.digits, one, place);
            let digits = one_less(b, low, high);
            Ok(Number::new(digits, l.word, prime(m) - 1))
        })
    },
};

/// `x + y + carry` of numbers below `2^k`, k the place in the highest word: the sum without its bit at `2^k`, and that bit.
pub(super) fn sum_and_bit(
    b: &mut Builder,
    x: &Number,
    y: &[Value],
    mut carry: Value,
    place: u32,
) -> (Vec<Value>, Value) {
    let mut s = Vec::with_capacity(y.len());
    for (x, y) in x.digits.iter().zip(y) {
        let (d, next) = b.add_carry(*x, *y, carry);
        s.push(d);
        carry = next;
    }
    let top = s.len() - 1;
    let high = b.shr(s[top], place);
    s[top] = b.low_bits(s[top], place);
    (s, high)
}

/// `x + high − 1`, high 0 or 1 and the result not negative.
pub(super) fn one_less(b: &mut Builder, mut x: Vec<Value>, high: Value) -> Vec<Value> {
    let (one, zero) = (b.word_constant(1), b.word_constant(0));
    let excess = b.sub(one, high);
    let mut borrow = b.no_flag();
    for (i, d) in x.iter_mut().enumerate() {
        (*d, borrow) = b.sub_borrow(*d, if i == 0 { excess } else { zero }, borrow);
    }
    x
}

/// Of a modulus `2^k − 1` the place of the bit at `2^k` in the highest of a layout's words.
pub(super) fn mersenne(field: &Field, layout: &Layout) -> Option<u32> {
    let (k, c) = pseudo_mersenne(modulus(field).ok()?)?;
    let place = k.checked_sub((layout.digits() as u32 - 1) * layout.word)?;
    (c == 1.into() && place < layout.word).then_some(place)
}

/// Redundant saturated layouts.
pub const FOLD: Whole = Whole {
    name: "fold",
    applies: |f, l, op| *op == Operation::ADD && matches!(resting_of(f, l), Some(Resting::Redundant { .. })),
    write: |f, l, op| {
        write(f, l, &kernel_name(op, "fold"), |b, _, x, y| {
            let Some(Resting::Redundant { fold }) = resting_of(f, l) else {
                return Err(NotApplicable("the layout is not redundant".into()));
            };
            let n = l.digits();
            // a + b = s + 2^(wn)·carry ≡ s + fold·carry.
            let mut carry = b.no_flag();
            let mut s = Vec::with_capacity(n);
            for (x, y) in x.digits.iter().zip(&y.digits) {
                let (d, next) = b.add_carry(*x, *y, carry);
                s.push(d);
                carry = next;
            }
            let fold_digits = constant_digits(b, &fold, n);
            let first = masked(b, carry, &fold_digits);
            let mut carry = b.no_flag();
            for (s, f) in s.iter_mut().zip(&first) {
                (*s, carry) = b.add_carry(*s, *f, carry);
            }
            // If that carried again, what is left is below the fold: the second fold stays in the words of 2·fold.
            let words = ((&fold * 2u32).bits() as usize).div_ceil(l.word as usize).min(n);
            let second = masked(b, carry, &fold_digits[..words]);
            let mut carry = b.no_flag();
            for (s, f) in s.iter_mut().zip(&second) {
                (*s, carry) = b.add_carry(*s, *f, carry);
            }
            Ok(Number::new(s, l.word, l.resting.bound.clone()))
        })
    },
};

/// Modulo `2^k`.
pub const TRUNCATION: Whole = Whole {
    name: "truncation",
    applies: |f, l, op| *op == Operation::ADD && resting_of(f, l) == Some(Resting::LowBits),
    write: |f, l, op| {
        write(f, l, &kernel_name(op, "truncation"), |b, m, x, y| {
            let t = sum_without_carry(b, &x.digits, &y.digits);
            Ok(truncated(b, m, l, &t))
        })
    },
};

/// Unsaturated layouts.
pub const DIGITWISE: Whole = Whole {
    name: "digitwise",
    applies: |f, l, op| *op == Operation::ADD && resting_of(f, l) == Some(Resting::Digits),
    write: |f, l, op| {
        write(f, l, &kernel_name(op, "digitwise"), |b, m, x, y| {
            let digits = x.digits.iter().zip(&y.digits).map(|(x, y)| b.add(*x, *y)).collect();
            let t = Number::from_ranges(b, digits, l.weights.clone());
            Ok(carry_pass(b, m, l, t))
        })
    },
};

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    body: impl FnOnce(&mut Builder, &Modulus, &Number, &Number) -> Result<Number, NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let claim = ValueClaim::plain(Polynomial::input(0).plus(1, &[1]), Some(prime(m)));
    signature::kernel(name, layout, &[("a", &layout.resting), ("b", &layout.resting)], claim, |b, x| {
        body(b, m, &x[0], &x[1])
    })
}

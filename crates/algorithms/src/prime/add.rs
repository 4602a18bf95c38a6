//! Sum modulo p.
//!
//! * **computes** `a + b mod p`. Saturated: the sum, then one conditional subtraction of p (of 2p in lazy layouts);
//!   redundant: the carry is folded by `2^(wn) ≡ c·2^(wn−k)`, twice; unsaturated: digit by digit, then a carry pass.
//!   Modulo `2^k` the last carry is dropped.
//! * **needs** resting operands. Outputs may be an operand.
//! * **gives** a resting element.
//! * **cost** 2n additions and n selects (n + 1 words where `2p − 2` leaves n words); redundant 2n + ⌈fold/word⌉
//!   additions; unsaturated n additions and the pass.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithm 14.7; folding: Crandall,
//!   US patent 5159632 (1992).

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Polynomial};

use super::representation::{Resting, kernel_name, masked, modulus, prime, resting_of, sum};
use super::sub::sum_without_carry;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::reduction::carry_pass::carry_pass;
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

//! Difference modulo p.
//!
//! * **computes** `a − b mod p`. Saturated: the difference, then p (2p in lazy layouts) is added where it borrowed, and
//!   the carry of that forgotten; redundant: the borrow is folded by `2^(wn) ≡ c·2^(wn−k)`, twice; unsaturated:
//!   `a + k·p − b` digit by digit with a k·p whose digits are each large enough, then a carry pass; modulo `2^k` the last
//!   borrow is dropped.
//! * **needs** resting operands. Outputs may be an operand.
//! * **gives** a resting element.
//! * **cost** 2n additions and n ands; redundant 3n subtractions; unsaturated 2n additions and the pass.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithm 14.9; fiat-crypto (2019)
//!   for the digits of k·p.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Polynomial, Value};

use super::representation::{Resting, difference, kernel_name, masked, modulus, prime, resting, resting_of};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::reduction::carry_pass::{carry_pass, covering_multiple};
use crate::reduction::short_products::truncated;
use crate::signature::{self, NotApplicable, ValueClaim};
use crate::words::constant_digits;

/// Saturated layouts with a bound in multiples of p.
pub const MASKED_ADDITION: Whole = Whole {
    name: "masked-addition",
    applies: |f, l, op| *op == Operation::SUB && matches!(resting_of(f, l), Some(Resting::Below(_))),
    write: |f, l, op| {
        write(f, l, &kernel_name(op, "masked-addition"), |b, m, x, y| subtract(b, m, l, &x.digits, &y.digits))
    },
};

/// Redundant saturated layouts.
pub const FOLD: Whole = Whole {
    name: "fold",
    applies: |f, l, op| *op == Operation::SUB && matches!(resting_of(f, l), Some(Resting::Redundant { .. })),
    write: |f, l, op| write(f, l, &kernel_name(op, "fold"), |b, m, x, y| subtract(b, m, l, &x.digits, &y.digits)),
};

/// Modulo `2^k`.
pub const TRUNCATION: Whole = Whole {
    name: "truncation",
    applies: |f, l, op| *op == Operation::SUB && resting_of(f, l) == Some(Resting::LowBits),
    write: |f, l, op| write(f, l, &kernel_name(op, "truncation"), |b, m, x, y| subtract(b, m, l, &x.digits, &y.digits)),
};

/// Unsaturated layouts.
pub const DIGITWISE: Whole = Whole {
    name: "digitwise",
    applies: |f, l, op| *op == Operation::SUB && resting_of(f, l) == Some(Resting::Digits),
    write: |f, l, op| write(f, l, &kernel_name(op, "digitwise"), |b, m, x, y| subtract(b, m, l, &x.digits, &y.digits)),
};

/// `x − y` for resting digits of any layout; also the negative, with zeros for `x`.
pub fn subtract(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    x: &[Value],
    y: &[Value],
) -> Result<Number, NotApplicable> {
    let n = layout.digits();
    let digits = match resting(m, layout) {
        Some(Resting::Below(multiple)) => {
            // Where a − b borrowed it is a − b + 2^(wn), and adding the multiple of p carries exactly once.
            let (d, borrow) = difference(b, x, y);
            let p = constant_digits(b, &multiple, n);
            let added = masked(b, borrow, &p);
            sum_without_carry(b, &d, &added)
        }
        Some(Resting::Redundant { fold }) => {
            // a − b = d − 2^(wn)·borrow ≡ d − fold·borrow.
            let (d, borrow) = difference(b, x, y);
            let fold_digits = constant_digits(b, &fold, n);
            let first = masked(b, borrow, &fold_digits);
            let (d, borrow) = difference(b, &d, &first);
            // If that borrowed again, what is left is at least 2^(wn) − fold, and the second fold does not borrow.
            let second = masked(b, borrow, &fold_digits);
            difference(b, &d, &second).0
        }
        Some(Resting::LowBits) => {
            let t = difference(b, x, y).0;
            return Ok(truncated(b, m, layout, &t));
        }
        Some(Resting::Digits) => {
            let multiple = covering_multiple(&prime(m), &layout.weights, &layout.resting.digit_max);
            let mut digits = Vec::with_capacity(n);
            for ((x, y), k) in x.iter().zip(y).zip(multiple) {
                let k = b.word_constant(k);
                if !b.fits_add(*x, k) {
                    return Err(NotApplicable("the digits have no room for a multiple of the modulus".into()));
                }
                let raised = b.add(*x, k);
                digits.push(b.sub(raised, *y));
            }
            let t = Number::from_ranges(b, digits, layout.weights.clone());
            return Ok(carry_pass(b, m, layout, t));
        }
        None => return Err(NotApplicable("a layout with unknown bounds".into())),
    };
    Ok(Number::new(digits, layout.word, layout.resting.bound.clone()))
}

/// `x + y` modulo `2^(wn)`.
pub(crate) fn sum_without_carry(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut carry = b.no_flag();
    let mut digits = Vec::with_capacity(x.len());
    for (x, y) in x.iter().zip(y) {
        let (s, next) = b.add_carry(*x, *y, carry);
        digits.push(s);
        carry = next;
    }
    digits
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    body: impl FnOnce(&mut Builder, &Modulus, &Number, &Number) -> Result<Number, NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let claim = ValueClaim::plain(Polynomial::input(0).plus(-1, &[1]), Some(prime(m)));
    signature::kernel(name, layout, &[("a", &layout.resting), ("b", &layout.resting)], claim, |b, x| {
        body(b, m, &x[0], &x[1])
    })
}

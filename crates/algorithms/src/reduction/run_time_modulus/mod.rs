//! Arithmetic modulo a number supplied at run time: any odd number below `2^bits`.
//!
//! * **computes** products, squares and forms in Montgomery form with R = 2^(wn) ([`products`], [`forms`]), sums,
//!   differences and negatives ([`sums`]).
//! * **needs** `p < 2^bits`, and for products p odd and `n' = −1/p mod 2^w`, both passed in; operands below p (or 2p,
//!   where `R ≥ 4·2^bits`). Nothing else is asked of p: it may be small, or composite.
//! * **gives** a number below p (2p) again. So bounds are relative to p, as for a modulus that is known: contracts say
//!   them of an input number ([`evariste_ir::Below`]).
//! * **cost** as for a modulus without structure that is known; loads of n + 1 words more, and n additions where 2p is
//!   subtracted.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985); Walter, "Montgomery exponentiation
//!   needs no final subtractions" (1999), for the spare bits.

use evariste_ir::Kernel;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use crate::integer::unrolled;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Product;
use crate::signature::NotApplicable;

pub mod forms;
pub mod products;
mod statement;
pub mod sums;

/// `−1/p mod 2^k` for odd p: what a caller passes as `inverse`.
pub fn inverse(p: &BigInt, k: u32) -> BigInt {
    let base = pow2(k);
    // Newton: the number of right bits doubles, from 3.
    let x = (0..32 - k.leading_zeros()).fold(p % &base, |x, _| (&x * (2 - p * &x)) % &base);
    ((-x) % &base + &base) % &base
}

/// The names of the algorithms of an operation in a layout, of products also
/// `comba+montgomery-sos` for each schedule of `products`.
pub fn algorithms(layout: &Layout, operation: &Operation, products: &[Product]) -> Vec<String> {
    if layout.radix.is_none() && (!layout.saturated() || !unrolled(layout.word, layout.digits())) {
        return Vec::new();
    }
    match operation {
        Operation::Mul | Operation::Square => products::algorithms(layout, products),
        Operation::Add | Operation::Sub | Operation::Opp => vec![sums::name(layout, operation).into()],
        Operation::ToMontgomery | Operation::FromMontgomery | Operation::Canonical => {
            forms::name(layout, operation).map(Into::into).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The kernel of an operation by the algorithm of that name.
pub fn write(
    layout: &Layout,
    operation: &Operation,
    algorithm: &str,
    products: &[Product],
) -> Result<Kernel, NotApplicable> {
    match operation {
        Operation::Mul | Operation::Square => products::write(layout, operation, algorithm, products),
        Operation::Add | Operation::Sub | Operation::Opp => sums::write(layout, operation),
        Operation::ToMontgomery | Operation::FromMontgomery | Operation::Canonical => forms::write(layout, operation),
        _ => Err(NotApplicable(format!("there is no {} by a run-time modulus", operation.name()))),
    }
}

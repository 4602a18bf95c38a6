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

use std::sync::Arc;

use evariste_descriptions::OddModuli;
use evariste_ir::Kernel;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use crate::integer::unrolled;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

pub mod forms;
pub mod products;
mod statement;
pub mod sums;

const PRODUCTS: &[Operation] = &[Operation::MUL, Operation::SQUARE];
const SUMS: &[Operation] = &[Operation::ADD, Operation::SUB, Operation::OPP];
const FORMS: &[Operation] = &[Operation::TO_MONTGOMERY, Operation::FROM_MONTGOMERY, Operation::CANONICAL];

/// An algorithm by a modulus supplied at run time, by the name that it has for a modulus that is known.
pub struct AtRunTime(&'static str, Kind);

/// The algorithms for run-time moduli.
pub const RECIPES: &[&dyn Recipe] = &[
    &AtRunTime("montgomery-cios", Kind::Interleaved),
    &AtRunTime("montgomery-cios-chains", Kind::Interleaved),
    &AtRunTime("montgomery-cios-merge", Kind::Interleaved),
    &AtRunTime("montgomery-cios-mixed", Kind::Interleaved),
    &AtRunTime("montgomery-cios-no-carry", Kind::Interleaved),
    &AtRunTime("montgomery-fios", Kind::Interleaved),
    &AtRunTime("montgomery-fips", Kind::Interleaved),
    &AtRunTime("montgomery-cihs", Kind::Interleaved),
    &AtRunTime("montgomery-madd", Kind::Interleaved),
    &AtRunTime("montgomery-sos", Kind::Reduction),
    &AtRunTime("montgomery-sos-chains", Kind::Reduction),
    &AtRunTime("montgomery-sos-merge", Kind::Reduction),
    &AtRunTime("conditional-subtraction", Kind::Whole),
    &AtRunTime("masked-addition", Kind::Whole),
    &AtRunTime("from-zero", Kind::Whole),
    &AtRunTime("conditional-subtraction-lanes", Kind::Whole),
];

impl Recipe for AtRunTime {
    fn name(&self) -> &'static str {
        self.0
    }

    fn kind(&self) -> Kind {
        self.1
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        s.field.get::<OddModuli>()?;
        let makes = |operation: &Operation| algorithms(s.layout, operation).contains(&self.0);
        if self.1 == Kind::Reduction {
            return s.reduced().filter(|_| makes(&Operation::REDUCE));
        }
        makes(s.operation).then_some(&[])
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let joined = self.1 == Kind::Reduction && *s.operation != Operation::REDUCE;
        let product = joined.then(|| parts.kernel(0)).transpose()?;
        write(s.layout, s.operation, algorithm, product)
    }
}

/// `−1/p mod 2^k` for odd p: what a caller passes as `inverse`.
pub fn inverse(p: &BigInt, k: u32) -> BigInt {
    let base = pow2(k);
    // Newton: the number of right bits doubles, from 3.
    let x = (0..32 - k.leading_zeros()).fold(p % &base, |x, _| (&x * (2 - p * &x)) % &base);
    ((-x) % &base + &base) % &base
}

/// The names of the algorithms of an operation in a layout; of `reduce` those of the reductions of whole products, with
/// which a product is `comba+montgomery-sos`.
pub fn algorithms(layout: &Layout, operation: &Operation) -> Vec<&'static str> {
    if layout.radix.is_none() && (!layout.saturated() || !unrolled(layout.word, layout.digits())) {
        return Vec::new();
    }
    if operation.is_any(PRODUCTS) {
        products::algorithms(layout)
    } else if *operation == Operation::REDUCE {
        products::reductions(layout)
    } else if operation.is_any(SUMS) {
        vec![sums::name(layout, operation)]
    } else if operation.is_any(FORMS) {
        forms::name(layout, operation).into_iter().collect()
    } else {
        Vec::new()
    }
}

/// The kernel of an operation by the algorithm of that name, of products with a reduction from the whole product.
pub fn write(
    layout: &Layout,
    operation: &Operation,
    algorithm: &str,
    product: Option<Arc<Kernel>>,
) -> Result<Kernel, NotApplicable> {
    if operation.is_any(PRODUCTS) {
        products::write(layout, operation, algorithm, product)
    } else if operation.is_any(SUMS) {
        sums::write(layout, operation)
    } else if operation.is_any(FORMS) {
        forms::write(layout, operation)
    } else {
        Err(NotApplicable(format!("there is no {} alone by a run-time modulus", operation.name())))
    }
}

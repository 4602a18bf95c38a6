//! Out of Montgomery form.
//!
//! * **computes** `a/R mod p` as the Montgomery product of a and 1: reduction rows alone.
//! * **needs** a Montgomery layout of saturated words; a resting operand. The output may be the operand.
//! * **gives** the canonical value, below p. From a canonical operand `(p − 1 + (R − 1)·p)/R = p − 1`: nothing to
//!   subtract.
//! * **cost** n² + n multiplications; lazy layouts one conditional subtraction. Where the modulus is too long for
//!   straight-line code: a call of the layout's product.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985).

use evariste_ir::{Number, Polynomial};

use super::representation::{canonical_layout, kernel_name, modulus, prime};
use super::to_montgomery::{MUL, by_product, only_by_product};
use crate::operation::Operation;
use crate::recipe::{Composite, Whole};
use crate::reduction::conditional_subtraction::normalise;
use crate::reduction::montgomery_cios;
use crate::signature::{self, ValueClaim};
use crate::words::constant_digits;

/// Montgomery layouts.
pub const MONTGOMERY_CIOS: Whole = Whole {
    name: "montgomery-cios",
    applies: |f, l, op| {
        *op == Operation::FROM_MONTGOMERY && modulus(f).is_ok_and(|m| (montgomery_cios::INTEGRATED.applies)(m, l))
    },
    write: |f, l, op| {
        let m = modulus(f)?;
        let claim = ValueClaim { factor: l.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(m)) };
        let plain = canonical_layout(m, l);
        signature::kernel(&kernel_name(op, "montgomery-cios"), &plain, &[("a", &l.resting)], claim, |b, x| {
            let one = constant_digits(b, &1.into(), l.digits());
            let t = (montgomery_cios::INTEGRATED.multiply)(b, m, l, &x[0], &Number::new(one, l.word, 1.into()));
            Ok(normalise(b, m, t, &plain.resting.bound))
        })
    },
};

/// Montgomery layouts of long moduli: a call of the product.
pub const PRODUCT: Composite = Composite {
    name: "product",
    applies: |f, l, op| *op == Operation::FROM_MONTGOMERY && only_by_product(f, l),
    needs: MUL,
    write: |f, l, op, parts| {
        let claim =
            ValueClaim { factor: l.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(modulus(f)?)) };
        by_product(f, l, op, parts, &1.into(), claim, true)
    },
};

//! Out of Montgomery form.
//!
//! * **computes** `a/R mod p` as the Montgomery product of a and 1: reduction rows alone.
//! * **needs** a Montgomery layout of saturated words; a resting operand. The output may be the operand.
//! * **gives** the canonical value, below p. From a canonical operand `(p − 1 + (R − 1)·p)/R = p − 1`: nothing to subtract.
//! * **cost** n² + n multiplications; lazy layouts one conditional subtraction.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985).

use evariste_ir::{Number, Polynomial};

use super::representation::{canonical_layout, kernel_name, modulus, prime};
use crate::frame::{self, ValueClaim};
use crate::operation::Operation;
use crate::reduction::conditional_subtraction::settle;
use crate::reduction::{constant_digits, montgomery_cios};
use crate::registry::Whole;

/// Montgomery layouts.
pub const MONTGOMERY_CIOS: Whole = Whole {
    name: "montgomery-cios",
    applies: |f, l, op| *op == Operation::FromMontgomery && modulus(f).is_ok_and(|m| (montgomery_cios::INTEGRATED.applies)(m, l)),
    write: |f, l, op| {
        let m = modulus(f)?;
        let claim = ValueClaim { factor: l.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(m)) };
        let plain = canonical_layout(m, l);
        frame::kernel(&kernel_name(op, "montgomery-cios"), &plain, &[("a", &l.resting)], claim, |b, x| {
            let one = constant_digits(b, &1.into(), l.digits());
            let t = (montgomery_cios::INTEGRATED.multiply)(b, m, l, &x[0], &Number::new(one, l.word, 1.into()));
            Ok(settle(b, m, t, &plain.resting.bound))
        })
    },
};

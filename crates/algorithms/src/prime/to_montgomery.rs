//! Into Montgomery form.
//!
//! * **computes** `a·R mod p` as the Montgomery product of a and the constant `R² mod p`.
//! * **needs** a Montgomery layout of saturated words; a resting operand. The output may be the operand.
//! * **gives** a resting element.
//! * **cost** one Montgomery product; rows of zero digits of `R² mod p` cost nothing.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985).

use evariste_ir::{Number, Polynomial};

use super::representation::{kernel_name, modulus, prime};
use crate::frame::{self, ValueClaim};
use crate::operation::Operation;
use crate::reduction::conditional_subtraction::settle;
use crate::reduction::{constant_digits, montgomery_cios};
use crate::registry::Whole;

/// Montgomery layouts.
pub const MONTGOMERY_CIOS: Whole = Whole {
    name: "montgomery-cios",
    applies: |f, l, op| *op == Operation::ToMontgomery && modulus(f).is_ok_and(|m| (montgomery_cios::INTEGRATED.applies)(m, l)),
    write: |f, l, op| {
        let m = modulus(f)?;
        let (p, r) = (prime(m), l.factor());
        let claim = ValueClaim::plain(Polynomial::default().plus(&r % &p, &[0]), Some(p.clone()));
        frame::kernel(&kernel_name(op, "montgomery-cios"), l, &[("a", &l.resting)], claim, |b, x| {
            let square = &r * &r % &p;
            let digits = constant_digits(b, &square, l.digits());
            let t = (montgomery_cios::INTEGRATED.multiply)(b, m, l, &x[0], &Number::new(digits, l.word, square));
            Ok(settle(b, m, t, &l.resting.bound))
        })
    },
};

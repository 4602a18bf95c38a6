//! Negative modulo p.
//!
//! * **computes** `−a mod p`: the difference `0 − a`, by the method of `sub` for the layout.
//! * **needs** a resting operand. The output may be the operand.
//! * **gives** a resting element; `−0` is 0 in canonical layouts.
//! * **cost** as `sub`, without the loads of a first operand.
//! * **source** as `sub`. `p − a` without a mask would give p for 0.

use evariste_ir::Polynomial;

use super::representation::{kernel_name, modulus, prime, resting_of};
use super::sub::subtract;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{self, ValueClaim};

/// Every layout.
pub const FROM_ZERO: Whole = Whole {
    name: "from-zero",
    applies: |f, l, op| *op == Operation::OPP && resting_of(f, l).is_some(),
    write: |f, l, op| {
        let m = modulus(f)?;
        let claim = ValueClaim::plain(Polynomial::default().plus(-1, &[0]), Some(prime(m)));
        signature::kernel(&kernel_name(op, "from-zero"), l, &[("a", &l.resting)], claim, |b, x| {
            let zeros = vec![b.word_constant(0); l.digits()];
            subtract(b, m, l, &zeros, &x[0].digits)
        })
    },
};

//! Test for zero.
//!
//! * **computes** 1 when every digit is zero, else 0.
//! * **needs** a layout whose resting elements are canonical: there the digits decide. In other layouts zero has
//!   several forms; take `canonical` first and test its result in the canonical layout.
//! * **gives** one word, 0 or 1.
//! * **cost** n − 1 ors and a comparison with zero.
//! * **source** the function `nonzero` of fiat-crypto (2019), with the answer as a flag.

use evariste_ir::{Builder, Claim, Contract};

use super::equal::{flag_output, is_zero_flag};
use super::representation::{is_canonical, kernel_name};
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::input;

/// Canonical layouts.
pub const OR: Whole = Whole {
    name: "or",
    applies: |f, l, op| *op == Operation::IS_ZERO && is_canonical(f, l),
    write: |_, l, op| {
        let mut b = Builder::new(kernel_name(op, "or"), l.word);
        let (out, output) = flag_output(&mut b);
        let x = input(&mut b, "a", &l.weights, &l.resting);
        let a = x.load(&mut b);
        let flag = is_zero_flag(&mut b, &a.digits);
        b.store(out, 0u32, flag);
        Ok(b.finish(Contract {
            facts: Vec::new(),
            inputs: vec![x.operand],
            claims: vec![Claim::Equal { output, left: 0, right: None }],
        }))
    },
};

//! Test for zero.
//!
//! * **computes** 1 when every digit is zero, else 0.
//! * **needs** a layout whose resting elements are canonical: there the digits decide. In other layouts zero has
//!   several forms; take `canonical` first and test its result in the canonical layout.
//! * **gives** one word, 0 or 1.
//! * **cost** n − 1 ors and a comparison with zero.
//! * **source** the function `nonzero` of fiat-crypto (2019), with the answer as a flag.

use evariste_descriptions::Modulus;
use evariste_ir::{ArrayKind, Builder, Claim, Contract};

use super::equal::{flag_output, is_zero_flag};
use super::representation::{is_canonical, kernel_name};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::recipe::{Composite, Need, Pick, Whole};
use crate::signature::{NotApplicable, input};

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

/// Layouts for lanes whose resting elements are not canonical: of the canonical element. That this is how a test is made
/// is a step; the element and the test of its digits are proved.
pub const CANONICAL_OR: Composite = Composite {
    name: "canonical-or",
    applies: |f, l, op| {
        *op == Operation::IS_ZERO && l.radix.is_some() && f.get::<Modulus>().is_some() && !is_canonical(f, l)
    },
    needs: &[Need::new(Operation::CANONICAL, Pick::First)],
    write: |_, l, op, parts| {
        let [canonical] = parts else { return Err(NotApplicable("it has one part".into())) };
        let mut b = Builder::new(kernel_name(op, "canonical-or"), l.word);
        let (out, output) = flag_output(&mut b);
        let x = input(&mut b, "a", &l.weights, &l.resting);
        let given = canonical.params().next().map(|a| canonical.array(a).clone());
        let given = given.ok_or_else(|| NotApplicable("a kernel without an output".into()))?;
        let ranges = (0..given.len).map(|i| given.range(i).clone()).collect();
        let digits = b.array("digits", given.ty, given.len, ArrayKind::Local, ranges);
        Callee::new(&mut b, canonical.clone(), "canonical").call(&mut b, digits, &[x.array]);
        let digits: Vec<_> = (0..given.len).map(|i| b.load(digits, i)).collect();
        let flag = is_zero_flag(&mut b, &digits);
        b.store(out, 0u32, flag);
        let claims = vec![Claim::Step { output, name: "is_zero".into() }];
        Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims }))
    },
};

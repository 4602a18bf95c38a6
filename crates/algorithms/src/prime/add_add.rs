//! Sum of three operands modulo p.
//!
//! * **computes** `a + b + c mod p` by two sums, each reduced, in registers from the first step to the last.
//! * **needs** resting operands in saturated words. The output may be the last operand.
//! * **gives** a resting element.
//! * **cost** that of two sums, without a store and a load of what is between them. The whole sum and two conditional
//!   subtractions behind it take as many instructions, and as long (Golden Cove).
//! * **source** see [`super::add`].

use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Contract, Polynomial};

use super::power::Callee;
use super::representation::{Resting, kernel_name, modulus, prime, resting_of};
use crate::operation::Operation;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Saturated layouts with a bound in multiples of p.
pub const TWO_SUMS: Composite = Composite {
    name: "two-sums",
    applies: |f, l, op| {
        *op == Operation::ADD_ADD && l.saturated() && matches!(resting_of(f, l), Some(Resting::Below(_)))
    },
    needs: &[Need::new(Operation::ADD, Pick::Fewest)],
    write: |f, l, op, parts| {
        let [add] = parts else { return Err(NotApplicable("made of sums".into())) };
        let (m, r) = (modulus(f)?, &l.resting);
        let mut b = Builder::new(kernel_name(op, "two-sums"), l.word);
        let (out, operand) = output(&mut b, "out", &l.weights, r);
        let [x, y, z] = ["a", "b", "c"].map(|name| input(&mut b, name, &l.weights, r));
        // The output may be the last operand: the first sum has a place of its own.
        let ranges = r.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
        let ty = b.word_type();
        let between = b.array("between", ty, l.digits() as u32, ArrayKind::Local, ranges);
        let callee = Callee::new(&mut b, add.clone(), "add");
        callee.call(&mut b, between, &[x.array, y.array]);
        callee.call(&mut b, out, &[between, z.array]);
        let claim = ValueClaim::plain(Polynomial::input(0).plus(1, &[1]).plus(1, &[2]), Some(prime(m))).on(operand);
        let inputs = vec![x.operand, y.operand, z.operand];
        Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
    },
};

//! Choice by a flag.
//!
//! * **computes** `a` where the flag `cond` is 0, `b` where it is 1, without a branch.
//! * **needs** resting operands and a flag word of 0 or 1. The output may be an operand.
//! * **gives** the chosen element, digit for digit.
//! * **cost** n selects.
//! * **source** the function `selectznz` of fiat-crypto (Erbsen, Philipoom, Gross, Sloan, Chlipala, 2019).

use evariste_ir::{Builder, Contract, Number, Polynomial, Value};

use super::representation::kernel_name;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{ValueClaim, input, input_flag, output, store_result};

/// Every layout.
pub const SELECT: Whole = Whole {
    name: "select",
    applies: |_, _, op| *op == Operation::SELECTZNZ,
    write: |_, l, op| {
        let mut b = Builder::new(kernel_name(op, "select"), l.word);
        let (out, operand) = output(&mut b, "out", &l.weights, &l.resting);
        let cond = input_flag(&mut b, "cond");
        let x = input(&mut b, "a", &l.weights, &l.resting);
        let y = input(&mut b, "b", &l.weights, &l.resting);
        let flag = b.load(cond.array, 0u32);
        let (a, c) = (x.load(&mut b), y.load(&mut b));
        let pairs: Vec<(Value, Value)> = a.digits.into_iter().zip(c.digits).collect();
        let digits = if l.word == 1 {
            // A bit of the flag beside each bit of the elements.
            let chosen = |(a, c)| {
                let (c, a) = (b.and(flag, c), b.and_not(a, flag));
                b.xor(c, a)
            };
            pairs.into_iter().map(chosen).collect()
        } else {
            let zero = b.word_constant(0);
            let mask = b.less(zero, flag);
            pairs.into_iter().map(|(a, c)| b.select(mask, c, a)).collect()
        };
        let result = Number { digits, weights: l.weights.clone(), bound: l.resting.bound.clone() };
        let operand = store_result(&mut b, out, operand, &result)?;
        // a + cond·(b − a), an equality of integers.
        let polynomial = Polynomial::input(1).plus(1, &[0, 2]).plus(-1, &[0, 1]);
        let claim = ValueClaim::plain(polynomial, None).on(operand);
        Ok(b.finish(Contract {
            facts: Vec::new(),
            inputs: vec![cond.operand, x.operand, y.operand],
            claims: vec![claim],
        }))
    },
};

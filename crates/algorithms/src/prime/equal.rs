//! Test for equality.
//!
//! * **computes** 1 when the elements are equal digit by digit, else 0.
//! * **needs** a layout whose resting elements are canonical: there the digits decide. In other layouts take
//!   `canonical` of both first.
//! * **gives** one word, 0 or 1.
//! * **cost** n xors, n − 1 ors and a comparison with zero.
//! * **source** common practice of constant-time code: the differences are collected, and looked at once.

use evariste_ir::{Array, Builder, Claim, Contract, Operand, Value};

use super::representation::{is_canonical, kernel_name};
use crate::layout::Bounds;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{input, output};

/// Canonical layouts.
pub const XOR_OR: Whole = Whole {
    name: "xor-or",
    applies: |f, l, op| *op == Operation::EQUAL && is_canonical(f, l),
    write: |_, l, op| {
        let mut b = Builder::new(kernel_name(op, "xor-or"), l.word);
        let (out, output) = flag_output(&mut b);
        let x = input(&mut b, "a", &l.weights, &l.resting);
        let y = input(&mut b, "b", &l.weights, &l.resting);
        let (a, c) = (x.load(&mut b), y.load(&mut b));
        let differences: Vec<Value> = a.digits.iter().zip(&c.digits).map(|(a, c)| b.xor(*a, *c)).collect();
        let flag = is_zero_flag(&mut b, &differences);
        b.store(out, 0u32, flag);
        let claim = Claim::Equal { output, left: 0, right: Some(1) };
        Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand, y.operand], claims: vec![claim] }))
    },
};

/// An output of one word that is 0 or 1.
pub fn flag_output(b: &mut Builder) -> (Array, Operand) {
    output(b, "out", &[0], &Bounds { digit_max: vec![1.into()], bound: 1.into(), low: None })
}

/// The word 1 when all words are zero, else 0.
pub fn is_zero_flag(b: &mut Builder, words: &[Value]) -> Value {
    let zero = b.word_constant(0);
    let all = words.iter().fold(zero, |all, w| b.or(all, *w));
    let mask = b.equal(all, zero);
    let flag = b.mask_to_flag(mask);
    b.flag_to_word(flag, b.word_type())
}

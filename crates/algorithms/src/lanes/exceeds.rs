//! Is a number in saturated words not below the modulus?
//!
//! * **computes** the carry of `x + 2^(wN) − p` out of N words, in digits, where carries are shifts: 1 where x ≥ p. The digits of the sum are ghosts: the carries alone are left of them.
//! * **needs** any N words.
//! * **gives** 0 or 1.
//! * **cost** three operations for a digit, and the cuts of words into digits.
//! * **source** the comparison by the last borrow, as in the conditional subtraction of Montgomery multiplication.

use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Operand, Polynomial};
use evariste_spec::Field;
use num_bigint::BigInt;

use super::forms::{known, words};
use crate::frame::{NotApplicable, ValueClaim, input};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::repack::repack;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::reduction::carry_pass::digits_at;
use crate::registry::Whole;

/// Registry line.
pub const WHOLE: &[Whole] = &[Whole { name: "carries", applies: |f, l, op| *op == Operation::Exceeds && known(f, l), write }];

fn write(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let mut b = Builder::new(kernel_name(op, "carries"), layout.word);
    let weights = words(m, layout.word).0;
    let (radix, bits) = (layout.radix.unwrap_or(layout.word), layout.word * weights.len() as u32);
    let full: BigInt = pow2(layout.word) - 1;
    let out = b.output("out", 1, &[1.into()]);
    let x = input(&mut b, "words", &weights, &Bounds { digit_max: vec![full; weights.len()], bound: pow2(bits) - 1, low: None });
    let a = x.load(&mut b);
    let places: Vec<u32> = (0..bits.div_ceil(radix)).map(|i| i * radix).collect();
    let digits = repack(&mut b, &a.digits, &weights, &places);
    let complement: BigInt = pow2(bits) - prime(m);
    let ghost = b.ghost("ghost", places.len() as u32);
    let mut operand = Operand::new("out", out, &[bits], &[1.into()], &a.bound + &complement);
    let mut carry = b.word_constant(0);
    for (i, ((digit, place), c)) in digits.iter().zip(&places).zip(digits_at(&complement, &places)).enumerate() {
        let c = b.word_constant(c);
        let sum = b.add(*digit, c);
        let sum = b.add(sum, carry);
        let size = (bits - place).min(radix);
        let below = b.low_bits(sum, size);
        b.store(ghost, i as u32, below);
        carry = b.shr(sum, size);
        operand = operand.with_digit(ghost, i as u32, *place, pow2(size) - 1);
    }
    b.store(out, 0u32, carry);
    operand.digits.sort_by_key(|digit| digit.weight);
    let claim = ValueClaim::plain(Polynomial::input(0).plus(complement, &[]), None).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}

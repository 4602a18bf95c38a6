//! Sums of numbers that are not reduced, and halves.
//!
//! * **computes** `a + b` or `a − b` modulo p, up to a multiple of p that the range asks for; `a/2` modulo p.
//! * **needs** saturated words; operands up to their bounds, halves of resting elements. Outputs may be an operand.
//! * **gives** numbers of the operands' length, up to the bound that follows; halves rest.
//! * **cost** N additions; N − ⌊k/w⌋ more where a multiple of `2^k·p` is added, as many ands or selections where a carry
//!   decides. A half: n additions, n ands, n shifts.
//! * **source** Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over ordinary
//!   curves" (Eurocrypt 2011), section 3.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial};
use num_bigint::BigInt;

use super::steps::{How, Sum};
use crate::layout::{Bounds, Layout};
use crate::prime::representation::{difference, masked};
use crate::prime::sub::sum_without_carry;
use crate::reduction::conditional_subtraction::subtract_if_not_below;
use crate::signature::{NotApplicable, ValueClaim, input, kernel, output, store_result};
use crate::words::constant_digits;

/// Bounds of a number of saturated words.
pub(super) fn bounds(word: u32, words: usize, bound: &BigInt) -> Bounds {
    let full: BigInt = pow2(word) - 1u32;
    let digit_max = (0..words as u32).map(|i| std::cmp::min(full.clone(), bound >> (i * word))).collect();
    Bounds { digit_max, bound: bound.clone(), low: None }
}

/// The kernel of a sum, whose result is at most `bound`.
pub(super) fn sum(
    name: &str,
    sum: &Sum,
    bound: &BigInt,
    m: &Modulus,
    layout: &Layout,
) -> Result<Kernel, NotApplicable> {
    let (word, n) = (layout.word, layout.digits() * if sum.wide { 2 } else { 1 });
    let weights: Vec<u32> = (0..n as u32).map(|i| i * word).collect();
    let mut b = Builder::new(name, word);
    let (out, operand) = output(&mut b, "out", &weights, &bounds(word, n, bound));
    let x = input(&mut b, "a", &weights, &bounds(word, n, &sum.a));
    let y = input(&mut b, "b", &weights, &bounds(word, n, &sum.b));
    let (a, c) = (x.load(&mut b), y.load(&mut b));
    let result = digits(&mut b, sum, &a, &c);
    let operand = store_result(&mut b, out, operand, &result)?;
    let polynomial = Polynomial::input(0).plus(if sum.is_difference() { -1 } else { 1 }, &[1]);
    let claim = ValueClaim::plain(polynomial, Some(BigInt::from(m.value.clone())));
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand, y.operand], claims: vec![claim.on(operand)] }))
}

fn digits(b: &mut Builder, sum: &Sum, x: &Number, y: &Number) -> Number {
    let (n, word) = (x.len(), b.word());
    let digits = match &sum.how {
        How::Plain => sum_without_carry(b, &x.digits, &y.digits),
        How::Corrected(k) => {
            let whole = sum_without_carry(b, &x.digits, &y.digits);
            let low = (k.trailing_zeros().unwrap_or(0) / u64::from(word)) as usize;
            // Words below the multiple stay as they are.
            let high = Number::new(whole[low..].to_vec(), word, (&sum.a + &sum.b) >> (low as u32 * word));
            let k = k >> (low as u32 * word);
            let s = Number::new(constant_digits(b, &k, n - low), word, k);
            let bound = sum.bound() >> (low as u32 * word);
            [&whole[..low], &subtract_if_not_below(b, high, &s, bound).digits].concat()
        }
        How::Biased(k) => {
            let k = constant_digits(b, k, n);
            let raised = sum_without_carry(b, &x.digits, &k);
            difference(b, &raised, &y.digits).0
        }
        How::Masked(k) => {
            let (d, borrow) = difference(b, &x.digits, &y.digits);
            let k = constant_digits(b, k, n);
            let added = masked(b, borrow, &k);
            sum_without_carry(b, &d, &added)
        }
    };
    Number::new(digits, word, sum.bound())
}

/// The kernel of halves.
pub(super) fn halve(name: &str, m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let p = BigInt::from(m.value.clone());
    let claim = ValueClaim { factor: 2.into(), polynomial: Polynomial::input(0), modulus: Some(p.clone()) };
    kernel(name, layout, &[("a", &layout.resting)], claim, |b, x| {
        let (n, word) = (layout.digits(), layout.word);
        let (low, none, zero) = (b.low_bits(x[0].digits[0], 1), b.no_flag(), b.word_constant(0));
        let (_, odd) = b.sub_borrow(zero, low, none);
        let p_digits = constant_digits(b, &p, n);
        let added = masked(b, odd, &p_digits);
        let mut carry = none;
        let mut t = Vec::with_capacity(n + 1);
        for (x, y) in x[0].digits.iter().zip(&added) {
            let (digit, next) = b.add_carry(*x, *y, carry);
            t.push(digit);
            carry = next;
        }
        t.push(b.flag_to_word(carry, b.word_type()));
        let digits = crate::words::shift_right(b, &t, 1, n);
        Ok(Number::new(digits, word, (&layout.resting.bound + &p) / 2u32))
    })
}

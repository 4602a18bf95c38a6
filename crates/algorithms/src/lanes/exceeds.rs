//! Is a number in saturated words not below the modulus?
//!
//! * **computes** 1 where x ≥ p, from `x + 2^(wN) − p`. `borrows`: the last borrow of `x − p`, word by word: a word
//!   borrows where it is below that of p and the borrow before together. `carries`: the carry out of N words, in
//!   digits, where carries are shifts. What the words or digits of the sum are is left out: ghosts.
//! * **needs** any N words; `borrows` comparisons of whole words.
//! * **gives** 0 or 1.
//! * **cost** `borrows`: a comparison for each word, a choice for each but the first, one for the result. `carries`:
//!   three operations for a digit, and the cuts of words into digits.
//! * **source** the comparison by the last borrow, as in the conditional subtraction of Montgomery multiplication.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Contract, Kernel, Number, Operand, Polynomial, Value};
use num_bigint::BigInt;

use super::add::of;
use super::forms::{known, words};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::repack::repack;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::carry_pass::digits_at;
use crate::signature::{NotApplicable, ValueClaim, input};

/// Registry line.
pub const BORROWS: Whole = Whole {
    name: "borrows",
    // (A power of two may have a word more than elements have.)
    applies: |f, l, op| *op == Operation::EXCEEDS && known(f, l) && of(f, l, |m, l| m.value.bits() <= words_bits(m, l)),
    write: |f, l, op| write(f, l, op, "borrows", borrows),
};

/// Registry line.
pub const CARRIES: Whole = Whole {
    name: "carries",
    applies: |f, l, op| *op == Operation::EXCEEDS && known(f, l),
    write: |f, l, op| write(f, l, op, "carries", carries),
};

/// Stores the words or digits of `x + complement` but for the last carry, `(weight, bits)` of each beside it: the
/// comparison of x with p.
type Compare = fn(&mut Builder, &Layout, &Number, &BigInt) -> (Value, Vec<(Value, u32, u32)>);

/// Bits of the words of an element.
fn words_bits(m: &Modulus, layout: &Layout) -> u64 {
    u64::from(m.bits.next_multiple_of(layout.word))
}

fn write(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    name: &str,
    compare: Compare,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let mut b = Builder::new(kernel_name(op, name), layout.word);
    let weights = words(m, layout.word).0;
    let bits = layout.word * weights.len() as u32;
    let full: BigInt = pow2(layout.word) - 1;
    let out: Array = b.output("out", 1, &[1.into()]);
    let x = input(
        &mut b,
        "words",
        &weights,
        &Bounds { digit_max: vec![full; weights.len()], bound: pow2(bits) - 1, low: None },
    );
    let a = x.load(&mut b);
    let complement: BigInt = pow2(bits) - prime(m);
    let (reached, rest) = compare(&mut b, layout, &a, &prime(m));
    b.store(out, 0u32, reached);
    let ghost = b.ghost("ghost", rest.len() as u32);
    let mut operand = Operand::new("out", out, &[bits], &[1.into()], &a.bound + &complement);
    for (i, (digit, weight, size)) in rest.into_iter().enumerate() {
        b.store(ghost, i as u32, digit);
        operand = operand.with_digit(ghost, i as u32, weight, pow2(size) - 1);
    }
    operand.digits.sort_by_key(|digit| digit.weight);
    let claim = ValueClaim::plain(Polynomial::input(0).plus(complement, &[]), None).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}

fn borrows(b: &mut Builder, layout: &Layout, x: &Number, p: &BigInt) -> (Value, Vec<(Value, u32, u32)>) {
    let mut borrow = b.no_flag();
    let mut rest = Vec::new();
    for ((x, weight), p) in x.digits.iter().zip(&x.weights).zip(digits_at(p, &x.weights)) {
        let p = b.word_constant(p);
        let (difference, next) = b.sub_borrow(*x, p, borrow);
        borrow = next;
        rest.push((difference, *weight, layout.word));
    }
    let (below, zero, one) = (b.flag_to_mask(borrow), b.word_constant(0), b.word_constant(1));
    (b.select(below, zero, one), rest)
}

fn carries(b: &mut Builder, layout: &Layout, x: &Number, p: &BigInt) -> (Value, Vec<(Value, u32, u32)>) {
    let (radix, bits) = (layout.radix.unwrap_or(layout.word), layout.word * x.len() as u32);
    let places: Vec<u32> = (0..bits.div_ceil(radix)).map(|i| i * radix).collect();
    let digits = repack(b, &x.digits, &x.weights, &places);
    let mut carry = b.word_constant(0);
    let mut rest = Vec::new();
    for ((digit, place), c) in digits.iter().zip(&places).zip(digits_at(&(pow2(bits) - p), &places)) {
        let c = b.word_constant(c);
        let sum = b.add(*digit, c);
        let sum = b.add(sum, carry);
        let size = (bits - place).min(radix);
        rest.push((b.low_bits(sum, size), *place, size));
        carry = b.shr(sum, size);
    }
    (carry, rest)
}

//! `a·x + b` modulo `2^w + c` and then modulo `2^w`, for whole words x and run-time constants a and b.
//!
//! * **computes** with h = w/2 and x = x0 + 2^h·x1 the number `S = a·x0 + a′·x1 + b`, a′ = a·2^h mod p, in two columns;
//!   then `L − c·Q`, L and Q the word of S and what is above it; where that borrows, p is added, of which a word has c.
//! * **needs** p = 2^w + c, canonical a, a′, b in two digits of k bits, a′ ≡ a·2^h; columns that stay in their words;
//!   c·Q a word.
//! * **gives** the canonical value modulo `2^w`; its bit w is a ghost.
//! * **cost** 17 operations: six multiply-adds, five shifts, one cut, one three-input logic, one addition, one product
//!   by c, one subtraction and comparison, one masked addition.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998) for the map. A fixed multiplicand allows any
//!   `a·2^j mod p` beside it: then both halves of x meet digits that fit two columns, and nothing is folded twice. This
//!   holds for every product of a constant by a variable.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Fact, Kernel, Polynomial};
use num_bigint::BigInt;

use super::columns::add_product;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::complement::above_power;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const TWO_HALVES: Whole = Whole { name: "two-halves-madd", applies, write };

/// `c` of a modulus `2^w + c` in a layout for its constants.
fn excess(m: &Modulus, layout: &Layout, low_bits: u32) -> Option<BigInt> {
    let (k, c) = above_power(m)?;
    (k == layout.word
        && low_bits == k
        && k % 2 == 0
        && layout.radix.is_some()
        && layout.montgomery.is_none()
        && layout.digits() == 2)
        .then_some(c)
}

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let Some(low_bits) = op.small_number_of(&Operation::AFFINE_CONSTANT) else { return false };
    modulus(field).is_ok_and(|m| excess(m, layout, low_bits).is_some())
}

fn write(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let (p, word, k) = (prime(m), layout.word, layout.radix.unwrap_or(layout.word));
    let Some(c) = excess(m, layout, word) else { return Err(NotApplicable("not a modulus just above a word".into())) };
    let mut b = Builder::new(kernel_name(op, "two-halves-madd"), word);
    let full: BigInt = pow2(word) - 1;
    let (out, operand) =
        output(&mut b, "out", &[0], &Bounds { digit_max: vec![full.clone()], bound: &p - 1, low: None });
    let x = input(&mut b, "x", &[0], &Bounds { digit_max: vec![full.clone()], bound: full, low: None });
    let constants: Vec<_> =
        ["a", "shifted", "b"].iter().map(|name| input(&mut b, name, &layout.weights, &layout.resting)).collect();
    let [a, shifted, addend] = [0, 1, 2].map(|i: usize| constants[i].load(&mut b));
    let x_word = x.load(&mut b).digits[0];
    let half = word / 2;
    let (low, high) = (b.low_bits(x_word, half), b.shr(x_word, half));
    let mut t = addend.digits;
    let zero = b.word_constant(0);
    t.push(zero);
    for (factor, part) in [(&a, low), (&shifted, high)] {
        for (i, digit) in factor.digits.iter().enumerate() {
            add_product(&mut b, k, &mut t, i, *digit, part);
        }
    }
    if !b.is_zero(t[2]) || t[..2].iter().any(|t| *b.max(*t) >= pow2(word)) {
        return Err(NotApplicable("the products do not fit two columns".into()));
    }
    // S = (t0 mod 2^k) + 2^k·u; its lowest word and what is above.
    let carry = b.shr(t[0], k);
    let u = b.add(t[1], carry);
    let below = b.low_bits(t[0], k);
    let above = b.wrapping_shl(u, k);
    let lowest = b.or(below, above);
    let quotient = b.shr(u, word - k);
    if b.max(quotient) * &c >= pow2(k) {
        return Err(NotApplicable("c times the quotient is no word".into()));
    }
    let c_value = b.word_constant(c);
    let folded = b.madd_lo(k, zero, quotient, c_value);
    let difference = b.wrapping_sub(lowest, folded);
    let borrows = b.less(lowest, folded);
    let more = b.wrapping_add(difference, c_value);
    let result = b.select(borrows, more, difference);
    b.store(out, 0u32, result);
    // Bit w of the canonical value: the carry of that addition.
    let none = b.no_flag();
    let (_, carry) = b.add_carry(difference, c_value, none);
    let carry = b.flag_to_word(carry, b.word_type());
    let bit = b.select(borrows, carry, zero);
    let ghost = b.ghost("ghost", 1);
    b.store(ghost, 0u32, bit);
    let operand = operand.with_digit(ghost, 0, word, 1.into());
    let claim = ValueClaim::plain(Polynomial::input(3).plus(1, &[0, 1]), Some(p.clone())).on(operand);
    let fact = Fact { number: 2, times: None, polynomial: Polynomial::default().plus(pow2(half), &[1]), modulus: p };
    let inputs = std::iter::once(x).chain(constants).map(|i| i.operand).collect();
    Ok(b.finish(Contract { inputs, facts: vec![fact], claims: vec![claim] }))
}

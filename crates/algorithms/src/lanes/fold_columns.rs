//! Products modulo `2^B − c` in lanes by whole products of digits: the upper columns, cut to digits, come back as
//! `C = c·2^(kn − B)` times themselves, and one carry pass ends it.
//!
//! * **computes** `a·b` and `a²` modulo p: 2n columns of whole products; carries from column n − 1 upwards leave digits,
//!   which are multiplied by the digits of C onto the lower columns; what is then at `2^(kn)` or above goes the same
//!   way; a carry pass from the lowest digit up, the bits above `2^B` once more by c.
//! * **needs** a layout that [`layout`] lists: radix k with room for n + 2 whole products in a word, C of two digits at
//!   most.
//! * **gives** digits at rest: each at most a sixteenth of its radix above it.
//! * **cost** n² products (squares: n(n+1)/2 and n − 1 doublings) and one for each digit and digit of C, as many
//!   additions less 2n − 1, three operations for each of 2n carries.
//! * **source** Bernstein, Schwabe, "NEON crypto" (2012), and the AVX2 code of Moon's curve25519-donna for whole
//!   products in lanes; that the upper columns wait for their carries as in Langley's curve25519-donna, with C
//!   at the next power of the radix instead of c at `2^B`, which leaves one radix for all digits.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;

use super::columns::{self, is_plain};
use super::strips::Strips;
use crate::layout::Layout;
use crate::layouts::unsaturated_at;
use crate::recipe::Integrated;
use crate::reduction::carry_pass::{carry_pass, carry_pass_in, pseudo_mersenne};

/// Registry line.
pub const INTEGRATED: Integrated = Integrated { name: "fold-columns", applies, multiply, square: Some(square) };

/// More digits of C than that make rows that cost as much as products.
const DIGITS_OF_C: u32 = 2;
/// How often what is above the digits comes back: each time there is a digit or two less.
const ROUNDS: u32 = 4;

/// The layout of `2^B − c` in the fewest digits of `radix` bits, where columns have room.
pub(super) fn layout(m: &Modulus, word: u32, radix: u32) -> Option<Layout> {
    let (power, c) = pseudo_mersenne(m)?;
    let n = power.div_ceil(radix).max(2);
    let weights: Vec<u32> = (0..n).map(|i| radix * i).collect();
    let plain = unsaturated_at(power, &c, weights, word)?;
    let found = Layout { name: format!("{n}x{radix}"), radix: Some(radix), ..plain };
    applies(m, &found).then_some(found)
}

/// Layouts of `2^B − c` of one radix with room for whole products.
pub(super) fn applies(m: &Modulus, layout: &Layout) -> bool {
    let Some((k, large)) = parameters(m, layout) else { return false };
    let (n, word) = (layout.digits() as u32, layout.word);
    let Some(most) = layout.resting.digit_max.iter().max() else { return false };
    let column: BigInt = most * most * (n + 2) + pow2(word - k);
    let above = layout.resting.bound >= pow2(k * (n - 1));
    above && column < pow2(word) && most * 2u32 < pow2(word / 2) && large < pow2(k * DIGITS_OF_C.min(n - 1))
}

/// The radix, and `C = c·2^(kn − B)`.
fn parameters(m: &Modulus, layout: &Layout) -> Option<(u32, BigInt)> {
    let whole = |k: &u32| columns::whole(layout.word, *k) && layout.montgomery.is_none() && !layout.constants;
    let k = layout.radix.filter(|k| whole(k) && layout.is_even() && !is_plain(m, layout))?;
    let (power, c) = pseudo_mersenne(m)?;
    let n = layout.digits() as u32;
    let spare = (k * n).checked_sub(power).filter(|spare| *spare < k && n > 1)?;
    Some((k, c << spare))
}

fn multiply(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number, y: &Number) -> Number {
    let n = layout.digits();
    let factors = |at: usize, i: usize| Some((x.digits[i], y.digits[at.checked_sub(i).filter(|j| *j < n)?]));
    let mut strips = Strips::new(n, vec![n - 1, 2 * n - 1], factors);
    reduce_by(b, m, layout, |b, at| strips.column(b, at))
}

fn square(b: &mut Builder, m: &Modulus, layout: &Layout, x: &Number) -> Number {
    let (n, x) = (layout.digits(), &x.digits);
    let twice: Vec<Value> = x[..n - 1].iter().map(|x| b.add(*x, *x)).collect();
    let factors = |at: usize, i: usize| {
        let j = at.checked_sub(i).filter(|j| (i..n).contains(j))?;
        Some((if i == j { x[i] } else { twice[i] }, x[j]))
    };
    let mut strips = Strips::new(n, vec![n - 1, 2 * n - 1], factors);
    reduce_by(b, m, layout, |b, at| strips.column(b, at))
}

/// Reduces 2n columns, the last of which is still empty.
pub(super) fn reduce(b: &mut Builder, m: &Modulus, layout: &Layout, t: Vec<Value>) -> Number {
    reduce_by(b, m, layout, |_, at| t[at])
}

/// Reduces columns 0 to 2n − 2, asked for in the order in which they are carried: from n − 1 on, so that the others are
/// summed while these wait for each other, then from 0 on.
fn reduce_by(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    mut column: impl FnMut(&mut Builder, usize) -> Value,
) -> Number {
    let (n, zero) = (layout.digits(), b.word_constant(0));
    let Some((k, large)) = parameters(m, layout) else { return Number::from_ranges(b, vec![zero; n], Vec::new()) };
    let large: Vec<Value> =
        (0..large.bits().div_ceil(k.into()) as u32).map(|i| b.word_constant((&large >> (k * i)) % pow2(k))).collect();
    // Digits n − 1 to 2n − 1.
    let mut upper = Vec::with_capacity(n + 1);
    let mut carry = zero;
    for at in n - 1..2 * n - 1 {
        let sum = column(b, at);
        let sum = b.add(sum, carry);
        upper.push(b.low_bits(sum, k));
        carry = b.shr(sum, k);
    }
    upper.push(carry);
    let highest = upper.remove(0);
    let mut folded = fold(b, k, &large, upper);
    // What is at 2^(kn) or above comes back until there is nothing left.
    for _ in 0..ROUNDS {
        let above = folded.split_off(n);
        for (place, again) in fold(b, k, &large, above).into_iter().enumerate() {
            folded.resize(folded.len().max(place + 1), zero);
            folded[place] = b.add(folded[place], again);
        }
        if folded.len() <= n {
            break;
        }
    }
    let mut carry = zero;
    let mut digits = Vec::with_capacity(n);
    for (at, folded) in folded.into_iter().enumerate() {
        let own = if at + 1 == n { highest } else { column(b, at) };
        let sum = b.add(own, folded);
        let sum = b.add(sum, carry);
        let is_top = at + 1 == n;
        carry = if is_top { zero } else { b.shr(sum, k) };
        digits.push(if is_top { sum } else { b.low_bits(sum, k) });
    }
    let number = Number::from_ranges(b, digits, layout.weights.clone());
    carry_pass_in(b, m, layout, number, &[n - 1])
}

/// The columns of `C·2^(ki)` times each digit i; digits that products do not take whole are cut first.
fn fold(b: &mut Builder, k: u32, large: &[Value], mut digits: Vec<Value>) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut i = 0;
    while i < digits.len() {
        if b.max(digits[i]) >= &pow2(b.word() / 2) {
            let above = b.shr(digits[i], k);
            digits[i] = b.low_bits(digits[i], k);
            digits.resize(digits.len().max(i + 2), zero);
            digits[i + 1] = b.add(digits[i + 1], above);
        }
        i += 1;
    }
    let mut columns = vec![zero; if digits.is_empty() { 0 } else { digits.len() + large.len() - 1 }];
    for (i, digit) in digits.into_iter().enumerate() {
        for (j, c) in large.iter().enumerate() {
            let product = b.mul(digit, *c);
            columns[i + j] = b.add(columns[i + j], product);
        }
    }
    columns
}

/// Columns of n digits, brought to rest.
pub(super) fn carried(b: &mut Builder, m: &Modulus, layout: &Layout, t: Vec<Value>) -> Number {
    let number = Number::from_ranges(b, t, layout.weights.clone());
    carry_pass(b, m, layout, number)
}

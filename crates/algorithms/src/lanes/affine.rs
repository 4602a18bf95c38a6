//! `a·x + b` modulo `2^w + c` and then modulo `2^w`, for whole words x and run-time constants a and b.
//!
//! * **computes** with h = w/2 and x = x0 + 2^h·x1 the number `S = a·x0 + a′·x1 + b`, a′ = a·2^h mod p, in columns of k
//!   bits; then `L − c·Q`, L and Q the word of S and what is above it; where that borrows, p is added, of which a word has c.
//!   With halves of products, `S = t0 + 2^k·t1`, no carry runs: L and Q are those of `2^k·(t1 + r)`, with r such that
//!   `2^k·r` is above t0, and `2^k·r − t0` is taken off as well.
//! * **needs** p = 2^w + c, canonical a, b and a′ < 2p in digits of k bits, two for halves of products, a′ ≡ a·2^h;
//!   columns that stay in their words; c·Q a word, with halves of products a digit.
//! * **gives** the canonical value modulo `2^w`; its bit w is a ghost.
//! * **cost** a′ ([`shifted`]) 12 operations; then with halves of products 16: six multiply-adds, three shifts, one cut, one
//!   addition, one product by c, two subtractions, one comparison, one masked addition. With whole products of n digits 2n
//!   of them and as many additions, and two more operations a digit.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998) for the map. A fixed multiplicand allows any
//!   `a·2^j mod p` beside it: then both halves of x meet digits of the same columns, and nothing is folded twice. This
//!   holds for every product of a constant by a variable.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Fact, Kernel, Polynomial, Value};
use num_bigint::BigInt;
use num_integer::Integer;

use super::columns::{add_product, whole};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::complement::above_power;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line.
pub const TWO_HALVES: Whole = Whole {
    name: "two-halves-madd",
    applies: |f, l, op| applies(f, l, op) && !is_whole(l),
    write: |f, l, op| write(f, l, op, "two-halves-madd"),
};

/// Registry line.
pub const TWO_HALVES_WHOLE: Whole = Whole {
    name: "two-halves",
    applies: |f, l, op| applies(f, l, op) && is_whole(l),
    write: |f, l, op| write(f, l, op, "two-halves"),
};

/// Are its digits multiplied by whole products?
pub(crate) fn is_whole(layout: &Layout) -> bool {
    layout.radix.is_some_and(|k| whole(layout.word, k))
}

/// `c` of a modulus `2^w + c` in a layout for its constants.
fn excess(m: &Modulus, layout: &Layout, low_bits: u32) -> Option<BigInt> {
    let (k, c) = above_power(m)?;
    (k == layout.word
        && low_bits == k
        && k % 2 == 0
        && layout.radix.is_some()
        && layout.montgomery.is_none()
        && (layout.digits() == 2 || layout.constants && is_whole(layout)))
    .then_some(c)
}

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let Some(low_bits) = op.small_number_of(&Operation::AFFINE_CONSTANT) else { return false };
    modulus(field).is_ok_and(|m| excess(m, layout, low_bits).is_some())
}

/// `c·x` as one word, where it is no more than that.
fn times(b: &mut Builder, layout: &Layout, x: Value, c: &BigInt) -> Option<Value> {
    let k = layout.radix.unwrap_or(layout.word);
    let most = b.max(x) * c;
    let c = b.word_constant(c.clone());
    if is_whole(layout) {
        return (most < pow2(layout.word)).then(|| b.mul(x, c));
    }
    let zero = b.word_constant(0);
    (most < pow2(k)).then(|| b.madd_lo(k, zero, x, c))
}

/// Clean digits of columns but for the top one, which keeps what it has.
fn carried(b: &mut Builder, k: u32, t: &[Value]) -> Vec<Value> {
    let (mut digits, mut above) = (Vec::new(), None);
    for (i, column) in t.iter().enumerate() {
        let column = above.map_or(*column, |above| b.add(*column, above));
        if i + 1 == t.len() {
            digits.push(column);
        } else {
            digits.push(b.low_bits(column, k));
            above = Some(b.shr(column, k));
        }
    }
    digits
}

fn write(field: &Field, layout: &Layout, op: &Operation, name: &str) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let (p, word, k) = (prime(m), layout.word, layout.radix.unwrap_or(layout.word));
    let Some(c) = excess(m, layout, word) else { return Err(NotApplicable("not a modulus just above a word".into())) };
    let mut b = Builder::new(kernel_name(op, name), word);
    let full: BigInt = pow2(word) - 1;
    let (out, operand) =
        output(&mut b, "out", &[0], &Bounds { digit_max: vec![full.clone()], bound: &p - 1, low: None });
    let x = input(&mut b, "x", &[0], &Bounds { digit_max: vec![full.clone()], bound: full, low: None });
    let loose = below_twice(&p, layout);
    let constants: Vec<_> = [("a", &layout.resting), ("shifted", &loose), ("b", &layout.resting)]
        .iter()
        .map(|(name, bounds)| input(&mut b, name, &layout.weights, bounds))
        .collect();
    let [a, shifted, addend] = [0, 1, 2].map(|i: usize| constants[i].load(&mut b));
    let x_word = x.load(&mut b).digits[0];
    let half = word / 2;
    let (low, high) = (b.low_bits(x_word, half), b.shr(x_word, half));
    let n = layout.digits();
    let mut t = addend.digits;
    let zero = b.word_constant(0);
    t.push(zero);
    for (factor, part) in [(&a, low), (&shifted, high)] {
        for (i, digit) in factor.digits.iter().enumerate() {
            add_product(&mut b, k, &mut t, i, *digit, part);
        }
    }
    if !b.is_zero(t[n]) || t[..n].iter().any(|t| *b.max(*t) >= pow2(word)) {
        return Err(NotApplicable("the products do not fit the columns".into()));
    }
    let [most, taken] = if is_whole(layout) {
        let carried = carried_difference(&mut b, layout, &t[..n], &c);
        carried.ok_or_else(|| NotApplicable("c times the quotient is no word".into()))?
    } else {
        let raised = raised_difference(&mut b, layout, [t[0], t[1]], &c);
        raised.ok_or_else(|| NotApplicable("c times the quotient is no digit".into()))?
    };
    let c_value = b.word_constant(c);
    let difference = b.wrapping_sub(most, taken);
    let borrows = b.less(most, taken);
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
    let fact = shifted_fact(&p, word, 1);
    let inputs = std::iter::once(x).chain(constants).map(|i| i.operand).collect();
    Ok(b.finish(Contract { inputs, facts: vec![fact], claims: vec![claim] }))
}

/// `S − p·Q` as a difference of words: the columns are carried, Q is what is above a word.
fn carried_difference(b: &mut Builder, layout: &Layout, t: &[Value], c: &BigInt) -> Option<[Value; 2]> {
    let (k, n) = (layout.radix.unwrap_or(layout.word), t.len());
    // S in digits, the top one with all that is above; its lowest word and what is above that.
    let digits = carried(b, k, t);
    let mut lowest = digits[0];
    for (i, digit) in digits.iter().enumerate().skip(1) {
        let up = k * i as u32;
        let moved = if i + 1 == n { b.wrapping_shl(*digit, up) } else { b.shl(*digit, up) };
        lowest = b.or(lowest, moved);
    }
    let quotient = b.shr(digits[n - 1], layout.word - k * (n as u32 - 1));
    Some([lowest, times(b, layout, quotient, c)?])
}

/// The same of two columns that nobody carried, where Q is what is above a word of a number above S.
fn raised_difference(b: &mut Builder, layout: &Layout, [low, high]: [Value; 2], c: &BigInt) -> Option<[Value; 2]> {
    let (word, k) = (b.word(), layout.radix?);
    let raise: BigInt = b.max(low).div_ceil(&pow2(k));
    let most: BigInt = b.max(high) + &raise;
    let folded = (&most >> (word - k)) * c;
    if most >= pow2(word) || folded >= pow2(k) || (&raise << k) + folded >= pow2(word) {
        return None;
    }
    let (above, c) = (b.word_constant(&raise << k), b.word_constant(c.clone()));
    let raise = b.word_constant(raise);
    let raised = b.add(high, raise);
    let (rest, quotient) = (b.wrapping_shl(raised, k), b.shr(raised, word - k));
    let taken = b.madd_lo(k, above, quotient, c);
    Some([rest, b.sub(taken, low)])
}

/// What the map asks of the operand behind a: that it is a multiple of it.
pub(crate) fn shifted_fact(p: &BigInt, word: u32, a: u32) -> Fact {
    let polynomial = Polynomial::default().plus(pow2(word / 2), &[a]);
    Fact { number: a + 1, times: None, polynomial, modulus: p.clone() }
}

/// Clean digits of a number below 2p.
pub(crate) fn below_twice(p: &BigInt, layout: &Layout) -> Bounds {
    let (bound, top) = (p * 2u32 - 1u32, layout.digits() - 1);
    let most = |(i, w): (usize, &u32)| {
        if i == top { &bound >> *w } else { pow2(layout.radix.unwrap_or(layout.word)) - 1u32 }
    };
    Bounds { digit_max: layout.weights.iter().enumerate().map(most).collect(), bound, low: None }
}

/// The digits of a′ for a word a: `2^h·a0 + p − c·a1` of its halves a0 and a1, without a comparison.
pub(crate) fn shifted(field: &Field, layout: &Layout, name: &str) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let (p, word, k) = (prime(m), layout.word, layout.radix.unwrap_or(layout.word));
    let Some(c) = excess(m, layout, word) else { return Err(NotApplicable("not a modulus just above a word".into())) };
    let mut b = Builder::new(name, word);
    let full: BigInt = pow2(word) - 1;
    let (out, operand) = output(&mut b, "out", &layout.weights, &below_twice(&p, layout));
    let a = input(&mut b, "a", &[0], &Bounds { digit_max: vec![full.clone()], bound: full, low: None });
    let a_word = a.load(&mut b).digits[0];
    let half = word / 2;
    let (low, high) = (b.low_bits(a_word, half), b.shr(a_word, half));
    let up = b.shl(low, half);
    let folded =
        times(&mut b, layout, high, &c).ok_or_else(|| NotApplicable("c times half a word is no word".into()))?;
    let mut t = split(&mut b, up, &layout.weights);
    // p as 2^j + c, above what is taken off, and the rest in a column above, so that nothing falls below 0.
    let n = layout.digits();
    let Some(at) = (1..n).find(|at| pow2(layout.weights[*at]) > *b.max(folded)) else {
        return Err(NotApplicable("c times half a word is longer than the digits below the top one".into()));
    };
    let j = layout.weights[at];
    let (least, rest) = (b.word_constant(pow2(j) + c), b.word_constant(pow2(word - j) - 1));
    let raised = b.add(t[0], least);
    t[0] = b.sub(raised, folded);
    t[at] = b.add(t[at], rest);
    let digits = carried(&mut b, k, &t);
    b.store_all(out, &digits);
    let claim = ValueClaim::plain(Polynomial::default().plus(pow2(half), &[0]), Some(p)).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}

/// The digits of a word a: those of a constant. (What is asked of a and a′ goes by congruences, so this is said as one.)
pub(crate) fn digits(field: &Field, layout: &Layout, name: &str) -> Result<Kernel, NotApplicable> {
    let p = prime(modulus(field)?);
    let mut b = Builder::new(name, layout.word);
    let full: BigInt = pow2(layout.word) - 1;
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let a = input(&mut b, "a", &[0], &Bounds { digit_max: vec![full.clone()], bound: full, low: None });
    let a_word = a.load(&mut b).digits[0];
    let digits = split(&mut b, a_word, &layout.weights);
    b.store_all(out, &digits);
    let claim = ValueClaim::plain(Polynomial::input(0), Some(p)).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![a.operand], claims: vec![claim] }))
}

/// The digits of a word.
fn split(b: &mut Builder, word: Value, weights: &[u32]) -> Vec<Value> {
    let mut rest = word;
    let mut digits = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        match weights.get(i + 1) {
            Some(next) => {
                digits.push(b.low_bits(rest, next - weight));
                rest = b.shr(rest, next - weight);
            }
            None => digits.push(rest),
        }
    }
    digits
}

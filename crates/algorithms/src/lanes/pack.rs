//! Between ordinary words and elements at rest: cut into digits and brought into Montgomery form in one kernel, and the
//! way back.
//!
//! * **computes** `a·R mod p` from the words of a canonical a, and the words of the canonical value of an element at
//!   rest. Into Montgomery form no product is computed: with digits `a = Σ a[i]·2^(ki)` the sum of `a[i]·c[i]`,
//!   `c[i] = 2^(ki + kr)·R mod p`, is congruent to `a·R·2^(kr)` and below about `n·2^k·p`, and r rows that clear take
//!   the factor away.
//! * **needs** canonical numbers in words; elements at rest.
//! * **gives** an element at rest (in layouts without Montgomery form the canonical one); words of the canonical value.
//!   Nothing in between is stored.
//! * **cost** 2n² multiply-adds and r rows (one where elements at rest may be n + 1 times p, else two), where a product
//!   has n rows; out of Montgomery form its n rows and a conditional subtraction, without Montgomery form that alone;
//!   for each word cut one funnel shift or two shifts.
//! * **source** Montgomery (1985) for the rows; the residues of the radix's powers as in tests of divisibility by sums
//!   of digits. Papers enter Montgomery form by a product with `R² mod p`; we know none that does it so.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::add::of;
use super::columns;
use super::forms::{canonical_of, digits_of_words, known, out_of_montgomery, words, words_of_digits};
use super::montgomery::{self, Clearing};
use super::mul_words::Steps;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::{canonical_bounds, kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::reduction::carry_pass::digits_at;
use crate::signature::{self, NotApplicable, ValueClaim, input, output};

/// The name of the sum of multiples of constants.
const CONSTANTS: &str = "constants-madd";

/// Registry line.
pub const TO_MONTGOMERY: Whole = Whole {
    name: CONSTANTS,
    applies: |f, l, op| *op == Operation::TO_MONTGOMERY && of(f, l, montgomery::applies),
    write: |f, l, op| to_montgomery(modulus(f)?, l, &l.resting, &kernel_name(op, CONSTANTS)),
};

/// Registry line.
pub const FROM_WORDS_BY_CONSTANTS: Whole = Whole {
    name: CONSTANTS,
    applies: |f, l, op| *op == Operation::FROM_WORDS && of(f, l, montgomery::applies),
    write: from_words,
};

/// Registry line.
pub const FROM_WORDS: Whole = Whole {
    name: "repack-lanes",
    applies: |f, l, op| *op == Operation::FROM_WORDS && known(f, l) && l.montgomery.is_none(),
    write: |f, l, op| digits_of_words(modulus(f)?, l, &kernel_name(op, "repack-lanes"), 0),
};

/// Registry line.
pub const TO_WORDS: Whole =
    Whole { name: "repack-lanes", applies: |f, l, op| *op == Operation::TO_WORDS && known(f, l), write: to_words };

/// `a·R mod p`, a little above p, of an a within these bounds.
fn to_montgomery(m: &Modulus, layout: &Layout, bounds: &Bounds, name: &str) -> Result<Kernel, NotApplicable> {
    let claim = ValueClaim::plain(Polynomial::default().plus(layout.factor() % prime(m), &[0]), Some(prime(m)));
    signature::kernel(name, layout, &[("a", bounds)], claim, |b, x| by_constants(b, m, layout, bounds, &x[0]))
}

fn by_constants(
    b: &mut Builder,
    m: &Modulus,
    layout: &Layout,
    bounds: &Bounds,
    x: &Number,
) -> Result<Number, NotApplicable> {
    let (n, k, p) = (layout.digits(), layout.radix.unwrap_or(layout.word), prime(m));
    let constants = |rows: usize| -> Vec<BigInt> {
        layout.weights.iter().map(|w| pow2(w + k * rows as u32) * layout.factor() % &p).collect()
    };
    // What multiply-adds take of a digit.
    let most = |i: usize| std::cmp::min(bounds.digit_max[i].clone(), pow2(k) - 1u32);
    let bound = |rows: usize| {
        let sum: BigInt = constants(rows).iter().enumerate().map(|(i, c)| most(i) * c).sum();
        (sum + (pow2(k * rows as u32) - 1u32) * &p) / pow2(k * rows as u32)
    };
    let rows = (1..=n).find(|rows| bound(*rows) <= layout.resting.bound);
    let rows = rows.ok_or_else(|| NotApplicable("no number of rows leaves an element at rest".into()))?;
    let clearing = Clearing::new(b, m, k, n);
    let (start, zero) = (clearing.start(b), b.word_constant(0));
    let mut t = vec![start; rows];
    t.resize(n + rows, zero);
    for (x, c) in x.digits.iter().zip(constants(rows)) {
        let digits: Vec<Value> = digits_at(&c, &layout.weights).into_iter().map(|d| b.word_constant(d)).collect();
        for (j, c) in digits.into_iter().enumerate() {
            columns::add_product(b, k, &mut t, j, *x, c);
        }
    }
    for row in 0..rows {
        clearing.row(b, &mut t, row);
    }
    Ok(columns::digits(b, layout, t.split_off(rows), bound(rows)))
}

fn from_words(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(op, CONSTANTS);
    let mut b = Builder::new(&name, layout.word);
    let (weights, bounds) = words(m, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let x = input(&mut b, "words", &weights, &bounds);
    let mut steps = Steps { b, layout };
    let digits = steps.call("digits", digits_of_words(m, layout, &format!("{name}_digits"), 0)?, &[x.array]);
    let b = steps.last(
        "montgomery",
        to_montgomery(m, layout, &canonical_bounds(m, layout), &format!("{name}_montgomery"))?,
        out,
        digits,
    );
    let claim = ValueClaim::plain(Polynomial::default().plus(layout.factor() % prime(m), &[0]), Some(prime(m)));
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim.on(operand)] }))
}

fn to_words(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(op, "repack-lanes");
    let mut b = Builder::new(&name, layout.word);
    let (weights, bounds) = words(m, layout.word);
    let (out, operand) = output(&mut b, "words", &weights, &bounds);
    let x = input(&mut b, "a", &layout.weights, &layout.resting);
    let mut steps = Steps { b, layout };
    let canonical = format!("{name}_canonical");
    let canonical = if layout.montgomery.is_some() {
        out_of_montgomery(m, layout, &canonical)?
    } else {
        canonical_of(m, layout, &layout.resting, &canonical)?
    };
    let digits = steps.call("canonical", canonical, &[x.array]);
    let b = steps.last("words", words_of_digits(m, layout, &format!("{name}_words"))?, out, digits);
    let claim = ValueClaim { factor: layout.factor(), polynomial: Polynomial::input(0), modulus: Some(prime(m)) };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim.on(operand)] }))
}

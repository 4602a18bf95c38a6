//! Sums in lanes without any reduction: columns have room for many terms, and whoever adds up an array reduces once, at
//! its end.
//!
//! * **computes** the columns of `s + a[0]·b[0] + a[1]·b[1] + …` and of `s + a[0] + a[1] + …`, equalities of integers.
//! * **needs** elements at rest (unmasked digits are cut before they are added; products drop what is above a digit by
//!   themselves); columns s that leave room for the terms (zeros, where words have room for one call).
//! * **gives** 2n columns (n for sums), each increased by at most [`room`] for the products (the radix for each
//!   summand): they may be s again until [`most`] calls have filled them.
//! * **cost** 2n² operations a product, n (2n − 1 unmasked) a summand. No carries, no reduction.
//! * **source** the delayed reduction of inner products: Lim, Hwang, "Fast implementation of elliptic curve arithmetic
//!   in GF(p^n)" (2000), with the room of radix 2^52 (Gueron, Krasnov, 2016).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, Builder, Contract, Kernel, Number, Operand, Polynomial};
use num_bigint::BigInt;

use super::columns;
use super::normalise::cleaned;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, output};

/// Registry line.
pub const COLUMNS: Whole = Whole { name: "columns-madd", applies, write };

/// Operations of a long kernel: more terms would only make longer code.
const OPERATIONS: usize = 400;

/// Terms that are worth a kernel: eight, fewer of long elements.
pub fn terms(layout: &Layout) -> u32 {
    let fit = |terms: &u32| *terms == 1 || room(layout, *terms, true) < pow2(layout.word - 1);
    [8, 4, 2, 1]
        .into_iter()
        .filter(|terms| *terms as usize * 2 * layout.digits().pow(2) <= OPERATIONS)
        .find(fit)
        .unwrap_or(1)
}

/// What so many terms add to a column at most.
pub fn room(layout: &Layout, terms: u32, products: bool) -> BigInt {
    let (radix, n) = (layout.radix.unwrap_or(layout.word), layout.digits() as u32);
    let digit: BigInt = pow2(radix) - 1;
    match products {
        true if columns::whole(layout.word, radix) => {
            let most = layout.resting.digit_max.iter().max().unwrap_or(&digit);
            most * most * n * terms
        }
        true => digit * 2 * n * terms,
        false => {
            layout.resting.digit_max.iter().max().filter(|_| layout.resting.low.is_none()).unwrap_or(&digit) * terms
        }
    }
}

/// How often so many terms can be added to columns of zeros.
pub fn most(layout: &Layout, terms: u32, products: bool) -> BigInt {
    (pow2(layout.word) - 1) / room(layout, terms, products)
}

/// Are columns of digits and of their products words of one radix each? Mixed radices and doubles have others.
pub fn has_columns(layout: &Layout) -> bool {
    layout.is_even() && layout.radix.is_some_and(|k| columns::doubles(layout.word, k).is_none())
}

/// Terms and whether they are products.
fn kind(op: &Operation) -> Option<(u32, bool)> {
    let dot = op.small_number_of(&Operation::DOT).map(|terms| (terms, true));
    dot.or_else(|| Some((op.small_number_of(&Operation::SUM)?, false)))
}

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let Some((terms, products)) = kind(op) else { return false };
    // (Arrays of binary fields add by XOR.)
    let sums = !layout.constants && has_columns(layout) && field.get::<BinaryField>().is_none();
    sums && terms > 0 && room(layout, terms, products) < pow2(layout.word)
}

fn write(_: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let Some((terms, products)) = kind(op) else { return Err(NotApplicable("not a sum".into())) };
    let (n, k) = (layout.digits() as u32, layout.radix.unwrap_or(layout.word));
    let count = if products { 2 * n } else { n };
    let weights: Vec<u32> = (0..count).map(|i| i * k).collect();
    let full: BigInt = pow2(layout.word) - 1;
    let columns = |max: BigInt| Bounds {
        bound: weights.iter().map(|w| &max << *w).sum(),
        digit_max: vec![max; weights.len()],
        low: None,
    };
    let mut b = Builder::new(kernel_name(op, "columns-madd"), layout.word);
    let (out, operand) = output(&mut b, "out", &weights, &columns(full.clone()));
    let start = crate::signature::input(&mut b, "s", &weights, &columns(full - room(layout, terms, products)));
    let names: &[&str] = if products { &["a", "b"] } else { &["a"] };
    let arrays: Vec<Array> = names.iter().map(|name| elements(&mut b, name, layout, terms)).collect();
    let mut operands = vec![start.operand.clone()];
    let mut polynomial = Polynomial::input(0);
    let mut t = start.load(&mut b).digits;
    for i in 0..terms {
        let numbers: Vec<Number> = arrays
            .iter()
            .map(|array| {
                let digits = (0..n).map(|j| b.load(*array, i * n + j)).collect();
                Number { digits, weights: layout.weights.clone(), bound: layout.resting.bound.clone() }
            })
            .collect();
        let first = operands.len() as u32;
        operands.extend(
            arrays.iter().zip(names).map(|(array, name)| element(&format!("{name}{i}"), *array, layout, i * n)),
        );
        match numbers.as_slice() {
            [x, y] => {
                polynomial = polynomial.plus(1, &[first, first + 1]);
                t = columns::product(&mut b, k, &t, &x.digits, &y.digits);
            }
            _ => {
                polynomial = polynomial.plus(1, &[first]);
                let digits = numbers.first().map(|x| cleaned(&mut b, layout, x)).unwrap_or_default();
                t = t.iter().zip(digits).map(|(t, x)| b.add(*t, x)).collect();
            }
        }
    }
    b.store_all(out, &t);
    let claim = ValueClaim::plain(polynomial, None).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: operands, claims: vec![claim] }))
}

/// An array of so many elements, one behind the other.
fn elements(b: &mut Builder, name: &str, layout: &Layout, count: u32) -> Array {
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().cloned().map(Interval::up_to).collect();
    let (ty, len) = (b.word_type(), count * ranges.len() as u32);
    b.array(name, ty, len, evariste_ir::ArrayKind::Input, vec![ranges; count as usize].concat())
}

/// The element whose digits start there.
fn element(name: &str, array: Array, layout: &Layout, start: u32) -> Operand {
    let bounds = &layout.resting;
    let mut operand =
        Operand::new(name, array, &layout.weights, &bounds.digit_max, bounds.bound.clone()).unmasked(bounds.low);
    operand.digits.iter_mut().for_each(|digit| digit.index += start);
    operand
}

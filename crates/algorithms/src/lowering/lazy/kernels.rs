//! Sums of numbers that are not reduced.
//!
//! * **computes** `a + b` or `a − b` modulo p, up to a multiple of p that the range asks for; in lanes sums of more terms.
//! * **needs** saturated words or lanes; operands up to their bounds. Outputs may be an operand.
//! * **gives** numbers of the operands' length, up to the bound that follows.
//! * **cost** In words N additions; N − ⌊k/w⌋ more where a multiple of `2^k·p` is added, as many ands or selections where
//!   a carry decides. In lanes an addition a column and term; of n digits a chain of carries, and cuts of unmasked digits;
//!   sums of products as in `lanes::montgomery_columns`.
//! * **source** Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over ordinary
//!   curves" (Eurocrypt 2011), section 3.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::form::{self, Size};
use super::steps::{Combination, How, Sum};
use crate::lanes;
use crate::lanes::fold_top::SumFold;
use crate::lanes::montgomery_columns;
use crate::lanes::normalise::cleaned;
use crate::layout::Layout;
use crate::prime::representation::{difference, masked};
use crate::prime::sub::sum_without_carry;
use crate::reduction::conditional_subtraction::subtract_if_not_below;
use crate::signature::{NotApplicable, ValueClaim, input, output, store_result};
use crate::words::constant_digits;

/// The kernel of a sum.
pub(super) fn sum(name: &str, sum: &Sum, m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let weights = form::weights(layout, sum.wide);
    let bounds = |size: &Size| form::bounds(layout, sum.wide, size);
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &weights, &bounds(&sum.size()));
    let x = input(&mut b, "a", &weights, &bounds(&sum.a));
    let y = input(&mut b, "b", &weights, &bounds(&sum.b));
    let (a, c) = (x.load(&mut b), y.load(&mut b));
    let result =
        if layout.radix.is_some() { columns(&mut b, layout, sum, &a, &c) } else { digits(&mut b, sum, &a, &c) };
    let operand = store_result(&mut b, out, operand, &result)?;
    let polynomial = Polynomial::input(0).plus(if sum.is_difference() { -1 } else { 1 }, &[1]);
    let claim = ValueClaim::plain(polynomial, Some(BigInt::from(m.value.clone())));
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand, y.operand], claims: vec![claim.on(operand)] }))
}

/// A sum of two numbers of n digits in lanes: column by column, and one chain of carries, since products read its digits.
fn columns(b: &mut Builder, layout: &Layout, sum: &Sum, x: &Number, y: &Number) -> Number {
    let [x, y] = [x, y].map(|x| cleaned(b, layout, x));
    let second = match &sum.how {
        How::Biased(cover) => {
            let cover = constants(b, cover);
            cover.into_iter().zip(y).map(|(c, y)| b.sub(c, y)).collect()
        }
        _ => y,
    };
    let t: Vec<Value> = x.iter().zip(second).map(|(x, y)| b.add(*x, y)).collect();
    lanes::columns::digits(b, layout, t, sum.size().bound)
}

fn constants(b: &mut Builder, size: &Size) -> Vec<Value> {
    size.columns.iter().map(|c| b.word_constant(c.clone())).collect()
}

/// The kernel of a sum of whole numbers in lanes: column by column, none of which carries.
pub(super) fn combination(
    name: &str,
    sum: &Combination,
    m: &Modulus,
    layout: &Layout,
) -> Result<Kernel, NotApplicable> {
    let weights = form::weights(layout, true);
    let mut b = Builder::new(name, layout.word);
    let size = sum.size();
    let (out, operand) = output(&mut b, "out", &weights, &form::bounds(layout, true, &size));
    let mut t = sum.cover.as_ref().map(|cover| constants(&mut b, cover));
    let mut polynomial = Polynomial::default();
    let (mut inputs, mut added) = (Vec::new(), Vec::new());
    for (i, (size, minus)) in sum.terms.iter().enumerate() {
        let x = input(&mut b, &format!("x{i}"), &weights, &form::bounds(layout, true, size));
        let digits = x.load(&mut b).digits;
        inputs.push(x.operand);
        polynomial = polynomial.plus(if *minus { -1 } else { 1 }, &[i as u32]);
        match &mut t {
            Some(t) if *minus => t.iter_mut().zip(digits).for_each(|(t, x)| *t = b.sub(*t, x)),
            _ => added.push(digits),
        }
    }
    for digits in added {
        t = Some(match t {
            Some(t) => t.iter().zip(digits).map(|(t, x)| b.add(*t, x)).collect(),
            None => digits,
        });
    }
    let result = Number::new(t.unwrap_or_default(), form::radix(layout), size.bound);
    let operand = store_result(&mut b, out, operand, &result)?;
    let claim = ValueClaim::plain(polynomial, Some(BigInt::from(m.value.clone())));
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.on(operand)] }))
}

/// The kernel of a sum of resting elements in lanes, which rests.
pub(super) fn rested(name: &str, terms: &[bool], m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let subtracted = terms.iter().filter(|minus| **minus).count();
    let fold = SumFold::new(m, layout, terms.len() - subtracted, subtracted);
    let fold = fold.ok_or_else(|| NotApplicable("R leaves no room for this fold".into()))?;
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let (mut inputs, mut numbers, mut polynomial) = (Vec::new(), Vec::new(), Polynomial::default());
    for (i, minus) in (0u32..).zip(terms) {
        let x = input(&mut b, &format!("x{i}"), &layout.weights, &layout.resting);
        numbers.push((x.load(&mut b), *minus));
        inputs.push(x.operand);
        polynomial = polynomial.plus(if *minus { -1 } else { 1 }, &[i]);
    }
    let result = fold.write(&mut b, layout, &numbers);
    let operand = store_result(&mut b, out, operand, &result)?;
    let claim = ValueClaim::plain(polynomial, Some(BigInt::from(m.value.clone())));
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.on(operand)] }))
}

/// The kernel of a sum of products in lanes, reduced as it is made: an element at rest.
pub(super) fn products(name: &str, products: &[BigInt], m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let (mut inputs, mut factors, mut polynomial) = (Vec::new(), Vec::new(), Polynomial::default());
    for (i, most) in (0u32..).zip(products) {
        let bounds = layout.up_to(most);
        let [x, y] = ["x", "y"].map(|name| input(&mut b, &format!("{name}{i}"), &layout.weights, &bounds));
        factors.push((x.load(&mut b), y.load(&mut b)));
        inputs.extend([x.operand, y.operand]);
        polynomial = polynomial.plus(1, &[2 * i, 2 * i + 1]);
    }
    let result = montgomery_columns::sum(&mut b, m, layout, &factors);
    let operand = store_result(&mut b, out, operand, &result)?;
    let claim = ValueClaim { factor: layout.factor(), polynomial, modulus: Some(BigInt::from(m.value.clone())) };
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.on(operand)] }))
}

fn digits(b: &mut Builder, sum: &Sum, x: &Number, y: &Number) -> Number {
    let (n, word) = (x.len(), b.word());
    let digits = match &sum.how {
        How::Plain => sum_without_carry(b, &x.digits, &y.digits),
        How::Corrected(k) => {
            let whole = sum_without_carry(b, &x.digits, &y.digits);
            let low = (k.trailing_zeros().unwrap_or(0) / u64::from(word)) as usize;
            // Words below the multiple stay as they are.
            let high = Number::new(whole[low..].to_vec(), word, (&sum.a.bound + &sum.b.bound) >> (low as u32 * word));
            let k = k >> (low as u32 * word);
            let s = Number::new(constant_digits(b, &k, n - low), word, k);
            let bound = sum.size().bound >> (low as u32 * word);
            [&whole[..low], &subtract_if_not_below(b, high, &s, bound).digits].concat()
        }
        How::Biased(k) => {
            let k = constant_digits(b, &k.bound, n);
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
    Number::new(digits, word, sum.size().bound)
}

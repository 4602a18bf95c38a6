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

#[cfg(test)]
mod tests {
    use evariste_descriptions::Field;
    use evariste_ir::mutate::mutants;
    use evariste_ir::refute;

    use super::*;
    use crate::lanes::layouts::modulus_layouts;

    /// Elements that are tried at one place.
    const MOST: usize = 40;

    /// Operands of such a sum: digits of every element at rest for the first two of short layouts, of the least, the
    /// greatest and some between for the others.
    fn operands(layout: &Layout, count: usize) -> Vec<Vec<Vec<BigInt>>> {
        let k = layout.radix.unwrap();
        let most = u32::try_from(&layout.resting.bound).unwrap();
        let digits = |x: u32| {
            let all = layout.weights.iter().map(|w| BigInt::from(x >> w));
            let low = all.enumerate().map(|(i, x)| if i + 1 < layout.digits() { x % (1u32 << k) } else { x });
            low.collect::<Vec<_>>()
        };
        let few = [0, 1, most / 2, most - 1, most];
        let mut all = vec![Vec::new()];
        for i in 0..count {
            let every = (0..=most).step_by(1 + most as usize / MOST).chain(few).collect();
            let values: Vec<u32> = if i < 2 { every } else { few.to_vec() };
            let with =
                |x: &Vec<Vec<BigInt>>| values.iter().map(|v| [&x[..], &[digits(*v)]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    fn is_wrong(kernel: &Kernel, operands: &[Vec<BigInt>]) -> bool {
        let names: Vec<String> = (0..operands.len()).map(|i| format!("x{i}")).collect();
        let named: Vec<(&str, Vec<BigInt>)> = names.iter().map(String::as_str).zip(operands.iter().cloned()).collect();
        refute(kernel, &named).is_some()
    }

    #[test]
    fn sums_at_rest_of_every_element_of_short_words() {
        let (mut sums, mut wrong, mut equal) = (0, 0, 0);
        for (word, radix, p) in [(9, 5, 7u32), (10, 6, 13), (13, 5, 11)] {
            let field = Field::parse(&p.to_string()).unwrap();
            let m = field.get::<Modulus>().unwrap();
            for layout in modulus_layouts(m, word, radix) {
                for terms in [&[false, false][..], &[false, true], &[false, false, true], &[false, true, true]] {
                    let Ok(kernel) = rested("sum_at_rest", terms, m, &layout) else { continue };
                    let all = operands(&layout, terms.len());
                    let found = all.iter().find(|operands| is_wrong(&kernel, operands));
                    assert_eq!(found, None, "{terms:?} modulo {p} in {}", layout.name);
                    sums += all.len();
                    for mutant in mutants(&kernel) {
                        let is_wrong = all.iter().step_by(3).any(|operands| is_wrong(&mutant.kernel, operands));
                        if is_wrong { wrong += 1 } else { equal += 1 }
                    }
                }
            }
        }
        assert!(sums > 10_000 && wrong > 3 * equal, "{sums} sums; {wrong} mutants are wrong, {equal} are not");
    }
}

//! The same in lanes: what a batch of division steps does to numbers in digits whose products are summed in columns.
//!
//! * **computes** as [`update`](super::update), in clean digits of k bits.
//! * **needs** a matrix whose entries are raised by `2^s`, s at most k − 4; p odd.
//! * **gives** of f and g one digit less than before; d and e below 2p; at the end the canonical value.
//! * **cost** 4n products a batch for each of the two, and 2n for what raising added; one Montgomery row for d and one
//!   for e. Carries take three operations a digit.
//! * **source** as there; columns as in products in lanes (`lanes::columns`).

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Contract, Kernel, Polynomial, Value};
use num_bigint::BigInt;

use super::steps::input_matrix;
use super::update::{Kernels, division_claim, row_of, words_after};
use crate::lanes::columns::{self, halves, whole};
use crate::lanes::forms;
use crate::lanes::montgomery::Clearing;
use crate::lanes::normalise::{add_constant, capacity, normalise_by};
use crate::layout::{Bounds, Layout};
use crate::prime::representation::{canonical_layout, prime};
use crate::reduction::carry_pass::{covering_multiple, digits_at};
use crate::signature::{self, Input, NotApplicable, ValueClaim, input, input_flag, output};

/// The digits that an inverse of elements of a layout for lanes computes with: the layout's own where they are multiplied by
/// halves, else the longest whose whole products words have room for. Elements are canonical at rest.
pub fn digits(m: &Modulus, layout: &Layout) -> Layout {
    let own = layout.radix.filter(|k| halves(layout.word, *k));
    let longest = || (1..layout.word).rev().find(|k| whole(layout.word, *k)).unwrap_or(1);
    let k = own.unwrap_or_else(longest);
    // Eight times p fits.
    let n = (m.bits + 3).div_ceil(k);
    let weights = (0..n).map(|i| i * k).collect();
    canonical_layout(m, &Layout { name: "columns".into(), weights, radix: Some(k), ..layout.clone() })
}

fn radix(layout: &Layout) -> u32 {
    layout.radix.unwrap_or(layout.word)
}

/// The kernels of an inverse in these digits.
pub fn kernels(m: &Modulus, layout: &Layout, steps: u32) -> Result<Kernels, NotApplicable> {
    let digits = layout.clone();
    Ok(Kernels {
        kept: Box::new(|known| known),
        division: Box::new(move |count, _| division(&digits, steps, count)),
        followers: Arc::new(followers(m, layout, steps)?),
        before: Some(Arc::new(below(m, layout)?)),
        with_sign: Arc::new(with_sign(m, layout)?),
        after: Some(Arc::new(canonical(m, layout)?)),
    })
}

/// d and e between batches.
fn between(m: &Modulus, layout: &Layout) -> Layout {
    let bound: BigInt = prime(m) * 2 - 1;
    let most = |w: &u32| std::cmp::min(pow2(radix(layout)) - 1, &bound >> *w);
    let resting = Bounds { digit_max: layout.weights.iter().map(most).collect(), bound, low: None };
    Layout { resting, ..layout.clone() }
}

/// f and g in so many digits after the steps of a matrix: one less, but for the last.
fn division(layout: &Layout, steps: u32, count: usize) -> Kernel {
    let (word, k, kept) = (layout.word, radix(layout), words_after(count));
    let mut b = Builder::new(format!("divide_{steps}_{count}"), word);
    let most: BigInt = pow2(k) - 1;
    let weights: Vec<u32> = (0..count as u32).map(|i| i * k).collect();
    let bounds = Bounds { digit_max: vec![most.clone(); count], bound: pow2(k * count as u32) - 1, low: None };
    let outputs = ["f_after", "g_after"].map(|name| b.output(name, kept as u32, std::slice::from_ref(&most)));
    let (matrix, mut inputs) = input_matrix(&mut b, "matrix", steps);
    let numbers = ["f", "g"].map(|name| input(&mut b, name, &weights, &bounds));
    let entries = b.load_all(matrix);
    let [f, g] = numbers.each_ref().map(|x| x.load(&mut b).digits);
    let modulus = if count == 1 { pow2(k) } else { pow2(steps + k * kept as u32) };
    // −f − g in digits that are not negative: 2·(2^k − 1) less both in each, and 2 more.
    let twice = b.word_constant(&most * 2);
    let opposite: Vec<Value> = (0..kept)
        .map(|i| {
            let sum = b.add(f[i], g[i]);
            b.sub(twice, sum)
        })
        .collect();
    let ghost = b.ghost("low", 2);
    let mut claims = Vec::new();
    for (row, out) in outputs.into_iter().enumerate() {
        let total = low_digits(&mut b, k, &[(&f, entries[2 * row]), (&g, entries[2 * row + 1])]);
        let low = b.low_bits(total[0], steps);
        b.store(ghost, row as u32, low);
        let mut sums: Vec<Value> = (0..kept).map(|i| b.shr(total[i], steps)).collect();
        for (i, sum) in sums.iter_mut().enumerate() {
            if let Some(above) = total.get(i + 1) {
                let above = b.low_bits(*above, steps);
                let above = b.shl(above, k - steps);
                *sum = b.add(*sum, above);
            }
            *sum = b.add(*sum, opposite[i]);
        }
        let two = b.word_constant(2);
        sums[0] = b.add(sums[0], two);
        columns::carry(&mut b, k, &mut sums, 0, kept - 1);
        for (i, sum) in (0u32..).zip(sums) {
            let digit = b.low_bits(sum, k);
            b.store(out, i, digit);
        }
        claims.push(division_claim(row, steps, (out, ghost), (kept, k), &most, &modulus));
    }
    inputs.extend(numbers.into_iter().map(|x| x.operand));
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// The low digits of a sum of products with one digit each, as many as a factor has.
fn low_digits(b: &mut Builder, k: u32, products: &[(&[Value], Value)]) -> Vec<Value> {
    let (count, zero) = (products[0].0.len(), b.word_constant(0));
    let mut t = vec![zero; count + 1];
    for (x, by) in products {
        columns::add_row(b, k, &mut t, 0, x, *by);
    }
    t.truncate(count);
    columns::carry(b, k, &mut t, 0, count - 1);
    t.into_iter().map(|column| b.low_bits(column, k)).collect()
}

/// d and e after the steps of a matrix, divided by `2^k`.
fn followers(m: &Modulus, layout: &Layout, steps: u32) -> Result<Kernel, NotApplicable> {
    let (k, n) = (radix(layout), layout.digits());
    let layout = between(m, layout);
    let mut b = Builder::new(format!("follow_{steps}"), layout.word);
    let outputs = ["d_after", "e_after"].map(|name| output(&mut b, name, &layout.weights, &layout.resting));
    let (matrix, mut inputs) = input_matrix(&mut b, "matrix", steps);
    let numbers = ["d", "e"].map(|name| input(&mut b, name, &layout.weights, &layout.resting));
    let entries = b.load_all(matrix);
    let [d, e] = numbers.each_ref().map(|x: &Input| x.load(&mut b).digits);
    // What raising the entries added is taken away: (a multiple of p less d and e) times 2^s.
    let twice: Vec<BigInt> = layout.resting.digit_max.iter().map(|most| most * 2).collect();
    let above = covering_multiple(&prime(m), &layout.weights, &twice);
    let multiple = value_of(&above, &layout.weights);
    let mut raised: Vec<Value> = above.into_iter().map(|digit| b.word_constant(digit)).collect();
    for (r, (d, e)) in raised.iter_mut().zip(d.iter().zip(&e)) {
        let sum = b.add(*d, *e);
        *r = b.sub(*r, sum);
    }
    let raised = columns::digits(&mut b, &layout, raised, multiple.clone()).digits;
    let unit = b.word_constant(pow2(steps));
    let clearing = Clearing::new(&mut b, m, k, n);
    let most: BigInt = (prime(m) << (steps + 3)) + (multiple << steps);
    let bound: BigInt = (most + (pow2(k) - 1) * prime(m)) >> k;
    if bound > layout.resting.bound {
        return Err(NotApplicable("numbers that follow division steps grow".into()));
    }
    let mut claims = Vec::new();
    for (row, (out, operand)) in outputs.into_iter().enumerate() {
        let (start, zero) = (clearing.start(&mut b), b.word_constant(0));
        let mut t = vec![zero; n + 1];
        t[0] = start;
        for (x, by) in [(&d, entries[2 * row]), (&e, entries[2 * row + 1]), (&raised, unit)] {
            columns::add_row(&mut b, k, &mut t, 0, x, by);
        }
        clearing.row(&mut b, &mut t, 0);
        let after = columns::digits(&mut b, &layout, t.split_off(1), bound.clone());
        let operand = signature::store_result(&mut b, out, operand, &after)?;
        let claim =
            ValueClaim { factor: pow2(k), polynomial: row_of(2 * row as u32, steps, 4), modulus: Some(prime(m)) };
        claims.push(claim.on(operand));
    }
    inputs.extend(numbers.into_iter().map(|x| x.operand));
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

fn value_of(digits: &[BigInt], weights: &[u32]) -> BigInt {
    digits.iter().zip(weights).map(|(digit, weight)| digit << *weight).sum()
}

/// d between batches, below p.
fn below(m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    forms::canonical_of(m, layout, &between(m, layout).resting, "below")
}

/// The bounds of a number up to p.
fn up_to_p(m: &Modulus, layout: &Layout) -> Bounds {
    let bound = prime(m);
    let most = |w: &u32| std::cmp::min(pow2(radix(layout)) - 1, &bound >> *w);
    Bounds { digit_max: layout.weights.iter().map(most).collect(), bound, low: None }
}

/// A canonical d, or −d where the sign is 1, up to p.
fn with_sign(m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let p = prime(m);
    let resting = up_to_p(m, layout);
    let mut b = Builder::new("with_sign", layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &resting);
    let sign = input_flag(&mut b, "sign");
    let d = input(&mut b, "d", &layout.weights, &layout.resting);
    let (flag, x) = (b.load(sign.array, 0u32), d.load(&mut b));
    let zero = b.word_constant(0);
    let is_negative = b.less(zero, flag);
    let above = covering_multiple(&p, &layout.weights, &layout.resting.digit_max);
    if value_of(&above, &layout.weights) > &p * 2 {
        return Err(NotApplicable("a top digit that is too short".into()));
    }
    let chosen = x.digits.iter().zip(above).map(|(x, digit)| {
        let digit = b.word_constant(digit);
        let opposite = b.sub(digit, *x);
        b.select(is_negative, opposite, *x)
    });
    // At most 2p.
    let mut chosen: Vec<Value> = chosen.collect();
    add_constant(&mut b, layout, &mut chosen, &(capacity(layout) - &p));
    let digits: Vec<Value> = digits_at(&p, &layout.weights).into_iter().map(|digit| b.word_constant(digit)).collect();
    let chosen = normalise_by(&mut b, layout, chosen, &digits, p.clone(), false);
    let operand = signature::store_result(&mut b, out, operand, &chosen)?;
    let polynomial = Polynomial::input(1).plus(-2, &[0, 1]);
    let claim = ValueClaim::plain(polynomial, Some(p)).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![sign.operand, d.operand], claims: vec![claim] }))
}

/// A number up to p, below p.
fn canonical(m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    forms::canonical_of(m, layout, &up_to_p(m, layout), "canonical")
}

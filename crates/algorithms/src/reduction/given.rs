//! Montgomery products by a modulus that is given when the kernel runs: any odd number below `2^bits`.
//!
//! * **computes** `a·b/R mod p`, `a²/R mod p`, R = 2^(wn), by every scan that takes the digits of p and `−1/p mod 2^w` as values.
//! * **needs** p odd, `p < 2^bits`, `n' = −1/p mod 2^w`, both passed in; operands below `2^(bits+1)`; `R ≥ 2^(bits+2)`. Nothing else is asked of p: it may be small, or composite.
//! * **gives** a number below `2^(bits+1)`, congruent and at rest again: `(A·B + (R−1)·P)/R < 2^bits + P` for `A, B < 2^(bits+1)` and `R ≥ 2^(bits+2)`. Nothing is
//!   subtracted, so no bound is relative to p. With one operand at most R − 1 and the other 1 the result is at most p.
//! * **cost** 2n² + n multiplications, as for a modulus without structure that is known; loads of n + 1 words more.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985); Walter, "Montgomery exponentiation needs no final subtractions" (1999), for the spare bits,
//!   which he states for a known modulus.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Fact, Kernel, Modulo, Number, Polynomial, View};
use num_bigint::BigInt;

use super::montgomery::{Clearing, Given};
use super::{
    montgomery_cihs, montgomery_cios, montgomery_cios_chains, montgomery_cios_merge, montgomery_cios_mixed, montgomery_cios_no_carry, montgomery_fios, montgomery_fips, montgomery_sos,
    montgomery_sos_chains, montgomery_sos_merge,
};
use crate::frame::{NotApplicable, input, output, store_result};
use crate::integer::{plain_product, unrolled};
use crate::lanes;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::registry::{PRODUCTS, Product};

/// A product with the reduction interleaved.
type Scan = fn(&mut Builder, &Clearing, &Layout, &Number, &Number) -> Number;
/// A square with the reduction interleaved.
type SquareScan = fn(&mut Builder, &Clearing, &Layout, &Number) -> Number;
/// A reduction of a finished product.
type Reduce = fn(&mut Builder, &Clearing, &Layout, Number) -> Number;

/// Interleaved products: name, product, square where it is not the product of a number with itself, the least number of digits, and whether columns of 2n
/// products must fit three words.
const SCANS: &[(&str, Scan, Option<SquareScan>, usize, bool)] = &[
    ("montgomery-cios", montgomery_cios::scan, None, 1, false),
    ("montgomery-cios-chains", montgomery_cios_chains::scan, Some(montgomery_cios_chains::scan_square), 1, false),
    ("montgomery-cios-merge", montgomery_cios_merge::scan, None, 1, false),
    ("montgomery-cios-mixed", montgomery_cios_mixed::scan, None, 2, false),
    ("montgomery-cios-no-carry", montgomery_cios_no_carry::scan, None, 1, false),
    ("montgomery-fios", montgomery_fios::scan, None, 1, false),
    ("montgomery-fips", montgomery_fips::scan, Some(montgomery_fips::scan_square), 1, true),
    ("montgomery-cihs", montgomery_cihs::scan, None, 1, true),
];

/// Reductions of finished products.
const REDUCTIONS: &[(&str, Reduce)] =
    &[("montgomery-sos", montgomery_sos::scan), ("montgomery-sos-chains", montgomery_sos_chains::scan), ("montgomery-sos-merge", montgomery_sos_merge::scan)];

/// The product in lanes.
const LANES: &str = lanes::montgomery::INTEGRATED.name;

/// The layout of elements modulo odd numbers below `2^bits`: Montgomery form in the fewest words with two bits to spare, at rest below `2^(bits+1)`.
pub fn layout(bits: u32, word: u32) -> Layout {
    let n = (bits + 2).div_ceil(word);
    Layout::saturated_with(format!("montgomery-{n}x{word}-lazy"), word, n as usize, pow2(bits + 1) - 1, Some(n * word))
}

/// The layouts for lanes of the same elements, in words of `word` bits whose multiply-add takes `radix` bits: dirty digits first, then clean ones.
pub fn lane_layouts(bits: u32, word: u32, radix: u32) -> Vec<Layout> {
    let n = (bits + 2).div_ceil(radix);
    let one = |dirty| lanes::layouts::layout("montgomery-", word, radix, n, pow2(bits + 1) - 1, Some(radix * n), Some(dirty));
    let mut all: Vec<Layout> = [true, false].into_iter().filter_map(one).collect();
    all.dedup_by(|a, b| a.resting == b.resting);
    all
}

/// Bounds of the modulus in such a layout: half the bound of elements, its digits clean.
fn modulus_bounds(layout: &Layout) -> Bounds {
    let bound = &layout.resting.bound >> 1u32;
    let digit: BigInt = pow2(layout.radix.unwrap_or(layout.word)) - 1;
    let digit_max = layout.weights.iter().map(|w| (&bound >> *w).min(digit.clone())).collect();
    Bounds { digit_max, bound, low: None }
}

/// The frame of a kernel by a given modulus: `factor · out ≡ polynomial (mod modulus)`. Parameters: the output, the inputs named, `modulus`, `inverse`; `body` gets the
/// inputs and the modulus loaded.
pub fn kernel(
    name: &str,
    layout: &Layout,
    inputs: &[&str],
    polynomial: Polynomial,
    body: impl FnOnce(&mut Builder, &Given, &[(Array, Number)]) -> Result<Number, NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let k = layout.radix.unwrap_or(layout.word);
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let mut all: Vec<_> = inputs.iter().map(|name| input(&mut b, name, &layout.weights, &layout.resting)).collect();
    all.push(input(&mut b, "modulus", &layout.weights, &modulus_bounds(layout)));
    all.push(input(&mut b, "inverse", &[0], &Bounds { digit_max: vec![pow2(k) - 1], bound: pow2(k) - 1, low: None }));
    let mut numbers: Vec<(Array, Number)> = all.iter().map(|i| (i.array, i.load(&mut b))).collect();
    let inverse = numbers.pop().map(|(_, x)| x.digits[0]);
    let modulus = numbers.pop().map(|(_, x)| x);
    let (Some(inverse), Some(modulus)) = (inverse, modulus) else { return Err(NotApplicable("there is no modulus".into())) };
    let mut result = body(&mut b, &Given { modulus, inverse }, &numbers)?;
    // Words that the bound shows to be 0 were dropped.
    let zero = b.word_constant(0);
    for weight in layout.weights.iter().skip(result.len()) {
        result.digits.push(zero);
        result.weights.push(*weight);
    }
    let output = store_result(&mut b, out, operand, &result)?;
    // p·n' ≡ −1 (mod 2^k): what makes p odd, and quotient digits clear.
    let (p, n) = (inputs.len() as u32, inputs.len() as u32 + 1);
    let fact = Fact { number: n, times: Some(p), polynomial: Polynomial::constant(-1), modulus: pow2(k) };
    let claim = Claim::Value { output, factor: layout.factor(), polynomial, modulus: Some(Modulo::Input(p)) };
    Ok(b.finish(Contract { inputs: all.into_iter().map(|i| i.operand).collect(), facts: vec![fact], claims: vec![claim] }))
}

/// `−1/p mod 2^k` for odd p: what a caller passes as `inverse`.
pub fn inverse(p: &BigInt, k: u32) -> BigInt {
    let base = pow2(k);
    // Newton: the number of right bits doubles, from 3.
    let x = (0..32 - k.leading_zeros()).fold(p % &base, |x, _| (&x * (2 - p * &x)) % &base);
    ((-x) % &base + &base) % &base
}

/// The names of the algorithms of an operation in a layout, products of two schedules as `comba+montgomery-sos`. There are products, squares and the ways into Montgomery
/// form, by a product with `R² mod p` that the caller brings, and out of it.
pub fn algorithms(layout: &Layout, operation: &Operation) -> Vec<String> {
    let (w, n) = (layout.word, layout.digits());
    let known = matches!(operation, Operation::Mul | Operation::Square | Operation::ToMontgomery | Operation::FromMontgomery);
    if !known || layout.radix.is_none() && (!layout.saturated() || !unrolled(w, n)) {
        return Vec::new();
    }
    if layout.radix.is_some() {
        return vec![LANES.into()];
    }
    if matches!(operation, Operation::ToMontgomery | Operation::FromMontgomery) {
        return vec![montgomery_cios::INTEGRATED.name.into()];
    }
    let columns = w >= 32 || 2 * n <= 1 << w;
    let scans = SCANS.iter().filter(|s| n >= s.3 && (columns || !s.4)).map(|s| s.0.to_string());
    let products = || PRODUCTS.iter().filter(|p| (p.applies)(w, n));
    scans.chain(REDUCTIONS.iter().flat_map(|r| products().map(move |p| format!("{}+{}", p.name, r.0)))).collect()
}

/// The product (or square) by the algorithm of that name.
pub fn product(layout: &Layout, algorithm: &str, square: bool) -> Result<Kernel, NotApplicable> {
    let name = format!("{}_{}", if square { "square" } else { "mul" }, algorithm.replace(['-', '+'], "_"));
    let inputs: &[&str] = if square { &["a"] } else { &["a", "b"] };
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    if let (LANES, Some(k)) = (algorithm, layout.radix) {
        return kernel(&name, layout, inputs, polynomial, |b, given, x| {
            let p = lanes::montgomery::Clearing::given(given, k);
            Ok(if square { lanes::montgomery::scan_square(b, &p, layout, &x[0].1) } else { lanes::montgomery::scan(b, &p, layout, &x[0].1, &x[1].1) })
        });
    }
    if let Some((_, scan, square_scan, ..)) = SCANS.iter().find(|s| s.0 == algorithm) {
        return kernel(&name, layout, inputs, polynomial, |b, given, x| {
            let p = Clearing::given(given);
            Ok(match (square, square_scan) {
                (true, Some(square_scan)) => square_scan(b, &p, layout, &x[0].1),
                _ => scan(b, &p, layout, &x[0].1, &x[x.len() - 1].1),
            })
        });
    }
    let parts = algorithm.split_once('+').and_then(|(p, r)| Some((PRODUCTS.iter().find(|x| x.name == p)?, REDUCTIONS.iter().find(|x| x.0 == r)?)));
    let Some((schedule, (_, reduce))) = parts else { return Err(NotApplicable(format!("there is no algorithm {algorithm} for a given modulus"))) };
    kernel(&name, layout, inputs, polynomial, |b, given, x| {
        let t = called_product(b, schedule, layout, x, square)?;
        Ok(reduce(b, &Clearing::given(given), layout, t))
    })
}

/// The product as a call, so that the reduction's proof knows its contract only.
fn called_product(b: &mut Builder, schedule: &Product, layout: &Layout, x: &[(Array, Number)], square: bool) -> Result<Number, NotApplicable> {
    let kind = if square { "square" } else { "multiply" };
    let callee = Arc::new(plain_product(&format!("{kind}_{}", schedule.name.replace('-', "_")), schedule, layout, square)?);
    let t = callee.array(Array(0));
    let t = b.array("t", t.ty, t.len, ArrayKind::Local, t.ranges.clone());
    let views = std::iter::once(t).chain(x.iter().map(|x| x.0)).map(View::whole).collect();
    let bound = &x[0].1.bound * &x[x.len() - 1].1.bound;
    let product = b.callee(callee);
    b.call(product, views);
    Ok(Number::new(b.load_all(t), layout.word, bound))
}

/// Into Montgomery form: the product with the input `square`, `R² mod p`.
pub fn to_montgomery(layout: &Layout) -> Result<Kernel, NotApplicable> {
    let polynomial = Polynomial::default().plus(1, &[0, 1]);
    if let Some(k) = layout.radix {
        return kernel("to_montgomery_montgomery_madd", layout, &["a", "square"], polynomial, |b, given, x| Ok(lanes::montgomery::scan(b, &lanes::montgomery::Clearing::given(given, k), layout, &x[0].1, &x[1].1)));
    }
    kernel("to_montgomery_montgomery_cios", layout, &["a", "square"], polynomial, |b, given, x| Ok(montgomery_cios::scan(b, &Clearing::given(given), layout, &x[0].1, &x[1].1)))
}

/// Out of Montgomery form: `a/R`, at most p.
pub fn from_montgomery(layout: &Layout) -> Result<Kernel, NotApplicable> {
    if let Some(k) = layout.radix {
        return kernel("from_montgomery_montgomery_madd", layout, &["a"], Polynomial::input(0), |b, given, x| {
            let p = lanes::montgomery::Clearing::given(given, k);
            let columns = lanes::forms::divided(b, &p, layout, &x[0].1);
            let bound = p.bound(layout, &x[0].1.bound);
            Ok(lanes::columns::digits(b, layout, columns, bound))
        });
    }
    kernel("from_montgomery_montgomery_cios", layout, &["a"], Polynomial::input(0), |b, given, x| {
        let zero = b.word_constant(0);
        let mut one = vec![zero; layout.digits()];
        one[0] = b.word_constant(1);
        Ok(montgomery_cios::scan(b, &Clearing::given(given), layout, &x[0].1, &Number::new(one, layout.word, 1.into())))
    })
}

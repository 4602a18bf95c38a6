//! Arithmetic modulo a number that is given when the kernel runs: any odd number below `2^bits`.
//!
//! * **computes** products, squares and forms in Montgomery form with R = 2^(wn) ([`products`], [`forms`]), sums,
//!   differences and negatives ([`sums`]).
//! * **needs** `p < 2^bits`, and for products p odd and `n' = −1/p mod 2^w`, both passed in; operands below p (or 2p,
//!   where `R ≥ 4·2^bits`). Nothing else is asked of p: it may be small, or composite.
//! * **gives** a number below p (2p) again. So bounds are relative to p, as for a modulus that is known: contracts say
//!   them of an input number ([`evariste_ir::Below`]).
//! * **cost** as for a modulus without structure that is known; loads of n + 1 words more, and n additions where 2p is
//!   subtracted.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985); Walter, "Montgomery exponentiation
//!   needs no final subtractions" (1999), for the spare bits.

use evariste_ir::range::pow2;
use evariste_ir::{Array, Below, Builder, Claim, Contract, Fact, Kernel, Modulo, Number, Polynomial, Value};
use num_bigint::BigInt;

use super::montgomery::Given;
use crate::frame::{NotApplicable, input, output, store_result};
use crate::integer::unrolled;
use crate::lanes;
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;

pub mod forms;
pub mod products;
pub mod sums;

/// The layouts of elements modulo odd numbers below `2^bits`: Montgomery form in the fewest words, at rest below p; and
/// in the fewest words with two bits to spare, at rest below 2p.
pub fn layouts(bits: u32, word: u32) -> Vec<Layout> {
    let greatest = pow2(bits) - 1u32;
    let one = |suffix: &str, bits: u32, bound: BigInt| {
        let n = bits.div_ceil(word);
        Layout::saturated_with(format!("montgomery-{n}x{word}{suffix}"), word, n as usize, bound, Some(n * word))
    };
    vec![one("", bits, &greatest - 1u32), one("-lazy", bits + 2, greatest * 2u32 - 1u32)]
}

/// The layouts for lanes of the same elements, in words of `word` bits whose multiply-add takes `radix` bits, at rest
/// below 2p: dirty digits first, then clean ones.
pub fn lane_layouts(bits: u32, word: u32, radix: u32) -> Vec<Layout> {
    let n = (bits + 2).div_ceil(radix);
    let bound = (pow2(bits) - 1u32) * 2u32 - 1u32;
    let one =
        |dirty| lanes::layouts::layout("montgomery-", word, radix, n, bound.clone(), Some(radix * n), Some(dirty));
    let mut all: Vec<Layout> = [true, false].into_iter().filter_map(one).collect();
    all.dedup_by(|a, b| a.resting == b.resting);
    all
}

/// Elements rest below this multiple of p. The greatest p is odd, so the bound itself says it.
pub fn multiple(layout: &Layout) -> u32 {
    if layout.resting.bound.bit(0) { 2 } else { 1 }
}

/// The greatest modulus of a layout.
fn greatest(layout: &Layout) -> BigInt {
    (&layout.resting.bound + 1u32) / multiple(layout)
}

/// Bounds of numbers of a layout in clean digits.
fn clean(layout: &Layout, bound: BigInt) -> Bounds {
    let digit: BigInt = pow2(layout.radix.unwrap_or(layout.word)) - 1;
    let digit_max = layout.weights.iter().map(|w| (&bound >> *w).min(digit.clone())).collect();
    Bounds { digit_max, bound, low: None }
}

/// What is said of an operand or a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// It rests: below p or 2p.
    Resting,
    /// It is below p.
    Canonical,
    /// It fits the layout's digits (in lanes: the bound of what rests by the greatest modulus).
    Any,
}

impl Size {
    fn bounds(self, layout: &Layout) -> Bounds {
        match self {
            Size::Resting => layout.resting.clone(),
            Size::Canonical => clean(layout, greatest(layout) - 1u32),
            Size::Any if layout.radix.is_some() => layout.resting.clone(),
            Size::Any => clean(layout, layout.factor() - 1u32),
        }
    }

    fn below(self, layout: &Layout, number: u32) -> Option<Below> {
        match self {
            Size::Resting => Some(Below { multiple: multiple(layout), number }),
            Size::Canonical => Some(Below { multiple: 1, number }),
            Size::Any => None,
        }
    }
}

/// What a kernel promises: `factor · out ≡ polynomial (mod modulus)`.
struct Statement<'a> {
    name: String,
    inputs: &'a [(&'a str, Size)],
    result: Size,
    factor: BigInt,
    polynomial: Polynomial,
}

impl<'a> Statement<'a> {
    fn new(
        operation: &Operation,
        algorithm: &str,
        inputs: &'a [(&'a str, Size)],
        polynomial: Polynomial,
    ) -> Statement<'a> {
        Statement {
            name: crate::prime::representation::kernel_name(operation, algorithm),
            inputs,
            result: Size::Resting,
            factor: 1.into(),
            polynomial,
        }
    }

    /// The frame of a kernel. Parameters: the output, the inputs named, `modulus` and, where a product is reduced,
    /// `inverse`; `body` gets the inputs and the modulus loaded.
    fn kernel(
        self,
        layout: &Layout,
        reduces: bool,
        body: impl FnOnce(&mut Builder, &Given, &[(Array, Number)]) -> Result<Number, NotApplicable>,
    ) -> Result<Kernel, NotApplicable> {
        let k = layout.radix.unwrap_or(layout.word);
        let mut b = Builder::new(self.name, layout.word);
        let (p, n) = (self.inputs.len() as u32, self.inputs.len() as u32 + 1);
        let (out, operand) = output(&mut b, "out", &layout.weights, &self.result.bounds(layout));
        let mut all: Vec<_> =
            self.inputs.iter().map(|(name, size)| input(&mut b, name, &layout.weights, &size.bounds(layout))).collect();
        let modulus = input(&mut b, "modulus", &layout.weights, &clean(layout, greatest(layout)));
        let inverse = reduces.then(|| {
            input(&mut b, "inverse", &[0], &Bounds { digit_max: vec![pow2(k) - 1], bound: pow2(k) - 1, low: None })
        });
        let numbers: Vec<(Array, Number)> = all.iter().map(|i| (i.array, i.load(&mut b))).collect();
        let zero = b.word_constant(0);
        let given = Given {
            modulus: modulus.load(&mut b),
            inverse: inverse.as_ref().map_or(zero, |i| i.load(&mut b).digits[0]),
        };
        let mut result = body(&mut b, &given, &numbers)?;
        // Words that the bound shows to be 0 were dropped.
        for weight in layout.weights.iter().skip(result.len()) {
            result.digits.push(zero);
            result.weights.push(*weight);
        }
        let output = store_result(&mut b, out, operand, &result)?.below(self.result.below(layout, p));
        for (input, (_, size)) in all.iter_mut().zip(self.inputs) {
            input.operand.below = size.below(layout, p);
        }
        // p·n' ≡ −1 (mod 2^k): what makes p odd, and quotient digits clear.
        let fact = Fact { number: n, times: Some(p), polynomial: Polynomial::constant(-1), modulus: pow2(k) };
        let facts = inverse.iter().map(|_| fact.clone()).collect();
        let claim =
            Claim::Value { output, factor: self.factor, polynomial: self.polynomial, modulus: Some(Modulo::Input(p)) };
        let inputs = all.into_iter().chain([modulus]).chain(inverse).map(|i| i.operand).collect();
        Ok(b.finish(Contract { inputs, facts, claims: vec![claim] }))
    }
}

/// The digits of what elements rest below: p, or 2p.
fn resting_multiple(b: &mut Builder, given: &Given, layout: &Layout) -> Number {
    let p = &given.modulus;
    match (multiple(layout), layout.radix) {
        (1, _) => p.clone(),
        (_, None) => crate::prime::representation::sum(b, layout.word, p, p),
        (_, Some(k)) => Number::new(p.digits.iter().map(|d| b.add(*d, *d)).collect(), k, &p.bound * 2u32),
    }
}

/// `−1/p mod 2^k` for odd p: what a caller passes as `inverse`.
pub fn inverse(p: &BigInt, k: u32) -> BigInt {
    let base = pow2(k);
    // Newton: the number of right bits doubles, from 3.
    let x = (0..32 - k.leading_zeros()).fold(p % &base, |x, _| (&x * (2 - p * &x)) % &base);
    ((-x) % &base + &base) % &base
}

/// The names of the algorithms of an operation in a layout, products of two schedules as `comba+montgomery-sos`.
pub fn algorithms(layout: &Layout, operation: &Operation) -> Vec<String> {
    if layout.radix.is_none() && (!layout.saturated() || !unrolled(layout.word, layout.digits())) {
        return Vec::new();
    }
    match operation {
        Operation::Mul | Operation::Square => products::algorithms(layout),
        Operation::Add | Operation::Sub | Operation::Opp => vec![sums::name(layout, operation).into()],
        Operation::ToMontgomery | Operation::FromMontgomery | Operation::Canonical => {
            forms::name(layout, operation).map(Into::into).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The kernel of an operation by the algorithm of that name.
pub fn write(layout: &Layout, operation: &Operation, algorithm: &str) -> Result<Kernel, NotApplicable> {
    match operation {
        Operation::Mul | Operation::Square => products::write(layout, operation, algorithm),
        Operation::Add | Operation::Sub | Operation::Opp => sums::write(layout, operation),
        Operation::ToMontgomery | Operation::FromMontgomery | Operation::Canonical => forms::write(layout, operation),
        _ => Err(NotApplicable(format!("there is no {} by a given modulus", operation.name()))),
    }
}

/// Columns of `x + 2^K − m`, m in columns: what a conditional subtraction in lanes starts from.
fn less_in_columns(b: &mut Builder, layout: &Layout, x: Vec<Value>, m: &[Value]) -> Vec<Value> {
    let cover = sums::cover(b, layout, m);
    let lifted = |b: &mut Builder, (x, (c, m)): (Value, (BigInt, &Value))| {
        let c = b.word_constant(c);
        let left = b.sub(c, *m);
        b.add(x, left)
    };
    x.into_iter().zip(cover.into_iter().zip(m)).map(|y| lifted(b, y)).collect()
}

//! What kernels by a modulus supplied at run time promise, and their signature.
//!
//! * **computes** nothing itself: parameters, loads, stores and the contract of a kernel whose modulus is an input.
//! * **needs** the inputs' sizes ([`Size`]), relative to the modulus.
//! * **gives** `factor · out ≡ polynomial (mod modulus)`, bounds by that input included.
//! * **cost** loads of the modulus and of its inverse.
//! * **source** the definitions; bounds by an input number are [`evariste_ir::Below`].

use evariste_ir::range::pow2;
use evariste_ir::{Array, Below, Builder, Claim, Contract, Fact, Kernel, Modulo, Number, Polynomial};
use num_bigint::BigInt;

use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::reduction::montgomery::RunTimeModulus;
use crate::reduction::montgomery::greatest;
use crate::signature::{NotApplicable, input, output, store_result};

/// Bounds of numbers of a layout in clean digits.
pub(super) fn clean(layout: &Layout, bound: BigInt) -> Bounds {
    let digit: BigInt = pow2(layout.radix.unwrap_or(layout.word)) - 1;
    let digit_max = layout.weights.iter().map(|w| (&bound >> *w).min(digit.clone())).collect();
    Bounds { digit_max, bound, low: None }
}

/// What is said of an operand or a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// It rests: below p or 2p.
    Resting,
    /// It is below p.
    Canonical,
    /// It fits the layout's digits (in lanes: the bound of what rests by the greatest modulus).
    Any,
}

impl Size {
    pub(super) fn bounds(self, layout: &Layout) -> Bounds {
        match self {
            Size::Resting => layout.resting.clone(),
            Size::Canonical => clean(layout, greatest(layout) - 1u32),
            Size::Any if layout.radix.is_some() => layout.resting.clone(),
            Size::Any => clean(layout, layout.factor() - 1u32),
        }
    }

    pub(super) fn below(self, layout: &Layout, number: u32) -> Option<Below> {
        match self {
            Size::Resting => Some(Below { multiple: layout.resting_multiple(), number }),
            Size::Canonical => Some(Below { multiple: 1, number }),
            Size::Any => None,
        }
    }
}

/// What a kernel promises: `factor · out ≡ polynomial (mod modulus)`.
pub(super) struct Statement<'a> {
    pub(super) name: String,
    pub(super) inputs: &'a [(&'a str, Size)],
    pub(super) result: Size,
    pub(super) factor: BigInt,
    pub(super) polynomial: Polynomial,
}

impl<'a> Statement<'a> {
    pub(super) fn new(
        operation: &Operation,
        algorithm: &str,
        inputs: &'a [(&'a str, Size)],
        polynomial: Polynomial,
    ) -> Statement<'a> {
        Statement {
            name: kernel_name(operation, algorithm),
            inputs,
            result: Size::Resting,
            factor: 1.into(),
            polynomial,
        }
    }

    /// The kernel with its signature. Parameters: the output, the inputs named, `modulus` and, where a product is reduced,
    /// `inverse`; `body` gets the inputs and the modulus loaded.
    pub(super) fn kernel(
        self,
        layout: &Layout,
        reduces: bool,
        body: impl FnOnce(&mut Builder, &RunTimeModulus, &[(Array, Number)]) -> Result<Number, NotApplicable>,
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
        let loaded = RunTimeModulus {
            number: modulus.load(&mut b),
            inverse: inverse.as_ref().map_or(zero, |i| i.load(&mut b).digits[0]),
        };
        let mut result = body(&mut b, &loaded, &numbers)?;
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
pub(super) fn resting_multiple(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout) -> Number {
    let p = &modulus.number;
    match (layout.resting_multiple(), layout.radix) {
        (1, _) => p.clone(),
        (_, None) => crate::prime::representation::sum(b, layout.word, p, p),
        (_, Some(k)) => Number::new(p.digits.iter().map(|d| b.add(*d, *d)).collect(), k, &p.bound * 2u32),
    }
}

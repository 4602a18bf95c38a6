//! The signature of a kernel: parameters, loads, stores and the contract, all written from the field and the layout. An
//! algorithm gets its operands as [`Number`]s and returns a [`Number`]; digits beyond the layout's become ghosts,
//! bounds beyond the resting one are an error.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Number, Operand, Polynomial};
use num_bigint::BigInt;
use thiserror::Error;

use crate::layout::{Bounds, Layout};
use crate::operation::Operation;

/// Why a plan does not apply.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NotApplicable(pub String);

/// An input number of a kernel under construction.
pub struct Input {
    /// The array.
    pub array: Array,
    /// Its contract.
    pub operand: Operand,
    /// Weights of its words.
    pub weights: Vec<u32>,
}

impl Input {
    /// Loads all words.
    pub fn load(&self, b: &mut Builder) -> Number {
        let digits = b.load_all(self.array);
        Number { digits, weights: self.weights.clone(), bound: self.operand.bound.clone() }
    }
}

/// Declares an input array of words.
pub fn input(b: &mut Builder, name: &str, weights: &[u32], bounds: &Bounds) -> Input {
    let array = b.input(name, weights.len() as u32, &bounds.digit_max);
    let operand = Operand::new(name, array, weights, &bounds.digit_max, bounds.bound.clone()).unmasked(bounds.low);
    Input { array, operand, weights: weights.to_vec() }
}

/// Declares an output array of words. What the number's bound says of a digit is the contract's matter alone: the
/// array's elements then have the range of a word, so that a store owes nothing that only the whole number shows.
pub fn output(b: &mut Builder, name: &str, weights: &[u32], bounds: &Bounds) -> (Array, Operand) {
    let full: BigInt = pow2(b.word()) - 1;
    let ranges: Vec<BigInt> = weights
        .iter()
        .zip(&bounds.digit_max)
        .map(|(w, max)| if &bounds.bound >> *w <= *max { full.clone() } else { max.clone() })
        .collect();
    let array = b.output(name, weights.len() as u32, &ranges);
    (array, Operand::new(name, array, weights, &bounds.digit_max, bounds.bound.clone()).unmasked(bounds.low))
}

/// Stores `result` into `out`; words beyond those of the operand go to a ghost array, and the operand grows by them.
pub fn store_result(
    b: &mut Builder,
    out: Array,
    mut operand: Operand,
    result: &Number,
) -> Result<Operand, NotApplicable> {
    if result.bound > operand.bound {
        return Err(NotApplicable(format!(
            "the result is only known to be at most {:#x}, the layout rests at {:#x}",
            result.bound, operand.bound
        )));
    }
    let n = operand.digits.len();
    if result.weights.len() < n || result.weights.iter().zip(&operand.digits).any(|(w, d)| *w != d.weight) {
        return Err(NotApplicable("the result's digits are not those of the layout".into()));
    }
    b.store_all(out, &result.digits[..n]);
    let extra = result.len() - n;
    if extra > 0 {
        let ghost = b.ghost("ghost", extra as u32);
        b.store_all(ghost, &result.digits[n..]);
        for i in 0..extra {
            operand = operand.with_digit(ghost, i as u32, result.weights[n + i], pow2(b.word()) - 1);
        }
    }
    Ok(operand)
}

/// A kernel with one output number and input numbers, all words of a layout: `factor · out ≡ polynomial (mod modulus)`.
///
/// `inputs` names each input and its bounds; `body` gets them loaded.
pub fn kernel(
    name: &str,
    layout: &Layout,
    inputs: &[(&str, &Bounds)],
    claim: ValueClaim,
    body: impl FnOnce(&mut Builder, &[Number]) -> Result<Number, NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let inputs: Vec<Input> = inputs.iter().map(|(name, bounds)| input(&mut b, name, &layout.weights, bounds)).collect();
    let numbers: Vec<Number> = inputs.iter().map(|i| i.load(&mut b)).collect();
    let result = body(&mut b, &numbers)?;
    let operand = store_result(&mut b, out, operand, &result)?;
    let claim = claim.on(operand);
    Ok(b.finish(Contract {
        facts: Vec::new(),
        inputs: inputs.into_iter().map(|i| i.operand).collect(),
        claims: vec![claim],
    }))
}

/// A kernel with several output numbers, resting elements of a layout that calls compute: point additions, towers,
/// ladders. `outputs` names each with its claim; `body` gets the arrays of the outputs and of the inputs, in order. An
/// input may stand where an output does only if no call before the last writes it: `body` keeps what it needs in locals.
pub fn calls(
    name: &str,
    layout: &Layout,
    outputs: Vec<(&str, ValueClaim)>,
    inputs: &[&str],
    body: impl FnOnce(&mut Builder, &[Array], &[Array]) -> Result<(), NotApplicable>,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (arrays, claims): (Vec<Array>, Vec<Claim>) = outputs
        .into_iter()
        .map(|(name, claim)| {
            let (array, operand) = output(&mut b, name, &layout.weights, &layout.resting);
            (array, claim.on(operand))
        })
        .unzip();
    let inputs: Vec<Input> = inputs.iter().map(|name| input(&mut b, name, &layout.weights, &layout.resting)).collect();
    body(&mut b, &arrays, &inputs.iter().map(|i| i.array).collect::<Vec<_>>())?;
    Ok(b.finish(Contract { facts: Vec::new(), inputs: inputs.into_iter().map(|i| i.operand).collect(), claims }))
}

/// A value claim without its output number.
#[derive(Clone)]
pub struct ValueClaim {
    /// `factor · out ≡ …`.
    pub factor: BigInt,
    /// `… ≡ polynomial` in the inputs by position.
    pub polynomial: Polynomial,
    /// The modulus; `None` for equality of integers.
    pub modulus: Option<BigInt>,
}

impl ValueClaim {
    /// `out ≡ polynomial (mod modulus)`.
    pub fn plain(polynomial: Polynomial, modulus: Option<BigInt>) -> ValueClaim {
        ValueClaim { factor: 1.into(), polynomial, modulus }
    }

    /// The claim about an output.
    pub fn on(self, output: Operand) -> Claim {
        Claim::Value { output, factor: self.factor, polynomial: self.polynomial, modulus: self.modulus.map(Into::into) }
    }
}

/// What a sum, a difference or a negative is in its operands.
pub fn sum_polynomial(operation: &Operation) -> Polynomial {
    if *operation == Operation::ADD {
        Polynomial::input(0).plus(1, &[1])
    } else if *operation == Operation::SUB {
        Polynomial::input(0).plus(-1, &[1])
    } else {
        Polynomial::default().plus(-1, &[0])
    }
}

/// An input flag (a one-element array holding 0 or 1), for selects.
pub fn input_flag(b: &mut Builder, name: &str) -> Input {
    let ty = b.word_type();
    let array = b.array(name, ty, 1, ArrayKind::Input, vec![Interval::bits(1)]);
    Input { array, operand: Operand::new(name, array, &[0], &[1.into()], 1.into()), weights: vec![0] }
}

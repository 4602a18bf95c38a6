//! What a kernel of a formula promises: for each coordinate of an output the polynomial in the inputs that the formula
//! is, modulo p.
//!
//! In Montgomery form an element x is held as xR. A polynomial y of degree D in elements is then
//! `R^(D−1)·yR ≡ Σ c·R^(D−d)·m(xR)`, where d is the degree of the monomial m.

use std::collections::BTreeMap;

use evariste_descriptions::Modulus;
use evariste_formulas::evaluate::{evaluate, expression};
use evariste_formulas::formula::Known;
use evariste_formulas::{Checked, Constant, Expression, Formula, Ring};
use evariste_ir::Polynomial;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::{Ground, Numbers};
use crate::signature::{NotApplicable, ValueClaim};

/// A polynomial modulo p: the coefficients of monomials, which are sorted lists of inputs.
type Terms = BTreeMap<Vec<u32>, BigInt>;

/// The ring of such polynomials.
struct Polynomials<'a> {
    p: &'a BigInt,
    /// An input that is 0 or 1: its own square.
    bit: Option<u32>,
}

impl Polynomials<'_> {
    fn sum(&self, a: &Terms, b: &Terms, sign: i8) -> Terms {
        let mut sum = a.clone();
        for (factors, c) in b {
            let entry = sum.entry(factors.clone()).or_default();
            *entry = (&*entry + c * sign).mod_floor(self.p);
        }
        sum.retain(|_, c| !c.is_zero());
        sum
    }
}

impl Ring for Polynomials<'_> {
    type Element = Terms;

    fn integer(&mut self, x: &BigInt) -> Terms {
        let x = x.mod_floor(self.p);
        if x.is_zero() { Terms::new() } else { Terms::from([(Vec::new(), x)]) }
    }

    fn add(&mut self, a: &Terms, b: &Terms) -> Terms {
        self.sum(a, b, 1)
    }

    fn sub(&mut self, a: &Terms, b: &Terms) -> Terms {
        self.sum(a, b, -1)
    }

    fn mul(&mut self, a: &Terms, b: &Terms) -> Terms {
        let mut product = Terms::new();
        for (x, c) in a {
            for (y, d) in b {
                let mut factors = [&x[..], &y[..]].concat();
                factors.sort_unstable();
                factors.dedup_by(|x, y| x == y && Some(*x) == self.bit);
                let entry = product.entry(factors).or_default();
                *entry = (&*entry + c * d).mod_floor(self.p);
            }
        }
        product.retain(|_, c| !c.is_zero());
        product
    }

    fn halve(&mut self, a: &Terms) -> Option<Terms> {
        let half = self.p.is_odd().then(|| (self.p + 1u32) / 2u32)?;
        Some(self.mul(a, &Terms::from([(Vec::new(), half)])))
    }

    fn invert(&mut self, a: &Terms) -> Option<Terms> {
        let constant = (a.len() == 1).then(|| a.get(&Vec::new())).flatten()?;
        Some(self.integer(&constant.modinv(self.p)?))
    }
}

/// The number of a constant: the one that is given, or what it follows from those before it. `None` where there is none,
/// or the one that is given is not what the formula was checked with: the contract rests on it.
pub(super) fn constant(
    constant: &Constant,
    m: &Modulus,
    numbers: &Numbers,
    known: &[(String, BigUint)],
) -> Option<BigUint> {
    let p = BigInt::from(m.value.clone());
    let named = |name: &str| {
        let number = known.iter().find(|(n, _)| n == name).map(|(_, x)| x.clone()).or_else(|| numbers(name));
        number.map(|x| Polynomials { p: &p, bit: None }.integer(&x.into()))
    };
    let value = |is: &Expression| {
        let value = expression(is, &mut Polynomials { p: &p, bit: None }, &named).ok()?;
        value.get(&Vec::new()).cloned().unwrap_or_default().to_biguint()
    };
    let given = numbers(&constant.name);
    match &constant.known {
        Known::Free => given,
        Known::Is(is) => value(is).filter(|is| given.is_none_or(|given| given == *is)),
        Known::Root { power, is } => {
            let is = value(is)?;
            given.filter(|x| x.modpow(&(*power).into(), &m.value) == is)
        }
    }
}

/// The claims of all outputs, in order.
pub(super) fn claims(
    formula: &Formula,
    ground: Ground,
    constants: &[BigUint],
) -> Result<Vec<ValueClaim>, NotApplicable> {
    let p = BigInt::from(ground.modulus.value.clone());
    let inputs: Vec<Terms> = (0..formula.input_count() as u32).map(|i| Terms::from([(vec![i], One::one())])).collect();
    let named = |name: &str| {
        let at = formula.constants.iter().position(|c| c.name == name)?;
        Some(Polynomials { p: &p, bit: None }.integer(&constants.get(at)?.clone().into()))
    };
    if !formula.bits.is_empty() {
        return Err(NotApplicable("a formula that chooses by bits is no polynomial in elements".into()));
    }
    let outputs = evaluate(formula, &mut Polynomials { p: &p, bit: None }, &inputs, &[], &named);
    let outputs = outputs.map_err(|e| NotApplicable(e.to_string()))?;
    Ok(outputs.into_iter().map(|terms| claim(terms, &ground.layout.factor(), &p)).collect())
}

/// The claim of a polynomial of elements in a form with that factor.
fn claim(terms: Terms, factor: &BigInt, p: &BigInt) -> ValueClaim {
    let degree = terms.keys().map(Vec::len).max().unwrap_or(0).max(1) as u32;
    let mut polynomial = Polynomial::default();
    for (factors, c) in terms {
        let c = c * factor.pow(degree - factors.len() as u32);
        polynomial = polynomial.plus(least(c, p), &factors);
    }
    ValueClaim { factor: factor.pow(degree - 1), polynomial, modulus: Some(p.clone()) }
}

/// The residue of least magnitude.
fn least(c: BigInt, p: &BigInt) -> BigInt {
    let c = c.mod_floor(p);
    if &c * 2u32 > *p { c - p } else { c }
}

/// What a ladder's step does to its state (R0, R1), as the polynomials of a recurrence in two input numbers, of which the
/// second is the formula's first input, then the state, then a bit: R0 and R1 are exchanged where it is 1, before the
/// formula.
pub(crate) fn step_polynomials(
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
) -> Result<Vec<Polynomial>, NotApplicable> {
    exchanged(formula, ground, numbers, 1, true)
}

/// The claims of a kernel of an exchange and a step, whose inputs are the formula's first input, the state and the bit.
pub(crate) fn rung_claims(
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
) -> Result<Vec<ValueClaim>, NotApplicable> {
    let p = BigInt::from(ground.modulus.value.clone());
    let claim = |polynomial| ValueClaim::plain(polynomial, Some(p.clone()));
    Ok(exchanged(formula, ground, numbers, 0, false)?.into_iter().map(claim).collect())
}

/// The outputs of a formula whose two halves of inputs behind the first are exchanged where a bit is 1. The first input is
/// number `first`, then come the others and the bit; `once`: the bit is its own square.
fn exchanged(
    formula: &Checked,
    ground: Ground,
    numbers: &Numbers,
    first: u32,
    once: bool,
) -> Result<Vec<Polynomial>, NotApplicable> {
    let formula = formula.formula();
    let constants = super::constants(formula, ground.modulus, numbers)?;
    let p = BigInt::from(ground.modulus.value.clone());
    let half = formula.input_count() / 2;
    let bit = 2 * half as u32 + first + 1;
    let mut ring = Polynomials { p: &p, bit: once.then_some(bit) };
    let variable = |i: u32| Terms::from([(vec![i], One::one())]);
    let state: Vec<Terms> = (first + 1..bit).map(variable).collect();
    let (low, high) = state.split_at(half);
    let exchanged = low.iter().zip(high).chain(high.iter().zip(low)).map(|(a, b)| {
        let difference = ring.sub(b, a);
        let difference = ring.mul(&variable(bit), &difference);
        ring.add(a, &difference)
    });
    let inputs: Vec<Terms> = std::iter::once(variable(first)).chain(exchanged).collect();
    let named = |name: &str| {
        let at = formula.constants.iter().position(|c| c.name == name)?;
        Some(Polynomials { p: &p, bit: None }.integer(&constants.get(at)?.clone().into()))
    };
    let outputs = evaluate(formula, &mut ring, &inputs, &[], &named);
    let outputs = outputs.map_err(|e| NotApplicable(e.to_string()))?;
    let factor = ground.layout.factor();
    let inverse = factor.modinv(&p).ok_or_else(|| NotApplicable("the factor has no inverse".into()))?;
    // Elements x are held as xR.
    let held = |(factors, c): (Vec<u32>, BigInt)| {
        let degree = factors.iter().filter(|i| **i != bit).count() as u32;
        let c = if degree == 0 { c * &factor } else { c * inverse.modpow(&(degree - 1).into(), &p) };
        (least(c, &p), factors)
    };
    let polynomial = |terms: Terms| {
        terms.into_iter().map(held).fold(Polynomial::default(), |sum, (c, factors)| sum.plus(c, &factors))
    };
    Ok(outputs.into_iter().map(polynomial).collect())
}

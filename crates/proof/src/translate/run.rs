//! The translation as a domain of execution.

use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Carried, Digit, Fact, Kernel, Operand, Polynomial, Type, Value};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::equations::Poly;
use crate::equations::system::{Affine, pow2};
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, run};

use super::values::Values;

/// A kernel as equations.
pub struct Translation<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// Equations and obligations.
    pub values: Values,
    /// The contents of the arrays at the end: the outputs.
    pub arrays: Arrays<Affine>,
    /// The contract's inputs as polynomials.
    pub inputs: Vec<Poly>,
    /// What each digit of each claim's output counts.
    pub outputs: Vec<Vec<Option<Affine>>>,
    /// Interval of each SSA value over all iterations.
    pub ranges: Vec<Option<(BigInt, BigInt)>>,
    /// Statements translated.
    pub steps: u64,
}

/// The domain: values are affine in an unknown.
pub struct Translator<'s> {
    pub(super) values: Values,
    /// Proves a callee, or says why it is not.
    pub(super) prove_callee: &'s mut dyn FnMut(&Arc<Kernel>) -> Result<(), String>,
    /// Are the values of calls' results asked for, by a claim or by a fact that another call owes (else only their ranges)?
    pub(super) relate: bool,
    ranges: Vec<Option<(BigInt, BigInt)>>,
}

/// Translates a whole kernel; callees are proved on the way.
pub fn translate<'k>(
    kernel: &'k Kernel,
    prove_callee: &mut dyn FnMut(&Arc<Kernel>) -> Result<(), String>,
) -> Result<Translation<'k>, Failure> {
    if let Some(info) = kernel.arrays.iter().find(|a| matches!(a.ty, Type::Float(_)) && a.kind != ArrayKind::Local) {
        return Err(format!(
            "{}: floats from outside may be no integers, and entries of tables none that the format holds",
            info.name
        ));
    }
    let is_owed = kernel.callees.iter().any(|callee| !callee.contract.facts.is_empty());
    let relate = is_owed || kernel.contract.claims.iter().any(|c| matches!(c, evariste_ir::Claim::Value { .. }));
    let mut d = Translator { values: Values::default(), prove_callee, relate, ranges: vec![None; kernel.values.len()] };
    let entry = enter(kernel, &mut d.values);
    let inputs = kernel.contract.inputs.iter().map(|o| number(&mut d.values, &entry, o).unwrap_or_default()).collect();
    let (arrays, steps) = run(&mut d, kernel, entry)?;
    let outputs = kernel.contract.claims.iter().map(|c| digit_values(&mut d.values, &arrays, c.output())).collect();
    Ok(Translation { kernel, values: d.values, arrays, inputs, outputs, ranges: d.ranges, steps })
}

/// The arrays on entry: input numbers, then the input elements that belong to none.
fn enter(kernel: &Kernel, values: &mut Values) -> Arrays<Affine> {
    let mut arrays: Arrays<Affine> = empty(kernel);
    let readable = |k: &ArrayKind| matches!(k, ArrayKind::Input | ArrayKind::InOut);
    // Numbers that others bound come first: what they bound is said in them.
    let mut inputs: Vec<(usize, &Operand)> = kernel.contract.inputs.iter().enumerate().collect();
    inputs.sort_by_key(|(_, o)| o.below.is_some());
    for (i, operand) in inputs {
        let fresh = operand.digits.iter().enumerate().all(|(i, d)| {
            let info = kernel.array(d.array);
            let repeated = operand.digits[..i].iter().any(|e| (e.array, e.index) == (d.array, d.index));
            !repeated
                && arrays[d.array.0 as usize][d.index as usize].is_none()
                && readable(&info.kind)
                && matches!(info.ty, Type::Word(_) | Type::Wide(_) | Type::Flag)
                && info.range(d.index).lo.sign() != Sign::Minus
        });
        if !fresh {
            // Digits that other numbers hold already: what is known of the whole is not used.
            continue;
        }
        // Highest digit first: a fact about the number defines its lowest one, which is then the newest.
        let mut order: Vec<&Digit> = operand.digits.iter().collect();
        let fact = kernel.contract.facts.iter().find(|f| f.number as usize == i && f.times.is_none());
        let odd = kernel.contract.facts.iter().any(|f| f.asks_for_odd(i as u32));
        if fact.is_some() || operand.below.is_some() || odd {
            order.sort_by_key(|d| std::cmp::Reverse(d.weight));
        }
        let slack = operand.below.filter(|_| fact.is_none()).and_then(|below| {
            let bound = number(values, &arrays, &kernel.contract.inputs[below.number as usize])?;
            Some(slack(values, &bound, below.multiple))
        });
        let digits: Vec<_> = order.iter().map(|d| given(d, kernel)).collect();
        let placed = values.number(&digits, &operand.bound);
        if let Some(fact) = fact {
            relate(kernel, values, &arrays, fact, &order, &placed);
        }
        if let Some(slack) = slack {
            relate_lowest(values, &slack, None, &order, &placed);
        }
        if odd {
            odd_number(values, &order, &placed);
        }
        for (d, x) in order.iter().zip(placed) {
            arrays[d.array.0 as usize][d.index as usize] = Some(x.element);
        }
    }
    for fact in &kernel.contract.facts {
        relate_product(kernel, values, &arrays, fact);
    }
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        for (i, cell) in cells.iter_mut().enumerate() {
            // A float from outside may be anything, also no integer.
            if readable(&info.kind) && cell.is_none() && !matches!(info.ty, Type::Float(_)) {
                *cell = Some(values.unknown(info.ty, info.range(i as u32)));
            }
        }
    }
    arrays
}

/// Says of the lowest digit of a number what a fact says of the number: `digit ≡ polynomial − the digits above`. The
/// number's digits come highest first.
fn relate(
    kernel: &Kernel,
    values: &mut Values,
    arrays: &Arrays<Affine>,
    fact: &Fact,
    order: &[&Digit],
    placed: &[Placed],
) {
    let earlier = &kernel.contract.inputs[..fact.number as usize];
    let inputs: Option<Vec<Poly>> = earlier.iter().map(|o| number(values, arrays, o)).collect();
    let Some(spec) = inputs.and_then(|inputs| values.polynomial(&fact.polynomial, &inputs)) else { return };
    relate_lowest(values, &spec, Some(fact.modulus.clone()), order, placed);
}

/// `multiple·bound − 1 − s` for an unknown s, which is not negative: what a number below the multiple is.
pub(super) fn slack(values: &mut Values, bound: &Poly, multiple: u32) -> Poly {
    let multiple = if broken(Rule::Below) { multiple.div_ceil(2) } else { multiple };
    let greatest = bound.scaled(&multiple.into()).plus(&-BigInt::one(), &Poly::constant(1));
    let s = values.sys.slack(&greatest);
    greatest.plus(&-BigInt::one(), &s.poly())
}

/// An odd number's lowest digit is at least 1, where it alone has an odd weight.
fn odd_number(values: &mut Values, order: &[&Digit], placed: &[Placed]) {
    let lowest = order.last().zip(placed.last()).filter(|_| order.iter().filter(|d| d.weight == 0).count() == 1);
    if let Some(atom) = lowest.filter(|(d, _)| d.weight == 0).and_then(|(_, x)| x.value.atom) {
        values.sys.is_odd(atom);
    }
}

/// Says of a number's lowest digit that it is what a polynomial leaves for it above the digits that are higher: modulo
/// an odd number, or exactly. The digits come highest first.
fn relate_lowest(values: &mut Values, whole: &Poly, modulus: Option<BigInt>, order: &[&Digit], placed: &[Placed]) {
    let Some((lowest, value)) = order.last().zip(placed.last()) else { return };
    let (Some(atom), 0) = (value.value.atom, lowest.weight) else { return };
    let above: Vec<_> =
        order.iter().zip(placed).rev().skip(1).map(|(d, x)| x.value.poly().scaled(&-pow2(d.weight))).collect();
    let poly = above.iter().fold(whole.clone(), |sum, x| sum.plus(&BigInt::one(), x));
    values.sys.relate_digit(atom, poly, modulus);
}

/// Says of two numbers what a fact says of their product, where its modulus is a power of two:
/// `number·times − polynomial ≡ 0`.
fn relate_product(kernel: &Kernel, values: &mut Values, arrays: &Arrays<Affine>, fact: &Fact) {
    let Some(times) = fact.times else { return };
    let k = fact.modulus.bits() as u32 - 1;
    if k == 0 || fact.modulus != pow2(k) {
        return;
    }
    let inputs: Option<Vec<Poly>> =
        kernel.contract.inputs[..=fact.number as usize].iter().map(|o| number(values, arrays, o)).collect();
    let product = Polynomial::default().plus(1, &[times, fact.number]);
    let relation = inputs.and_then(|inputs| {
        let left = values.polynomial(&product, &inputs)?;
        Some(left.plus(&-BigInt::one(), &values.polynomial(&fact.polynomial, &inputs)?))
    });
    if let Some(relation) = relation {
        values.sys.relate_product(relation, k);
    }
}

/// A digit whose element is no greater than its array allows.
pub(super) fn given(d: &Digit, kernel: &Kernel) -> Digit {
    let max = (&d.max).min(&kernel.array(d.array).range(d.index).hi).clone();
    Digit { max, ..d.clone() }
}

/// What the digits of a number count, from the contents of arrays; `None` for those that are not defined.
fn digit_values(values: &mut Values, arrays: &Arrays<Affine>, operand: &Operand) -> Vec<Option<Affine>> {
    let element = |d: &Digit| arrays.get(d.array.0 as usize)?.get(d.index as usize)?.as_ref();
    operand
        .digits
        .iter()
        .map(|d| element(d).map(|x| d.bits.map_or_else(|| x.clone(), |k| values.split(x, k).0)))
        .collect()
}

/// A number as a polynomial in what its digits count.
pub fn weighted(operand: &Operand, digits: &[Option<Affine>]) -> Option<Poly> {
    let mut terms = Vec::new();
    for (d, x) in operand.digits.iter().zip(digits) {
        terms.extend(x.as_ref()?.poly().terms().iter().map(|(m, c)| (*m, c << d.weight)));
    }
    Some(Poly::from_terms(terms))
}

/// A number as a polynomial, from the contents of arrays.
pub fn number(values: &mut Values, arrays: &Arrays<Affine>, operand: &Operand) -> Option<Poly> {
    weighted(operand, &digit_values(values, arrays, operand))
}

/// A digit of a number given from outside: what it counts, and the element that holds it.
pub(super) struct Placed {
    pub value: Affine,
    pub element: Affine,
}

impl Values {
    /// A specification in the input numbers.
    pub fn polynomial(&self, p: &Polynomial, inputs: &[Poly]) -> Option<Poly> {
        let mut terms = Vec::new();
        for (c, factors) in &p.0 {
            let mut product = Poly::constant(c.clone());
            for f in factors {
                product = product.times(inputs.get(*f as usize)?, |a| self.sys.is_own_square(a))?;
            }
            terms.extend(product.terms().iter().cloned());
        }
        Some(Poly::from_terms(terms))
    }

    /// A new number; digits that its bound shows to be 0 are constants.
    pub(super) fn number(&mut self, digits: &[Digit], bound: &BigInt) -> Vec<Placed> {
        let most = |d: &Digit| (bound >> d.weight).min(d.most());
        let alive: Vec<&Digit> = digits.iter().filter(|d| most(d).sign() == Sign::Plus).collect();
        let weights: Vec<BigInt> = alive.iter().map(|d| pow2(d.weight)).collect();
        let maxima: Vec<BigInt> = alive.iter().map(|d| d.most()).collect();
        let id = self.sys.number(&weights, &maxima, bound);
        let mut atoms = self.sys.numbers()[id as usize].digits.clone().into_iter();
        let mut next =
            || atoms.next().map_or_else(|| Affine::constant(0), |a| Affine::new(BigInt::zero(), BigInt::one(), a));
        let values: Vec<Affine> =
            digits.iter().map(|d| if most(d).sign() == Sign::Plus { next() } else { Affine::constant(0) }).collect();
        digits.iter().zip(values).map(|(d, value)| Placed { element: self.holding(d, &value), value }).collect()
    }

    /// The element of a digit: what it counts, and above that anything up to the element's maximum.
    fn holding(&mut self, d: &Digit, value: &Affine) -> Affine {
        let Some(k) = d.bits.filter(|k| d.max >= pow2(*k)) else { return value.clone() };
        if !self.unmasked.contains(&k) {
            self.unmasked.push(k);
        }
        let above = self.sys.opaque(&BigInt::zero(), &(&d.max >> k));
        self.sys.joined(value, &above, k, &d.max)
    }

    /// A value of which type and interval are known.
    pub(super) fn unknown(&mut self, ty: Type, range: &evariste_ir::Interval) -> Affine {
        match ty {
            Type::Mask(n) => {
                let flag = self.opaque_flag();
                self.mask(&flag, n as u32)
            }
            _ => self.sys.opaque(&range.lo, &range.hi),
        }
    }
}

impl Domain for Translator<'_> {
    type V = Affine;

    fn apply(&mut self, o: &Applied, args: &[Affine]) -> Result<Vec<Affine>, Failure> {
        if o.arg_types.iter().chain(o.types).any(|t| matches!(t, Type::Float(_))) {
            return self.values.float(o, args).map(|x| vec![x]);
        }
        let results = self.values.apply(o, args);
        Ok(results.iter().zip(o.results).map(|(x, name)| self.loaded(o.kernel, *name, x)).collect())
    }

    fn loaded(&mut self, kernel: &Kernel, name: Value, x: &Affine) -> Affine {
        let info = kernel.value(name);
        if let Type::Float(_) = info.ty {
            return x.clone();
        }
        self.values.reading(x, info.ty.bits(), info.range.lo.sign() == Sign::Minus)
    }

    fn constant(&mut self, c: &BigInt, _: Type) -> Affine {
        Affine::constant(c.clone())
    }

    fn call(
        &mut self,
        callee: &std::sync::Arc<Kernel>,
        arrays: &Arrays<Affine>,
    ) -> Result<Option<Arrays<Affine>>, Failure> {
        (self.prove_callee)(callee)?;
        self.by_contract(callee, arrays).map(Some)
    }

    fn define(&mut self, _: &Kernel, name: Value, x: &Affine) {
        let (lo, hi) = self.values.interval(x);
        let range = &mut self.ranges[name.0 as usize];
        *range = Some(match range.take() {
            Some((l, h)) => (l.min(lo), h.max(hi)),
            None => (lo, hi),
        });
    }

    fn store(&mut self, kernel: &Kernel, array: Array, i: usize, x: &Affine) {
        let info = kernel.array(array);
        let range = info.range(i as u32);
        self.values.owe(x, &range.lo, &range.hi, &|| format!("{}[{i}] within its range", info.name));
    }

    fn carry(&mut self, kernel: &Kernel, carried: &Carried, i: u32, x: &Affine) {
        // The invariant is declared; it is shown here for every iteration.
        let range = &kernel.value(carried.inner).range;
        self.values.owe(x, &range.lo, &range.hi, &|| {
            format!("v{} within its invariant before iteration {i}", carried.inner.0)
        });
    }
}

//! Calls: the callee's precondition is owed, its contract is an equation.

use evariste_ir::{ArrayKind, Claim, Digit, Fact, Kernel, Modulo, Operand, Type};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::equations::system::{Affine, Form, pow2};
use crate::equations::{Atom, Mono, Poly};
use crate::unroll::{Arrays, Failure, empty};

use super::run::{Translator, given, number, slack};
use super::values::Obligation;

impl Translator<'_> {
    /// The written parameters of a callee after a call with these arguments.
    pub(super) fn by_contract(&mut self, callee: &Kernel, arrays: &Arrays<Affine>) -> Result<Arrays<Affine>, Failure> {
        for (info, cells) in callee.arrays.iter().zip(arrays) {
            for (j, x) in cells.iter().enumerate() {
                if let Some(x) = x {
                    let range = info.range(j as u32);
                    self.values
                        .owe(x, &range.lo, &range.hi, &|| format!("argument {}[{j}] of {}", info.name, callee.name));
                }
            }
        }
        let mut inputs = Vec::new();
        for operand in &callee.contract.inputs {
            let poly = number(&mut self.values, arrays, operand)
                .ok_or_else(|| format!("argument {} of {} is not defined", operand.name, callee.name))?;
            self.precondition(&poly, operand, arrays, callee);
            inputs.push(poly);
        }
        let mut results = empty(callee);
        self.bounds_by_inputs(callee, &inputs);
        for fact in &callee.contract.facts {
            if !broken(Rule::CalleeFact) && !self.holds(fact, &inputs) {
                let number = &callee.contract.inputs[fact.number as usize].name;
                return Err(format!("{} asks for a fact about {number}, which is not shown", callee.name));
            }
        }
        for claim in &callee.contract.claims {
            self.promise(claim, &inputs, &mut results, callee);
        }
        for (info, cells) in callee.arrays.iter().zip(&mut results) {
            if matches!(info.kind, ArrayKind::Output | ArrayKind::InOut | ArrayKind::Ghost) {
                for (j, cell) in cells.iter_mut().enumerate() {
                    if cell.is_none() {
                        *cell = Some(self.values.unknown(info.ty, info.range(j as u32)));
                    }
                }
            }
        }
        Ok(results)
    }

    /// Digits and bound that the callee asks for.
    fn precondition(&mut self, poly: &Poly, operand: &Operand, arrays: &Arrays<Affine>, callee: &Kernel) {
        for d in &operand.digits {
            if let Some(x) = &arrays[d.array.0 as usize][d.index as usize] {
                self.values.owe(x, &BigInt::zero(), &d.max, &|| {
                    format!("digit {} of {} for {}", d.index, operand.name, callee.name)
                });
            }
        }
        if self.values.sys.interval(poly).1 > operand.bound {
            self.values.obligations.push(Obligation {
                poly: poly.clone(),
                lo: None,
                hi: Some(operand.bound.clone()),
                limit: Atom(self.values.sys.atoms()),
                what: format!("bound of {} for {}", operand.name, callee.name),
            });
        }
    }

    /// Numbers below multiples of others that the callee asks for.
    fn bounds_by_inputs(&mut self, callee: &Kernel, inputs: &[Poly]) {
        for (operand, x) in callee.contract.inputs.iter().zip(inputs) {
            let Some(below) = operand.below else { continue };
            let poly = x.plus(&-BigInt::from(below.multiple), &inputs[below.number as usize]);
            let limit = Atom(self.values.sys.atoms());
            let what = format!("{} below its multiple of an input for {}", operand.name, callee.name);
            if self.values.sys.interval(&poly).1.sign() != Sign::Minus && !broken(Rule::CalleeBelow) {
                self.values.obligations.push(Obligation { poly, lo: None, hi: Some(-BigInt::one()), limit, what });
            }
        }
    }

    /// Does a fact hold of these numbers: as polynomials modulo its modulus, or by facts about the caller's own inputs?
    fn holds(&self, fact: &Fact, inputs: &[Poly]) -> bool {
        let own = |a| self.values.sys.is_own_square(a);
        let number = &inputs[fact.number as usize];
        let left = match fact.times {
            None => Some(number.clone()),
            Some(i) => number.times(&inputs[i as usize], own),
        };
        let right = self.values.polynomial(&fact.polynomial, inputs);
        let Some(mut rest) = left.zip(right).map(|(left, right)| left.plus(&-BigInt::one(), &right)) else {
            return false;
        };
        let serves = |modulus: &BigInt| modulus.is_multiple_of(&fact.modulus) || broken(Rule::FactModulus);
        let is_zero = |p: &Poly| p.terms().iter().all(|(_, c)| c.is_multiple_of(&fact.modulus));
        // Newest first: what a fact says of a digit is said in older ones.
        for node in self.values.sys.nodes().iter().rev() {
            match &node.form {
                Form::Congruent { modulus } if serves(modulus) => {
                    let c = rest.coefficient(&Mono::atom(node.lo)).cloned().unwrap_or_default();
                    rest = rest.plus(&c, &node.poly).plus(&-c, &Poly::atom(node.lo));
                }
                Form::Product { k } if serves(&pow2(*k)) => {
                    let without = rest.plus(&-BigInt::one(), &node.poly);
                    if is_zero(&without) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        is_zero(&rest)
    }

    /// The output number of a claim as a new number, with what the claim says of it.
    fn promise(&mut self, claim: &Claim, inputs: &[Poly], results: &mut Arrays<Affine>, callee: &Kernel) {
        let output = claim.output();
        let free = output.digits.iter().enumerate().all(|(i, d)| {
            let info = callee.array(d.array);
            let repeated = output.digits[..i].iter().any(|e| (e.array, e.index) == (d.array, d.index));
            let word = !matches!(info.ty, Type::Mask(_) | Type::Float(_));
            !repeated
                && word
                && results[d.array.0 as usize][d.index as usize].is_none()
                && info.range(d.index).lo.sign() != Sign::Minus
        });
        if !free || self.as_division(claim, inputs, results) {
            return;
        }
        // A bound by an input: the number is multiple · input − 1 − slack. What it is congruent to modulo an input is
        // the matter of whole numbers.
        let by_input = matches!(claim, Claim::Value { modulus: Some(Modulo::Input(_)), .. });
        let limit = output.below.filter(|_| by_input && self.relate).map(|below| {
            let halves = if broken(Rule::PromisedBelow) { 2 } else { 1 };
            slack(&mut self.values, &inputs[below.number as usize], below.multiple.div_ceil(halves))
        });
        // Highest digit first: the lowest is the newest atom, and the one that the claim defines.
        let mut order: Vec<_> = output.digits.iter().collect();
        order.sort_by_key(|d| std::cmp::Reverse(d.weight));
        let digits: Vec<_> = order.iter().map(|d| given(d, callee)).collect();
        let placed = self.values.number(&digits, &output.bound);
        for (d, x) in order.iter().zip(&placed) {
            results[d.array.0 as usize][d.index as usize] = Some(x.element.clone());
        }
        let values: Vec<Affine> = placed.into_iter().map(|x| x.value).collect();
        let Claim::Value { factor, polynomial, modulus, .. } = claim else { return };
        let Some((lowest, lowest_value)) = order.last().zip(values.last()) else { return };
        let (Some(atom), 0, true) = (lowest_value.atom, lowest.weight, self.relate) else { return };
        let Some(spec) = self.values.polynomial(polynomial, inputs) else { return };
        if let Some(whole) = limit {
            return self.values.sys.relate_digit(atom, above(&order, &values, &whole), None);
        }
        let (modulus, inverse) = match modulus {
            Some(m) => (m.constant(), m.constant().and_then(|m| factor.modinv(m))),
            None => (None, factor.is_one().then(BigInt::one)),
        };
        let Some(inverse) = inverse else { return };
        let mut poly = spec.scaled(&inverse);
        if let Some(m) = modulus {
            poly = poly.map(|c| c % m);
        }
        self.values.sys.relate_digit(atom, above(&order, &values, &poly), modulus.cloned());
    }

    /// A promise `low + 2^k·high = polynomial` with `low < 2^k` is division with remainder: the equation of the operation
    /// that gives both words at once. (Longer numbers stay one equation, which costs less.) False where it is no such
    /// promise.
    fn as_division(&mut self, claim: &Claim, inputs: &[Poly], results: &mut Arrays<Affine>) -> bool {
        let Claim::Value { output, factor, polynomial, modulus: None } = claim else { return false };
        let [low, high] = &output.digits[..] else { return false };
        let k = high.weight;
        let is_remainder = low.max < pow2(k) || broken(Rule::Remainder);
        let is_plain = factor.is_one() && low.weight == 0 && low.bits.is_none() && high.bits.is_none();
        if !self.relate || !is_plain || !is_remainder {
            return false;
        }
        let Some(spec) = self.values.polynomial(polynomial, inputs) else { return false };
        let value = self.kept(spec, &low.max + (&high.max << k));
        let words = self.values.sys.split(&value, k);
        for (d, word) in [low, high].into_iter().zip([words.0, words.1]) {
            results[d.array.0 as usize][d.index as usize] = Some(word);
        }
        true
    }

    /// A polynomial that a callee promises to be from 0 to this: itself where its interval says so, else a value that is.
    fn kept(&mut self, spec: Poly, promised: BigInt) -> Poly {
        let (least, most) = self.values.sys.interval(&spec);
        let (zero, promised) = (BigInt::zero(), if broken(Rule::PromisedSize) { promised / 2 } else { promised });
        if least >= zero && most <= promised || most < zero || promised < least {
            return spec;
        }
        self.values.sys.value_within(&spec, &least.max(zero), &most.min(promised)).poly()
    }
}

/// What a number leaves for its lowest digit; the digits come highest first.
fn above(order: &[&Digit], values: &[Affine], whole: &Poly) -> Poly {
    let above = order.iter().zip(values).rev().skip(1);
    let rest = above.filter_map(|(d, x)| Some((Mono::atom(x.atom?), -pow2(d.weight)))).collect();
    whole.plus(&BigInt::one(), &Poly::from_terms(rest))
}

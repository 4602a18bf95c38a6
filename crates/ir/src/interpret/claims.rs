//! Contracts on concrete values, with big integers: for counterexamples and tests. [`super::ClaimChecker`] does the
//! same on blocks of lanes.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::bit_maps::{BitVector, apply, power};
use super::interpreter::{Interpreter, RunError};
use crate::contract::{Claim, Multiplication, Operand};
use crate::divsteps;
use crate::kernel::{ArrayKind, Kernel, Type};
use crate::ring::Ring;

/// The elements of arrays; `None` for arrays that were not given. Indexed as [`Kernel::arrays`].
pub(crate) type Elements = Vec<Option<Vec<BigInt>>>;

/// Elements by name, ordered as the kernel's arrays. Unknown names are left out.
fn elements<S: AsRef<str>>(kernel: &Kernel, named: &[(S, Vec<BigInt>)]) -> Elements {
    let mut all = vec![None; kernel.arrays.len()];
    for (name, values) in named {
        if let Some(a) = kernel.find(name.as_ref()) {
            all[a.0 as usize] = Some(values.clone());
        }
    }
    all
}

/// The digits of an operand (absent ones are 0).
fn digits(operand: &Operand, elements: &Elements) -> Vec<BigInt> {
    let get = |a: usize, i: usize| {
        elements.get(a).and_then(|e| e.as_ref()).and_then(|v| v.get(i)).cloned().unwrap_or_default()
    };
    operand.digits.iter().map(|d| get(d.array.0 as usize, d.index as usize)).collect()
}

/// Why the caller may not pass these inputs: an element outside of its array's range, a digit above its maximum, a
/// number above its bound.
pub(crate) fn inadmissible_elements(kernel: &Kernel, inputs: &Elements) -> Option<String> {
    for (info, given) in kernel.arrays.iter().zip(inputs) {
        if !matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
            continue;
        }
        for (i, x) in given.iter().flatten().enumerate() {
            if !info.range(i as u32).contains(x) {
                return Some(format!("{}[{i}] = {x} is outside of its range", info.name));
            }
            if matches!(info.ty, Type::Mask(_)) && !x.is_zero() && x != &info.ty.full().hi {
                return Some(format!("{}[{i}] = {x} is no mask", info.name));
            }
        }
    }
    kernel.contract.inputs.iter().find_map(|operand| outside(operand, &digits(operand, inputs))).or_else(|| {
        let numbers: Vec<BigInt> = kernel.contract.inputs.iter().map(|o| o.value(&digits(o, inputs))).collect();
        let above = kernel.contract.inputs.iter().zip(&numbers).find_map(|(o, x)| not_below(o, x, &numbers));
        let broken = kernel.contract.facts.iter().find(|f| !f.holds(&numbers));
        above.or_else(|| {
            broken.map(|f| {
                format!(
                    "{} is not what it should be modulo {:#x}",
                    kernel.contract.inputs[f.number as usize].name, f.modulus
                )
            })
        })
    })
}

/// A number that is not below its multiple of an input number.
fn not_below(operand: &Operand, x: &BigInt, inputs: &[BigInt]) -> Option<String> {
    let limit = operand.below?.limit(inputs);
    (*x >= limit).then(|| format!("{} = {x} is not below {limit}", operand.name))
}

/// A digit above its maximum or a number above its bound.
fn outside(operand: &Operand, digits: &[BigInt]) -> Option<String> {
    for (d, x) in operand.digits.iter().zip(digits) {
        if x > &d.max {
            return Some(format!("digit {} of {} is {x}, above {}", d.index, operand.name, d.max));
        }
    }
    let value = operand.value(digits);
    (value > operand.bound).then(|| format!("{} = {value} is above its bound {}", operand.name, operand.bound))
}

/// Which promise the outputs break, in words; `None` when all are kept.
pub(crate) fn broken_claim(kernel: &Kernel, inputs: &Elements, outputs: &Elements) -> Option<String> {
    let input_digits: Vec<Vec<BigInt>> = kernel.contract.inputs.iter().map(|o| digits(o, inputs)).collect();
    let numbers: Vec<BigInt> = kernel.contract.inputs.iter().zip(&input_digits).map(|(o, d)| o.value(d)).collect();
    kernel.contract.claims.iter().find_map(|claim| {
        let output = claim.output();
        let out_digits = digits(output, outputs);
        let out = output.value(&out_digits);
        outside(output, &out_digits)
            .or_else(|| not_below(output, &out, &numbers))
            .or_else(|| wrong_steps(kernel.word, claim, &numbers, &out))
            .or_else(|| wrong(claim, &kernel.contract.inputs, &input_digits, &numbers, &out))
    })
}

fn wrong(
    claim: &Claim,
    inputs: &[Operand],
    input_digits: &[Vec<BigInt>],
    numbers: &[BigInt],
    out: &BigInt,
) -> Option<String> {
    let name = &claim.output().name;
    match claim {
        Claim::Value { factor, polynomial, modulus, .. } => {
            let (left, right) = (factor * out, polynomial.evaluate(numbers));
            let modulus = modulus.as_ref().map(|m| m.value(numbers));
            let fine = match modulus {
                // Congruent modulo 0 is equal.
                Some(m) if !m.is_zero() => (&left - &right).is_multiple_of(m),
                _ => left == right,
            };
            let of = |m: &BigInt| format!(" modulo {m}");
            (!fine).then(|| format!("{factor} · {name} = {left} is not {right}{}", modulus.map(of).unwrap_or_default()))
        }
        Claim::Equal { left, right, .. } => {
            let zeros = Vec::new();
            let (a, b) = (&input_digits[*left as usize], right.map_or(&zeros, |r| &input_digits[r as usize]));
            let digit = |v: &[BigInt], i: usize| v.get(i).cloned().unwrap_or_default();
            let equal = (0..a.len().max(b.len())).all(|i| digit(a, i) == digit(b, i));
            (*out != BigInt::from(equal as u32)).then(|| format!("{name} is {out}, but equality is {equal}"))
        }
        Claim::Power { base, exponent, product: Multiplication::Modular { factor, modulus }, .. } => {
            let is_power = is_power(out, &numbers[*base as usize], exponent, factor, modulus);
            (!is_power).then(|| format!("{name} = {out} is not the power modulo {modulus}"))
        }
        Claim::Power { base, exponent, product: Multiplication::Bits(map), output } => {
            let (base, size) = bits(&inputs[*base as usize], &numbers[*base as usize])?;
            differs(name, &bits(output, out)?.0, &power(map, &base, exponent, size), size)
        }
        Claim::Bits { map, output } => {
            let (vectors, sizes): (Vec<BitVector>, Vec<usize>) =
                inputs.iter().zip(numbers).map(|(o, x)| bits(o, x)).collect::<Option<Vec<_>>>()?.into_iter().unzip();
            let (found, size) = bits(output, out)?;
            differs(name, &found, &apply(map, &vectors, sizes.get(1).copied().unwrap_or(0), size), size)
        }
        Claim::Polynomial { polynomial, map, .. } => {
            let right = Ring::Bits(map.clone()).evaluate(polynomial, numbers, numbers.len());
            (*out != right).then(|| format!("{name} = {out} is not {right}, the polynomial over GF(2)"))
        }
        Claim::Iterate { recurrence, component, .. } => {
            let right = recurrence.evaluate(numbers).into_iter().nth(*component as usize)?;
            let steps = recurrence.count;
            match &recurrence.ring {
                Ring::Integers(m) => (!(out - &right).is_multiple_of(m))
                    .then(|| format!("{name} = {out} is not {right} modulo {m}, the state after {steps} steps")),
                Ring::Bits(_) => {
                    (*out != right).then(|| format!("{name} = {out} is not {right}, the state after {steps} steps"))
                }
            }
        }
        Claim::Divsteps { .. } | Claim::Step { .. } => None,
    }
}

/// Is `out·factor^(exponent − 1) ≡ base^exponent`; of exponent 0, `out ≡ factor`?
fn is_power(out: &BigInt, base: &BigInt, exponent: &BigUint, factor: &BigInt, modulus: &BigInt) -> bool {
    let exponent = BigInt::from(exponent.clone());
    if exponent.is_zero() {
        return (out - factor).is_multiple_of(modulus);
    }
    let right = base.mod_floor(modulus).modpow(&exponent, modulus);
    let left = out * factor.mod_floor(modulus).modpow(&(exponent - BigInt::one()), modulus);
    (left - right).is_multiple_of(modulus)
}

/// A part of division steps that is another number.
fn wrong_steps(word: u32, claim: &Claim, numbers: &[BigInt], out: &BigInt) -> Option<String> {
    let Claim::Divsteps { part, count, output } = claim else { return None };
    let right = divsteps::after(word, *count, *part, &numbers[0], &numbers[1], &numbers[2])?;
    let name = format!("{} of {count} division steps", part.name());
    (*out != right).then(|| format!("{} = {out} is not {right}, {name}", output.name))
}

/// The bits of a number, as a vector: its digits follow one another, so they are its coordinates.
fn bits(operand: &Operand, x: &BigInt) -> Option<(BitVector, usize)> {
    let size = operand.coordinates()?.len();
    Some((BitVector::of((0..size).map(|i| x.bit(i as u64))), size))
}

/// The first coordinate that is not as it should be, in words.
fn differs(name: &str, found: &BitVector, right: &BitVector, size: usize) -> Option<String> {
    let at = (0..size).find(|i| found.bit(*i) != right.bit(*i))?;
    Some(format!("coordinate {at} of {name} is {}, not {}", u32::from(found.bit(at)), u32::from(right.bit(at))))
}

/// Which promise of the contract the outputs break, in words. `None` when all are kept, or when the inputs are not
/// admissible (nothing is promised then). Elements by array name: signed where the array's range is.
pub fn violates<A: AsRef<str>, B: AsRef<str>>(
    kernel: &Kernel,
    inputs: &[(A, Vec<BigInt>)],
    outputs: &[(B, Vec<BigInt>)],
) -> Option<String> {
    let inputs = elements(kernel, inputs);
    if inadmissible_elements(kernel, &inputs).is_some() {
        return None;
    }
    broken_claim(kernel, &inputs, &elements(kernel, outputs))
}

/// Why the inputs are not admissible; `None` when they are.
pub fn inadmissible<A: AsRef<str>>(kernel: &Kernel, inputs: &[(A, Vec<BigInt>)]) -> Option<String> {
    inadmissible_elements(kernel, &elements(kernel, inputs))
}

/// Runs the kernel on the inputs and says what goes wrong: a fault of the run or a broken promise. `None` when all is
/// well or the inputs are not admissible. A counterexample is an input for which this is `Some`.
pub fn refute(kernel: &Kernel, inputs: &[(&str, Vec<BigInt>)]) -> Option<String> {
    if inadmissible(kernel, inputs).is_some() {
        return None;
    }
    match Interpreter::new(kernel).run_one(inputs) {
        Ok(outputs) => violates(kernel, inputs, &outputs),
        Err(RunError::Violation(v)) => Some(v.to_string()),
        Err(e) => Some(e.to_string()),
    }
}

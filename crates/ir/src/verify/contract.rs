//! The contract speaks of what exists.

use std::collections::HashSet;

use num_bigint::{BigInt, Sign};
use num_traits::Zero;

use super::{Verifier, is_identifier};
use crate::contract::{BitMap, Claim, Modulo, Multiplication, Operand, Polynomial};
use crate::kernel::{ArrayKind, Type};
use crate::recurrence::{BitOf, Recurrence};
use crate::ring::Ring;

/// Greatest exponent of a digit's weight.
const MAX_WEIGHT: u32 = 1 << 20;

pub(super) fn check(v: &mut Verifier) {
    let contract = &v.kernel.contract;
    for operand in &contract.inputs {
        digits(v, operand, "an input", |k| matches!(k, ArrayKind::Input | ArrayKind::InOut));
    }
    for operand in contract.inputs.iter().chain(contract.claims.iter().map(Claim::output)) {
        let fixed = |i: u32| contract.inputs.get(i as usize).is_some_and(|o| o.below.is_none());
        let fine = operand.below.is_none_or(|b| b.multiple > 0 && fixed(b.number));
        v.require(fine, || {
            format!("the bound of {} is no positive multiple of an input number with a fixed bound", operand.name)
        });
    }
    for fact in &contract.facts {
        let fine = (fact.number as usize) < contract.inputs.len()
            && fact.modulus.sign() == Sign::Plus
            && fact.polynomial.0.iter().all(|(_, f)| f.is_sorted() && f.iter().all(|i| *i < fact.number))
            && fact.times.is_none_or(|i| i < fact.number);
        v.require(fine, || {
            format!("a fact about input number {} is not about earlier inputs and a positive modulus", fact.number)
        });
    }
    for claim in &contract.claims {
        let output = claim.output();
        digits(v, output, "an output", |k| matches!(k, ArrayKind::Output | ArrayKind::InOut | ArrayKind::Ghost));
        if let Err(message) = promise(v, claim) {
            v.defect(format!("the promise about {}: {message}", output.name));
        }
    }
}

fn digits(v: &mut Verifier, operand: &Operand, what: &str, kind: fn(&ArrayKind) -> bool) {
    let name = &operand.name;
    v.require(is_identifier(name), || format!("the number name {name:?} is not an identifier"));
    v.require(operand.bound.sign() != Sign::Minus, || format!("the bound of {name} is negative"));
    v.require(!operand.digits.is_empty(), || format!("{name} has no digits"));
    let mut weight = None;
    let mut elements = HashSet::new();
    for d in &operand.digits {
        let info = v.kernel.arrays.get(d.array.0 as usize);
        let fine = info.is_some_and(|a| kind(&a.kind) && d.index < a.len);
        v.require(fine, || format!("a digit of {name} is no element of {what}"));
        v.require(d.max.sign() != Sign::Minus, || format!("the maximum of a digit of {name} is negative"));
        let bits = info.map_or(0, |a| a.ty.bits());
        v.require(d.bits.is_none_or(|k| (1..=bits).contains(&k)), || {
            format!("a digit of {name} counts more bits than it has, or none")
        });
        v.require(d.weight <= MAX_WEIGHT, || format!("a weight of {name} is above {MAX_WEIGHT}"));
        v.require(weight.is_none_or(|w| d.weight > w), || {
            format!("the weights of {name} do not ascend: every digit needs a weight of its own")
        });
        weight = Some(d.weight);
        v.require(elements.insert((d.array, d.index)), || {
            format!("element {} of an array is two digits of {name}", d.index)
        });
        if let Some(info) = info.filter(|_| fine) {
            v.require(matches!(info.ty, Type::Word(_) | Type::Wide(_) | Type::Flag), || {
                format!("a digit of {name} is an element of {}, which holds no integers", info.name)
            });
            v.require(info.range(d.index).lo.sign() != Sign::Minus, || {
                format!("a digit of {name} may be negative: {}[{}] needs a range from 0 on", info.name, d.index)
            });
        }
    }
}

fn promise(v: &Verifier, claim: &Claim) -> Result<(), String> {
    let inputs = &v.kernel.contract.inputs;
    let exists =
        |i: u32| if (i as usize) < inputs.len() { Ok(()) } else { Err(format!("there is no input number {i}")) };
    let positive =
        |m: &BigInt| if m.sign() == Sign::Plus { Ok(()) } else { Err("the modulus is not positive".to_string()) };
    match claim {
        Claim::Value { polynomial, modulus, .. } => {
            for (_, factors) in &polynomial.0 {
                factors.iter().try_for_each(|i| exists(*i))?;
                if !factors.is_sorted() {
                    return Err("the factors of a monomial are not sorted".to_string());
                }
            }
            match modulus {
                None => Ok(()),
                Some(Modulo::Constant(m)) => positive(m),
                Some(Modulo::Input(i)) => exists(*i),
            }
        }
        Claim::Equal { output, left, right } => {
            exists(*left)?;
            right.map_or(Ok(()), exists)?;
            if [Some(*left), *right].into_iter().flatten().any(|i| inputs[i as usize].is_unmasked())
                || output.is_unmasked()
            {
                return Err("unmasked digits cannot be compared".to_string());
            }
            if output.digits.len() == 1 { Ok(()) } else { Err("a truth value has one digit".to_string()) }
        }
        Claim::Power { base, product: Multiplication::Modular { modulus, .. }, .. } => {
            exists(*base)?;
            positive(modulus)
        }
        Claim::Power { output, base, exponent, product: Multiplication::Bits(map) } => {
            exists(*base)?;
            if exponent.is_zero() || map.operands() != 2 {
                return Err("a power of bits has an exponent above 0 and a map of two operands".to_string());
            }
            let (size, coordinates) = (coordinates(&inputs[*base as usize])?, coordinates(output)?);
            if size != coordinates {
                return Err(format!("a power of {size} bits has as many, not {coordinates}"));
            }
            images(map, &[size, size], coordinates)
        }
        Claim::Bits { output, map } => {
            let wanted = map.operands();
            if inputs.len() != wanted {
                return Err(format!("the map has {wanted} inputs, the contract {}", inputs.len()));
            }
            let sizes: Vec<usize> = inputs.iter().map(coordinates).collect::<Result<_, _>>()?;
            images(map, &sizes, coordinates(output)?)
        }
        Claim::Polynomial { output, polynomial, map } => of_bits(polynomial, map, output, inputs),
        Claim::Iterate { recurrence, component, output } => self::recurrence(recurrence, *component, output, inputs),
        Claim::Divsteps { output, count, .. } => division_steps(v, output, *count),
        Claim::Step { name, .. } if is_identifier(name) => Ok(()),
        Claim::Step { name, .. } => Err(format!("the step name {name:?} is not an identifier")),
    }
}

/// Division steps are of words.
fn division_steps(v: &Verifier, output: &Operand, count: u32) -> Result<(), String> {
    let (inputs, word) = (&v.kernel.contract.inputs, v.kernel.word);
    let words = inputs.len() >= 3 && inputs[..3].iter().all(|o| o.bound.bits() <= u64::from(word));
    if words && (1..=word.saturating_sub(2)).contains(&count) && output.digits.len() == 1 {
        Ok(())
    } else {
        Err("division steps take three words to one, fewer steps than words have bits".to_string())
    }
}

/// The recurrence speaks of what exists.
fn recurrence(r: &Recurrence, component: u32, output: &Operand, inputs: &[Operand]) -> Result<(), String> {
    let components = r.step.len();
    if r.start.len() != components || component as usize >= components {
        return Err(format!("the state has {components} components, {} of them start", r.start.len()));
    }
    if r.count == 0 || r.ring.modulus().is_some_and(|m| m.sign() != Sign::Plus) {
        return Err("a recurrence has steps and a positive modulus".to_string());
    }
    if let Ring::Bits(map) = &r.ring {
        let size = coordinates(output)?;
        // (Inputs that only say bits may be of any length.)
        let used = |p: &Polynomial| -> Vec<u32> { p.0.iter().flat_map(|(_, f)| f.clone()).collect() };
        let all: Vec<u32> = r.start.iter().chain(&r.step).flat_map(used).collect();
        vectors(map, size, inputs, all.into_iter())?;
        coefficients(r.start.iter().chain(&r.step), size)?;
    }
    let inputs = inputs.len();
    let bits = |b: &BitOf| {
        (b.number as usize) < inputs
            && b.stride.unsigned_abs() <= MAX_WEIGHT
            && [b.place(0), b.place(r.count - 1)].iter().all(|k| k.is_some_and(|k| k <= MAX_WEIGHT))
    };
    if !r.bits.iter().all(bits) {
        return Err("a step's bit is none of an input number".to_string());
    }
    let fine = |p: &Polynomial, variables: usize| {
        p.0.iter().all(|(_, factors)| factors.is_sorted() && factors.iter().all(|i| (*i as usize) < variables))
    };
    let (start, step) = (inputs, inputs + components + r.bits.len());
    if r.start.iter().all(|p| fine(p, start)) && r.step.iter().all(|p| fine(p, step)) {
        Ok(())
    } else {
        Err("the factors of a monomial do not exist or are not sorted".to_string())
    }
}

/// How many bits a number has as a vector.
fn coordinates(o: &Operand) -> Result<usize, String> {
    o.coordinates().map(|c| c.len()).ok_or_else(|| format!("the digits of {} are no row of bits", o.name))
}

/// A polynomial over vectors speaks of inputs that are such vectors.
fn of_bits(polynomial: &Polynomial, map: &BitMap, output: &Operand, inputs: &[Operand]) -> Result<(), String> {
    let fine = |(_, f): &(BigInt, Vec<u32>)| f.is_sorted() && f.iter().all(|i| (*i as usize) < inputs.len());
    if !polynomial.0.iter().all(fine) {
        return Err("the factors of a monomial do not exist or are not sorted".to_string());
    }
    let size = coordinates(output)?;
    vectors(map, size, inputs, polynomial.0.iter().flat_map(|(_, factors)| factors.clone()))?;
    coefficients(std::iter::once(polynomial), size)
}

/// The map multiplies elements of so many coordinates, and the inputs of these numbers are such elements.
fn vectors(
    map: &BitMap,
    size: usize,
    inputs: &[Operand],
    mut numbers: impl Iterator<Item = u32>,
) -> Result<(), String> {
    if map.operands() != 2 {
        return Err("polynomials of bits have a map of two operands".to_string());
    }
    images(map, &[size, size], size)?;
    numbers.try_for_each(|i| match inputs.get(i as usize) {
        Some(input) if coordinates(input)? != size => Err(format!("{} has not {size} bits", input.name)),
        _ => Ok(()),
    })
}

/// Coefficients are vectors of so many coordinates.
fn coefficients<'a>(mut all: impl Iterator<Item = &'a Polynomial>, size: usize) -> Result<(), String> {
    let fine = |c: &BigInt| c.sign() != Sign::Minus && c.bits() <= size as u64;
    if all.all(|p| p.0.iter().all(|(c, _)| fine(c))) {
        Ok(())
    } else {
        Err(format!("a coefficient is no vector of {size} bits"))
    }
}

/// The map has an image for each basis vector (pair) of operands of these sizes, none beyond the output's coordinates.
fn images(map: &BitMap, sizes: &[usize], coordinates: usize) -> Result<(), String> {
    let (images, size) = match map {
        BitMap::Linear(images) => (images, sizes[0]),
        BitMap::Bilinear(images) => (images, sizes[0] * sizes[1]),
        BitMap::RotatingBilinear(rows) => {
            if sizes[0] != sizes[1] || coordinates != sizes[0] {
                return Err("a rotating map has as many coordinates on each side".to_string());
            }
            (rows, sizes[0])
        }
        BitMap::Convolution(images) => (images, (sizes[0] + sizes[1]).saturating_sub(1)),
    };
    if images.len() != size {
        return Err(format!("the map has {} images instead of {size}", images.len()));
    }
    if images.iter().flatten().any(|k| *k as usize >= coordinates) {
        return Err("an image has a coordinate beyond the output".to_string());
    }
    Ok(())
}

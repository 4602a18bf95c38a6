//! The search for an input that violates the contract, when a proof fails: edge values and random ones, through the interpreter.

use evariste_ir::{Array, ArrayKind, Batch, Claim, Interpreter, Kernel, Operand, Type};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::equations::system::pow2;
use crate::outcome::{Counterexample, Obligation};
use crate::search::samples::{Random, draw_number};

/// Inputs tried.
const LANES: usize = 512;

/// Tries inputs; the first violation found.
pub(crate) fn search(kernel: &Kernel, _: &Obligation) -> Option<Counterexample> {
    crate::structure::check(kernel).ok()?;
    if kernel.arrays.iter().any(|a| matches!(a.ty, Type::Float(_))) {
        return None;
    }
    let interpreter = Interpreter::new(kernel);
    let mut batch = interpreter.batch(LANES);
    let mut random = Random(1);
    let mut lanes = Vec::new();
    for lane in 0..LANES {
        let elements = draw(kernel, &mut random, lane);
        for (array, cells) in &elements {
            let ty = kernel.array(*array).ty;
            for (i, x) in cells.iter().enumerate() {
                batch.set(*array, i as u32, lane, pattern(x, ty));
            }
        }
        lanes.push(elements);
    }
    let report = interpreter.run(&mut batch);
    for (lane, elements) in lanes.iter().enumerate() {
        let violation = if report.lane_is_bad(lane) {
            let place = report.violations.iter().find(|v| v.lane == lane).or(report.violations.first());
            Some(place.map_or_else(|| "a fault in execution".to_string(), |v| v.to_string()))
        } else {
            violation(kernel, &interpreter, &batch, lane, elements)
        };
        if let Some(violation) = violation {
            let inputs = elements.iter().map(|(a, cells)| (kernel.array(*a).name.clone(), cells.clone())).collect();
            return Some(Counterexample { inputs, violation });
        }
    }
    None
}

/// Contents of the readable parameters.
type Elements = Vec<(Array, Vec<BigInt>)>;

fn pattern(x: &BigInt, ty: Type) -> u128 {
    let x = if x.sign() == Sign::Minus { x + pow2(ty.bits()) } else { x.clone() };
    u128::try_from(x).unwrap_or(0)
}

fn draw(kernel: &Kernel, r: &mut Random, lane: usize) -> Elements {
    let readable: Vec<Array> = kernel.params().filter(|a| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut)).collect();
    let mut elements: Elements = readable
        .iter()
        .map(|a| {
            let info = kernel.array(*a);
            let cells = (0..info.len).map(|i| match info.ty {
                Type::Mask(_) if lane % 2 == 0 => BigInt::zero(),
                Type::Mask(n) => pow2(n as u32) - 1,
                _ => {
                    let range = info.range(i);
                    &range.lo + r.edge(&(&range.hi - &range.lo))
                }
            });
            (*a, cells.collect())
        })
        .collect();
    let mut previous: Option<Vec<BigInt>> = None;
    for operand in &kernel.contract.inputs {
        let weights: Vec<BigInt> = operand.digits.iter().map(|d| pow2(d.weight)).collect();
        let maxima: Vec<BigInt> = operand.digits.iter().map(|d| (&d.max).min(&kernel.array(d.array).range(d.index).hi).clone()).collect();
        let mut digits = draw_number(r, &weights, &maxima, &operand.bound);
        if let Some(p) = previous.filter(|p| p.len() == digits.len() && lane % 4 == 3) {
            // Equal operands now and then, where that is allowed.
            let sum: BigInt = p.iter().zip(&weights).map(|(d, w)| d * w).sum();
            if sum <= operand.bound && p.iter().zip(&maxima).all(|(d, m)| d <= m) {
                digits = p;
            }
        }
        for (d, x) in operand.digits.iter().zip(&digits) {
            if let Some((_, cells)) = elements.iter_mut().find(|e| e.0 == d.array) {
                cells[d.index as usize] = x.clone();
            }
        }
        previous = Some(digits);
    }
    // An element of several numbers was written more than once: keep inputs that all numbers admit.
    elements
}

fn value(operand: &Operand, read: &dyn Fn(Array, u32) -> Option<BigInt>) -> Option<BigInt> {
    operand.digits.iter().map(|d| Some(read(d.array, d.index)? << d.weight)).sum()
}

/// Which promise is broken in a lane?
fn violation(kernel: &Kernel, interpreter: &Interpreter, batch: &Batch, lane: usize, elements: &Elements) -> Option<String> {
    let before = |a: Array, i: u32| elements.iter().find(|e| e.0 == a)?.1.get(i as usize).cloned();
    let inputs: Vec<BigInt> = kernel.contract.inputs.iter().map(|o| value(o, &before)).collect::<Option<_>>()?;
    let admitted = kernel.contract.inputs.iter().zip(&inputs).all(|(o, x)| *x <= o.bound && o.digits.iter().all(|d| before(d.array, d.index).is_some_and(|x| x <= d.max)));
    if !admitted {
        return None;
    }
    let after = |a: Array, i: u32| interpreter.values(batch, a, lane).get(i as usize).cloned();
    for claim in &kernel.contract.claims {
        let output = claim.output();
        let x = value(output, &after)?;
        if x > output.bound {
            return Some(format!("{} is {x}, above its bound", output.name));
        }
        for d in &output.digits {
            let digit = after(d.array, d.index)?;
            if digit > d.max || digit.sign() == Sign::Minus {
                return Some(format!("digit {} of {} is {digit}, outside of its bounds", d.index, output.name));
            }
        }
        let wrong = match claim {
            Claim::Value { factor, polynomial, modulus, .. } => {
                let difference = factor * &x - polynomial.evaluate(&inputs);
                match modulus {
                    Some(m) if m.is_zero() => false,
                    Some(m) => !difference.mod_floor(m).is_zero(),
                    None => !difference.is_zero(),
                }
            }
            Claim::Equal { left, right, .. } => {
                let digits = |i: u32| kernel.contract.inputs.get(i as usize).map(|o| o.digits.iter().map(|d| before(d.array, d.index)).collect::<Vec<_>>());
                let truth = match right {
                    Some(right) => digits(*left) == digits(*right),
                    None => digits(*left)?.iter().all(|d| d.as_ref().is_some_and(Zero::is_zero)),
                };
                x.is_one() != truth
            }
            Claim::Power { base, exponent, factor, modulus, .. } if *modulus > BigInt::one() && !exponent.is_zero() => {
                let base = inputs.get(*base as usize)?;
                let e = BigInt::from(exponent.clone());
                let left = &x * factor.modpow(&(&e - 1), modulus);
                !(left - base.modpow(&e, modulus)).is_multiple_of(modulus)
            }
            Claim::Bits { map, .. } => crate::claims::wrong_bits(kernel, output, map, &before, &after)?,
            _ => false,
        };
        if wrong {
            return Some(format!("{} does not have the promised value", output.name));
        }
    }
    None
}

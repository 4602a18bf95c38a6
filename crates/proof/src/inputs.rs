//! Inputs of a kernel to try: edge values and random ones, shaped by the contract so that many are admissible.

use evariste_ir::{Array, ArrayKind, Batch, Kernel, Operand, Type};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

use crate::equations::system::pow2;
use crate::search::samples::{Random, draw_number};

/// Contents of the readable parameters.
pub(crate) type Elements = Vec<(Array, Vec<BigInt>)>;

/// The bits of an element.
pub(crate) fn pattern(x: &BigInt, ty: Type) -> u128 {
    let x = if x.sign() == Sign::Minus { x + pow2(ty.bits()) } else { x.clone() };
    u128::try_from(x).unwrap_or(0)
}

/// One input: numbers within their digits and bounds, as facts and bounds by other numbers want them.
pub(crate) fn draw(kernel: &Kernel, r: &mut Random, lane: usize) -> Elements {
    let mut elements = in_their_ranges(kernel, r, lane);
    let maxima = |o: &Operand| -> Vec<BigInt> {
        o.digits.iter().map(|d| d.most().min(kernel.array(d.array).range(d.index).hi.clone())).collect()
    };
    let mut drawn: Vec<Vec<BigInt>> = Vec::new();
    let mut numbers: Vec<BigInt> = Vec::new();
    for (i, operand) in kernel.contract.inputs.iter().enumerate() {
        let weights: Vec<BigInt> = operand.digits.iter().map(|d| pow2(d.weight)).collect();
        let mut digits = draw_number(r, &weights, &maxima(operand), &operand.bound);
        // Equal operands now and then (the checker skips what the contract does not admit).
        if let Some(previous) = drawn.last().filter(|d| lane % 4 == 3 && d.len() == digits.len()) {
            digits = previous.clone();
        }
        // A number that a fact ties to earlier ones: the least that the fact allows, in the digits that it has from the
        // top.
        if let Some(lowest) =
            digits.first_mut().filter(|_| kernel.contract.facts.iter().any(|f| f.asks_for_odd(i as u32)))
        {
            lowest.set_bit(0, true);
        }
        if let Some(number) =
            kernel.contract.facts.iter().find(|f| f.number as usize == i).and_then(|f| f.least(&numbers))
        {
            digits = from_the_top(operand, &maxima(operand), number);
        }
        numbers.push(digits.iter().zip(&weights).map(|(d, w)| d * w).sum());
        drawn.push(digits);
    }
    let free = numbers.clone();
    kernel.contract.bring_below(&mut numbers);
    for (i, operand) in kernel.contract.inputs.iter().enumerate() {
        if numbers[i] != free[i] {
            drawn[i] = from_the_top(operand, &maxima(operand), numbers[i].clone());
        }
    }
    for (operand, digits) in kernel.contract.inputs.iter().zip(&drawn) {
        for (d, x) in operand.digits.iter().zip(digits) {
            if let Some((_, cells)) = elements.iter_mut().find(|e| e.0 == d.array) {
                let most = &kernel.array(d.array).range(d.index).hi;
                let noise = if d.bits.is_some() { r.edge(most) } else { BigInt::zero() };
                cells[d.index as usize] =
                    evariste_ir::Digit { max: (&d.max).min(most).clone(), ..d.clone() }.element(x, &noise);
            }
        }
    }
    elements
}

/// Every element of the readable parameters, in the range of its place; masks all zeros or all ones.
fn in_their_ranges(kernel: &Kernel, r: &mut Random, lane: usize) -> Elements {
    let readable = kernel.params().filter(|a| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    readable
        .map(|a| {
            let info = kernel.array(a);
            let cells = (0..info.len).map(|i| match info.ty {
                Type::Mask(_) if lane.is_multiple_of(2) => BigInt::zero(),
                Type::Mask(n) => pow2(n as u32) - 1,
                _ => {
                    let range = info.range(i);
                    &range.lo + r.edge(&(&range.hi - &range.lo))
                }
            });
            (a, cells.collect())
        })
        .collect()
}

/// A number in the digits that it has from the top.
fn from_the_top(operand: &Operand, maxima: &[BigInt], mut rest: BigInt) -> Vec<BigInt> {
    let mut digits = vec![BigInt::zero(); maxima.len()];
    for (j, d) in operand.digits.iter().enumerate().rev() {
        digits[j] = (&rest >> d.weight).min(maxima[j].clone());
        rest -= &digits[j] << d.weight;
    }
    digits
}

/// The least element of every array: the cheapest input that is admissible, where no fact or bound is in the way.
pub(crate) fn least(kernel: &Kernel) -> Elements {
    let readable = kernel.params().filter(|a| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    let cells = |a| (0..kernel.array(a).len).map(|i| kernel.array(a).range(i).lo.clone()).collect();
    readable.map(|a| (a, cells(a))).collect()
}

/// Puts an input into a lane.
pub(crate) fn set(kernel: &Kernel, batch: &mut Batch, lane: usize, elements: &Elements) {
    for (array, cells) in elements {
        let ty = kernel.array(*array).ty;
        for (i, x) in cells.iter().enumerate() {
            batch.set(*array, i as u32, lane, pattern(x, ty));
        }
    }
}

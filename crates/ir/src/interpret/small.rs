//! Numbers that fit words, of many lanes at once.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::batch::Batch;
use super::divisor::LIMIT;
use crate::contract::Operand;
use crate::kernel::{Array, Kernel, Type};
use crate::range::pow2;

/// A number in `u64`: digits `(array, element, weight, max, bits that count)`; `u64::MAX` for maxima and bounds that
/// always hold.
pub(super) struct Small {
    pub(super) digits: Vec<(Array, u32, u32, u64, u64)>,
    pub(super) bound: u64,
    /// The greatest value that keeps digits and bound.
    pub(super) most: u64,
    /// Less than a multiple of an input number.
    pub(super) below: Option<(u64, usize)>,
}

pub(super) fn small(kernel: &Kernel, operand: &Operand) -> Option<Small> {
    let mut top = BigInt::zero();
    let mut digits = Vec::new();
    for d in &operand.digits {
        let info = kernel.array(d.array);
        if info.ty.bits() > 64
            || matches!(info.ty, Type::Float(_))
            || info.range(d.index).lo.is_negative()
            || d.weight >= 64
        {
            return None;
        }
        let counted = pow2(d.bits.unwrap_or(info.ty.bits())) - 1u32;
        top += &counted << d.weight;
        // A maximum that the type cannot pass needs no check.
        let max = if d.max >= pow2(info.ty.bits()) - 1 { u64::MAX } else { d.max.to_u64()? };
        digits.push((d.array, d.index, d.weight, max, counted.to_u64()?));
    }
    if top >= pow2(LIMIT) || operand.bound.is_negative() {
        return None;
    }
    let most = (&top).min(&operand.bound).to_u64()?;
    let below = operand.below.map(|b| (u64::from(b.multiple), b.number as usize));
    // Its multiple has to stay in a word.
    if operand.below.is_some_and(|b| b.greatest(&kernel.contract.inputs) >= pow2(LIMIT)) {
        return None;
    }
    Some(Small { digits, bound: if operand.bound >= top { u64::MAX } else { most }, most, below })
}

/// `out −= c · Π factors` on every lane, modulo 2^64.
pub(super) fn subtract_term(out: &mut [u64], c: u64, factors: &[u32], numbers: &[Vec<u64>]) {
    let x = |i: usize| &numbers[factors[i] as usize];
    match factors.len() {
        0 => out.iter_mut().for_each(|o| *o = o.wrapping_sub(c)),
        1 => out.iter_mut().zip(x(0)).for_each(|(o, x)| *o = o.wrapping_sub(c.wrapping_mul(*x))),
        2 => out
            .iter_mut()
            .zip(x(0))
            .zip(x(1))
            .for_each(|((o, x), y)| *o = o.wrapping_sub(c.wrapping_mul(*x).wrapping_mul(*y))),
        _ => {
            for (lane, o) in out.iter_mut().enumerate() {
                *o = o.wrapping_sub((0..factors.len()).fold(c, |acc, i| acc.wrapping_mul(x(i)[lane])));
            }
        }
    }
}

/// The number's value on every lane; `fails` becomes non-zero where a digit passes its maximum or the number its bound.
pub(super) fn gather(batch: &Batch, number: &Small, out: &mut Vec<u64>, column: &mut [u64], fails: &mut [u64]) {
    out.clear();
    out.resize(batch.lanes(), 0);
    for (array, i, weight, max, counted) in &number.digits {
        batch.read(*array, *i, column);
        for (o, x) in out.iter_mut().zip(column.iter()) {
            *o = o.wrapping_add((*x & counted) << weight);
        }
        if *max != u64::MAX {
            column.iter().zip(fails.iter_mut()).for_each(|(x, f)| *f |= (x > max) as u64);
        }
    }
    if number.bound != u64::MAX {
        out.iter().zip(fails.iter_mut()).for_each(|(o, f)| *f |= (*o > number.bound) as u64);
    }
}

/// `fails` becomes non-zero where a number is not below its multiple of an input number (saturated if inadmissible).
pub(super) fn not_below(below: Option<(u64, usize)>, number: &[u64], inputs: &[Vec<u64>], fails: &mut [u64]) {
    let Some((multiple, of)) = below else { return };
    for ((f, x), limit) in fails.iter_mut().zip(number).zip(&inputs[of]) {
        *f |= (*x >= multiple.saturating_mul(*limit)) as u64;
    }
}

//! Operands for timing, vectors and differential tests: edges first, then random numbers, all within a kernel's
//! contract.

use evariste_ir::{Array, Kernel, Operand};
use num_bigint::{BigInt, Sign};

use crate::encode::{Arrays, encode};

/// A small generator whose stream never changes (splitmix64), so that vectors are reproducible everywhere.
pub struct Stream(u64);

impl Stream {
    /// A stream from a seed.
    pub fn new(seed: u64) -> Stream {
        Stream(seed)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `[0, bound]`: every fourth one has long runs of equal bits.
    pub fn number(&mut self, bound: &BigInt) -> BigInt {
        let words = bound.bits().div_ceil(64) as usize + 1;
        let runs = self.word().is_multiple_of(4);
        let mut bytes = Vec::with_capacity(words * 8);
        for _ in 0..words {
            let w = self.word();
            let w = if runs { if w & 1 == 0 { w >> (w >> 58) } else { !(w >> (w >> 58)) } } else { w };
            bytes.extend_from_slice(&w.to_le_bytes());
        }
        BigInt::from_bytes_le(Sign::Plus, &bytes) % (bound + 1)
    }
}

/// The edges of `[0, bound]`: 0, 1, 2, the bound and the one below, its half, and the powers of two around word
/// boundaries.
pub fn edges(bound: &BigInt, word: u32) -> Vec<BigInt> {
    let mut edges = vec![BigInt::from(0), 1.into(), 2.into(), bound.clone(), bound - 1, bound >> 1];
    let mut k = word as u64;
    while k <= bound.bits() {
        edges.extend([(BigInt::from(1) << k) - 1, BigInt::from(1) << k]);
        k += word as u64;
    }
    edges.retain(|x| x.sign() != Sign::Minus && x <= bound);
    edges.dedup();
    edges
}

/// `count` sets of operand values within a contract: all pairs of the main edges first (as far as they go), then
/// random.
pub fn operand_values(kernel: &Kernel, count: usize, seed: u64) -> Vec<Vec<BigInt>> {
    let inputs = &kernel.contract.inputs;
    let mut stream = Stream::new(seed);
    let all: Vec<Vec<BigInt>> = inputs.iter().map(|o| edges(&o.bound, kernel.word.max(8))).collect();
    let mut sets = Vec::with_capacity(count);
    for i in 0..count {
        let random = i >= count.div_ceil(2);
        let mut rest = i;
        let values = inputs.iter().zip(&all).map(|(o, edges)| {
            let e = edges[rest % edges.len()].clone();
            rest /= edges.len().min(6);
            if random { stream.number(&o.bound) } else { e }
        });
        let mut values: Vec<BigInt> = values.collect();
        admit(kernel, &mut values);
        sets.push(values);
    }
    sets
}

/// Makes operand values what the facts of a contract ask for: moduli odd, numbers that follow from earlier ones, and
/// numbers below their multiples of others.
pub fn admit(kernel: &Kernel, values: &mut [BigInt]) {
    for i in 0..values.len() {
        let facts = || kernel.contract.facts.iter();
        if facts().any(|f| f.asks_for_odd(i as u32)) {
            values[i].set_bit(0, true);
        }
        if let Some(value) = facts().find(|f| f.number as usize == i).and_then(|f| f.least(values)) {
            values[i] = value;
        }
    }
    kernel.contract.bring_below(values);
}

/// The numbers that a caller hands to a kernel: those of its contract, and for one that lies in several arrays (the
/// vector that a linear map of two elements is stated on) the number in each array, under the array's name.
pub fn numbers(kernel: &Kernel) -> Vec<Operand> {
    kernel.contract.inputs.iter().flat_map(|operand| parts(kernel, operand)).collect()
}

fn parts(kernel: &Kernel, operand: &Operand) -> Vec<Operand> {
    let mut arrays: Vec<Array> = Vec::new();
    for digit in &operand.digits {
        if !arrays.contains(&digit.array) {
            arrays.push(digit.array);
        }
    }
    if arrays.len() < 2 {
        return vec![operand.clone()];
    }
    let part = |array: Array| {
        let mut digits: Vec<_> = operand.digits.iter().filter(|d| d.array == array).cloned().collect();
        let lowest = digits.iter().map(|d| d.weight).min().unwrap_or(0);
        digits.iter_mut().for_each(|d| d.weight -= lowest);
        let bound = digits.iter().map(|d| d.most() << d.weight).sum();
        Operand { name: kernel.array(array).name.clone(), digits, bound, below: None }
    };
    arrays.into_iter().map(part).collect()
}

/// The arrays of one call for these operand values; `None` when a value does not fit its digits.
pub fn arrays(kernel: &Kernel, inputs: &[Operand], values: &[BigInt]) -> Option<Arrays> {
    let mut arrays = Arrays::new();
    for (operand, value) in inputs.iter().zip(values) {
        encode(operand, value, &mut arrays, kernel)?;
    }
    Some(arrays)
}

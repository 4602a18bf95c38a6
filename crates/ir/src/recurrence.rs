//! Recurrences: what a loop of field operations computes, step by step, in whole elements.

use num_bigint::BigInt;

use crate::contract::Polynomial;
use crate::ring::Ring;

/// One bit of an input number for each step: bit `first + stride · i` in step i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitOf {
    /// The input number.
    pub number: u32,
    /// The bit of step 0.
    pub first: u32,
    /// How much further the next step's bit is.
    pub stride: i32,
}

impl BitOf {
    /// The bit of that step, if there is one.
    pub fn place(&self, step: u32) -> Option<u32> {
        u32::try_from(i64::from(self.first) + i64::from(self.stride) * i64::from(step)).ok()
    }
}

/// A state of some elements of a ring that is replaced `count` times. Polynomials of a step speak of the input
/// numbers, then of the state's components, then of the step's bits, numbered in that order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// What each component is at first, in the input numbers.
    pub start: Vec<Polynomial>,
    /// What each component becomes.
    pub step: Vec<Polynomial>,
    /// The bits that a step depends on.
    pub bits: Vec<BitOf>,
    /// Number of steps, 1 at least.
    pub count: u32,
    /// What polynomials are over.
    pub ring: Ring,
}

impl Recurrence {
    /// The state after the last step, for these input numbers.
    pub fn evaluate(&self, inputs: &[BigInt]) -> Vec<BigInt> {
        let mut state: Vec<BigInt> = self.start.iter().map(|p| self.ring.evaluate(p, inputs, inputs.len())).collect();
        let numbers = inputs.len() + state.len();
        for i in 0..self.count {
            let bit = |b: &BitOf| BigInt::from(b.place(i).is_some_and(|k| inputs[b.number as usize].bit(u64::from(k))));
            let of: Vec<BigInt> = inputs.iter().cloned().chain(state).chain(self.bits.iter().map(bit)).collect();
            state = self.step.iter().map(|p| self.ring.evaluate(p, &of, numbers)).collect();
        }
        state
    }
}

//! How an operation is computed: in lanes, or by scalar code element by element.

use std::time::Instant;

use super::alone::{Alone, Lanes};
use crate::code::{Code, In, Role};
use crate::engine::Kernels;

/// How often each way is timed; the least counts.
const ROUNDS: usize = 3;

/// Elements in whole words that are computed in one step.
pub(super) const STEP: usize = 32;

/// Elements that are timed together where they are computed one by one: a clock tells no shorter time.
const SINGLES: usize = 64;

/// The code of an operation: on lanes, and scalar code where that takes less time element by element.
pub(super) struct Way {
    pub code: Code,
    pub alone: Option<Alone>,
    pub description: String,
}

impl Way {
    /// Computes the groups of `out`.
    pub fn run(&self, kernels: &Kernels, out: &mut [u64], inputs: &[In]) -> Result<(), String> {
        self.run_by(self.alone.as_ref(), kernels, out, inputs)
    }

    fn run_by(&self, alone: Option<&Alone>, kernels: &Kernels, out: &mut [u64], inputs: &[In]) -> Result<(), String> {
        match alone {
            Some(alone) => alone.run(&Lanes::new(kernels)?, out, inputs),
            None => self.code.run(out, inputs),
        }
    }

    /// Nanoseconds of an element, of some groups of zeros: time depends on no number.
    pub fn timed(&self, alone: Option<&Alone>, kernels: &Kernels) -> Result<f64, String> {
        let row = kernels.row();
        let groups = if row == 1 { self.code.block_groups().max(SINGLES) } else { self.code.block_groups() };
        let digits = |role: Role| self.code.parameters.iter().find(|p| p.role == role).map_or(0, |p| p.digits);
        let room = |role: Role| vec![0; groups * row * digits(role)];
        let mut out = room(Role::Output(0));
        let operands: Vec<Vec<u64>> = (0..self.code.arity().1).map(|i| room(Role::Input(i))).collect();
        let inputs: Vec<In> = operands.iter().map(|words| In::Words(words)).collect();
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            self.run_by(alone, kernels, &mut out, &inputs)?;
            least = least.min(start.elapsed().as_nanos() as f64 / (groups * row) as f64);
        }
        Ok(least)
    }
}

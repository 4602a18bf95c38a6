//! Cycles of straight code: a loop that is run for two counts, beside a chain of additions that takes one cycle a step.
//!
//! Rules of measuring: at least 32 copies in a loop, registers only unless memory is the subject, the best of many short
//! runs, cycles by a chain of dependent additions in the same run. What is interrupted only gets slower, so that the
//! least is the truth.

use evariste_jit::{EncodeError, Executable, JitError, encode};
use evariste_run::{CHAIN_CYCLES, chain_ticks, ticks};
use thiserror::Error;

use crate::subject::{MEMORY, Probe};

/// Cycles that the longer run takes more than the shorter one, about: counters of some processors advance in steps of
/// dozens.
const WINDOW: f64 = 3000.0;

/// Aligned, so that no vector lies in two lines.
#[repr(align(64))]
struct Memory([u64; MEMORY / 8]);

/// A loop as a function of the memory and the count.
type Loop = unsafe extern "C" fn(*mut u64, u64);

/// Where code is run, and what it may touch.
pub struct Bench<I: Probe> {
    memory: Box<Memory>,
    features: I::Features,
    rounds: usize,
}

/// What keeps an instruction from being measured.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// No code for this processor, or none in this process.
    #[error("machine code cannot be run here: {0}")]
    Jit(#[from] JitError),
    /// A form without an encoding.
    #[error("an instruction has no encoding: {0}")]
    Encode(#[from] EncodeError),
    /// Somebody asked to stop.
    #[error("stopped before everything was measured")]
    Stopped,
}

impl<I: Probe> Bench<I> {
    /// A bench that takes the best of that many runs.
    pub fn new(features: I::Features, rounds: usize) -> Bench<I> {
        // Doubles that no operation slows down.
        Bench { memory: Box::new(Memory([1.0f64.to_bits(); MEMORY / 8])), features, rounds }
    }

    /// Cycles of one turn of the body, which consists of copies or links of specimens.
    ///
    /// # Errors
    /// A form without an encoding; no executable memory.
    pub fn cycles(&mut self, body: &[I::Inst]) -> Result<f64, ProbeError> {
        let code = encode(&I::repeated(body, self.features))?;
        // SAFETY: the code is called by `Bench::ticks` alone, as what the trait says that it is.
        let code = unsafe { Executable::new(&code) }?;
        // A first guess of the length decides how often to turn.
        let (mut mine, mut chain) = (Least::of(4, 12), Least::of(1, 2));
        mine.run(1, |turns| self.ticks(&code, turns));
        chain.run(1, chain_ticks);
        let rough = mine.turn() / chain.turn() * CHAIN_CYCLES;
        let turns = (WINDOW / rough.max(1.0)).clamp(4.0, 800.0) as u64;
        let (mut mine, mut chain) = (Least::of(turns, 2 * turns), Least::of(1, 3));
        // Alternating, so that both see the same clock.
        for _ in 0..self.rounds {
            mine.run(2, |turns| self.ticks(&code, turns));
            chain.run(3, chain_ticks);
        }
        Ok(mine.turn() / chain.turn() * CHAIN_CYCLES)
    }

    fn ticks(&mut self, code: &Executable, count: u64) -> u64 {
        let memory = self.memory.0.as_mut_ptr();
        // A load's chain reads its own address.
        self.memory.0[0] = memory as u64;
        // SAFETY: the code is a loop of `Probe::repeated`, which keeps to this memory and ends after `count` turns; the
        // count is not zero.
        unsafe { called(code, memory, count) }
    }
}

/// Ticks of a call.
///
/// # Safety
/// The code is a function of an array and a count, which may touch what it touches.
pub unsafe fn called(code: &Executable, memory: *mut u64, count: u64) -> u64 {
    // SAFETY: the caller's promise.
    let function = unsafe { std::mem::transmute::<evariste_jit::RawFunction, Loop>(code.raw()) };
    let start = ticks();
    // SAFETY: as above.
    unsafe { function(memory, count) };
    ticks().wrapping_sub(start)
}

/// The least ticks of runs of two lengths.
struct Least {
    lengths: [u64; 2],
    ticks: [u64; 2],
}

impl Least {
    fn of(short: u64, long: u64) -> Least {
        Least { lengths: [short, long], ticks: [u64::MAX; 2] }
    }

    fn run(&mut self, runs: u32, mut ticks: impl FnMut(u64) -> u64) {
        for _ in 0..runs {
            for (least, length) in self.ticks.iter_mut().zip(self.lengths) {
                *least = (*least).min(ticks(length));
            }
        }
    }

    /// Ticks of one turn. Both lengths have to be undisturbed once, not in the same moment: less the one from the other
    /// in each moment, the least would be what was disturbed while it was short. At least a tick, so that nothing is ever
    /// divided by nothing.
    fn turn(&self) -> f64 {
        let [short, long] = self.ticks;
        long.saturating_sub(short).max(1) as f64 / (self.lengths[1] - self.lengths[0]) as f64
    }
}

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
        let rough = least(1, 4, 12, |turns| self.ticks(&code, turns)) / least(1, 1, 2, chain_ticks) * CHAIN_CYCLES;
        let turns = (WINDOW / rough.max(1.0)).clamp(4.0, 800.0) as u64;
        let (mut mine, mut chain) = (f64::MAX, f64::MAX);
        // Alternating, so that both see the same clock.
        for _ in 0..self.rounds {
            mine = mine.min(least(2, turns, 2 * turns, |turns| self.ticks(&code, turns)));
            chain = chain.min(least(3, 1, 3, chain_ticks));
        }
        Ok(mine / chain * CHAIN_CYCLES)
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

/// Ticks of one turn: the least of the longer runs less the least of the shorter ones. At least a tick, so that nothing
/// is ever divided by nothing.
fn least(runs: u32, short: u64, long: u64, mut ticks: impl FnMut(u64) -> u64) -> f64 {
    let (mut a, mut b) = (u64::MAX, u64::MAX);
    for _ in 0..runs {
        a = a.min(ticks(short));
        b = b.min(ticks(long));
    }
    b.saturating_sub(a).max(1) as f64 / (long - short) as f64
}

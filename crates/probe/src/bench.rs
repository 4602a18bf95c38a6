//! Cycles of straight code: a loop that is run for two counts, beside a chain of additions that takes one cycle a step.
//!
//! Rules of measuring: at least 32 copies in a loop, registers only unless memory is the subject, the best of many short
//! runs, cycles by a chain of dependent additions in the same run. What is interrupted only gets slower, so that the
//! least is the truth.

use std::collections::VecDeque;

use evariste_jit::{EncodeError, Executable, JitError, encode};
use evariste_run::{CHAIN_CYCLES, chain_ticks, ticks};
use thiserror::Error;

use crate::subject::{MEMORY, Probe};

/// Cycles that the longer run takes, about: counters of some processors advance in steps of dozens.
const WINDOW: f64 = 6000.0;
/// Turns of the shorter run, which takes little more than the call; and of the longer one by which its length is guessed.
const GUESS: [u64; 2] = [4, 12];
/// Turns of the longer run, at most.
const MOST_TURNS: u64 = 1600;
/// Runs of a loop, one after the other.
const RUNS: usize = 4;
/// Runs that are tried, where the clock is not steady.
const TRIES: usize = 40;
/// Chains of additions beside each run; the last ones of them count, and agree within this part.
const CHAINS: [u64; 2] = [1, 3];
const CLOCK: usize = 4;
const AGREE: f64 = 1.03;
/// Cycles that a call takes beside its turns, at most: a shorter run that was disturbed whenever it was timed must not make
/// the difference small.
const CALL: f64 = 150.0;

/// Aligned, so that no vector lies in two lines.
#[repr(align(64))]
struct Memory([u64; MEMORY / 8]);

/// A loop as a function of the memory and the count.
type Loop = unsafe extern "C" fn(*mut u64, u64);

/// Where code is run, what it may touch, and how long a cycle is.
pub struct Bench<I: Probe> {
    memory: Box<Memory>,
    features: I::Features,
    clock: VecDeque<f64>,
}

/// A loop, and for runs of two lengths the least cycles so far and the least but one: what is too quick by a fault of the
/// clock is so once.
pub struct Timed {
    code: Executable,
    copies: usize,
    turns: [u64; 2],
    cycles: [[f64; 2]; 2],
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
    /// A bench for code of these features.
    pub fn new(features: I::Features) -> Bench<I> {
        // Doubles that no operation slows down.
        let memory = Box::new(Memory([1.0f64.to_bits(); MEMORY / 8]));
        Bench { memory, features, clock: VecDeque::new() }
    }

    /// A loop of a body, which consists of so many copies or links of specimens.
    ///
    /// # Errors
    /// A form without an encoding; no executable memory.
    pub fn prepare(&mut self, body: &[I::Inst], copies: usize) -> Result<Timed, ProbeError> {
        let code = encode(&I::repeated(body, self.features))?;
        // SAFETY: the code is called by `Bench::ticks` alone, as what the trait says that it is.
        let code = unsafe { Executable::new(&code) }?;
        Ok(Timed { code, copies, turns: GUESS, cycles: [[f64::MAX; 2]; 2] })
    }

    /// Runs a loop a few times more. How often it has to turn is guessed from a run of few turns, and again where that was
    /// disturbed.
    pub fn run(&mut self, timed: &mut Timed) {
        self.run_once(timed);
        while timed.lengthen() {
            self.run_once(timed);
        }
    }

    fn run_once(&mut self, timed: &mut Timed) {
        let mut runs = 0;
        for _ in 0..TRIES {
            let ticks = timed.turns.map(|turns| self.ticks(&timed.code, turns) as f64);
            let Some(cycle) = self.cycle() else { continue };
            for ([least, second], ticks) in timed.cycles.iter_mut().zip(ticks) {
                let cycles = ticks / cycle;
                *second = least.max(cycles).min(*second);
                *least = least.min(cycles);
            }
            runs += 1;
            if runs == RUNS {
                break;
            }
        }
    }

    /// Ticks of a cycle, by chains of additions before and behind what was timed: the least, where they agree. Where they do
    /// not, one was disturbed, or the core's clock changed.
    fn cycle(&mut self) -> Option<f64> {
        if self.clock.len() >= CLOCK {
            self.clock.pop_front();
        }
        while self.clock.len() < CLOCK {
            let [short, long] = CHAINS.map(chain_ticks);
            self.clock.push_back(per_turn([short as f64, long as f64], CHAINS) / CHAIN_CYCLES);
        }
        let least = self.clock.iter().copied().fold(f64::MAX, f64::min);
        let most = self.clock.iter().copied().fold(0.0, f64::max);
        (most <= AGREE * least).then_some(least)
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

impl Timed {
    /// Lets the longer run turn more often where it was too short, and forgets these times. `false`: it was not.
    fn lengthen(&mut self) -> bool {
        if self.cycles[1][0] >= 0.5 * WINDOW || self.turns[1] >= MOST_TURNS {
            return false;
        }
        let turn = (self.per_copy() * self.copies as f64).max(1.0);
        self.turns[1] = ((WINDOW / turn) as u64).clamp(self.turns[1] + 1, MOST_TURNS);
        self.cycles = [[f64::MAX; 2]; 2];
        true
    }

    /// Cycles of one copy.
    pub fn per_copy(&self) -> f64 {
        let cycles = self.cycles.map(|[_, second]| second);
        let long = cycles[1];
        let whole = |without: f64| (long - without) / self.turns[1] as f64;
        per_turn(cycles, self.turns).clamp(whole(CALL).max(0.0), whole(0.0).max(0.0)) / self.copies as f64
    }
}

/// Time of one turn. Both lengths have to be undisturbed once, not in the same moment: less the one from the other in each
/// moment, the least would be what was disturbed while it was short. Never nothing, so that nothing is ever divided by it.
fn per_turn([short, long]: [f64; 2], turns: [u64; 2]) -> f64 {
    (long - short).max(1.0) / (turns[1] - turns[0]) as f64
}

//! About how long tuning will take: said before it begins.

use evariste_descriptions::Field;

use crate::options::Options;
use crate::tuning::work;
use evariste_backend::Kind;

/// Milliseconds that a core proves a kernel for, for each square of the number of its words; of words of one bit, eight
/// of which count as one, more often.
const PROOF_MS: f64 = 0.06;
const PROOF_BITS_MS: f64 = 0.5;
/// Milliseconds that a core makes and checks machine code for, for each square of the number of words.
const MACHINE_MS: f64 = 0.12;
/// Milliseconds that a C compiler takes for a kernel among others, and for each square of the number of its words; of
/// words of one bit, where what is far behind as machine code is compiled too.
const COMPILE_MS: f64 = 12.0;
const COMPILE_SQUARE_MS: f64 = 1.05;
const COMPILE_BITS_MS: f64 = 8.0;
/// About the share of candidates that are compiled, and of those that are measured for long, where the others are far
/// behind; and milliseconds of a brief measurement, of which compiled ones have two.
const COMPILED: f64 = 0.5;
const MEASURED: f64 = 0.3;
const BRIEF_MS: f64 = 2.5;

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// Plans to write and prove.
    pub plans: usize,
    /// Functions to time, at most: plans that write the same kernel are timed once.
    pub functions: usize,
    /// About how many seconds it takes on this machine when it is quiet, searches included.
    pub seconds: f64,
}

/// What `tune` with these options has to do.
pub fn expected(field: &Field, options: &Options) -> Expected {
    let cores = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
    let work = work(field, options);
    let (mut functions, mut alone_ms) = (0, 0.0);
    for plan in &work.plans {
        // One-bit words of a binary field: about as much work as so many bytes.
        let words = (plan.layout.digits() as f64).min(f64::from(field.bits()) / 8.0).max(1.0);
        let square = words * words;
        let bits = plan.layout.word == 1;
        alone_ms += square * if bits { PROOF_BITS_MS } else { PROOF_MS };
        for backend in options.backends.iter().filter(|backend| backend.takes(field, &plan.layout, false)) {
            functions += 1;
            alone_ms += match (backend.entry().kind, options.every) {
                (Kind::Compiled, true) => COMPILE_MS + square * if bits { COMPILE_BITS_MS } else { COMPILE_SQUARE_MS },
                (Kind::Compiled, false) => COMPILED * (COMPILE_MS + COMPILE_SQUARE_MS * square),
                _ => MACHINE_MS * square,
            };
        }
    }
    let timing = &options.timing;
    let turn_ns = timing.warm_ns + timing.samples_per_round as f64 * (2.0 * timing.sample_ns + 1_000.0);
    let ways = if timing.latency { 2.0 } else { 1.0 };
    let function_ns = (timing.rounds as f64 * turn_ns * ways).min(timing.budget_ns);
    let each_ns = if options.every { function_ns } else { MEASURED * function_ns + 1.5e6 * BRIEF_MS };
    let seconds = alone_ms / 1e3 / cores + functions as f64 * each_ns / 1e9 + options.search;
    Expected { plans: work.plans.len(), functions, seconds }
}

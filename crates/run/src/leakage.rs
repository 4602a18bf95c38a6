//! Do a function's times depend on its operands? A statistical test, for the record: times on fixed and on random
//! operands, taken in random order, are compared by Welch's t-test.
//!
//! Source: O. Reparaz, J. Balasch, I. Verbauwhede, *Dude, is my code constant time?*, DATE 2017 (`dudect`): two
//! classes, interleaved at random; long times, which interruptions make, are cropped at many thresholds; the greatest t
//! counts. What it leaves out: here a sample is several calls on the same operands, where one is too short for the
//! counter.
//!
//! A test finds differences; it cannot show that there are none. So there is no verdict here, and no test asserts one.

use crate::buffer::Buffer;
use crate::clock::Pinned;
use crate::error::RunError;
use crate::library::{Argument, Role};
use crate::lock::TimingLock;
use crate::timed::TimedProgram;

/// Above this |t| the classes differ beyond doubt; between 4.5 and this a longer run decides (the thresholds of
/// `dudect`).
pub const DIFFERENT: f64 = 10.0;

/// How long to sample.
#[derive(Clone, Copy, Debug)]
pub struct LeakageOptions {
    /// Samples of both classes together.
    pub samples: usize,
    /// Nanoseconds that sampling may take about: slow functions get fewer samples.
    pub budget_ns: f64,
    /// Where the order of the classes starts.
    pub seed: u64,
}

impl Default for LeakageOptions {
    /// 400,000 samples, at most about two seconds.
    fn default() -> Self {
        LeakageOptions { samples: 400_000, budget_ns: 2e9, seed: 1 }
    }
}

/// Times of one class. All numbers are measured: ticks of the constant-rate counter, a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Samples.
    pub samples: usize,
    /// Their mean, after cropping where the greatest t is.
    pub mean: f64,
    /// Their standard deviation, likewise.
    pub deviation: f64,
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leakage {
    /// The t-value of greatest magnitude over all croppings; positive when fixed operands take longer.
    pub t: f64,
    /// The share of all samples that was kept where it is: 1 without cropping.
    pub kept: f64,
    /// Calls in a sample.
    pub calls: usize,
    /// The class of fixed operands.
    pub fixed: Class,
    /// The class of random operands.
    pub random: Class,
}

/// Welch's t: the difference of the means over its standard deviation, for samples of unequal variance. 0 when there
/// are fewer than two samples in a class, or the means are equal.
pub fn welch_t(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (class(a), class(b));
    let difference = a.mean - b.mean;
    if a.samples < 2 || b.samples < 2 || difference == 0.0 {
        return 0.0;
    }
    difference / (a.deviation.powi(2) / a.samples as f64 + b.deviation.powi(2) / b.samples as f64).sqrt()
}

/// Mean and (sample) standard deviation.
fn class(x: &[f64]) -> Class {
    let n = x.len() as f64;
    let mean = if x.is_empty() { 0.0 } else { x.iter().sum::<f64>() / n };
    let variance = if x.len() < 2 { 0.0 } else { x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) };
    Class { samples: x.len(), mean, deviation: variance.sqrt() }
}

/// Croppings beside the whole: more of them towards the whole, as `dudect` has them.
const CROPPINGS: i32 = 100;

/// The least samples of a class that a cropping is judged on.
const LEAST: usize = 500;

/// The comparison with the greatest |t|: of all samples, and of those below each of 100 thresholds, which are quantiles
/// of both classes together. `calls` is what a sample holds.
pub fn compare(fixed: &[f64], random: &[f64], calls: usize) -> Leakage {
    let judge =
        |kept: f64, a: &[f64], b: &[f64]| Leakage { t: welch_t(a, b), kept, calls, fixed: class(a), random: class(b) };
    let mut found = judge(1.0, fixed, random);
    let mut all: Vec<f64> = fixed.iter().chain(random).copied().collect();
    all.sort_by(f64::total_cmp);
    let mut before = f64::INFINITY;
    for i in (1..=CROPPINGS).rev() {
        // 1 − 2^(−10·i/100): from 7 % to 99.9 %.
        let share = 1.0 - 0.5f64.powf(10.0 * f64::from(i) / f64::from(CROPPINGS));
        let Some(&threshold) = all.get((share * all.len() as f64) as usize).filter(|t| **t < before) else { continue };
        before = threshold;
        let below = |x: &[f64]| x.iter().copied().filter(|v| *v <= threshold).collect::<Vec<f64>>();
        let (a, b) = (below(fixed), below(random));
        if a.len() < LEAST || b.len() < LEAST {
            continue;
        }
        let one = judge((a.len() + b.len()) as f64 / all.len() as f64, &a, &b);
        if one.t.abs() > found.t.abs() {
            found = one;
        }
    }
    found
}

/// The next 64 bits of a stream (splitmix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Times a function on `fixed` operands and on `random` ones (one buffer for each argument that is read), in a process
/// of its own, and compares.
///
/// Everything but the values is alike in both classes: operands are copied from one pool, in which each random set has
/// a copy of the fixed one as its neighbour, to the same places, and the order is settled before. Takes [`TimingLock`].
///
/// # Errors
/// Operands that do not fit the arguments; the lock; a function that does not return.
pub fn leakage(
    program: &TimedProgram,
    function: usize,
    fixed: &[Buffer],
    random: &[Vec<Buffer>],
    options: &LeakageOptions,
) -> Result<Leakage, RunError> {
    let (symbol, arguments) = (program.symbol(function), program.arguments(function));
    let read: Vec<usize> = (0..arguments.len()).filter(|i| arguments[*i].role != Role::Output).collect();
    if random.is_empty() {
        return Err(RunError::OperandCount { symbol: symbol.to_string(), expected: read.len(), given: 0 });
    }
    for set in random.iter().map(Vec::as_slice).chain([fixed]) {
        fits(symbol, arguments, &read, set)?;
    }
    // Sets 2i and 2i + 1: a random one and a copy of the fixed one, in either order. One fixed set for all would be in
    // the nearest cache more often than the others.
    let mut state = options.seed;
    let mut pool: Vec<(bool, &[Buffer])> = Vec::new();
    for set in random {
        let mut pair = [(true, fixed), (false, set.as_slice())];
        pair.rotate_left((next(&mut state) & 1) as usize);
        pool.extend(pair);
    }
    fn bytes(set: &[Buffer]) -> Vec<&[u8]> {
        set.iter().map(Buffer::bytes).collect()
    }
    let mut sets: Vec<Vec<&[u8]>> = pool.iter().map(|(_, set)| bytes(set)).collect();
    sets.push(bytes(fixed));
    let _lock = TimingLock::acquire()?;
    // The process stays on the core of the thread that starts it.
    let _pinned = Pinned::to_one_core();
    let mut sampler = program.start(function, &sets)?;
    // Some three hundred ticks a sample; arguments that are read and written must be fresh in each.
    let one = (sampler.one()? as f64).max(1.0);
    let calls = if arguments.iter().any(|a| a.role == Role::InOut) { 1 } else { ((300.0 / one) as usize).clamp(1, 16) };
    let sample_ns = (one * calls as f64 + 200.0) / crate::clock::tick_ghz();
    let count = options.samples.min((options.budget_ns / sample_ns) as usize).max(4 * LEAST);
    let order: Vec<u64> = (0..count).map(|_| next(&mut state) % pool.len() as u64).collect();
    let times: Vec<f64> =
        sampler.samples(calls, &order)?.into_iter().map(|ticks| ticks as f64 / calls as f64).collect();
    // The first ones are of a clock and of predictors that have not settled.
    let warm = count / 50;
    let of = |wanted: bool| {
        order
            .iter()
            .zip(&times)
            .skip(warm)
            .filter(|(at, _)| pool[**at as usize].0 == wanted)
            .map(|(_, t)| *t)
            .collect::<Vec<f64>>()
    };
    Ok(compare(&of(true), &of(false), calls))
}

/// Are these the operands that a function reads, of their sizes?
pub(crate) fn fits(symbol: &str, arguments: &[Argument], read: &[usize], set: &[Buffer]) -> Result<(), RunError> {
    if set.len() != read.len() {
        return Err(RunError::OperandCount { symbol: symbol.to_string(), expected: read.len(), given: set.len() });
    }
    match read.iter().zip(set).find(|(i, b)| b.len() != arguments[**i].bytes) {
        None => Ok(()),
        Some((&argument, b)) => {
            let expected = arguments[argument].bytes;
            Err(RunError::BufferLength { symbol: symbol.to_string(), argument, expected, given: b.len() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Argument;

    /// Times like those of a processor: a few values close together, and now and then an interruption.
    fn times(state: &mut u64, count: usize, mean: f64) -> Vec<f64> {
        let one = |state: &mut u64| {
            let sum: u64 = (0..4).map(|_| next(state) % 9).sum();
            mean + sum as f64 + if next(state).is_multiple_of(200) { (next(state) % 20_000) as f64 } else { 0.0 }
        };
        (0..count).map(|_| one(state)).collect()
    }

    #[test]
    fn welch_by_hand() {
        // Means 2 and 5, variances 1 and 4, three samples each: −3 / √(1/3 + 4/3).
        assert!((welch_t(&[1.0, 2.0, 3.0], &[3.0, 5.0, 7.0]) + 3.0 / (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(welch_t(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), 0.0);
        assert_eq!((welch_t(&[], &[]), welch_t(&[1.0], &[2.0, 3.0])), (0.0, 0.0));
    }

    #[test]
    fn equal_times_give_a_small_t() {
        for seed in 0..8 {
            let state = &mut seed.clone();
            let (a, b) = (times(state, 20_000, 100.0), times(state, 20_000, 100.0));
            let found = compare(&a, &b, 1);
            assert!(found.t.abs() < 4.5, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn different_times_give_a_large_t() {
        let state = &mut 7;
        // The sign says who is slower.
        for more in [0.7, 3.0] {
            let (a, b) = (times(state, 20_000, 100.0 + more), times(state, 20_000, 100.0));
            let slow = compare(&a, &b, 1);
            assert!(slow.t > DIFFERENT && compare(&b, &a, 1).t < -DIFFERENT, "{more}: {slow:?}");
            assert!((slow.fixed.mean - slow.random.mean - more).abs() < 0.5, "{slow:?}");
        }
    }

    /// Interruptions hide a difference from the whole; cropped, it is seen.
    #[test]
    fn cropping_takes_interruptions_away() {
        let state = &mut 3;
        let (a, b) = (times(state, 20_000, 101.0), times(state, 20_000, 100.0));
        let found = compare(&a, &b, 1);
        assert!(
            welch_t(&a, &b).abs() < DIFFERENT && found.t > 2.0 * DIFFERENT && found.kept < 1.0,
            "{} {found:?}",
            welch_t(&a, &b)
        );
    }

    /// The functions of a C text, to be timed.
    fn program(source: &str, functions: &[(&str, &[Argument])]) -> Option<TimedProgram> {
        let Some(compiler) = crate::Compiler::all().into_iter().next() else {
            evariste_testing::lacks_tool("timing compiled functions", "a C compiler");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("f.c");
        std::fs::write(&file, source).expect("written");
        let functions = functions.iter().map(|(symbol, arguments)| (symbol.to_string(), arguments.to_vec())).collect();
        Some(TimedProgram::build(&compiler, &["-std=c99", "-O1"], vec![file.into()], functions).expect("a program"))
    }

    /// All operands arrive, classes are about equally frequent, and wrong operands are refused. (What the times say is
    /// asserted nowhere.)
    #[test]
    fn a_function_is_sampled() {
        let one = [Argument::output(8), Argument::input(8)];
        let Some(program) =
            program("#include <stdint.h>\nvoid f(uint64_t *o, const uint64_t *a) { o[0] = 3 * a[0]; }", &[("f", &one)])
        else {
            return;
        };
        let random: Vec<Vec<Buffer>> = (1..9).map(|i| vec![Buffer::from_u64(&[i])]).collect();
        let options = LeakageOptions { samples: 5000, ..LeakageOptions::default() };
        let found = leakage(&program, 0, &[Buffer::from_u64(&[0])], &random, &options).unwrap();
        assert!(
            found.t.is_finite()
                && found.fixed.samples >= LEAST
                && found.random.samples >= LEAST
                && (1..=16).contains(&found.calls),
            "{found:?}"
        );
        let refused = |fixed: &[Buffer], random: &[Vec<Buffer>]| {
            leakage(&program, 0, fixed, random, &options).unwrap_err().to_string()
        };
        assert_eq!(refused(&[], &random), "`f` reads 1 operands, 0 were given to time it on");
        assert_eq!(refused(&[Buffer::from_u64(&[0])], &[]), "`f` reads 1 operands, 0 were given to time it on");
        assert_eq!(refused(&[Buffer::zeroed(16)], &random), "`f`: argument 1 needs a buffer of 8 bytes, 16 were given");
    }

    /// Functions see the operands of their set, in the order of the arguments; one that takes far longer on some is
    /// seen; and one that ends its process, or crashes it, ends no other.
    #[test]
    fn functions_run_in_a_process_of_their_own() {
        let source = "#include <stdint.h>\n#include <stdlib.h>\n\
            static volatile uint64_t sink;\n\
            void slow(uint64_t *o, const uint64_t *a, const uint64_t *b) {\n\
              if (a[0] + 1 != b[1]) abort();\n\
              for (uint64_t i = 0; i < 100 * a[0]; i++) sink = i;\n  o[0] = a[0];\n}\n\
            void leave(uint64_t *o) { o[0] = 0; exit(0); }\n\
            void crash(uint64_t *o, const uint64_t *a) { *(volatile uint64_t *)a[0] = 1; o[0] = 0; }\n";
        let slow = [Argument::output(8), Argument::input(8), Argument::input(16)];
        let (leave, crash) = ([Argument::output(8)], [Argument::output(8), Argument::input(8)]);
        let Some(program) = program(source, &[("slow", &slow), ("leave", &leave), ("crash", &crash)]) else { return };
        let operands = |a: u64| vec![Buffer::from_u64(&[a]), Buffer::from_u64(&[0, a + 1])];
        let options = LeakageOptions { samples: 4000, ..LeakageOptions::default() };
        let found = leakage(&program, 0, &operands(0), &[operands(8), operands(9)], &options).expect("times");
        assert!(found.t < -DIFFERENT, "{found:?}");
        for (function, symbol, random) in [(1, "leave", vec![]), (2, "crash", vec![Buffer::zeroed(8)])] {
            let error = leakage(&program, function, &random, std::slice::from_ref(&random), &options).unwrap_err();
            assert!(error.to_string().starts_with(&format!("`{symbol}` cannot be timed: its process ended early (")));
        }
    }
}

//! The paired timing harness.
//!
//! Several functions are measured side by side: round after round, each in turn, so that a slow minute of the machine
//! falls on all of them. In its turn a function first runs alone until the core's clock has settled, then
//!
//! * alternates with a chain of dependent additions, about 7 µs of kernel to 1 µs of chain: the chain gives the clock
//!   *while* the kernel runs, and so its core cycles. (A clock that is read after the kernel has already recovered, and
//!   is wrong.)
//! * runs alone, without the chain: this gives nanoseconds.
//!
//! Decide between functions by nanoseconds, explain them by cycles. Medians are reported, with the 2 % quantile beside
//! them. Calls go through a pointer and operands lie in the first-level cache: call and memory round trip are in the
//! numbers, as they are in the user's program. Where the arrays lie is the same for all functions with the same
//! arguments (see `rows`).

use crate::buffer::Buffer;
use crate::clock::{Pinned, tick_ghz, tick_overhead};
use crate::error::RunError;
use crate::library::{NativeFunction, Role};
use crate::lock::TimingLock;
use crate::processor::{CHAIN_CYCLES, dependent_additions, ticks};
use crate::rows::Rows;
use crate::stop::Stop;
use crate::trial::Goal;

/// A function to be timed and the values it is timed on.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The function.
    pub function: NativeFunction,
    /// One or more sets of operands: what the arguments that are read (inputs and in-outs) hold, in the order of the
    /// arguments.
    pub operands: Vec<Vec<Buffer>>,
    /// Which argument that is read, counted from 0 among them, takes the first output when latency is measured. Without
    /// effect for functions with in-out arguments, whose calls wait for each other by themselves.
    pub chain: usize,
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct TimingOptions {
    /// Turns that each function gets.
    pub rounds: usize,
    /// Samples of each kind (beside the chain, alone) in a turn.
    pub samples_per_round: usize,
    /// Nanoseconds of kernel in a sample; a single call that takes longer is a sample by itself.
    pub sample_ns: f64,
    /// Nanoseconds that a function runs before its samples are taken.
    pub warm_ns: f64,
    /// Nanoseconds that one function may take altogether; samples become fewer for slow ones.
    pub budget_ns: f64,
    /// Whether latency is measured beside throughput.
    pub latency: bool,
}

impl Default for TimingOptions {
    /// 1000 samples: 20 rounds of 50 samples of 7 µs after 200 µs of warming, about 40 ms a function, at most 400 ms.
    fn default() -> Self {
        TimingOptions {
            rounds: 20,
            samples_per_round: 50,
            sample_ns: 7_000.0,
            warm_ns: 200_000.0,
            budget_ns: 4e8,
            latency: true,
        }
    }
}

/// What a measurement of its own adds to differences, in percent: places of code and data, which no repetition sees.
const RESOLUTION_PERCENT: f64 = 1.0;

/// Are two times, each with the spread of its rounds in percent, too near to tell which is less?
pub fn indistinguishable(first_ns: f64, first_spread: f64, second_ns: f64, second_spread: f64) -> bool {
    let (less, more) = if first_ns < second_ns { (first_ns, second_ns) } else { (second_ns, first_ns) };
    more <= less * (1.0 + (first_spread + second_spread).max(RESOLUTION_PERCENT) / 100.0)
}

/// One measured quantity of one operation. All numbers are measured, none simulated.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Median of the core cycles of an operation.
    pub cycles: f64,
    /// Its 2 % quantile.
    pub cycles_quantile2: f64,
    /// Median of the nanoseconds of an operation, running alone.
    pub ns: f64,
    /// Its 2 % quantile.
    pub ns_quantile2: f64,
    /// Median of the core's clock in GHz, measured beside the kernel.
    pub clock_ghz: f64,
    /// `cycles / ns / clock_ghz`: 1 when the clock of the kernel alone is that of the kernel beside the chain; far from
    /// 1 when the kernel changes the clock.
    pub clock_ratio: f64,
    /// Samples of each kind.
    pub samples: usize,
    /// Median nanoseconds of each round, to compare with the same round of another function.
    pub rounds_ns: Vec<f64>,
}

/// What a function takes.
#[derive(Clone, Debug)]
pub struct Timing {
    /// From operand to result when each operation needs the one before; `None` when not asked for, or when the function
    /// reads nothing.
    pub latency: Option<Figure>,
    /// For each of many independent operations.
    pub throughput: Figure,
}

/// Measures these functions side by side, on one core, alone on the machine among programs that take [`TimingLock`].
///
/// The result has one entry for each workload, in order.
///
/// # Errors
/// [`RunError::OperandCount`] and [`RunError::BufferLength`] where operands do not fit the arguments; as
/// [`TimingLock::acquire`].
pub fn time_paired(workloads: &[Workload], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    time_paired_until(workloads, options, &Stop::default())
}

/// As [`time_paired`], until somebody asks to stop: then every function has had the same rounds, fewer than the options
/// ask for.
///
/// # Errors
/// As [`time_paired`]; [`RunError::Stopped`] where not one round was whole.
pub fn time_paired_until(
    workloads: &[Workload],
    options: &TimingOptions,
    stop: &Stop,
) -> Result<Vec<Timing>, RunError> {
    let _lock = TimingLock::acquire_until(stop)?;
    let _pinned = Pinned::to_one_core();
    let scale = Scale { ghz: tick_ghz(), overhead: tick_overhead() as f64 };
    let mut runs = Vec::new();
    for (owner, workload) in workloads.iter().enumerate() {
        let reads = workload.function.arguments().iter().any(|argument| argument.role != Role::Output);
        for goal in [Goal::Latency, Goal::Throughput] {
            if goal == Goal::Throughput || (options.latency && reads) {
                runs.push(Run::new(workload, owner, goal)?);
            }
        }
    }
    for run in &mut runs {
        run.settle(options, scale)?;
    }
    for round in 0..options.rounds.max(1) {
        if round > 0 && stop.is_asked() {
            break;
        }
        // Every other round goes backwards: a steady drift then cancels.
        let mut order: Vec<&mut Run> = runs.iter_mut().collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for run in order {
            if round == 0 && stop.is_asked() {
                return Err(RunError::Stopped);
            }
            run.turn(options, scale)?;
        }
    }
    let mut timings = Vec::new();
    for owner in 0..workloads.len() {
        let figure = |goal| runs.iter().find(|run| (run.owner, run.goal) == (owner, goal)).map(Run::figure);
        timings
            .extend(figure(Goal::Throughput).map(|throughput| Timing { latency: figure(Goal::Latency), throughput }));
    }
    Ok(timings)
}

/// How much slower the first is than the second: the median over the rounds of their ratio in nanoseconds, which is
/// steadier than the ratio of medians. Both must come from one call of [`time_paired`]; `NAN` when there are no rounds.
pub fn paired_ratio(first: &Figure, second: &Figure) -> f64 {
    let mut ratios: Vec<f64> = first.rounds_ns.iter().zip(&second.rounds_ns).map(|(a, b)| a / b).collect();
    quantile(&mut ratios, 0.5)
}

/// Ticks a nanosecond, and the ticks that a measurement adds by itself.
#[derive(Clone, Copy)]
struct Scale {
    ghz: f64,
    overhead: f64,
}

/// One function measured one way: its arrays and its samples so far.
struct Run<'a> {
    function: &'a NativeFunction,
    /// Index of its workload.
    owner: usize,
    goal: Goal,
    arrays: Rows,
    /// Rows in use, even.
    rows: usize,
    passes: usize,
    samples_per_round: usize,
    warm_samples: usize,
    cycles: Vec<f64>,
    clocks: Vec<f64>,
    ns: Vec<f64>,
    rounds_ns: Vec<f64>,
}

impl Figure {
    /// The spread of the rounds: half of what their middle half spans, in percent of the median.
    pub fn spread_percent(&self) -> f64 {
        let of = |share| quantile(&mut self.rounds_ns.clone(), share);
        50.0 * (of(0.75) - of(0.25)) / of(0.5)
    }
}

impl<'a> Run<'a> {
    fn new(workload: &'a Workload, owner: usize, goal: Goal) -> Result<Self, RunError> {
        let function = &workload.function;
        let arrays = Rows::new(function.symbol(), function.arguments(), &workload.operands, workload.chain, goal)?;
        Ok(Run {
            function,
            owner,
            goal,
            rows: arrays.len(),
            arrays,
            passes: 1,
            samples_per_round: 1,
            warm_samples: 1,
            cycles: Vec::new(),
            clocks: Vec::new(),
            ns: Vec::new(),
            rounds_ns: Vec::new(),
        })
    }

    /// Ticks of one sample.
    fn sample(&self) -> Result<f64, RunError> {
        self.arrays.sample(self.function, self.rows, self.passes)
    }

    /// Finds how many calls make a sample, and how many samples fit the budget.
    fn settle(&mut self, options: &TimingOptions, scale: Scale) -> Result<(), RunError> {
        self.rows = 2;
        let mut call_ns = f64::INFINITY;
        for _ in 0..3 {
            call_ns = call_ns.min((self.sample()? - scale.overhead).max(1.0) / 2.0 / scale.ghz);
        }
        // A call too short for the counter: more of them.
        self.rows = ((options.sample_ns / call_ns) as usize / 2 * 2).clamp(2, self.arrays.len());
        self.passes = ((1_000.0 / call_ns / self.rows as f64) as usize).max(1);
        for _ in 0..3 {
            call_ns =
                call_ns.min((self.sample()? - scale.overhead).max(1.0) / (self.rows * self.passes) as f64 / scale.ghz);
        }
        self.passes = ((options.sample_ns / call_ns / self.rows as f64).round() as usize).clamp(1, 1 << 20);
        let sample_ns = call_ns * (self.rows * self.passes) as f64;
        self.warm_samples = ((options.warm_ns / sample_ns).ceil() as usize).clamp(1, 1000);
        // A turn takes samples beside the chain and alone; a function may have two runs.
        let affordable = options.budget_ns / options.rounds.max(1) as f64 / 4.0 / (sample_ns + 1_000.0);
        self.samples_per_round = options.samples_per_round.min(affordable as usize).max(2);
        Ok(())
    }

    /// One turn: warm, then beside the chain, then alone.
    fn turn(&mut self, options: &TimingOptions, scale: Scale) -> Result<(), RunError> {
        let calls = (self.rows * self.passes) as f64;
        for _ in 0..self.warm_samples {
            self.sample()?;
        }
        for _ in 0..self.samples_per_round {
            let kernel = (self.sample()? - scale.overhead).max(1.0);
            let start = ticks();
            std::hint::black_box(dependent_additions(std::hint::black_box(3)));
            let chain = (ticks().wrapping_sub(start) as f64 - scale.overhead).max(1.0);
            self.cycles.push(kernel / calls * CHAIN_CYCLES / chain);
            self.clocks.push(CHAIN_CYCLES / chain * scale.ghz);
        }
        // The chain let the clock recover: settle once more, for as long as a change of clock takes.
        for _ in 0..self.warm_samples.min((50_000.0 / options.sample_ns.max(1.0)).ceil() as usize) {
            self.sample()?;
        }
        let first = self.ns.len();
        for _ in 0..self.samples_per_round {
            self.ns.push((self.sample()? - scale.overhead).max(1.0) / calls / scale.ghz);
        }
        self.rounds_ns.push(quantile(&mut self.ns[first..].to_vec(), 0.5));
        Ok(())
    }

    fn figure(&self) -> Figure {
        let of = |values: &Vec<f64>, share| quantile(&mut values.clone(), share);
        let (cycles, ns, clock_ghz) = (of(&self.cycles, 0.5), of(&self.ns, 0.5), of(&self.clocks, 0.5));
        Figure {
            cycles,
            cycles_quantile2: of(&self.cycles, 0.02),
            ns,
            ns_quantile2: of(&self.ns, 0.02),
            clock_ghz,
            clock_ratio: cycles / ns / clock_ghz,
            samples: self.ns.len(),
            rounds_ns: self.rounds_ns.clone(),
        }
    }
}

/// The value below which this share of the values lies (`NAN` when there are none). Sorts them.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len() as f64 - 1.0).max(0.0) * share) as usize).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.5), 50.0);
        assert_eq!(quantile(&mut values, 0.02), 2.0);
        assert_eq!(quantile(&mut [7.0], 0.02), 7.0);
        assert!(quantile(&mut [], 0.5).is_nan());
    }

    fn figure(rounds_ns: Vec<f64>) -> Figure {
        Figure {
            cycles: 1.0,
            cycles_quantile2: 1.0,
            ns: 1.0,
            ns_quantile2: 1.0,
            clock_ghz: 1.0,
            clock_ratio: 1.0,
            samples: rounds_ns.len(),
            rounds_ns,
        }
    }

    #[test]
    fn the_spread_is_that_of_the_middle_half() {
        // One slow round among nine is no spread; a range from 9 to 11 in the middle half is one of 10 %.
        assert_eq!(figure([vec![10.0; 8], vec![90.0]].concat()).spread_percent(), 0.0);
        assert_eq!(figure(vec![8.0, 9.0, 10.0, 11.0, 50.0]).spread_percent(), 10.0);
        assert_eq!(figure(vec![3.0]).spread_percent(), 0.0);
    }

    #[test]
    fn what_lies_within_the_spread_is_not_told_apart() {
        assert!(indistinguishable(100.0, 0.0, 100.9, 0.0) && indistinguishable(100.9, 0.0, 100.0, 0.0));
        assert!(!indistinguishable(100.0, 0.1, 101.1, 0.1));
        assert!(indistinguishable(100.0, 2.0, 104.0, 3.0) && !indistinguishable(100.0, 2.0, 106.0, 3.0));
    }

    #[test]
    fn the_paired_ratio_is_that_of_rounds() {
        // The machine doubled its time in the second round; the ratio does not see it.
        assert_eq!(paired_ratio(&figure(vec![3.0, 6.0, 3.0]), &figure(vec![2.0, 4.0, 2.0])), 1.5);
    }
}

//! The paired timing harness.
//!
//! Several functions are measured side by side: round after round, each in turn, so that a slow minute of the machine falls on all of
//! them. In its turn a function first runs alone until the core's clock has settled, then
//!
//! * alternates with a chain of dependent additions, about 7 µs of kernel to 1 µs of chain: the chain gives the clock *while* the
//!   kernel runs, and so its core cycles. (A clock that is read after the kernel has already recovered, and is wrong.)
//! * runs alone, without the chain: this gives nanoseconds.
//!
//! Decide between functions by nanoseconds, explain them by cycles. Medians are reported, with the 2 % quantile beside them.
//! Calls go through a pointer and operands lie in the first-level cache: call and memory round trip are in the numbers, as they are in
//! the user's program.

use crate::buffer::Buffer;
use crate::clock::{CHAIN_CYCLES, Pinned, dependent_additions, tick_ghz, tick_overhead, ticks};
use crate::error::RunError;
use crate::library::{NativeFunction, Role};
use crate::lock::TimingLock;

/// A function to be timed and the values it is timed on.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The function.
    pub function: NativeFunction,
    /// One or more sets of operands: what the arguments that are read (inputs and in-outs) hold, in the order of the arguments.
    pub operands: Vec<Vec<Buffer>>,
    /// Which argument that is read, counted from 0 among them, takes the first output when latency is measured. Without effect for
    /// functions with in-out arguments, whose calls wait for each other by themselves.
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
        TimingOptions { rounds: 20, samples_per_round: 50, sample_ns: 7_000.0, warm_ns: 200_000.0, budget_ns: 4e8, latency: true }
    }
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
    /// `cycles / ns / clock_ghz`: 1 when the clock of the kernel alone is that of the kernel beside the chain; far from 1 when the
    /// kernel changes the clock.
    pub clock_ratio: f64,
    /// Samples of each kind.
    pub samples: usize,
    /// Median nanoseconds of each round, to compare with the same round of another function.
    pub rounds_ns: Vec<f64>,
}

/// What a function takes.
#[derive(Clone, Debug)]
pub struct Timing {
    /// From operand to result when each operation needs the one before; `None` when not asked for, or when the function reads nothing.
    pub latency: Option<Figure>,
    /// For each of many independent operations.
    pub throughput: Figure,
}

/// Rows of arguments that a pass walks over: as many independent operations are in flight.
const ROWS: usize = 8;

/// Bytes of operands that a throughput run may walk over, within a first-level cache of 32 KiB.
const RING_BYTES: usize = 24 << 10;

/// Measures these functions side by side, on one core, alone on the machine among programs that take [`TimingLock`].
///
/// The result has one entry for each workload, in order. Fails when operands do not fit the arguments.
pub fn time_paired(workloads: &[Workload], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    let _lock = TimingLock::acquire()?;
    let _pinned = Pinned::to_one_core();
    let scale = Scale { ghz: tick_ghz(), overhead: tick_overhead() as f64 };
    let mut runs = Vec::new();
    for (owner, workload) in workloads.iter().enumerate() {
        let reads = workload.function.arguments().iter().any(|argument| argument.role != Role::Output);
        for latency in [true, false] {
            if !latency || (options.latency && reads) {
                runs.push(Run::new(workload, owner, latency)?);
            }
        }
    }
    for run in &mut runs {
        run.settle(options, scale);
    }
    for round in 0..options.rounds.max(1) {
        // Every other round goes backwards: a steady drift then cancels.
        let mut order: Vec<&mut Run> = runs.iter_mut().collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for run in order {
            run.turn(options, scale);
        }
    }
    let mut timings = Vec::new();
    for owner in 0..workloads.len() {
        let figure = |latency| runs.iter().find(|run| (run.owner, run.latency) == (owner, latency)).map(Run::figure);
        timings.extend(figure(false).map(|throughput| Timing { latency: figure(true), throughput }));
    }
    Ok(timings)
}

/// How much slower the first is than the second: the median over the rounds of their ratio in nanoseconds, which is steadier than the
/// ratio of medians. Both must come from one call of [`time_paired`]; `NAN` when there are no rounds.
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

/// One function measured one way: its buffers, its table of arguments and its samples so far.
struct Run<'a> {
    function: &'a NativeFunction,
    /// Index of its workload.
    owner: usize,
    latency: bool,
    /// What the pointers of `table` point to.
    _buffers: Vec<Buffer>,
    /// `ROWS` rows of arguments.
    table: Vec<*mut u8>,
    /// Rows of the table in use, even.
    rows: usize,
    passes: usize,
    samples_per_round: usize,
    warm_samples: usize,
    cycles: Vec<f64>,
    clocks: Vec<f64>,
    ns: Vec<f64>,
    rounds_ns: Vec<f64>,
}

impl<'a> Run<'a> {
    fn new(workload: &'a Workload, owner: usize, latency: bool) -> Result<Self, RunError> {
        let mut buffers = Vec::new();
        let table = argument_table(workload, latency, &mut buffers)?;
        Ok(Run {
            function: &workload.function,
            owner,
            latency,
            _buffers: buffers,
            table,
            rows: ROWS,
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
    fn sample(&self) -> f64 {
        let table = &self.table[..self.rows * self.function.arguments().len()];
        let start = ticks();
        // SAFETY: the table has whole rows of the function's arity; each pointer is to a buffer of `self` that is at least as long as
        // the argument is declared, and nothing else uses these buffers during the call.
        unsafe { (self.function.call_loop)(self.function.function, table, self.passes) };
        ticks().wrapping_sub(start) as f64
    }

    /// Finds how many calls make a sample, and how many samples fit the budget.
    fn settle(&mut self, options: &TimingOptions, scale: Scale) {
        self.rows = 2;
        let mut call_ns = f64::INFINITY;
        for _ in 0..3 {
            call_ns = call_ns.min((self.sample() - scale.overhead).max(1.0) / 2.0 / scale.ghz);
        }
        // A call too short for the counter: more of them.
        self.rows = ((options.sample_ns / call_ns) as usize / 2 * 2).clamp(2, ROWS);
        self.passes = ((1_000.0 / call_ns / self.rows as f64) as usize).max(1);
        for _ in 0..3 {
            call_ns = call_ns.min((self.sample() - scale.overhead).max(1.0) / (self.rows * self.passes) as f64 / scale.ghz);
        }
        self.passes = ((options.sample_ns / call_ns / self.rows as f64).round() as usize).clamp(1, 1 << 20);
        let sample_ns = call_ns * (self.rows * self.passes) as f64;
        self.warm_samples = ((options.warm_ns / sample_ns).ceil() as usize).clamp(1, 1000);
        // A turn takes samples beside the chain and alone; a function may have two runs.
        let affordable = options.budget_ns / options.rounds.max(1) as f64 / 4.0 / (sample_ns + 1_000.0);
        self.samples_per_round = options.samples_per_round.min(affordable as usize).max(2);
    }

    /// One turn: warm, then beside the chain, then alone.
    fn turn(&mut self, options: &TimingOptions, scale: Scale) {
        let calls = (self.rows * self.passes) as f64;
        for _ in 0..self.warm_samples {
            self.sample();
        }
        for _ in 0..self.samples_per_round {
            let kernel = (self.sample() - scale.overhead).max(1.0);
            let start = ticks();
            std::hint::black_box(dependent_additions(std::hint::black_box(3)));
            let chain = (ticks().wrapping_sub(start) as f64 - scale.overhead).max(1.0);
            self.cycles.push(kernel / calls * CHAIN_CYCLES / chain);
            self.clocks.push(CHAIN_CYCLES / chain * scale.ghz);
        }
        // The chain let the clock recover: settle once more, for as long as a change of clock takes.
        for _ in 0..self.warm_samples.min((50_000.0 / options.sample_ns.max(1.0)).ceil() as usize) {
            self.sample();
        }
        let first = self.ns.len();
        for _ in 0..self.samples_per_round {
            self.ns.push((self.sample() - scale.overhead).max(1.0) / calls / scale.ghz);
        }
        self.rounds_ns.push(quantile(&mut self.ns[first..].to_vec(), 0.5));
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

/// Makes the buffers of a run and `ROWS` rows of pointers to them.
///
/// Throughput: each row has buffers of its own, as long as they fit the cache; operands are the workload's sets in turn. Latency: all
/// rows share the operands, and the first output of a row is the chained operand of the next: two buffers that change places, so that
/// no call has its output over its input.
fn argument_table(workload: &Workload, latency: bool, buffers: &mut Vec<Buffer>) -> Result<Vec<*mut u8>, RunError> {
    let arguments = workload.function.arguments();
    let read: Vec<usize> = (0..arguments.len()).filter(|&index| arguments[index].role != Role::Output).collect();
    let wrong_operands =
        |given| RunError::OperandCount { symbol: workload.function.symbol().to_string(), expected: read.len(), given };
    if workload.operands.is_empty() {
        return Err(wrong_operands(0));
    }
    for set in &workload.operands {
        if set.len() != read.len() {
            return Err(wrong_operands(set.len()));
        }
        for (&index, operand) in read.iter().zip(set) {
            if operand.len() != arguments[index].bytes {
                return Err(workload.function.wrong_length(index, operand.len()));
            }
        }
    }
    let chained = read.get(workload.chain).copied().filter(|_| latency && arguments.iter().all(|argument| argument.role != Role::InOut));
    let first_output = arguments.iter().position(|argument| argument.role == Role::Output);
    let row_bytes: usize = arguments.iter().map(|argument| argument.bytes.next_multiple_of(64)).sum();
    let groups = if latency { 1 } else { (RING_BYTES / row_bytes.max(1)).clamp(2, ROWS) };
    // The buffers of each group of operands, indexed as the arguments are.
    for group in 0..groups {
        let set = &workload.operands[group % workload.operands.len()];
        for (index, argument) in arguments.iter().enumerate() {
            let partner = [chained, first_output].iter().flatten().map(|&other| arguments[other].bytes).max().unwrap_or(0);
            let in_chain = chained.is_some() && (Some(index) == chained || Some(index) == first_output);
            let mut buffer = Buffer::zeroed(if in_chain { partner.max(argument.bytes) } else { argument.bytes });
            // Both buffers of a chain start as the operand: what the output does not cover stays a value in range.
            let content = if in_chain { chained } else { Some(index) };
            if let Some(place) = read.iter().position(|&other| Some(other) == content) {
                buffer.bytes_mut()[..set[place].len()].copy_from_slice(set[place].bytes());
            }
            buffers.push(buffer);
        }
    }
    let pointers: Vec<*mut u8> = buffers.iter_mut().map(Buffer::pointer).collect();
    let mut table = Vec::with_capacity(ROWS * arguments.len());
    for row in 0..ROWS {
        let mut line = pointers[row % groups * arguments.len()..][..arguments.len()].to_vec();
        if let (Some(input), Some(output), 1) = (chained, first_output, row % 2) {
            line.swap(input, output);
        }
        table.extend(line);
    }
    Ok(table)
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

    #[test]
    fn the_paired_ratio_is_that_of_rounds() {
        let figure = |rounds_ns: Vec<f64>| Figure {
            cycles: 1.0,
            cycles_quantile2: 1.0,
            ns: 1.0,
            ns_quantile2: 1.0,
            clock_ghz: 1.0,
            clock_ratio: 1.0,
            samples: rounds_ns.len(),
            rounds_ns,
        };
        // The machine doubled its time in the second round; the ratio does not see it.
        assert_eq!(paired_ratio(&figure(vec![3.0, 6.0, 3.0]), &figure(vec![2.0, 4.0, 2.0])), 1.5);
    }
}

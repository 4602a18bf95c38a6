//! A timed local search for the schedule of one kernel: small random moves, each candidate emitted, run and timed in
//! this process against the best so far.
//!
//! Correctness never depends on it: the allocator refuses what gives no code, each candidate is accepted by the checker
//! before it becomes executable, and must give the interpreter's answers before it is timed; what is kept is a
//! schedule as plain data, from which the program is made and checked anew. What it finds depends on the machine and its mood; by how
//! much a schedule must win to be believed is [`rule`].

pub mod rule;

use std::time::{Duration, Instant};

use evariste_backend::{Backend, Choice, Made, Ordered, Orders, Refusal};
use evariste_codegen::schedule::{Moves, Random, Schedule};
use evariste_ir::Kernel;
use evariste_proof::Proved;
use evariste_run::{Buffer, Goal, NativeFunction, Pinned, TimingLock, Trial};

use self::rule::{CONFIRMATION, Pairs, Verdict, confirmed, low_mean, promising};
use crate::buffers::buffers;
use crate::error::TuneError;
use crate::evaluate::interpret;
use crate::measure::workload;
use crate::operands::{arrays, operand_values};

/// Nanoseconds of a sample.
const SAMPLE_NS: f64 = 1_000.0;
/// Starts, each with its own random numbers.
const SEEDS: usize = 3;
/// Share of the time that each start gets; the best of them has the rest.
const SEED_SHARE: f64 = 0.2;
/// How long to wait for a noisy neighbour, and how often before the noise is the new level: pairs tell as much there, and
/// where neighbours come and go all the time a search would only wait.
const WAIT: Duration = Duration::from_millis(3);
const MOST_WAITS: usize = 8;
/// How long the right to time is kept before others get a turn.
const TURN: Duration = Duration::from_secs(1);

/// What a search did and found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The schedule that was confirmed to be faster than the heuristic's; `None` when none was.
    pub schedule: Option<Schedule>,
    /// Its time as a share of the heuristic's, when it was confirmed.
    pub ratio: f64,
    /// Candidates that were emitted, run and timed.
    pub measured: u64,
    /// Candidates that the allocator refused.
    pub infeasible: u64,
    /// Candidates that took the place of the best.
    pub taken: u64,
    /// Candidates that the checker refused, or with a wrong answer: none, unless the allocator is wrong.
    pub wrong: u64,
    /// Seconds spent in waiting for a quiet moment.
    pub waited: f64,
    /// Seconds in all.
    pub seconds: f64,
}

/// Known answers of a kernel.
struct Vector {
    buffers: Vec<Buffer>,
    answers: Vec<(usize, Buffer)>,
}

/// A schedule with its code.
#[derive(Clone)]
struct Point {
    schedule: Schedule,
    function: NativeFunction,
    instructions: usize,
    /// Ticks of a sample, by [`low_mean`], when it was last measured at length.
    level: f64,
}

struct Search<'a> {
    orders: &'a mut dyn Orders,
    moves: Moves,
    /// Whether candidates that lose a flag are refused: yes, unless no start is without.
    strict: bool,
    vectors: Vec<Vector>,
    trial: Trial,
    found: Found,
    lock: Option<(TimingLock, Instant)>,
}

/// Searches that long for a schedule of the kernel that is faster for the goal than the heuristic's. `known` are
/// schedules that were found before: those that fit are starts too. `progress` is called with the time of the best so far
/// as a share of the heuristic's; the search ends early when it answers no.
///
/// # Errors
/// A kernel without machine code here; a machine on which nothing can be timed.
pub fn search(
    proved: &Proved,
    backend: &dyn Backend,
    goal: Goal,
    time: Duration,
    seed: u64,
    known: &[Schedule],
    progress: &dyn Fn(f64) -> bool,
) -> Result<Found, TuneError> {
    let begin = Instant::now();
    let baseline = backend.make(proved, &Choice::default())?.function;
    let mut found = Err(TuneError::from(Refusal::Code("nothing was searched".into())));
    backend.with_orders(proved, &mut |orders| {
        found = sought(proved, &baseline, goal, orders, &|search: &mut Search| {
            search.improve(&baseline, begin, time, seed, known, progress)
        });
    })?;
    found
}

/// What becomes of a search of these orders.
fn sought(
    proved: &Proved,
    baseline: &NativeFunction,
    goal: Goal,
    orders: &mut dyn Orders,
    run: &dyn Fn(&mut Search) -> Result<(), TuneError>,
) -> Result<Found, TuneError> {
    let made = Made::scalar(proved.kernel(), baseline.clone());
    let _pinned = Pinned::to_one_core();
    let mut search = Search {
        moves: Moves::new(orders.graph()),
        orders,
        strict: true,
        vectors: vectors(proved.kernel(), baseline)?,
        trial: Trial::new(baseline.arguments(), &workload(proved, &made).operands, goal)?,
        found: Found::default(),
        lock: None,
    };
    run(&mut search)?;
    Ok(search.found)
}

/// Two calls with the interpreter's answers: the operands at their bounds, and random ones.
fn vectors(kernel: &Kernel, baseline: &NativeFunction) -> Result<Vec<Vector>, TuneError> {
    // The 22nd set has the bounds of the first two operands; the second half is random.
    let sets = operand_values(kernel, 44, 7);
    let mut vectors = Vec::new();
    for values in [&sets[21], &sets[43]] {
        let Some(inputs) = arrays(kernel, &kernel.contract.inputs, values) else { continue };
        let given = buffers(kernel, baseline.arguments(), &inputs);
        let outputs = buffers(kernel, baseline.arguments(), &interpret(kernel, &inputs)?);
        let written = kernel
            .params()
            .enumerate()
            .filter(|(_, a)| !matches!(kernel.array(*a).kind, evariste_ir::ArrayKind::Input));
        let written: Vec<usize> = written.map(|(i, _)| i).collect();
        vectors
            .push(Vector { buffers: given, answers: written.into_iter().map(|i| (i, outputs[i].clone())).collect() });
    }
    Ok(vectors)
}

impl Search<'_> {
    /// The heuristic's order, and the orders to start from, the fastest first: the heuristic's and its rivals, those of
    /// them that lose no flag.
    fn starts(&mut self, baseline: &NativeFunction, known: &[Schedule]) -> Result<(Point, Vec<Point>), TuneError> {
        self.turn()?;
        self.trial.settle(baseline, SAMPLE_NS)?;
        let start = self.orders.heuristic();
        let mut base =
            Point { instructions: usize::MAX, schedule: start.clone(), function: baseline.clone(), level: 0.0 };
        self.strict = false;
        if let Some((_, instructions)) = self.emit(&start)? {
            base.instructions = instructions;
        }
        self.measure_level(&mut base)?;
        self.strict = true;
        let mut all = vec![start];
        all.extend(self.orders.candidates());
        all.extend(known.iter().filter(|schedule| schedule.fits(self.orders.graph())).cloned());
        let mut starts: Vec<Point> = Vec::new();
        for schedule in all {
            if starts.iter().any(|p| p.schedule == schedule) {
                continue;
            }
            if let Some((function, instructions)) = self.emit(&schedule)? {
                let mut point = Point { schedule, function, instructions, level: 0.0 };
                self.measure_level(&mut point)?;
                starts.push(point);
            }
        }
        if starts.is_empty() {
            self.strict = false;
            starts.push(base.clone());
        }
        starts.sort_by(|a, b| a.level.total_cmp(&b.level));
        Ok((base, starts))
    }

    /// The whole search.
    fn improve(
        &mut self,
        baseline: &NativeFunction,
        begin: Instant,
        time: Duration,
        seed: u64,
        known: &[Schedule],
        progress: &dyn Fn(f64) -> bool,
    ) -> Result<(), TuneError> {
        let (base, starts) = self.starts(baseline, known)?;
        let part = |until: f64| begin + time.mul_f64(until);
        let gone = |best: &Point| progress((best.level / base.level).min(1.0));
        let mut best: Option<Point> = None;
        for s in 0..SEEDS {
            // The second start is another one, where there is one that is not much slower.
            let from = starts.get(s % 2).filter(|p| p.level < 1.1 * starts[0].level).unwrap_or(&starts[0]).clone();
            let mut random = Random::new(seed.wrapping_add(s as u64).wrapping_mul(0x9e37_79b9));
            let point = self.climb(from, &mut random, part(SEED_SHARE * (s + 1) as f64), &gone)?;
            best = match best {
                Some(b) if self.ratio(&b, &point)? >= 1.0 => Some(b),
                _ => Some(point),
            };
        }
        if let Some(b) = best {
            let best = self.climb(b, &mut Random::new(seed ^ 0x5eed), part(1.0), &gone)?;
            self.turn()?;
            // The last word: against the heuristic itself, in three moments.
            let mut ratios = [0.0; 3];
            for ratio in &mut ratios {
                *ratio = self.ratio(&base, &best)?;
                std::thread::sleep(WAIT);
            }
            ratios.sort_by(f64::total_cmp);
            self.found.ratio = ratios[1];
            self.found.schedule = Some(best.schedule).filter(|_| ratios[1] < 0.9992);
        }
        self.found.seconds = begin.elapsed().as_secs_f64();
        Ok(())
    }

    /// Holds the right to time; now and then gives others a chance to take it.
    fn turn(&mut self) -> Result<(), TuneError> {
        if self.lock.as_ref().is_some_and(|(_, since)| since.elapsed() > TURN) {
            self.lock = None;
        }
        if self.lock.is_none() {
            self.lock = Some((TimingLock::acquire()?, Instant::now()));
        }
        Ok(())
    }

    /// The code of the schedule and its number of instructions; `None` when there is none for that order.
    fn emit(&mut self, schedule: &Schedule) -> Result<Option<(NativeFunction, usize)>, TuneError> {
        Ok(match self.orders.make(schedule, self.strict)? {
            Ordered::Made(function, instructions) => Some((function, instructions)),
            Ordered::Infeasible => None,
            Ordered::Wrong => {
                self.found.wrong += 1;
                None
            }
        })
    }

    /// Does the function give the known answers?
    fn answers(&self, function: &NativeFunction) -> Result<bool, TuneError> {
        for vector in &self.vectors {
            let mut buffers = vector.buffers.clone();
            function.call(&mut buffers)?;
            if vector.answers.iter().any(|(i, answer)| buffers[*i].bytes() != answer.bytes()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn measure_level(&mut self, point: &mut Point) -> Result<(), TuneError> {
        let mut samples = Vec::with_capacity(CONFIRMATION);
        for _ in 0..CONFIRMATION {
            samples.push(self.trial.sample(&point.function)?);
        }
        point.level = low_mean(&samples);
        Ok(())
    }

    /// The second's time as a share of the first's.
    fn ratio(&mut self, first: &Point, second: &Point) -> Result<f64, TuneError> {
        let trial = &mut self.trial;
        let mut pairs = Pairs::default();
        pairs.fill(2 * CONFIRMATION, &mut |of_second| {
            trial.sample(if of_second { &second.function } else { &first.function })
        })?;
        Ok(low_mean(&pairs.candidate) / low_mean(&pairs.best))
    }

    /// Waits until the best takes what it took before. When that does not come back, what it takes now is the level.
    fn quiet(&mut self, best: &mut Point, until: Instant) -> Result<(), TuneError> {
        for _ in 0..MOST_WAITS {
            let mut least = f64::INFINITY;
            for _ in 0..4 {
                least = least.min(self.trial.sample(&best.function)?);
            }
            if least < 0.97 * best.level {
                // The level was measured in a noisy moment.
                self.measure_level(best)?;
                return Ok(());
            }
            if least <= 1.03 * best.level {
                return Ok(());
            }
            if Instant::now() >= until {
                return Ok(());
            }
            std::thread::sleep(WAIT);
            self.found.waited += WAIT.as_secs_f64();
        }
        self.measure_level(best)
    }

    /// Moves from a start as long as there is time.
    fn climb(
        &mut self,
        mut best: Point,
        random: &mut Random,
        until: Instant,
        gone: &dyn Fn(&Point) -> bool,
    ) -> Result<Point, TuneError> {
        let mut schedule = best.schedule.clone();
        let mut told = Instant::now();
        while Instant::now() < until {
            self.turn()?;
            if told.elapsed() > Duration::from_millis(200) {
                if !gone(&best) {
                    break;
                }
                told = Instant::now();
            }
            self.moves.propose(&best.schedule, random, &mut schedule);
            if schedule == best.schedule {
                continue;
            }
            let Some((function, instructions)) = self.emit(&schedule)? else {
                self.found.infeasible += 1;
                continue;
            };
            self.found.measured += 1;
            if !self.answers(&function)? {
                self.found.wrong += 1;
                continue;
            }
            self.quiet(&mut best, until)?;
            let aside = random.below(4) == 0 && instructions <= best.instructions;
            let trial = &mut self.trial;
            // The first call of new code is of another kind.
            trial.sample(&function)?;
            let mut sample = |of_candidate| trial.sample(if of_candidate { &function } else { &best.function });
            if !promising(aside, &mut sample)? {
                continue;
            }
            let Verdict::Taken(level) = confirmed(aside, best.level, &mut sample)? else { continue };
            self.found.taken += 1;
            best = Point { schedule: schedule.clone(), function, instructions, level };
        }
        Ok(best)
    }
}

//! Mixes as loops on the core at hand. Every mix is run in several orders of its instructions, and in several passes over
//! all mixes, each with new code: what is disturbed, or falls into a rhythm in which ports are shared out badly, is not so
//! every time.

use std::time::Instant;

use crate::bench::{Bench, ProbeError, Timed};
use crate::observe::{Care, Mix, Observer};
use crate::subject::{Pool, Probe, Specimen};

/// Copies of a loop, at least: the two instructions that count the loop are few beside them.
const COPIES: usize = 80;
/// Links of a chain.
const LINKS: usize = 40;
/// Loops between two reports of progress.
const STEP: usize = 100;
/// Passes, and the orders of each, by [care](Care).
const QUICK: (usize, &[usize]) = (3, &[1, 2, 3, 4]);
const THOROUGH: (usize, &[usize]) = (6, &[1, 2, 3, 4, 5, 7]);
/// Seconds after which one pass must do.
const LONG: f64 = 14.0;
/// Passes over chains.
const CHAINS: usize = 4;

/// The core at hand.
pub struct Loops<'a, I: Probe> {
    bench: &'a mut Bench<I>,
    all: &'a [Specimen<I>],
    progress: &'a mut dyn FnMut(f64) -> bool,
    /// Loops that were run, and about how many there will be.
    done: [f64; 2],
    start: Instant,
}

impl<I: Probe> Observer for Loops<'_, I> {
    type Error = ProbeError;

    fn cycles(&mut self, mixes: &[Mix], care: Care) -> Result<Vec<f64>, ProbeError> {
        let (passes, groups) = if care == Care::Quick { QUICK } else { THOROUGH };
        let mut least = vec![f64::MAX; mixes.len()];
        for pass in 0..passes {
            if pass > 0 && self.start.elapsed().as_secs_f64() > LONG {
                break;
            }
            for group in groups {
                for (k, (mix, least)) in mixes.iter().zip(&mut least).enumerate() {
                    self.step(k)?;
                    let (body, units) = self.body(mix, *group, pass);
                    let mut timed = self.bench.prepare(&body, units)?;
                    self.bench.run(&mut timed);
                    *least = least.min(timed.per_copy());
                }
            }
        }
        Ok(least)
    }
}

impl<'a, I: Probe> Loops<'a, I> {
    /// Loops of these specimens.
    pub fn new(
        bench: &'a mut Bench<I>,
        all: &'a [Specimen<I>],
        progress: &'a mut dyn FnMut(f64) -> bool,
    ) -> Loops<'a, I> {
        // A fourth of the specimens, of each kind one, in pairs with all and many beside one of all.
        let n = all.len() as f64;
        let loops = QUICK.0 * QUICK.1.len();
        let done = [0.0, loops as f64 * n * n / 2.0 + 1.0];
        Loops { bench, all, progress, done, start: Instant::now() }
    }

    /// Is there no time to do it all again?
    pub fn is_late(&self) -> bool {
        self.start.elapsed().as_secs_f64() > LONG
    }

    /// Cycles of one link of each specimen's chain.
    ///
    /// # Errors
    /// No executable memory; [`ProbeError::Stopped`].
    pub fn latencies(&mut self) -> Result<Vec<Option<f64>>, ProbeError> {
        let mut least: Vec<Option<f64>> = vec![None; self.all.len()];
        for _ in 0..CHAINS {
            for (specimen, least) in self.all.iter().zip(&mut least) {
                let Some(link) = &specimen.link else { continue };
                self.step(STEP)?;
                let mut timed = chain(self.bench, link)?;
                self.bench.run(&mut timed);
                *least = Some(least.unwrap_or(f64::MAX).min(timed.per_copy()));
            }
        }
        Ok(least)
    }

    /// Tells how far it is, at every so many loops.
    fn step(&mut self, k: usize) -> Result<(), ProbeError> {
        self.done[0] += 1.0;
        let go_on = !k.is_multiple_of(STEP) || (self.progress)((self.done[0] / self.done[1]).min(1.0));
        if go_on { Ok(()) } else { Err(ProbeError::Stopped) }
    }

    /// The instructions of a loop, and how often the mix is in it: each kind in groups of so many. With some turns
    /// more the loop meets the front end differently.
    fn body(&self, mix: &Mix, group: usize, more: usize) -> (Vec<I::Inst>, usize) {
        let pools: &[Pool] = if mix.base.len() == 1 { &[Pool::Many] } else { &[Pool::Left, Pool::Right] };
        let all = self.all;
        let copies = |who: usize, pool: Pool, from: usize, count: usize| {
            (from..from + count).flat_map(move |copy| (all[who].copy)(copy, pool))
        };
        let together = group * mix.times;
        let turns = COPIES.div_ceil(together * mix.base.len()) + more;
        let mut body = Vec::new();
        for turn in 0..turns {
            // One by one where there are many of the base, so that what stands between is what comes in groups.
            let run = if mix.other.is_some() { group.min(2) } else { together };
            let mut from = turn * together;
            let mut beside = mix.other;
            while from < (turn + 1) * together {
                let count = run.min((turn + 1) * together - from);
                // Now and then the other way round.
                let turned = more % 2 == 1 && turn % 2 == 1;
                for k in 0..mix.base.len() {
                    let k = if turned { mix.base.len() - 1 - k } else { k };
                    body.extend(copies(mix.base[k], pools[k], from, count));
                }
                from += count;
                if 2 * (from - turn * together) >= together
                    && let Some(other) = beside.take()
                {
                    body.extend(copies(other, Pool::Few, turn * group, group));
                }
            }
        }
        (body, turns * group)
    }
}

/// Links of a specimen's chain.
///
/// # Errors
/// No executable memory.
pub fn chain<I: Probe>(bench: &mut Bench<I>, link: &[I::Inst]) -> Result<Timed, ProbeError> {
    bench.prepare(&link.repeat(LINKS), LINKS)
}

/// Many independent copies of one specimen.
///
/// # Errors
/// No executable memory.
pub fn alone<I: Probe>(bench: &mut Bench<I>, specimen: &Specimen<I>) -> Result<Timed, ProbeError> {
    let body: Vec<_> = (0..COPIES).flat_map(|i| (specimen.copy)(i, Pool::Many)).collect();
    bench.prepare(&body, COPIES)
}

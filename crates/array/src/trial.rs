//! Does software prefetch pay? That depends on the processor, on the kernel and on where the arrays lie: a hardware
//! prefetcher may do better alone, above all from the last cache. So every operation on long arrays tries both ways on
//! its first chunks, some with and some without by turns, and goes on with the quicker one. Results are the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Bytes of the operands of an operation that are in no near cache: more than the second one of many processors holds.
const FAR: usize = 2 << 20;

/// Chunks that go one way before the other has its turn. The first one finds what the other way left: it is not timed.
const RUN: usize = 4;

/// Runs of the trial, of both ways together.
const RUNS: usize = 8;

/// The trial of one operation, on all threads.
pub(crate) struct Trial {
    far: bool,
    /// Nanoseconds of all timed chunks without and with prefetch.
    nanos: [AtomicU64; 2],
}

impl Trial {
    /// Of an operation on so many bytes in all.
    pub fn of(bytes: usize) -> Trial {
        Trial { far: bytes > FAR, nanos: Default::default() }
    }

    /// Do the operands lie so far away that there is something to try?
    pub fn is_far(&self) -> bool {
        self.far
    }

    /// Works on the chunk of that number; `work(true)` prefetches the next one.
    pub fn run<R>(&self, chunk: usize, work: impl FnOnce(bool) -> R) -> R {
        if !self.far {
            return work(false);
        }
        let run = chunk / RUN;
        if run >= RUNS {
            return work(self.pays());
        }
        let (with, start) = (run.is_multiple_of(2), Instant::now());
        let result = work(with);
        if !chunk.is_multiple_of(RUN) {
            self.took(with, start.elapsed().as_nanos() as u64);
        }
        result
    }

    fn took(&self, with: bool, nanos: u64) {
        self.nanos[usize::from(with)].fetch_add(nanos, Ordering::Relaxed);
    }

    /// Took chunks with prefetch no longer than those without?
    fn pays(&self) -> bool {
        let [without, with] = [false, true].map(|with| self.nanos[usize::from(with)].load(Ordering::Relaxed));
        with <= without
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_have_their_turns() {
        let trial = Trial::of(FAR + 1);
        let ways: Vec<bool> = (0..RUN * RUNS).map(|chunk| trial.run(chunk, |with| with)).collect();
        assert_eq!(ways.iter().filter(|with| **with).count(), RUN * RUNS / 2);
        assert!(ways.chunks(RUN).all(|run| run.iter().all(|with| with == &run[0])));
        assert!(!Trial::of(FAR).run(0, |with| with), "what is near needs none");
    }

    #[test]
    fn the_quicker_way_goes_on() {
        for [without, with] in [[10, 20], [20, 10]] {
            let trial = Trial::of(FAR + 1);
            trial.took(false, without);
            trial.took(true, with);
            assert_eq!(trial.run(RUN * RUNS, |with| with), with < without);
        }
    }
}

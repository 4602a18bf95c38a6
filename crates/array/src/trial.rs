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

    /// Works on the chunk of that number; `work(true)` prefetches the next one.
    pub fn run<R>(&self, chunk: usize, work: impl FnOnce(bool) -> R) -> R {
        if !self.far {
            return work(false);
        }
        let run = chunk / RUN;
        if run >= RUNS {
            let [without, with] = [0, 1].map(|way: usize| self.nanos[way].load(Ordering::Relaxed));
            return work(with <= without);
        }
        let (way, start) = (1 - run % 2, Instant::now());
        let result = work(way == 1);
        if !chunk.is_multiple_of(RUN) {
            self.nanos[way].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_quicker_way_goes_on() {
        for slow in [false, true] {
            let (trial, tried) = (Trial::of(FAR + 1), Cell::new([0; 2]));
            for chunk in 0..RUN * RUNS {
                trial.run(chunk, |with| {
                    let mut counts = tried.get();
                    counts[usize::from(with)] += 1;
                    tried.set(counts);
                    if with == slow {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                });
            }
            assert_eq!(tried.get(), [RUN * RUNS / 2; 2]);
            assert_eq!(trial.run(RUN * RUNS, |with| with), !slow);
        }
        assert!(!Trial::of(FAR).run(0, |with| with), "what is near needs none");
    }
}

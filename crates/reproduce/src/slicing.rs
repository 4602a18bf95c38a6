//! What it takes to slice elements and to bring slices back: the transposition that bit-sliced products of elements in
//! ordinary words need, timed by itself.

use std::time::Instant;

use evariste_jit::slices::{slice, unslice};
use evariste_run::{Pinned, TimingLock};
use evariste_tune::TuneError;

use crate::{Options, Origin, Point, Series};

/// Samples of each, and elements of a sample: what a short timer resolves, and the first-level cache holds.
const SAMPLES: usize = 301;
const SAMPLES_QUICK: usize = 31;
const ELEMENTS: usize = 512;

/// For each degree the nanoseconds of slicing two elements and of bringing a result back, in rows of as many words: the
/// median of samples of 512 elements. Elements lie word by word in the order of lanes.
///
/// # Errors
/// When nothing can be timed.
pub fn transposition(degrees: &[u32], row: usize, options: &Options) -> Result<Series, TuneError> {
    let (_lock, _core) = (TimingLock::acquire()?, Pinned::to_one_core());
    let samples = if options.quick { SAMPLES_QUICK } else { SAMPLES };
    let one = |m: &u32| {
        let n = m.div_ceil(64) as usize;
        let words: Vec<u64> = (0..(ELEMENTS * n) as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let (mut sliced, mut back) = (vec![0; *m as usize * ELEMENTS / 64], words.clone());
        let mut sample = || {
            let clock = Instant::now();
            for _ in 0..2 {
                slice(*m as usize, row, &words, &mut sliced);
                std::hint::black_box(&mut sliced);
            }
            unslice(*m as usize, row, &sliced, &mut back);
            std::hint::black_box(&mut back);
            clock.elapsed().as_nanos() as f64 / ELEMENTS as f64
        };
        // The first ones bring code and data into the caches.
        let mut times: Vec<f64> = (0..samples + 10).map(|_| sample()).skip(10).collect();
        times.sort_by(f64::total_cmp);
        Point { label: format!("m = {m}"), x: f64::from(*m), y: times[samples / 2] }
    };
    Ok(Series { name: TRANSPOSITION.into(), origin: Origin::Measured, points: degrees.iter().map(one).collect() })
}

/// The name of that series.
pub const TRANSPOSITION: &str = "transposition of two operands and a product";

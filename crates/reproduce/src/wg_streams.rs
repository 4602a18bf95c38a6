//! Keystreams of WG as bytes from bit-sliced code: a key in each slice, or one stream in all of them.
//!
//! Registers come as words of stages and are sliced, the stream is brought back into bytes at its place in a buffer: both
//! are in the times. One stream is cut into as many stretches as there are slices; slice l begins l stretches on, where
//! jumps of 1, 2, 4, … stretches bring it, each taken by the slices whose number has that bit.

use std::time::Instant;

use evariste_backend::Made;
use evariste_descriptions::wg::{self, STAGES, State};
use evariste_jit::slices::{slice, unslice};
use evariste_run::{Buffer, Pinned, RunError, TimingLock};
use evariste_tune::TuneError;

/// Coordinates of a stage.
const DEGREE: usize = 29;
/// Steps of a call.
const STEPS: usize = 64;
/// Bytes of a stretch: of each slice.
const STRETCH: usize = 2048;
const STRETCH_QUICK: usize = 64;
const SAMPLES: usize = 9;
const SAMPLES_QUICK: usize = 3;

/// Code of one row of slices: 64 steps, and a jump.
pub struct Sliced<'a> {
    /// Of `stream_64`.
    pub steps: &'a Made,
    /// Of `jump`.
    pub jump: &'a Made,
}

impl Sliced<'_> {
    /// Words of a row.
    fn row(&self) -> usize {
        self.steps.lanes as usize / 64
    }

    /// Slices of a row.
    pub fn slices(&self) -> usize {
        64 * self.row()
    }

    /// The sliced stages of so many registers as slices.
    fn sliced(&self, states: &[State]) -> Vec<u64> {
        let row = self.row();
        let mut rows = vec![0; STAGES * DEGREE * row];
        for (k, rows) in rows.chunks_exact_mut(DEGREE * row).enumerate() {
            // The first coordinate, which is on top, becomes the lowest bit.
            let words: Vec<u64> = states.iter().map(|state| u64::from(state[k].reverse_bits())).collect();
            slice(DEGREE, row, &words, rows);
        }
        rows
    }

    /// So many bytes from each register; those of slice l are from place `l·bytes` of the result on.
    ///
    /// # Errors
    /// When the code takes other arguments than the kernel has.
    fn streams(&self, rows: &[u64], bytes: usize) -> Result<Vec<u8>, RunError> {
        let row = self.row();
        let mut all = vec![0; self.slices() * bytes];
        let mut buffers = [Buffer::zeroed(rows.len() * 8), Buffer::zeroed(STEPS * row * 8), Buffer::from_u64(rows)];
        let (mut turned, mut words) = (vec![0; STEPS * row], vec![0; STEPS * row]);
        for at in (0..bytes).step_by(8) {
            self.steps.function.call(&mut buffers)?;
            // The first bit of a word is the highest one.
            let bits = buffers[1].to_u64();
            for (to, from) in turned.chunks_exact_mut(row).zip(bits.chunks_exact(row).rev()) {
                to.copy_from_slice(from);
            }
            unslice(STEPS, row, &turned, &mut words);
            for (l, word) in words.iter().enumerate() {
                let left = (bytes - at).min(8);
                all[l * bytes + at..][..left].copy_from_slice(&word.to_be_bytes()[..left]);
            }
            buffers.swap(0, 2);
        }
        Ok(all)
    }

    /// The coefficients of jumps by 1, 2, 4, … stretches of so many bytes, sliced: the same for every key.
    fn jumps(&self, stretch: usize) -> Vec<Buffer> {
        let one = |bit: u32| {
            let far = wg::far(8 * (stretch as u64) << bit);
            Buffer::from_u64(&self.sliced(&vec![far; self.slices()]))
        };
        (0..self.slices().ilog2()).map(one).collect()
    }

    /// One stream: a stretch of so many bytes from each slice, one after the other, by the jumps of that stretch.
    ///
    /// # Errors
    /// As [`Sliced::streams`].
    fn one_stream(&self, state: &State, jumps: &[Buffer], stretch: usize) -> Result<Vec<u8>, RunError> {
        let row = self.row();
        let rows = self.sliced(&vec![*state; self.slices()]);
        let mut buffers = [Buffer::zeroed(rows.len() * 8), Buffer::from_u64(&rows), Buffer::zeroed(rows.len() * 8)];
        for (bit, far) in (0..).zip(jumps) {
            buffers[2] = far.clone();
            self.jump.function.call(&mut buffers)?;
            let (jumped, stayed) = (buffers[0].to_u64(), buffers[1].to_u64());
            let chosen = jumped.iter().zip(&stayed).enumerate().map(|(at, (jumped, stayed))| {
                let takes = slices_with(bit, at % row);
                jumped & takes | stayed & !takes
            });
            buffers[1] = Buffer::from_u64(&chosen.collect::<Vec<u64>>());
        }
        self.streams(&buffers[1].to_u64(), stretch)
    }

    /// Nanoseconds of a byte: with a key in each slice, and of one stream.
    ///
    /// # Errors
    /// When nothing can be timed.
    pub fn timed(&self, quick: bool) -> Result<[f64; 2], TuneError> {
        let (_lock, _core) = (TimingLock::acquire()?, Pinned::to_one_core());
        let (stretch, samples) = if quick { (STRETCH_QUICK, SAMPLES_QUICK) } else { (STRETCH, SAMPLES) };
        let states: Vec<State> = (0..self.slices()).map(|i| begun(i as u8)).collect();
        let (bytes, jumps) = ((stretch * self.slices()) as f64, self.jumps(stretch));
        let of = |stream: &dyn Fn() -> Result<Vec<u8>, RunError>| -> Result<f64, TuneError> {
            // The first one brings code and data into the caches.
            std::hint::black_box(stream()?);
            let sample = || {
                let clock = Instant::now();
                stream().map(|all| {
                    std::hint::black_box(all);
                    clock.elapsed().as_nanos() as f64 / bytes
                })
            };
            let mut times = (0..samples).map(|_| sample()).collect::<Result<Vec<f64>, RunError>>()?;
            times.sort_by(f64::total_cmp);
            Ok(times[samples / 2])
        };
        let each = of(&|| self.streams(&self.sliced(&states), stretch))?;
        Ok([each, of(&|| self.one_stream(&states[0], &jumps, stretch))?])
    }

    /// Do both give the reference's bytes?
    ///
    /// # Errors
    /// As [`Sliced::streams`].
    pub fn is_right(&self) -> Result<bool, RunError> {
        const BYTES: usize = 12;
        let states: Vec<State> = (0..self.slices()).map(|i| begun(i as u8)).collect();
        let each = self.streams(&self.sliced(&states), BYTES)?;
        let one = self.one_stream(&states[0], &self.jumps(BYTES), BYTES)?;
        let last = self.slices() - 1;
        let right = |l: usize| {
            let state = wg::jump(&states[0], &wg::far((8 * BYTES * l) as u64));
            each[l * BYTES..][..BYTES] == wg::keystream(states[l], BYTES)
                && one[l * BYTES..][..BYTES] == wg::keystream(state, BYTES)
        };
        Ok([0, 1, last / 2, last].into_iter().all(right))
    }
}

/// Of word `word` of a row the slices whose number has that bit.
fn slices_with(bit: u32, word: usize) -> u64 {
    match bit {
        0..6 => (0..64).filter(|l| l >> bit & 1 == 1).fold(0, |all, l: u32| all | 1 << l),
        _ if word >> (bit - 6) & 1 == 1 => u64::MAX,
        _ => 0,
    }
}

/// The register of a key of equal bytes, after initialisation.
fn begun(byte: u8) -> State {
    wg::initialise(&wg::load(&[byte; 16], &[0x5a; 16]))
}

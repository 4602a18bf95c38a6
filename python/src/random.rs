//! Random numbers below an order, as NumPy's generator PCG64 gives their words: the same for the same seed for ever. They
//! are drawn in parts that stay in a near cache.
//!
//! A number is drawn as words, lowest first, of whose highest one only the highest bits count, as many as the order has. What is not
//! below the order is drawn again, after all others and in their order, until all are below it.

use std::ops::Range;

use evariste::BigUint;
use evariste::array::ArrayError;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::border::in_blocks;
use crate::field::BLOCK;

/// Words of a part, about.
const PART: usize = 1 << 14;

/// Numbers of a part are a multiple of that many: parts of arrays start where a vector starts.
const STEP: usize = 512;

/// The multiplier of PCG64.
const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

/// Steps that are computed side by side.
const SIDE: usize = 4;

/// PCG64 (O'Neill, "PCG: A family of simple fast space-efficient statistically good algorithms for random number
/// generation", 2014; XSL-RR 128/64): a linear congruence modulo 2^128, whose state gives a word after each step.
struct Pcg64 {
    state: u128,
    increment: u128,
    /// Multiplier and increment of `SIDE` steps.
    far: [u128; 2],
}

impl Pcg64 {
    fn new(state: u128, increment: u128) -> Pcg64 {
        let step = |[a, c]: [u128; 2]| [a.wrapping_mul(MULTIPLIER), c.wrapping_mul(MULTIPLIER).wrapping_add(increment)];
        Pcg64 { state, increment, far: (0..SIDE).fold([1, 0], |all, _| step(all)) }
    }

    fn step(&mut self) -> u128 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        self.state
    }

    /// The next words.
    fn fill(&mut self, words: &mut [u64]) {
        let word = |state: u128| ((state >> 64) as u64 ^ state as u64).rotate_right((state >> 122) as u32);
        let [a, c] = self.far;
        let (many, few) = words.as_chunks_mut::<SIDE>();
        if !many.is_empty() {
            let mut states = [0; SIDE];
            states.iter_mut().for_each(|state| *state = self.step());
            let last = many.len() - 1;
            for (at, words) in many.iter_mut().enumerate() {
                for (to, state) in words.iter_mut().zip(&mut states) {
                    *to = word(*state);
                    self.state = *state;
                    if at < last {
                        *state = state.wrapping_mul(a).wrapping_add(c);
                    }
                }
            }
        }
        few.iter_mut().for_each(|to| *to = word(self.step()));
    }
}

/// Random numbers below an order.
pub struct Draws {
    source: Pcg64,
    /// Words of the order, lowest first; none where every number of as many bits is below it.
    order: Vec<u64>,
    /// Words of a number.
    each: usize,
    /// Lowest bits of the highest word that do not count.
    spare: u32,
}

/// What was drawn again: places, and the words of the numbers there.
pub struct Again {
    pub places: Vec<i64>,
    pub words: Vec<u64>,
}

impl Draws {
    /// From the state and the increment of a generator, 16 bytes each, lowest first.
    pub fn new(state: [u8; 16], increment: [u8; 16], order: &BigUint, each: usize) -> Draws {
        let bits = (order - 1u32).bits();
        let mut words = order.to_u64_digits();
        words.resize(each.max(words.len()), 0);
        // An order of more words than numbers have is such a power too.
        if *order == BigUint::from(1u32) << bits {
            words.clear();
        }
        Draws {
            source: Pcg64::new(u128::from_le_bytes(state), u128::from_le_bytes(increment)),
            order: words,
            each,
            spare: ((64 * each as u64).saturating_sub(bits) as u32).min(63),
        }
    }

    /// The next numbers; places of those that are not below the order go to `again`, counted from `start` on.
    fn part(&mut self, words: &mut [u64], start: usize, again: &mut Vec<i64>) {
        self.source.fill(words);
        let top = self.order.last().copied();
        for (i, number) in words.chunks_exact_mut(self.each).enumerate() {
            let last = number.len() - 1;
            number[last] >>= self.spare;
            // Most numbers are told by their highest word.
            let Some(top) = top.filter(|top| number[last] >= *top) else { continue };
            if number[last] > top || !number.iter().rev().lt(self.order.iter().rev()) {
                number.fill(0);
                again.push((start + i) as i64);
            }
        }
    }

    /// Draws numbers and shows them part by part; zeros stand for those that are drawn again.
    pub fn draw(
        &mut self,
        py: Python,
        count: usize,
        mut show: impl FnMut(Range<usize>, &[u64]) -> Result<(), ArrayError> + Send,
    ) -> PyResult<Again> {
        let numbers = (PART / self.each).next_multiple_of(STEP).max(STEP);
        let mut part = vec![0; numbers.min(count) * self.each];
        let mut again = Again { places: Vec::new(), words: Vec::new() };
        in_blocks(py, count, BLOCK, |block| {
            for start in block.clone().step_by(numbers) {
                let range = start..(start + numbers).min(block.end);
                let words = &mut part[..range.len() * self.each];
                self.part(words, start, &mut again.places);
                show(range, words)?;
            }
            Ok(())
        })?;
        again.words = vec![0; again.places.len() * self.each];
        let mut left: Vec<i64> = (0..again.places.len() as i64).collect();
        while !left.is_empty() {
            let mut fresh = vec![0; left.len() * self.each];
            let mut failed = Vec::new();
            self.part(&mut fresh, 0, &mut failed);
            for (number, place) in fresh.chunks_exact(self.each).zip(&left) {
                again.words[*place as usize * self.each..][..self.each].copy_from_slice(number);
            }
            left = failed.into_iter().map(|at| left[at as usize]).collect();
            py.check_signals()?;
        }
        Ok(again)
    }
}

/// Words of random numbers below an order, its bytes lowest first: so many words each, one number behind the other.
#[pyfunction]
pub fn random_words<'py>(
    py: Python<'py>,
    state: [u8; 16],
    increment: [u8; 16],
    order: &[u8],
    each: usize,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let each = each.max(1);
    let mut all = vec![0; count.saturating_mul(each)];
    let mut draws = Draws::new(state, increment, &BigUint::from_bytes_le(order), each);
    let again = draws.draw(py, count, |range, words| {
        all[range.start * each..range.end * each].copy_from_slice(words);
        Ok(())
    })?;
    for (place, number) in again.places.iter().zip(again.words.chunks_exact(each)) {
        all[*place as usize * each..][..each].copy_from_slice(number);
    }
    Ok(PyArray1::from_vec(py, all))
}

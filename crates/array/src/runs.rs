//! Neighbours that move to other places: vectors that start at any element are made of two.

use std::ops::{BitAnd, BitOr, Not};

use evariste_jit::residues::{halves, halves_of};

use crate::engine::Kernels;

impl Kernels {
    /// Copies `count` elements of so many digits from one element on to another one and those behind it.
    pub(crate) fn move_run(
        &self,
        digits: usize,
        (from, source): (&[u64], usize),
        (to, target): (&mut [u64], usize),
        count: usize,
    ) {
        // Whole vectors of the result, and the elements before and behind them.
        let (lanes, group) = (self.lanes(), self.row() * digits);
        let mut behind = 0;
        if count >= lanes {
            let before = target.next_multiple_of(lanes) - target;
            let (first, start, vectors) = (target + before, source + before, (count - before) / lanes);
            let place = first / lanes * group;
            (0..before).for_each(|i| self.move_one(digits, (from, source + i), (to, target + i)));
            behind = before;
            if self.shifted(digits, &from[start / lanes * group..], start % lanes, &mut to[place..][..vectors * group])
            {
                behind += vectors * lanes;
            }
        }
        (behind..count).for_each(|i| self.move_one(digits, (from, source + i), (to, target + i)));
    }

    /// Copies an element.
    fn move_one(&self, digits: usize, (from, source): (&[u64], usize), (to, target): (&mut [u64], usize)) {
        let row = self.row();
        if self.per_word() == 1 {
            let start = |element: usize| element / row * (row * digits) + element % row;
            let (source, target) = (start(source), start(target));
            (0..digits).for_each(|i| to[target + i * row] = from[source + i * row]);
        } else {
            (0..digits).for_each(|i| self.put_digit(to, target, i, self.digit(from, source, i)));
        }
    }

    /// Whole vectors, of elements that start `ahead` elements behind the start of a vector; `false`, and nothing done,
    /// where elements are parts of a word that are no halves.
    fn shifted(&self, digits: usize, from: &[u64], ahead: usize, to: &mut [u64]) -> bool {
        match (self.per_word(), self.row()) {
            _ if ahead == 0 => to.copy_from_slice(&from[..to.len()]),
            (1, 8) => shifted::<u64, 8>(digits, from, ahead, to),
            (1, 4) => shifted::<u64, 4>(digits, from, ahead, to),
            (1, 2) => shifted::<u64, 2>(digits, from, ahead, to),
            // Halves lie in the order of their elements where the low one comes first.
            (2, _) if cfg!(target_endian = "big") => return false,
            (2, 8) => shifted::<i32, 16>(digits, halves_of(from), ahead, halves(to)),
            (2, 4) => shifted::<i32, 8>(digits, halves_of(from), ahead, halves(to)),
            (2, 2) => shifted::<i32, 4>(digits, halves_of(from), ahead, halves(to)),
            (2, 1) => shifted::<i32, 2>(digits, halves_of(from), ahead, halves(to)),
            _ => return false,
        }
        true
    }
}

/// Vectors of digits, each the end of one vector and the start of the one that holds the same digit a group further on.
fn shifted<T, const LANES: usize>(digits: usize, from: &[T], ahead: usize, to: &mut [T])
where
    T: Copy + Default + BitAnd<Output = T> + BitOr<Output = T> + Not<Output = T>,
{
    let group = LANES * digits;
    let ends: [T; LANES] = std::array::from_fn(|lane| if lane < LANES - ahead { !T::default() } else { T::default() });
    for (at, to) in to.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        // Both lie whole in memory, with other digits beside what counts.
        let end = &from[at * LANES + ahead..][..LANES];
        let start = &from[at * LANES + group + ahead - LANES..][..LANES];
        *to = std::array::from_fn(|lane| end[lane] & ends[lane] | start[lane] & !ends[lane]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_start_at_any_element() {
        // Digit i of element e is 100·i + e.
        let digits = 3;
        let words: Vec<u64> = (0..4 * 3 * 8).map(|w| (w / 8 % 3 * 100 + w / 24 * 8 + w % 8) as u64).collect();
        for ahead in 1..8 {
            let mut to = vec![0; 3 * 24];
            shifted::<u64, 8>(digits, &words, ahead, &mut to);
            for (w, word) in to.iter().enumerate() {
                assert_eq!(*word as usize, w / 8 % 3 * 100 + w / 24 * 8 + w % 8 + ahead);
            }
        }
    }
}

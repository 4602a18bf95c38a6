//! The transposed of a vector of columns: rows of one vector of elements each become as many rows as it has elements.

use evariste_jit::transpose::interleave;

use crate::engine::Kernels;

/// Words of the longest square that is transposed at once.
const SQUARE: usize = 64;

impl Kernels {
    /// Rows of one vector each, at these places, become as many rows as a vector has elements.
    pub(super) fn transposed(&self, from: &[u64], places: &[usize], to: &mut [u64]) {
        match self.per_word() {
            1 => self.squares(from, places, to),
            // Two rows at a time, whose elements are the halves of the same words.
            2 if self.digits() == 1 => self.squares_of_halves(from, places, to),
            _ => self.one_by_one_transposed(from, places, to),
        }
    }

    /// Blocks of as many rows as lanes: the words of a digit change places with the lanes.
    fn squares(&self, from: &[u64], places: &[usize], to: &mut [u64]) {
        let (row, group, rows) = (self.row(), self.group(), places.len());
        let (mut square, mut turned) = ([0; SQUARE], [0; SQUARE]);
        let (square, turned) = (&mut square[..row * row], &mut turned[..row * row]);
        for (block, places) in places.chunks_exact(row).enumerate() {
            for i in 0..self.digits() {
                for (own, place) in square.chunks_exact_mut(row).zip(places) {
                    own.copy_from_slice(&from[place * group + i * row..][..row]);
                }
                turn(row, square, turned);
                for (lane, own) in turned.chunks_exact(row).enumerate() {
                    to[(lane * rows / row + block) * group + i * row..][..row].copy_from_slice(own);
                }
            }
        }
    }

    /// Pairs of rows of halves of words: the halves that belong together become words, of which squares are transposed.
    fn squares_of_halves(&self, from: &[u64], places: &[usize], to: &mut [u64]) {
        let (row, half) = (self.row(), places.len() / 2);
        let (mut squares, mut turned) = ([[0; SQUARE]; 2], [0; SQUARE]);
        for (block, places) in places.chunks(2 * row).enumerate() {
            let [low, high] = &mut squares;
            for ((low, high), pair) in low.chunks_exact_mut(row).zip(high.chunks_exact_mut(row)).zip(places.chunks(2)) {
                let [first, second] = [0, 1].map(|i| &from[pair[i] * row..][..row]);
                for (((low, high), first), second) in low.iter_mut().zip(high).zip(first).zip(second) {
                    *low = first & u64::from(u32::MAX) | second << 32;
                    *high = first >> 32 | second >> 32 << 32;
                }
            }
            let count = places.len() / 2;
            for (i, square) in squares.iter().enumerate() {
                turn(row, &square[..row * row], &mut turned[..row * row]);
                for (word, own) in turned[..row * row].chunks_exact(row).enumerate() {
                    to[(2 * word + i) * half + block * row..][..count].copy_from_slice(&own[..count]);
                }
            }
        }
    }

    /// Digit by digit, whatever lies in a word.
    fn one_by_one_transposed(&self, from: &[u64], places: &[usize], to: &mut [u64]) {
        let (lanes, rows) = (self.lanes(), places.len());
        for (element, place) in (0..rows * lanes).map(|k| (k, places[k / lanes])) {
            let target = element % lanes * rows + element / lanes;
            for i in 0..self.digits() {
                self.put_digit(to, target, i, self.digit(from, place * lanes + element % lanes, i));
            }
        }
    }
}

/// A square of words, transposed.
fn turn(row: usize, square: &[u64], turned: &mut [u64]) {
    if row > 1 && interleave(row, row, square, turned) {
        return;
    }
    for (k, own) in square.chunks_exact(row).enumerate() {
        own.iter().enumerate().for_each(|(lane, word)| turned[lane * row + k] = *word);
    }
}

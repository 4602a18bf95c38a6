//! From elements one after the other to the order of lanes, and back: by vectors of eight words or of four where there
//! are as many lanes or a multiple, by plain copies elsewhere.

use evariste_jit::Prefetch;
use evariste_jit::transpose::{self, Endian};

use crate::bytes::{bytes_of_words, words_of_bytes};

/// Elements one after the other.
#[derive(Clone, Copy)]
pub(crate) enum Elements<'a> {
    /// Words, lowest first.
    Words(&'a [u64]),
    /// So many bytes each.
    Bytes(usize, Endian, &'a [u8]),
}

/// Where such elements go.
pub(crate) enum ElementsMut<'a> {
    Words(&'a mut [u64]),
    Bytes(usize, Endian, &'a mut [u8]),
}

/// `lanes` elements of n words each, one after the other, into n rows of `lanes` words.
fn interleave(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
    for (i, row) in to.chunks_exact_mut(lanes).enumerate() {
        for (l, word) in row.iter_mut().enumerate() {
            *word = from[l * n + i];
        }
    }
}

/// Elements side by side that one call of the processor's own way moves.
const MOVED: [usize; 2] = [8, 4];

/// Whole groups of a multiple of so many lanes, as many elements after the others; `false`, and nothing of use done,
/// where there is no such way.
fn by_parts(part: usize, n: usize, lanes: usize, from: &[u64], to: &mut [u64]) -> bool {
    let mut rows = vec![0; part * n];
    let mut group = |(from, to): (&[u64], &mut [u64])| {
        from.chunks_exact(part * n).enumerate().all(|(at, from)| {
            let moved = transpose::interleave(part, n, from, &mut rows);
            to.chunks_exact_mut(lanes)
                .zip(rows.chunks_exact(part))
                .for_each(|(to, row)| to[at * part..][..part].copy_from_slice(row));
            moved
        })
    };
    lanes.is_multiple_of(part) && from.chunks_exact(n * lanes).zip(to.chunks_exact_mut(n * lanes)).all(&mut group)
}

/// The way back.
fn back_by_parts(part: usize, n: usize, lanes: usize, from: &[u64], to: &mut [u64]) -> bool {
    let mut rows = vec![0; part * n];
    let mut group = |(from, to): (&[u64], &mut [u64])| {
        to.chunks_exact_mut(part * n).enumerate().all(|(at, to)| {
            from.chunks_exact(lanes)
                .zip(rows.chunks_exact_mut(part))
                .for_each(|(from, row)| row.copy_from_slice(&from[at * part..][..part]));
            transpose::deinterleave(part, n, &rows, to)
        })
    };
    lanes.is_multiple_of(part) && from.chunks_exact(n * lanes).zip(to.chunks_exact_mut(n * lanes)).all(&mut group)
}

/// Elements of n words, one after the other, into groups of lanes. Lanes of the last group without an element become
/// zero.
pub(crate) fn to_lanes(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
    let whole = from.len() / (n * lanes) * (n * lanes);
    let (from, rest) = from.split_at(whole);
    let (to, last) = to.split_at_mut(whole);
    match (lanes, n) {
        (1, _) | (_, 1) => to.copy_from_slice(from),
        _ if transpose::interleave(lanes, n, from, to) => {}
        _ if MOVED.into_iter().any(|part| by_parts(part, n, lanes, from, to)) => {}
        _ => from
            .chunks_exact(n * lanes)
            .zip(to.chunks_exact_mut(n * lanes))
            .for_each(|(from, to)| interleave(n, lanes, from, to)),
    }
    if !rest.is_empty() {
        let mut padded = rest.to_vec();
        padded.resize(n * lanes, 0);
        interleave(n, lanes, &padded, &mut last[..n * lanes]);
    }
}

/// The way back; the last group's padding lanes are left out.
pub(crate) fn from_lanes(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
    let whole = to.len() / (n * lanes) * (n * lanes);
    let (to, rest) = to.split_at_mut(whole);
    let (from, last) = from.split_at(whole);
    match (lanes, n) {
        (1, _) | (_, 1) => to.copy_from_slice(from),
        _ if transpose::deinterleave(lanes, n, from, to) => {}
        _ if MOVED.into_iter().any(|part| back_by_parts(part, n, lanes, from, to)) => {}
        // n rows of `lanes` words are the transpose of `lanes` elements of n words.
        _ => from
            .chunks_exact(n * lanes)
            .zip(to.chunks_exact_mut(n * lanes))
            .for_each(|(from, to)| interleave(lanes, n, from, to)),
    }
    for (k, word) in rest.iter_mut().enumerate() {
        *word = last[k % n * lanes + k / n];
    }
}

impl Elements<'_> {
    /// So many elements of n words from the one of that number on.
    pub fn part(self, start: usize, count: usize, n: usize) -> Self {
        match self {
            Elements::Words(words) => Elements::Words(&words[start * n..(start + count) * n]),
            Elements::Bytes(size, endian, bytes) => {
                Elements::Bytes(size, endian, &bytes[start * size..(start + count) * size])
            }
        }
    }

    /// Bytes of memory.
    pub fn bytes(self) -> usize {
        match self {
            Elements::Words(words) => size_of_val(words),
            Elements::Bytes(_, _, bytes) => bytes.len(),
        }
    }

    /// The memory so many elements of n words behind these, which is soon read.
    pub fn prefetch(self, n: usize, behind: usize) -> Prefetch {
        match self {
            Elements::Words(words) => Prefetch::read(words, behind * n),
            Elements::Bytes(size, _, bytes) => Prefetch::read(bytes, behind * size),
        }
    }

    /// Into groups of lanes; `spare`, as long as `to`, is overwritten.
    pub fn to_lanes(self, n: usize, lanes: usize, to: &mut [u64], spare: &mut [u64]) {
        let (size, endian, bytes) = match self {
            Elements::Words(words) => return to_lanes(n, lanes, words, to),
            Elements::Bytes(size, endian, bytes) => (size, endian, bytes),
        };
        let whole = bytes.len() / (size * lanes) * lanes;
        let moved = size == 8 * n
            && transpose::interleave_bytes(lanes, n, endian, &bytes[..whole * size], &mut to[..whole * n]);
        let done = if moved { whole } else { 0 };
        let words = &mut spare[..(bytes.len() / size - done) * n];
        words_of_bytes(size, endian, &bytes[done * size..], words);
        to_lanes(n, lanes, words, &mut to[done * n..]);
    }
}

impl ElementsMut<'_> {
    /// From groups of lanes; `spare`, as long as `from`, is overwritten.
    pub fn from_lanes(self, n: usize, lanes: usize, from: &[u64], spare: &mut [u64]) {
        let (size, endian, bytes) = match self {
            ElementsMut::Words(words) => return from_lanes(n, lanes, from, words),
            ElementsMut::Bytes(size, endian, bytes) => (size, endian, bytes),
        };
        let whole = bytes.len() / (size * lanes) * lanes;
        let moved = size == 8 * n
            && transpose::deinterleave_bytes(lanes, n, endian, &from[..whole * n], &mut bytes[..whole * size]);
        let done = if moved { whole } else { 0 };
        let words = &mut spare[..(bytes.len() / size - done) * n];
        from_lanes(n, lanes, &from[done * n..], words);
        bytes_of_words(size, endian, words, &mut bytes[done * size..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_nothing() {
        for lanes in [1, 4, 8, 12, 16, 20, 21] {
            for n in 1..=9 {
                for elements in [0, 1, 7, 8, 9, 16, 25] {
                    let from: Vec<u64> = (1..=(elements * n) as u64).collect();
                    let mut blocked = vec![u64::MAX; usize::div_ceil(elements, lanes) * lanes * n];
                    to_lanes(n, lanes, &from, &mut blocked);
                    for e in 0..elements {
                        for i in 0..n {
                            assert_eq!(
                                blocked[(e / lanes * n + i) * lanes + e % lanes],
                                from[e * n + i],
                                "word {i} of element {e} of {elements}"
                            );
                        }
                    }
                    let mut back = vec![0; from.len()];
                    from_lanes(n, lanes, &blocked, &mut back);
                    assert_eq!(back, from);
                }
            }
        }
    }
}

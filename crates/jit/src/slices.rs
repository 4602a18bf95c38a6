//! Elements of binary fields into slices, and back: coordinate i of element l is bit l of row i.
//!
//! * **computes** of each group of `64·row` elements, whose words lie in the order of lanes, m rows of `row` words; and
//!   the way back. Bits are moved, nothing else.
//! * **needs** whole groups: word i of all elements of a group side by side, ⌈m/64⌉ such words; bits from m upwards are
//!   left out, and come back as zeros.
//! * **gives** the same bits by whatever the processor has for it: rows of eight words or of four on vectors of so many,
//!   all others by plain code.
//! * **cost** of 64 rows in plain code: 192 exchanges of 6 operations, for 64 elements.
//! * **source** Warren, "Hacker's Delight" (2012), 7-3, for the exchanges.

use crate::native;
use crate::plain::{self, WORD};

/// Slices groups of `64·row` elements of m coordinates: `64·row·⌈m/64⌉` words of each into m rows of `row` words. Both
/// slices are as many whole groups.
pub fn slice(m: usize, row: usize, saturated: &[u64], sliced: &mut [u64]) {
    let n = m.div_ceil(WORD);
    for (saturated, sliced) in saturated.chunks_exact(WORD * row * n).zip(sliced.chunks_exact_mut(m * row)) {
        for (words, rows) in saturated.chunks_exact(WORD * row).zip(sliced.chunks_mut(WORD * row)) {
            into_rows(row, words, rows);
        }
    }
}

/// The way back.
pub fn unslice(m: usize, row: usize, sliced: &[u64], saturated: &mut [u64]) {
    let n = m.div_ceil(WORD);
    for (saturated, sliced) in saturated.chunks_exact_mut(WORD * row * n).zip(sliced.chunks_exact(m * row)) {
        for (words, rows) in saturated.chunks_exact_mut(WORD * row).zip(sliced.chunks(WORD * row)) {
            into_words(row, rows, words);
        }
    }
}

/// `64·row` words into up to 64 rows.
fn into_rows(row: usize, words: &[u64], rows: &mut [u64]) {
    if !native::slice(row, words, rows) {
        plain::into_rows::<1>(row, words, rows);
    }
}

/// The way back.
fn into_words(row: usize, rows: &[u64], words: &mut [u64]) {
    if !native::unslice(row, rows, words) {
        plain::into_words::<1>(row, rows, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of every word goes to its place, and back; of long rows some.
    #[test]
    fn bits_go_to_their_rows() {
        for (m, row) in [(1, 1), (64, 1), (65, 1), (65, 4), (131, 8), (64, 8), (9, 2)] {
            let n = usize::div_ceil(m, 64);
            let all = row == 1;
            for element in (0..64 * row).filter(|e| all || [0, 1, 63, 64 * row - 1].contains(e)) {
                for bit in (0..m).filter(|b| all || [0, m / 2, m - 1].contains(b)) {
                    let mut saturated = vec![0u64; 64 * row * n];
                    saturated[bit / 64 * 64 * row + element] = 1 << (bit % 64);
                    let mut sliced = vec![0u64; m * row];
                    slice(m, row, &saturated, &mut sliced);
                    let right = |at: usize| if at == bit * row + element / 64 { 1u64 << (element % 64) } else { 0 };
                    assert!(
                        sliced.iter().enumerate().all(|(at, word)| *word == right(at)),
                        "bit {bit} of element {element}"
                    );
                    let mut back = vec![u64::MAX; saturated.len()];
                    unslice(m, row, &sliced, &mut back);
                    assert_eq!(back, saturated);
                }
            }
        }
    }
}

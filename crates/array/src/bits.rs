//! Elements of binary fields, bit-sliced: coordinate i of element l is bit l of row i. The way from and to saturated words, and sums.

use num_bigint::BigUint;

use crate::array::View;
use crate::engine::Engine;
use crate::error::ArrayError;

/// 64 words of 64 bits: bit i of word j becomes bit j of word i (Warren, Hacker's Delight, 7-3).
fn transpose(block: &mut [u64; 64]) {
    let (mut j, mut mask) = (32, u64::MAX >> 32);
    while j > 0 {
        let mut k = 0;
        while k < 64 {
            let t = (block[k] >> j ^ block[k + j]) & mask;
            block[k] ^= t << j;
            block[k + j] ^= t;
            k = (k + j + 1) & !j;
        }
        j >>= 1;
        mask ^= mask << j;
    }
}

/// Saturated words in the order of lanes, `64·row` of them, into m rows of `row` words.
pub(crate) fn slice(m: usize, row: usize, saturated: &[u64], out: &mut [u64]) {
    let n = m.div_ceil(64);
    let groups = saturated.chunks_exact(64 * row * n).zip(out.chunks_exact_mut(m * row));
    for (saturated, out) in groups {
        for (at, words) in saturated.chunks_exact(64).enumerate() {
            // Word i of the elements 64c … 64c + 63.
            let (i, c) = (at / row, at % row);
            let mut block = [0; 64];
            block.copy_from_slice(words);
            transpose(&mut block);
            out[64 * i * row..].chunks_mut(row).zip(&block).for_each(|(row, bits)| row[c] = *bits);
        }
    }
}

/// The way back.
pub(crate) fn unslice(m: usize, row: usize, sliced: &[u64], saturated: &mut [u64]) {
    let n = m.div_ceil(64);
    let groups = saturated.chunks_exact_mut(64 * row * n).zip(sliced.chunks_exact(m * row));
    for (saturated, sliced) in groups {
        for (at, words) in saturated.chunks_exact_mut(64).enumerate() {
            let (i, c) = (at / row, at % row);
            let mut block = [0; 64];
            block.iter_mut().zip(sliced[64 * i * row..].chunks(row)).for_each(|(bits, row)| *bits = row[c]);
            transpose(&mut block);
            words.copy_from_slice(&block);
        }
    }
}

/// 1 for elements of more than m bits, in saturated words in the order of lanes.
pub(crate) fn above(m: usize, lanes: usize, saturated: &[u64], flags: &mut [u64]) {
    let (n, top) = (m.div_ceil(64), m % 64);
    for (group, flags) in saturated.chunks_exact(n * lanes).zip(flags.chunks_exact_mut(lanes)) {
        for (flag, word) in flags.iter_mut().zip(&group[(n - 1) * lanes..]) {
            let high = if top == 0 { 0 } else { word >> top };
            *flag = (high | high.wrapping_neg()) >> 63;
        }
    }
}

impl Engine {
    /// The sum of the elements of an array, or of the products of those of two.
    pub(crate) fn binary_sum(&self, arrays: &[View]) -> Result<BigUint, ArrayError> {
        let words = match arrays {
            [a, b] => self.to_words(&self.mul(*a, *b)?)?,
            _ => arrays.first().map_or(Ok(Vec::new()), |a| self.to_words(*a))?,
        };
        let n = self.words_per_element();
        let mut sum = vec![0u64; n];
        words.chunks_exact(n).for_each(|element| sum.iter_mut().zip(element).for_each(|(s, w)| *s ^= w));
        Ok(sum.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64u32) + *word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of every word goes to its place, and back; of long rows some.
    #[test]
    fn bits_go_to_their_rows() {
        for (m, row) in [(1, 1), (64, 1), (65, 1), (65, 4), (131, 8)] {
            let n = usize::div_ceil(m, 64);
            let all = row == 1;
            for element in (0..64 * row).filter(|e| all || [0, 1, 63, 64 * row - 1].contains(e)) {
                for bit in (0..m).filter(|b| all || [0, m / 2, m - 1].contains(b)) {
                    let mut saturated = vec![0u64; 64 * row * n];
                    saturated[bit / 64 * 64 * row + element] = 1 << (bit % 64);
                    let mut sliced = vec![0u64; m * row];
                    slice(m, row, &saturated, &mut sliced);
                    let right = |at: usize| if at == bit * row + element / 64 { 1u64 << (element % 64) } else { 0 };
                    assert!(sliced.iter().enumerate().all(|(at, word)| *word == right(at)), "bit {bit} of element {element}");
                    let mut back = vec![u64::MAX; saturated.len()];
                    unslice(m, row, &sliced, &mut back);
                    assert_eq!(back, saturated);
                }
            }
        }
    }
}

//! Slices by exchanges in plain code, L tiles of 64 words by 64 bits side by side.

use std::array::from_fn;

/// Coordinates of a word.
pub(crate) const WORD: usize = 64;

/// Rows r, of which word t is of tile t.
type Tiles<const L: usize> = [[u64; L]; WORD];

/// Of rows that are HALF apart the bits that are SHIFT apart.
#[inline(always)]
fn exchange<const L: usize, const HALF: usize, const SHIFT: u32>(rows: &mut [[u64; L]; 8]) {
    for k in 0..8 {
        if k & HALF == 0 {
            for l in 0..L {
                let t = (rows[k][l] >> SHIFT ^ rows[k + HALF][l]) & (u64::MAX / ((1 << SHIFT) + 1));
                rows[k][l] ^= t << SHIFT;
                rows[k + HALF][l] ^= t;
            }
        }
    }
}

/// Bit i of row j becomes bit j of row i, in every tile.
#[inline(always)]
fn turn<const L: usize>(tiles: &mut Tiles<L>) {
    for first in 0..8 {
        let mut rows: [[u64; L]; 8] = from_fn(|i| tiles[first + 8 * i]);
        exchange::<L, 4, 32>(&mut rows);
        exchange::<L, 2, 16>(&mut rows);
        exchange::<L, 1, 8>(&mut rows);
        rows.iter().enumerate().for_each(|(i, row)| tiles[first + 8 * i] = *row);
    }
    for rows in tiles.as_chunks_mut().0 {
        exchange::<L, 4, 4>(rows);
        exchange::<L, 2, 2>(rows);
        exchange::<L, 1, 1>(rows);
    }
}

#[inline(always)]
pub fn into_rows<const L: usize>(row: usize, words: &[u64], rows: &mut [u64]) {
    for (group, words) in words.chunks_exact(WORD * L).enumerate() {
        let mut tiles: Tiles<L> = from_fn(|r| from_fn(|t| words[WORD * t + r]));
        turn(&mut tiles);
        rows.chunks_exact_mut(row).zip(&tiles).for_each(|(row, bits)| row[L * group..][..L].copy_from_slice(bits));
    }
}

#[inline(always)]
pub fn into_words<const L: usize>(row: usize, rows: &[u64], words: &mut [u64]) {
    for (group, words) in words.chunks_exact_mut(WORD * L).enumerate() {
        let mut tiles = [[0; L]; WORD];
        rows.chunks_exact(row).zip(&mut tiles).for_each(|(row, bits)| bits.copy_from_slice(&row[L * group..][..L]));
        turn(&mut tiles);
        for (t, words) in words.chunks_exact_mut(WORD).enumerate() {
            words.iter_mut().zip(&tiles).for_each(|(word, row)| *word = row[t]);
        }
    }
}

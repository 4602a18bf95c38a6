//! Elements of binary fields into slices, and back, on vectors; what [`crate::slices`] says of both holds.
//!
//! Rows of eight words go by the network of AVX-512, rows of four (or two of them) by AVX2.
//!
//! * **cost** of 64 rows. AVX2: 192 exchanges of 6 operations on vectors of four words, for 256 elements. Network, for
//!   512: 128 permutations of bytes, 64 products of bits, 384 blends (back 64 permutations more), 288 (320) cycles of two
//!   vector ports; of the rows above m none, in steps of eight.
//! * **source** squares of 8 by 8 bits by `vgf2p8affineqb` with the data as the matrix.
//!
//! The network exchanges the number of a register, k, with the place p of a byte in it. `p := p ⊕ k` is a permutation
//! of each register by itself, `k := k ⊕ p` six rounds of blends of pairs of registers, and the first, the second, and
//! the first again are the exchange. The first is part of a permutation that is needed anyway, so of each byte that
//! moves to another register nothing remains but blends, which both ports take: shuffles, which one port takes, would
//! need six rounds of 64 there.

use evariste_codegen::x86_64::Features;

/// What the processor has for this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Network,
    Avx2,
    Plain,
}

fn way() -> Way {
    match Features::of_this_machine() {
        Some(f) if f.vbmi2 && f.gfni => Way::Network,
        Some(f) if f.avx2 => Way::Avx2,
        _ => Way::Plain,
    }
}

/// `64·row` words into up to 64 rows, where there is a way.
pub fn into_rows(row: usize, words: &[u64], rows: &mut [u64]) -> bool {
    match (row, way(), words.as_chunks().0.try_into()) {
        // SAFETY: the processor has these instructions.
        (8, Way::Network, Ok(words)) => unsafe { network::into_rows(words, rows.as_chunks_mut().0) },
        // SAFETY: the same.
        (4 | 8, Way::Avx2, _) | (4, Way::Network, _) => unsafe { avx2::into_rows(row, words, rows) },
        _ => return false,
    }
    true
}

/// The way back.
pub fn into_words(row: usize, rows: &[u64], words: &mut [u64]) -> bool {
    match (row, way()) {
        (8, Way::Network) => match words.as_chunks_mut().0.try_into() {
            // SAFETY: the processor has these instructions.
            Ok(words) => unsafe { network::into_words(rows.as_chunks().0, words) },
            Err(_) => return false,
        },
        // SAFETY: the same.
        (4 | 8, Way::Avx2) | (4, Way::Network) => unsafe { avx2::into_words(row, rows, words) },
        _ => return false,
    }
    true
}

/// The functions above, compiled for vectors of four words.
mod avx2 {
    use crate::plain;

    #[target_feature(enable = "avx2")]
    pub fn into_rows(row: usize, words: &[u64], rows: &mut [u64]) {
        plain::into_rows::<4>(row, words, rows);
    }

    #[target_feature(enable = "avx2")]
    pub fn into_words(row: usize, rows: &[u64], words: &mut [u64]) {
        plain::into_words::<4>(row, rows, words);
    }
}

/// By squares of bits and a network of bytes, rows of eight words.
mod network {
    use std::arch::x86_64::*;
    use std::array::from_fn;
    use std::mem::MaybeUninit;

    /// Words of a register.
    const LANES: usize = 8;

    /// Permutations of bytes.
    #[repr(align(64))]
    struct Places<const N: usize>([[u8; 64]; N]);

    /// `p ⊕ k`.
    static SKEWED: Places<64> = {
        let mut all = [[0; 64]; 64];
        let mut at = 0;
        while at < 64 * 64 {
            all[at / 64][at % 64] = ((at / 64) ^ (at % 64)) as u8;
            at += 1;
        }
        Places(all)
    };

    /// Byte c of element t, at `8t + c`, comes to (or is taken from) `8c + t`. Of the nine the last does that; the
    /// others, for k = 8K + …, have the elements of a square upside down, as the product of bits takes its rows, and
    /// byte c in place `c ⊕ K`.
    static COLUMNS: Places<9> = {
        let mut all = [[0; 64]; 9];
        let mut at = 0;
        while at < 9 * 64 {
            let (k, place) = (at / 64, at % 64);
            let place = if k < 8 { place ^ (8 * k + 7) } else { place };
            all[k][at % 64] = (place % 8 * 8 + place / 8) as u8;
            at += 1;
        }
        Places(all)
    };

    /// Bit `p ⊕ k` alone in byte p, for k below 8.
    const BITS: [i64; 8] = {
        let mut all = [0; 8];
        let mut at = 0;
        while at < 64 {
            all[at / 8] |= 1i64 << (at % 8 * 8 + ((at / 8) ^ (at % 8)));
            at += 1;
        }
        all
    };

    /// Places whose bit 0, 1, 2 is set; whose bit 3, 4, 5 is.
    const LOW: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const HIGH: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

    /// `k := k ⊕ p` in three bits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn exchange(mut x: [__m512i; 8], places: [u64; 3]) -> [__m512i; 8] {
        for (bit, mask) in places.into_iter().enumerate() {
            let y = x;
            for k in 0..8 {
                x[k] = _mm512_mask_blend_epi8(mask, y[k], y[k ^ 1 << bit]);
            }
        }
        x
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(words: &[u64; LANES]) -> __m512i {
        // SAFETY: the eight words of the array are read.
        unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(words: &mut [u64; LANES], x: __m512i) {
        // SAFETY: the eight words of the array are written.
        unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), x) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn permute(places: &[u8; 64], x: __m512i) -> __m512i {
        // SAFETY: the 64 bytes of the array are read.
        _mm512_permutexvar_epi8(unsafe { _mm512_loadu_epi8(places.as_ptr().cast()) }, x)
    }

    /// Register k has the words of the elements 8k to 8k + 7.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    pub fn into_rows(words: &[[u64; LANES]; 64], rows: &mut [[u64; LANES]]) {
        let mut half = [[MaybeUninit::uninit(); 8]; 8];
        for low in 0..8 {
            let bits = _mm512_set1_epi64(BITS[low]);
            // Byte k of row b in place b ⊕ k.
            let x = from_fn(|high| {
                _mm512_gf2p8affine_epi64_epi8::<0>(bits, permute(&COLUMNS.0[high], load(&words[8 * high + low])))
            });
            half[low] = exchange(x, HIGH).map(MaybeUninit::new);
        }
        for (column, rows) in rows.chunks_mut(8).enumerate() {
            // SAFETY: all were written.
            let x = exchange(from_fn(|low| unsafe { half[low][column].assume_init() }), LOW);
            for (i, (row, x)) in rows.iter_mut().zip(x).enumerate() {
                store(row, permute(&SKEWED.0[8 * column + i], x));
            }
        }
    }

    /// The way back.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    pub fn into_words(rows: &[[u64; LANES]], words: &mut [[u64; LANES]; 64]) {
        let mut half = [[MaybeUninit::uninit(); 8]; 8];
        for (column, half) in half.iter_mut().enumerate() {
            let row = |i: usize| {
                rows.get(8 * column + i)
                    .map_or(_mm512_setzero_si512(), |row| permute(&SKEWED.0[8 * column + i], load(row)))
            };
            *half = exchange(from_fn(row), LOW).map(MaybeUninit::new);
        }
        for low in 0..8 {
            // SAFETY: all were written.
            let x = exchange(from_fn(|column| unsafe { half[column][low].assume_init() }), HIGH);
            for (high, x) in x.into_iter().enumerate() {
                let k = 8 * high + low;
                // The rows of a square upside down.
                let squares =
                    _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(BITS[0]), permute(&SKEWED.0[k ^ 7], x));
                store(&mut words[k], permute(&COLUMNS.0[8], squares));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain;

    type IntoRows = fn(&[u64], &mut [u64]);
    type IntoWords = fn(&[u64], &mut [u64]);

    /// The ways for rows of that many words that the processor has, the plain one first; a missing one is a line that
    /// says so.
    fn ways(row: usize) -> Vec<(&'static str, IntoRows, IntoWords)> {
        let mut all: Vec<(&'static str, IntoRows, IntoWords)> = Vec::new();
        match row {
            4 => all.push(("plain", |x, y| plain::into_rows::<1>(4, x, y), |x, y| plain::into_words::<1>(4, x, y))),
            _ => all.push(("plain", |x, y| plain::into_rows::<1>(8, x, y), |x, y| plain::into_words::<1>(8, x, y))),
        }
        match (way(), row) {
            (Way::Plain, _) => {}
            (_, 4) => {
                // SAFETY: the processor has these instructions.
                let rows: IntoRows = |x, y| unsafe { avx2::into_rows(4, x, y) };
                // SAFETY: as above.
                let words: IntoWords = |x, y| unsafe { avx2::into_words(4, x, y) };
                all.push(("AVX2", rows, words));
            }
            _ => {
                // SAFETY: the processor has these instructions.
                let rows: IntoRows = |x, y| unsafe { avx2::into_rows(8, x, y) };
                // SAFETY: as above.
                let words: IntoWords = |x, y| unsafe { avx2::into_words(8, x, y) };
                all.push(("AVX2", rows, words));
            }
        }
        if row == 8 && way() == Way::Network {
            let rows: IntoRows = |x, y| {
                let (x, y) = (x.as_chunks().0.try_into().expect("64 rows"), y.as_chunks_mut().0);
                // SAFETY: the processor has these instructions.
                unsafe { network::into_rows(x, y) }
            };
            let words: IntoWords = |x, y| {
                let (x, y) = (x.as_chunks().0, y.as_chunks_mut().0.try_into().expect("64 rows"));
                // SAFETY: as above.
                unsafe { network::into_words(x, y) }
            };
            all.push(("the network", rows, words));
        }
        if all.len() < row / 4 + 1 {
            evariste_testing::lacks_feature(
                &format!("{} of {} ways to slice rows of {row} words", row / 4 + 1 - all.len(), row / 4 + 1),
                if all.len() == 1 { "AVX2" } else { "AVX-512 with GFNI" },
            );
        }
        all
    }

    /// All ways do the same to every single bit: as bits are only moved, by a rule that is the same for all data, to
    /// any words. Then to some that are full.
    #[test]
    fn all_ways_are_one() {
        for row in [4, 8] {
            let ways = ways(row);
            let mut state = 0x9e37_79b9_7f4a_7c15u64;
            for trial in 0..64 * row * 64 + 50 {
                let mut words = vec![0u64; 64 * row];
                match trial.checked_sub(64 * row * 64) {
                    None => words[trial / 64] = 1 << (trial % 64),
                    Some(_) => words.fill_with(|| {
                        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                        state ^ state >> 29
                    }),
                }
                let mut expected = vec![0u64; 64 * row];
                ways[0].1(&words, &mut expected);
                for (name, into_rows, into_words) in &ways {
                    let (mut rows, mut back) = (vec![u64::MAX; 64 * row], vec![u64::MAX; 64 * row]);
                    into_rows(&words, &mut rows);
                    assert!(rows == expected, "{name}, rows of {row} words, trial {trial}");
                    into_words(&rows, &mut back);
                    assert!(back == words, "{name} back, rows of {row} words, trial {trial}");
                }
            }
            // Fewer rows: the first of them, and on the way back zeros in their place.
            let words: Vec<u64> = (0..64 * row as u64).map(|i| i.wrapping_mul(0xd134_2543_de82_ef95)).collect();
            for count in 0..64 {
                for (name, into_rows, into_words) in &ways {
                    let (mut rows, mut back) = (vec![0u64; count * row], vec![u64::MAX; 64 * row]);
                    into_rows(&words, &mut rows);
                    into_words(&rows, &mut back);
                    assert!(
                        back.iter().zip(&words).all(|(b, w)| *b == w & ((1 << count) - 1)),
                        "{name}, {count} rows of {row} words"
                    );
                }
            }
        }
    }
}

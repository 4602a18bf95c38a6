//! Elements into the order of four lanes by AVX2, as [`crate::transpose`] says. Two words of two elements fill a
//! register as they are loaded, and an unpack of two such gives a row: no permutation across the halves. On the way back
//! one exchanges halves of four rows, so that whole registers are stored.

use std::arch::x86_64::*;

/// Elements of a group.
const LANES: usize = 4;

/// Bytes of a word.
const WORD: usize = 8;

/// Whole groups, with usual lengths known to the compiler.
#[target_feature(enable = "avx2")]
pub fn into_rows<const BIG: bool>(n: usize, from: &[u8], to: &mut [u64]) {
    match n {
        2 => groups_into_rows::<2, BIG>(n, from, to),
        3 => groups_into_rows::<3, BIG>(n, from, to),
        4 => groups_into_rows::<4, BIG>(n, from, to),
        5 => groups_into_rows::<5, BIG>(n, from, to),
        6 => groups_into_rows::<6, BIG>(n, from, to),
        7 => groups_into_rows::<7, BIG>(n, from, to),
        9 => groups_into_rows::<9, BIG>(n, from, to),
        _ => groups_into_rows::<0, BIG>(n, from, to),
    }
}

/// The way back.
#[target_feature(enable = "avx2")]
pub fn into_elements<const BIG: bool>(n: usize, from: &[u64], to: &mut [u8]) {
    match n {
        2 => groups_into_elements::<2, BIG>(n, from, to),
        3 => groups_into_elements::<3, BIG>(n, from, to),
        4 => groups_into_elements::<4, BIG>(n, from, to),
        5 => groups_into_elements::<5, BIG>(n, from, to),
        6 => groups_into_elements::<6, BIG>(n, from, to),
        7 => groups_into_elements::<7, BIG>(n, from, to),
        9 => groups_into_elements::<9, BIG>(n, from, to),
        _ => groups_into_elements::<0, BIG>(n, from, to),
    }
}

/// Is any word not 0?
#[target_feature(enable = "avx2")]
pub fn any(words: &[u64]) -> bool {
    let (rows, rest) = words.as_chunks::<LANES>();
    let mut sum = _mm256_setzero_si256();
    for row in rows {
        // SAFETY: four words are read: those of the chunk.
        sum = _mm256_or_si256(sum, unsafe { _mm256_loadu_si256(row.as_ptr().cast()) });
    }
    let none = rest.iter().fold(0, |any, word| any | word) == 0;
    _mm256_testz_si256(sum, sum) == 0 || !none
}

/// Words whose highest byte comes first, the other way round.
#[inline]
#[target_feature(enable = "avx2")]
fn turned<const BIG: bool>(words: __m256i) -> __m256i {
    let (high, low) = (0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    if BIG { _mm256_shuffle_epi8(words, _mm256_set_epi64x(high, low, high, low)) } else { words }
}

/// Row i of n: of big-endian elements the last words come first.
fn row<const BIG: bool>(n: usize, i: usize) -> usize {
    if BIG { n - 1 - i } else { i }
}

/// Two words from there on, and two words from `other` on behind them.
///
/// # Safety
/// All of them may be read.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn both(one: *const u8, other: *const u8) -> __m256i {
    // SAFETY: the caller's promise.
    let (one, other) = unsafe { (_mm_loadu_si128(one.cast()), _mm_loadu_si128(other.cast())) };
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(one), other)
}

/// N: the length, or 0 where it is not known before. No closures: a function that takes one has not these instructions.
#[inline]
#[target_feature(enable = "avx2")]
fn groups_into_rows<const N: usize, const BIG: bool>(n: usize, from: &[u8], to: &mut [u64]) {
    let n = if N == 0 { n } else { N };
    for (from, to) in from.chunks_exact(n * LANES * WORD).zip(to.chunks_exact_mut(n * LANES)) {
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        let mut i = 0;
        while i + 1 < n {
            // SAFETY: words i and i + 1 of each of the four elements are read, and rows i and i + 1 of four words
            // written: of the 4n of each chunk, since i + 1 < n.
            unsafe {
                let even = both(from.add(i * WORD), from.add((2 * n + i) * WORD));
                let odd = both(from.add((n + i) * WORD), from.add((3 * n + i) * WORD));
                let (first, second) = (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd));
                _mm256_storeu_si256(to.add(row::<BIG>(n, i) * LANES).cast(), turned::<BIG>(first));
                _mm256_storeu_si256(to.add(row::<BIG>(n, i + 1) * LANES).cast(), turned::<BIG>(second));
            }
            i += 2;
        }
        if i < n {
            // SAFETY: the last word of each of the four elements, and its row.
            unsafe {
                let last = from.add(i * WORD).cast::<i64>();
                let words = _mm256_set_epi64x(
                    last.add(3 * n).read_unaligned(),
                    last.add(2 * n).read_unaligned(),
                    last.add(n).read_unaligned(),
                    last.read_unaligned(),
                );
                _mm256_storeu_si256(to.add(row::<BIG>(n, i) * LANES).cast(), turned::<BIG>(words));
            }
        }
    }
}

/// Row i of n.
///
/// # Safety
/// From `from` on there are n rows, and i < n.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_row<const BIG: bool>(n: usize, from: *const u64, i: usize) -> __m256i {
    // SAFETY: the caller's promise.
    turned::<BIG>(unsafe { _mm256_loadu_si256(from.add(row::<BIG>(n, i) * LANES).cast()) })
}

/// Words i and i + 1 of elements 0 and 2, and of 1 and 3.
///
/// # Safety
/// As [`load_row`], of both.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn pairs<const BIG: bool>(n: usize, from: *const u64, i: usize) -> (__m256i, __m256i) {
    // SAFETY: the caller's promise.
    let (first, second) = unsafe { (load_row::<BIG>(n, from, i), load_row::<BIG>(n, from, i + 1)) };
    (_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second))
}

#[inline]
#[target_feature(enable = "avx2")]
fn groups_into_elements<const N: usize, const BIG: bool>(n: usize, from: &[u64], to: &mut [u8]) {
    let n = if N == 0 { n } else { N };
    for (from, to) in from.chunks_exact(n * LANES).zip(to.chunks_exact_mut(n * LANES * WORD)) {
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        let mut i = 0;
        while i + 3 < n {
            // SAFETY: rows i to i + 3 are read, and words i to i + 3 of the four elements written: of the 4n of each
            // chunk, since i + 3 < n.
            unsafe {
                let ((low0, low1), (high0, high1)) = (pairs::<BIG>(n, from, i), pairs::<BIG>(n, from, i + 2));
                let to = to.add(i * WORD);
                _mm256_storeu_si256(to.cast(), _mm256_permute2x128_si256::<0x20>(low0, high0));
                _mm256_storeu_si256(to.add(n * WORD).cast(), _mm256_permute2x128_si256::<0x20>(low1, high1));
                _mm256_storeu_si256(to.add(2 * n * WORD).cast(), _mm256_permute2x128_si256::<0x31>(low0, high0));
                _mm256_storeu_si256(to.add(3 * n * WORD).cast(), _mm256_permute2x128_si256::<0x31>(low1, high1));
            }
            i += 4;
        }
        if i + 1 < n {
            // SAFETY: rows i and i + 1, and these words of the four elements, since i + 1 < n.
            unsafe {
                let (even, odd) = pairs::<BIG>(n, from, i);
                let to = to.add(i * WORD);
                _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(even));
                _mm_storeu_si128(to.add(n * WORD).cast(), _mm256_castsi256_si128(odd));
                _mm_storeu_si128(to.add(2 * n * WORD).cast(), _mm256_extracti128_si256::<1>(even));
                _mm_storeu_si128(to.add(3 * n * WORD).cast(), _mm256_extracti128_si256::<1>(odd));
            }
            i += 2;
        }
        if i < n {
            // SAFETY: the last row, and the last word of each of the four elements.
            unsafe {
                let words = load_row::<BIG>(n, from, i);
                let to = to.add(i * WORD).cast::<i64>();
                to.write_unaligned(_mm256_extract_epi64::<0>(words));
                to.add(n).write_unaligned(_mm256_extract_epi64::<1>(words));
                to.add(2 * n).write_unaligned(_mm256_extract_epi64::<2>(words));
                to.add(3 * n).write_unaligned(_mm256_extract_epi64::<3>(words));
            }
        }
    }
}

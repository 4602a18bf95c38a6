//! Elements one after the other into the order of lanes, and back, by the permutations of AVX-512: words are moved, nothing is computed.
//!
//! Eight elements of n words become n rows of eight (or of more, eight places of each), in tiles of up to four words: an element's words fill one half of a register, four pairs of elements are four registers, and eight
//! permutations make four rows of them. Where the order of the elements in a group is free, elements of four words come with four permutations and four masked loads: a load at an address a word further takes
//! the place of a shift. Whoever calls has another way where the processor is another.

/// Elements of a group.
const LANES: usize = 8;

/// The order of the elements of a group in its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// One after the other.
    Natural,
    /// Whatever costs least: the same there and back, and for all operands of the same number of words.
    Free,
}

/// Turns whole groups of `lanes` elements (a multiple of eight) of n words each into n rows of `lanes` words. `false`, and nothing done, where the processor has no AVX-512 or the lengths are not those of the same
/// number of whole groups.
pub fn interleave(n: usize, lanes: usize, order: Order, from: &[u64], to: &mut [u64]) -> bool {
    turn(n, lanes, order, from, to, true)
}

/// The way back.
pub fn deinterleave(n: usize, lanes: usize, order: Order, from: &[u64], to: &mut [u64]) -> bool {
    turn(n, lanes, order, from, to, false)
}

/// Is any word not 0? Without a branch on one of them.
pub fn any(words: &[u64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has these instructions.
        return unsafe { avx512::any(words) };
    }
    words.iter().fold(0, |any, word| any | word) != 0
}

#[cfg(not(target_arch = "x86_64"))]
fn turn(_: usize, _: usize, _: Order, _: &[u64], _: &mut [u64], _: bool) -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn turn(n: usize, lanes: usize, order: Order, from: &[u64], to: &mut [u64], rows: bool) -> bool {
    let able = std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512vl");
    if !able || n == 0 || lanes == 0 || !lanes.is_multiple_of(LANES) || from.len() != to.len() || !from.len().is_multiple_of(lanes * n) {
        return false;
    }
    // SAFETY: the processor has these instructions.
    unsafe {
        match (order, n, rows) {
            (Order::Free, 4, true) if lanes == LANES => avx512::four_into_rows(from, to),
            (Order::Free, 4, false) if lanes == LANES => avx512::four_into_elements(from, to),
            (_, _, true) => avx512::sized::<true>(n, lanes, from, to),
            (_, _, false) => avx512::sized::<false>(n, lanes, from, to),
        }
    };
    true
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Whole groups, with usual lengths known to the compiler.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub fn sized<const ROWS: bool>(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
        match n {
            2 => groups::<ROWS, 2>(n, lanes, from, to),
            3 => groups::<ROWS, 3>(n, lanes, from, to),
            4 => groups::<ROWS, 4>(n, lanes, from, to),
            6 => groups::<ROWS, 6>(n, lanes, from, to),
            8 => groups::<ROWS, 8>(n, lanes, from, to),
            _ => groups::<ROWS, 0>(n, lanes, from, to),
        }
    }

    /// Is any word not 0?
    #[target_feature(enable = "avx512f")]
    pub fn any(words: &[u64]) -> bool {
        let (rows, rest) = words.as_chunks::<LANES>();
        // SAFETY: eight words are read: those of the chunk.
        let sum = rows.iter().fold(_mm512_setzero_si512(), |sum, row| unsafe { _mm512_or_epi64(sum, _mm512_loadu_epi64(row.as_ptr().cast())) });
        rest.iter().fold(u64::from(_mm512_test_epi64_mask(sum, sum)), |any, word| any | word) != 0
    }

    /// Elements of four words into rows, in the order 0, 2, 1, 3, 4, 6, 5, 7.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub fn four_into_rows(from: &[u64], to: &mut [u64]) {
        for (from, to) in from.as_chunks::<32>().0.iter().zip(to.as_chunks_mut::<32>().0) {
            // SAFETY: the words `at` to `at + 7` are of the group, since at ≤ 24.
            let load = |at: usize| unsafe { _mm512_loadu_epi64(from.as_ptr().add(at).cast()) };
            // Words 0 and 2 of two elements and of the two behind them, in pairs; words 1 and 3.
            // SAFETY: of the words from at + 7 on the mask takes those up to at + 14, of the group since at ≤ 16.
            let even = |at: usize| unsafe { _mm512_mask_loadu_epi64(load(at), 0b1010_1010, from.as_ptr().add(at + 7).cast()) };
            // SAFETY: of the words from at + 1 on those up to at + 7.
            let odd = |at: usize| unsafe { _mm512_mask_loadu_epi64(load(at + 8), 0b0101_0101, from.as_ptr().add(at + 1).cast()) };
            let (even, odd) = ([even(0), even(16)], [odd(0), odd(16)]);
            let rows = [_mm512_shuffle_i64x2::<0b10_00_10_00>(even[0], even[1]), _mm512_shuffle_i64x2::<0b10_00_10_00>(odd[0], odd[1]), _mm512_shuffle_i64x2::<0b11_01_11_01>(even[0], even[1]), _mm512_shuffle_i64x2::<0b11_01_11_01>(odd[0], odd[1])];
            for (row, place) in rows.into_iter().zip(to.as_chunks_mut::<LANES>().0) {
                // SAFETY: eight words are written: those of the chunk.
                unsafe { _mm512_storeu_epi64(place.as_mut_ptr().cast(), row) };
            }
        }
    }

    /// The way back.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub fn four_into_elements(from: &[u64], to: &mut [u64]) {
        let (low, high) = (_mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15));
        for (from, to) in from.as_chunks::<32>().0.iter().zip(to.as_chunks_mut::<32>().0) {
            // SAFETY: the eight words of a row are of the group.
            let row = |i: usize| unsafe { _mm512_loadu_epi64(from.as_ptr().add(i * LANES).cast()) };
            // Words 0, 1 and 2, 3 of elements 0, 1, 4, 5, and of the others.
            let (first, others) = ([_mm512_unpacklo_epi64(row(0), row(1)), _mm512_unpacklo_epi64(row(2), row(3))], [_mm512_unpackhi_epi64(row(0), row(1)), _mm512_unpackhi_epi64(row(2), row(3))]);
            let pairs = [_mm512_permutex2var_epi64(first[0], low, first[1]), _mm512_permutex2var_epi64(others[0], low, others[1]), _mm512_permutex2var_epi64(first[0], high, first[1]), _mm512_permutex2var_epi64(others[0], high, others[1])];
            for (pair, place) in pairs.into_iter().zip(to.as_chunks_mut::<LANES>().0) {
                // SAFETY: eight words are written: those of the chunk.
                unsafe { _mm512_storeu_epi64(place.as_mut_ptr().cast(), pair) };
            }
        }
    }

    /// Whole groups, tile by tile; N is n, or 0.
    #[target_feature(enable = "avx512f,avx512vl")]
    fn groups<const ROWS: bool, const N: usize>(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
        let n = if N > 0 { N } else { n };
        for (from, to) in from.chunks_exact(lanes * n).zip(to.chunks_exact_mut(lanes * n)) {
            for first in (0..lanes).step_by(LANES) {
                for word in (0..n).step_by(4) {
                    let (elements, rows) = (first * n + word, word * lanes + first);
                    match (ROWS, n - word) {
                        (true, 1) => into_rows::<1>(n, lanes, &from[elements..], &mut to[rows..]),
                        (true, 2) => into_rows::<2>(n, lanes, &from[elements..], &mut to[rows..]),
                        (true, 3) => into_rows::<3>(n, lanes, &from[elements..], &mut to[rows..]),
                        (true, _) => into_rows::<4>(n, lanes, &from[elements..], &mut to[rows..]),
                        (false, 1) => into_elements::<1>(n, lanes, &from[rows..], &mut to[elements..]),
                        (false, 2) => into_elements::<2>(n, lanes, &from[rows..], &mut to[elements..]),
                        (false, 3) => into_elements::<3>(n, lanes, &from[rows..], &mut to[elements..]),
                        (false, _) => into_elements::<4>(n, lanes, &from[rows..], &mut to[elements..]),
                    }
                }
            }
        }
    }

    /// Words a[0], a[1], b[0], b[1] of each half, and a[2], a[3], b[2], b[3].
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn pairs(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        let (low, high) = (_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15));
        (_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b))
    }

    /// `COUNT` words of each of eight elements, the first of them at the start of `from`, into rows.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn into_rows<const COUNT: usize>(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
        let (from, to) = (&from[..7 * n + COUNT], &mut to[..(COUNT - 1) * lanes + LANES]);
        let load = |element: usize| {
            // SAFETY: element ≤ 7, and `COUNT` words are read: those of the slice.
            unsafe {
                let place = from.as_ptr().add(element * n).cast();
                if COUNT == 4 { _mm256_loadu_epi64(place) } else { _mm256_maskz_loadu_epi64((1 << COUNT) - 1, place) }
            }
        };
        // Elements l and l + 4.
        let both = |l: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(load(l)), load(l + 4));
        let z = [both(0), both(1), both(2), both(3)];
        let (row0, row2) = pairs(_mm512_unpacklo_epi64(z[0], z[1]), _mm512_unpacklo_epi64(z[2], z[3]));
        let (row1, row3) = pairs(_mm512_unpackhi_epi64(z[0], z[1]), _mm512_unpackhi_epi64(z[2], z[3]));
        for (row, place) in [row0, row1, row2, row3].into_iter().zip(to.chunks_mut(lanes)) {
            // SAFETY: eight words are written: every row has them.
            unsafe { _mm512_storeu_epi64(place[..LANES].as_mut_ptr().cast(), row) };
        }
    }

    /// The way back.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn into_elements<const COUNT: usize>(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
        let (from, to) = (&from[..(COUNT - 1) * lanes + LANES], &mut to[..7 * n + COUNT]);
        // SAFETY: where i < COUNT eight words are read: those of the slice.
        let row = |i: usize| if i < COUNT { unsafe { _mm512_loadu_epi64(from.as_ptr().add(i * lanes).cast()) } } else { _mm512_setzero_si512() };
        // Words 0, 2 and 1, 3 of elements 0, 1, 4, 5 and of 2, 3, 6, 7.
        let ((even01, even23), (odd01, odd23)) = (pairs(row(0), row(2)), pairs(row(1), row(3)));
        let z = [_mm512_unpacklo_epi64(even01, odd01), _mm512_unpackhi_epi64(even01, odd01), _mm512_unpacklo_epi64(even23, odd23), _mm512_unpackhi_epi64(even23, odd23)];
        let mut store = |element: usize, words: __m256i| {
            // SAFETY: element ≤ 7, and `COUNT` words are written: those of the slice.
            unsafe {
                let place = to.as_mut_ptr().add(element * n).cast();
                if COUNT == 4 { _mm256_storeu_epi64(place, words) } else { _mm256_mask_storeu_epi64(place, (1 << COUNT) - 1, words) }
            }
        };
        for (l, z) in z.into_iter().enumerate() {
            store(l, _mm512_castsi512_si256(z));
            store(l + 4, _mm512_extracti64x4_epi64::<1>(z));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are all different: what moves them moves any.
    #[test]
    fn rows_and_back() {
        let natural = (1..=17).map(|n| (n, LANES, Order::Natural)).chain((1..=6).map(|n| (n, 3 * LANES, Order::Natural)));
        for (n, lanes, order) in natural.chain((1..=6).map(|n| (n, LANES, Order::Free))) {
            for groups in 0..4 {
                let from: Vec<u64> = (0..(groups * lanes * n) as u64).collect();
                let (mut rows, mut back) = (vec![u64::MAX; from.len()], vec![u64::MAX; from.len()]);
                if !interleave(n, lanes, order, &from, &mut rows) {
                    continue;
                }
                for group in 0..groups {
                    let row = |i: usize| &rows[(group * n + i) * lanes..][..lanes];
                    // The elements that the lanes hold: all of the group, each once.
                    let mut elements: Vec<usize> = row(0).iter().map(|w| *w as usize / n).collect();
                    for i in 0..n {
                        let expected: Vec<u64> = elements.iter().map(|e| (e * n + i) as u64).collect();
                        assert_eq!(row(i), expected, "row {i} of {n}, {order:?}");
                    }
                    if order == Order::Free {
                        elements.sort_unstable();
                    }
                    assert!(elements.into_iter().eq(group * lanes..(group + 1) * lanes), "{order:?}");
                }
                assert!(deinterleave(n, lanes, order, &rows, &mut back));
                assert_eq!(back, from);
            }
        }
    }

    #[test]
    fn one_word_is_found() {
        for len in 0..40 {
            assert!(!any(&vec![0; len]));
            for i in 0..len {
                let mut words = vec![0; len];
                words[i] = 1 << (i % 64);
                assert!(any(&words), "{i} of {len}");
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        let n = Order::Natural;
        assert!(!interleave(0, 8, n, &[], &mut []) && !interleave(2, 8, n, &[1; 15], &mut [0; 15]) && !deinterleave(2, 8, n, &[1; 16], &mut [0; 32]));
        assert!(!interleave(2, 0, n, &[], &mut []) && !interleave(1, 4, n, &[1; 8], &mut [0; 8]));
    }
}

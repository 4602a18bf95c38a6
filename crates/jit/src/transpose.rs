//! Elements one after the other into the order of lanes, and back, by the permutations of AVX-512: words are moved, nothing is computed.
//!
//! Eight elements of n words become n rows of eight, in tiles of up to four words: an element's words fill one half of a register, four pairs of elements are four registers, and eight
//! permutations make four rows of them. Whoever calls has another way where the processor is another.

/// Elements of a group.
const LANES: usize = 8;

/// Turns whole groups of eight elements of n words each into n rows of eight words. `false`, and nothing done, where the processor has no AVX-512 or the lengths are not those of the same
/// number of whole groups.
pub fn interleave(n: usize, from: &[u64], to: &mut [u64]) -> bool {
    turn(n, from, to, true)
}

/// The way back.
pub fn deinterleave(n: usize, from: &[u64], to: &mut [u64]) -> bool {
    turn(n, from, to, false)
}

#[cfg(not(target_arch = "x86_64"))]
fn turn(_: usize, _: &[u64], _: &mut [u64], _: bool) -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn turn(n: usize, from: &[u64], to: &mut [u64], rows: bool) -> bool {
    let able = std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512vl");
    if !able || n == 0 || from.len() != to.len() || !from.len().is_multiple_of(LANES * n) {
        return false;
    }
    // SAFETY: the processor has these instructions.
    unsafe { if rows { avx512::sized::<true>(n, from, to) } else { avx512::sized::<false>(n, from, to) } };
    true
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Whole groups, with usual lengths known to the compiler.
    #[target_feature(enable = "avx512f,avx512vl")]
    pub fn sized<const ROWS: bool>(n: usize, from: &[u64], to: &mut [u64]) {
        match n {
            2 => groups::<ROWS, 2>(n, from, to),
            3 => groups::<ROWS, 3>(n, from, to),
            4 => groups::<ROWS, 4>(n, from, to),
            6 => groups::<ROWS, 6>(n, from, to),
            8 => groups::<ROWS, 8>(n, from, to),
            _ => groups::<ROWS, 0>(n, from, to),
        }
    }

    /// Whole groups, tile by tile; N is n, or 0.
    #[target_feature(enable = "avx512f,avx512vl")]
    fn groups<const ROWS: bool, const N: usize>(n: usize, from: &[u64], to: &mut [u64]) {
        let n = if N > 0 { N } else { n };
        for (from, to) in from.chunks_exact(LANES * n).zip(to.chunks_exact_mut(LANES * n)) {
            for word in (0..n).step_by(4) {
                let (elements, rows) = (word, word * LANES);
                match (ROWS, n - word) {
                    (true, 1) => into_rows::<1>(n, &from[elements..], &mut to[rows..]),
                    (true, 2) => into_rows::<2>(n, &from[elements..], &mut to[rows..]),
                    (true, 3) => into_rows::<3>(n, &from[elements..], &mut to[rows..]),
                    (true, _) => into_rows::<4>(n, &from[elements..], &mut to[rows..]),
                    (false, 1) => into_elements::<1>(n, &from[rows..], &mut to[elements..]),
                    (false, 2) => into_elements::<2>(n, &from[rows..], &mut to[elements..]),
                    (false, 3) => into_elements::<3>(n, &from[rows..], &mut to[elements..]),
                    (false, _) => into_elements::<4>(n, &from[rows..], &mut to[elements..]),
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
    fn into_rows<const COUNT: usize>(n: usize, from: &[u64], to: &mut [u64]) {
        let (from, to) = (&from[..7 * n + COUNT], &mut to[..COUNT * LANES]);
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
        for (row, place) in [row0, row1, row2, row3].into_iter().zip(to.chunks_exact_mut(LANES)) {
            // SAFETY: eight words are written: those of the slice.
            unsafe { _mm512_storeu_epi64(place.as_mut_ptr().cast(), row) };
        }
    }

    /// The way back.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn into_elements<const COUNT: usize>(n: usize, from: &[u64], to: &mut [u64]) {
        let (from, to) = (&from[..COUNT * LANES], &mut to[..7 * n + COUNT]);
        // SAFETY: where i < COUNT eight words are read: those of the slice.
        let row = |i: usize| if i < COUNT { unsafe { _mm512_loadu_epi64(from.as_ptr().add(i * LANES).cast()) } } else { _mm512_setzero_si512() };
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
        for n in 1..=17 {
            for groups in 0..4 {
                let from: Vec<u64> = (1..=(groups * LANES * n) as u64).collect();
                let (mut rows, mut back) = (vec![0; from.len()], vec![0; from.len()]);
                if !interleave(n, &from, &mut rows) {
                    continue;
                }
                for (k, word) in from.iter().enumerate() {
                    let (element, i) = (k / n, k % n);
                    assert_eq!(rows[(element / LANES * n + i) * LANES + element % LANES], *word, "word {i} of element {element}, {n} words each");
                }
                assert!(deinterleave(n, &rows, &mut back));
                assert_eq!(back, from);
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        assert!(!interleave(0, &[], &mut []) && !interleave(2, &[1; 15], &mut [0; 15]) && !deinterleave(2, &[1; 16], &mut [0; 32]));
    }
}

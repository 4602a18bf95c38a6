//! Elements into the order of lanes by the permutations of AVX-512, as [`crate::transpose`] says.

use std::arch::x86_64::*;

/// Elements of a group.
const LANES: usize = 8;

/// Bytes of a register.
const BYTES: usize = 8 * LANES;

/// Which words of the elements that are blended together have their place in which register: n/R elements of N
/// words are N·R words, `R` of each in a blend.
struct Blends<const N: usize, const R: usize>;

impl<const N: usize, const R: usize> Blends<N, R> {
    /// `[blend][register]`: the lanes.
    const LANES: [[u8; N]; N] = {
        let mut all = [[0; N]; N];
        let mut i = 0;
        while i < N {
            let mut e = 0;
            while e < LANES / R {
                let word = i + N * e;
                all[i / R][word / LANES] |= 1 << (word % LANES);
                e += 1;
            }
            i += 1;
        }
        all
    };

    /// `[row][element]`: the lane of that blend.
    const PLACES: [[i64; LANES]; N] = {
        let mut all = [[0; LANES]; N];
        let mut i = 0;
        while i < N {
            let mut e = 0;
            while e < LANES {
                let half = e / (LANES / R);
                all[i][e] = ((i + N * (e % (LANES / R))) % LANES + LANES * half) as i64;
                e += 1;
            }
            i += 1;
        }
        all
    };

    /// `[blend][half][lane]`: element and row (+ 8 for the second one) there.
    const SOURCES: [[[i64; LANES]; R]; N] = {
        let mut all = [[[0; LANES]; R]; N];
        let mut i = 0;
        while i < N {
            let mut e = 0;
            while e < LANES {
                let place = Self::PLACES[i][e] as usize;
                all[i / R][place / LANES][place % LANES] = (e + LANES * (i % R)) as i64;
                e += 1;
            }
            i += 1;
        }
        all
    };
}

/// Whole groups, with usual lengths known to the compiler.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn into_rows<const BIG: bool>(n: usize, from: &[u8], to: &mut [u64]) {
    match n {
        1 => groups_into_rows::<1, BIG>(from, to),
        2 => groups_into_rows::<2, BIG>(from, to),
        3 => groups_into_rows::<3, BIG>(from, to),
        4 => groups_into_rows::<4, BIG>(from, to),
        5 => groups_into_rows::<5, BIG>(from, to),
        6 => groups_into_rows::<6, BIG>(from, to),
        7 => groups_into_rows::<7, BIG>(from, to),
        9 => groups_into_rows::<9, BIG>(from, to),
        _ => from
            .chunks_exact(n * BYTES)
            .zip(to.chunks_exact_mut(n * LANES))
            .for_each(|(from, to)| tiles::<BIG>(n, from, to)),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn groups_into_rows<const N: usize, const BIG: bool>(from: &[u8], to: &mut [u64]) {
    let places = places();
    for (from, to) in from.chunks_exact(N * BYTES).zip(to.chunks_exact_mut(N * LANES)) {
        let rows = match N {
            4 => four_rows::<N>(from),
            2 | 6 => paired_rows(load_elements::<N>(from)),
            _ => blended_rows(load_elements::<N>(from)),
        };
        for i in 0..N {
            // SAFETY: eight words are written, of the N·8 of the chunk, since `row` is below N.
            unsafe {
                _mm512_storeu_epi64(
                    to.as_mut_ptr().add(row::<BIG>(N, i) * LANES).cast(),
                    turned::<BIG>(rows[i], places),
                )
            };
        }
    }
}

/// The way back.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn into_elements<const BIG: bool>(n: usize, from: &[u64], to: &mut [u8]) {
    match n {
        1 => groups_into_elements::<1, BIG>(from, to),
        2 => groups_into_elements::<2, BIG>(from, to),
        3 => groups_into_elements::<3, BIG>(from, to),
        4 => groups_into_elements::<4, BIG>(from, to),
        5 => groups_into_elements::<5, BIG>(from, to),
        6 => groups_into_elements::<6, BIG>(from, to),
        7 => groups_into_elements::<7, BIG>(from, to),
        9 => groups_into_elements::<9, BIG>(from, to),
        _ => from
            .chunks_exact(n * LANES)
            .zip(to.chunks_exact_mut(n * BYTES))
            .for_each(|(from, to)| back_by_tiles::<BIG>(n, from, to)),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn groups_into_elements<const N: usize, const BIG: bool>(from: &[u64], to: &mut [u8]) {
    let places = places();
    for (from, to) in from.chunks_exact(N * LANES).zip(to.chunks_exact_mut(N * BYTES)) {
        let registers = match N {
            4 => four_elements::<N, BIG>(from),
            2 | 6 => paired_elements(load_rows::<N, BIG>(from)),
            _ => blended_elements(load_rows::<N, BIG>(from)),
        };
        for r in 0..N {
            // SAFETY: 64 bytes are written, of the N·64 of the chunk, since r < N.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().add(r * BYTES).cast(), turned::<BIG>(registers[r], places)) };
        }
    }
}

/// Is any word not 0?
#[target_feature(enable = "avx512f")]
pub fn any(words: &[u64]) -> bool {
    let (rows, rest) = words.as_chunks::<LANES>();
    // SAFETY: eight words are read: those of the chunk.
    let sum = rows.iter().fold(_mm512_setzero_si512(), |sum, row| unsafe {
        _mm512_or_epi64(sum, _mm512_loadu_epi64(row.as_ptr().cast()))
    });
    rest.iter().fold(u64::from(_mm512_test_epi64_mask(sum, sum)), |any, word| any | word) != 0
}

/// Where the bytes of words come from, in each half of 128 bits, whose highest byte comes first; the compiler is
/// not told, or it makes one permutation of bytes of this and of what moves the words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn places() -> __m512i {
    std::hint::black_box(_mm512_set4_epi64(
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
    ))
}

/// Words whose highest byte comes first, the other way round.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn turned<const BIG: bool>(words: __m512i, places: __m512i) -> __m512i {
    if BIG { _mm512_shuffle_epi8(words, places) } else { words }
}

/// Row i of n: of big-endian elements the last words come first.
fn row<const BIG: bool>(n: usize, i: usize) -> usize {
    if BIG { n - 1 - i } else { i }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load_rows<const N: usize, const BIG: bool>(from: &[u64]) -> [__m512i; N] {
    let (from, mut rows) = (&from[..N * LANES], [_mm512_setzero_si512(); N]);
    for i in 0..N {
        // SAFETY: eight words are read, of the N·8 of the slice, since `row` is below N.
        rows[i] = unsafe { _mm512_loadu_epi64(from.as_ptr().add(row::<BIG>(N, i) * LANES).cast()) };
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load_elements<const N: usize>(from: &[u8]) -> [__m512i; N] {
    let (from, mut registers) = (&from[..N * BYTES], [_mm512_setzero_si512(); N]);
    for r in 0..N {
        // SAFETY: 64 bytes are read, of the N·64 of the slice, since r < N.
        registers[r] = unsafe { _mm512_loadu_si512(from.as_ptr().add(r * BYTES).cast()) };
    }
    registers
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn lanes(of: &[i64; LANES]) -> __m512i {
    _mm512_setr_epi64(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7])
}

/// Odd N.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn blended_rows<const N: usize>(registers: [__m512i; N]) -> [__m512i; N] {
    let mut rows = registers;
    for i in 0..N {
        let mut words = registers[0];
        for r in 1..N {
            words = _mm512_mask_blend_epi64(Blends::<N, 1>::LANES[i][r], words, registers[r]);
        }
        rows[i] = _mm512_permutexvar_epi64(lanes(&Blends::<N, 1>::PLACES[i]), words);
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn blended_elements<const N: usize>(rows: [__m512i; N]) -> [__m512i; N] {
    let mut blends = rows;
    for i in 0..N {
        blends[i] = _mm512_permutexvar_epi64(lanes(&Blends::<N, 1>::SOURCES[i][0]), rows[i]);
    }
    let mut registers = blends;
    for r in 0..N {
        let mut words = blends[0];
        for i in 1..N {
            words = _mm512_mask_blend_epi64(Blends::<N, 1>::LANES[i][r], words, blends[i]);
        }
        registers[r] = words;
    }
    registers
}

/// N twice an odd number: two halves of four elements.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn paired_rows<const N: usize>(registers: [__m512i; N]) -> [__m512i; N] {
    let mut rows = registers;
    for j in 0..N / 2 {
        let mut halves = [registers[0], registers[N / 2]];
        for r in 1..N / 2 {
            for half in 0..2 {
                halves[half] =
                    _mm512_mask_blend_epi64(Blends::<N, 2>::LANES[j][r], halves[half], registers[half * (N / 2) + r]);
            }
        }
        for i in [2 * j, 2 * j + 1] {
            rows[i] = _mm512_permutex2var_epi64(halves[0], lanes(&Blends::<N, 2>::PLACES[i]), halves[1]);
        }
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn paired_elements<const N: usize>(rows: [__m512i; N]) -> [__m512i; N] {
    let mut registers = rows;
    for half in 0..2 {
        let mut blends = rows;
        for j in 0..N / 2 {
            blends[j] =
                _mm512_permutex2var_epi64(rows[2 * j], lanes(&Blends::<N, 2>::SOURCES[j][half]), rows[2 * j + 1]);
        }
        for r in 0..N / 2 {
            let mut words = blends[0];
            for j in 1..N / 2 {
                words = _mm512_mask_blend_epi64(Blends::<N, 2>::LANES[j][r], words, blends[j]);
            }
            registers[half * (N / 2) + r] = words;
        }
    }
    registers
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn four_rows<const N: usize>(from: &[u8]) -> [__m512i; N] {
    let from: *const i64 = from[..4 * BYTES].as_ptr().cast();
    // SAFETY: the words `at` to `at + 7` are of the group, since at ≤ 24.
    let load = |at: usize| unsafe { _mm512_loadu_epi64(from.add(at)) };
    // Words 0 and 2 of two elements and of the two behind them, in pairs; words 1 and 3.
    // SAFETY: of the words from at + 7 on the mask takes those up to at + 14, of the group since at ≤ 16.
    let even = |at: usize| unsafe { _mm512_mask_loadu_epi64(load(at), 0b1010_1010, from.add(at + 7)) };
    // SAFETY: of the words from at + 1 on those up to at + 7.
    let odd = |at: usize| unsafe { _mm512_mask_loadu_epi64(load(at + 8), 0b0101_0101, from.add(at + 1)) };
    let (even, odd) = ([even(0), even(16)], [odd(0), odd(16)]);
    let (low, high) = (_mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13), _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15));
    let mut rows = [even[0]; N];
    rows[0] = _mm512_permutex2var_epi64(even[0], low, even[1]);
    rows[1] = _mm512_permutex2var_epi64(odd[0], low, odd[1]);
    rows[2] = _mm512_permutex2var_epi64(even[0], high, even[1]);
    rows[3] = _mm512_permutex2var_epi64(odd[0], high, odd[1]);
    rows
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn four_elements<const N: usize, const BIG: bool>(from: &[u64]) -> [__m512i; N] {
    let from: *const i64 = from[..4 * LANES].as_ptr().cast();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| row::<BIG>(4, i) * LANES);
    // SAFETY: the words `at` to `at + 7` are a row.
    let load = |at: usize| unsafe { _mm512_loadu_epi64(from.add(at)) };
    // Elements 0, 1, 4, 5 of two rows: the second one is read from two words before it on, of which the mask takes
    // none, and to its word 5. SAFETY: these words are of the row.
    let outer = |a: usize, b: usize| unsafe {
        _mm512_mask_loadu_epi64(load(a), 0b1100_1100, from.wrapping_add(b).wrapping_sub(2))
    };
    // Elements 2, 3, 6, 7.
    // SAFETY: of the words from a + 2 on the mask takes those up to a + 7.
    let inner = |a: usize, b: usize| unsafe { _mm512_mask_loadu_epi64(load(b), 0b0011_0011, from.add(a + 2)) };
    let (outer, inner) = ([outer(a, b), outer(c, d)], [inner(a, b), inner(c, d)]);
    let (low, high) = (_mm512_setr_epi64(0, 2, 8, 10, 1, 3, 9, 11), _mm512_setr_epi64(4, 6, 12, 14, 5, 7, 13, 15));
    let mut registers = [outer[0]; N];
    registers[0] = _mm512_permutex2var_epi64(outer[0], low, outer[1]);
    registers[1] = _mm512_permutex2var_epi64(inner[0], low, inner[1]);
    registers[2] = _mm512_permutex2var_epi64(outer[0], high, outer[1]);
    registers[3] = _mm512_permutex2var_epi64(inner[0], high, inner[1]);
    registers
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn tiles<const BIG: bool>(n: usize, from: &[u8], to: &mut [u64]) {
    let places = places();
    for word in (0..n).step_by(4) {
        let from = &from[8 * word..];
        let rows = match n - word {
            1 => tile::<1>(n, from),
            2 => tile::<2>(n, from),
            3 => tile::<3>(n, from),
            _ => tile::<4>(n, from),
        };
        for (i, words) in rows.into_iter().take(n - word).enumerate() {
            let place = &mut to[row::<BIG>(n, word + i) * LANES..][..LANES];
            // SAFETY: eight words are written: those of the slice.
            unsafe { _mm512_storeu_epi64(place.as_mut_ptr().cast(), turned::<BIG>(words, places)) };
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn back_by_tiles<const BIG: bool>(n: usize, from: &[u64], to: &mut [u8]) {
    let places = places();
    for word in (0..n).step_by(4) {
        let mut rows = [_mm512_setzero_si512(); 4];
        for (i, words) in rows.iter_mut().take(n - word).enumerate() {
            let place = &from[row::<BIG>(n, word + i) * LANES..][..LANES];
            // SAFETY: eight words are read: those of the slice.
            *words = turned::<BIG>(unsafe { _mm512_loadu_epi64(place.as_ptr().cast()) }, places);
        }
        let to = &mut to[8 * word..];
        match n - word {
            1 => back_by_tile::<1>(n, rows, to),
            2 => back_by_tile::<2>(n, rows, to),
            3 => back_by_tile::<3>(n, rows, to),
            _ => back_by_tile::<4>(n, rows, to),
        }
    }
}

/// Words a[0], a[1], b[0], b[1] of each half, and a[2], a[3], b[2], b[3].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn pairs(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let (low, high) = (_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15));
    (_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b))
}

/// `COUNT` words of each of eight elements, the first of them at the start of `from`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn tile<const COUNT: usize>(n: usize, from: &[u8]) -> [__m512i; 4] {
    let from = &from[..8 * (7 * n + COUNT)];
    let load = |element: usize| {
        // SAFETY: element ≤ 7, and `COUNT` words are read: those of the slice.
        unsafe {
            let place = from.as_ptr().add(8 * element * n).cast();
            if COUNT == 4 { _mm256_loadu_epi64(place) } else { _mm256_maskz_loadu_epi64((1 << COUNT) - 1, place) }
        }
    };
    // Elements l and l + 4.
    let both = |l: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(load(l)), load(l + 4));
    let z = [both(0), both(1), both(2), both(3)];
    let (row0, row2) = pairs(_mm512_unpacklo_epi64(z[0], z[1]), _mm512_unpacklo_epi64(z[2], z[3]));
    let (row1, row3) = pairs(_mm512_unpackhi_epi64(z[0], z[1]), _mm512_unpackhi_epi64(z[2], z[3]));
    [row0, row1, row2, row3]
}

/// The way back.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn back_by_tile<const COUNT: usize>(n: usize, rows: [__m512i; 4], to: &mut [u8]) {
    let to = &mut to[..8 * (7 * n + COUNT)];
    // Words 0, 2 and 1, 3 of elements 0, 1, 4, 5 and of 2, 3, 6, 7.
    let ((even01, even23), (odd01, odd23)) = (pairs(rows[0], rows[2]), pairs(rows[1], rows[3]));
    let z = [
        _mm512_unpacklo_epi64(even01, odd01),
        _mm512_unpackhi_epi64(even01, odd01),
        _mm512_unpacklo_epi64(even23, odd23),
        _mm512_unpackhi_epi64(even23, odd23),
    ];
    let mut store = |element: usize, words: __m256i| {
        // SAFETY: element ≤ 7, and `COUNT` words are written: those of the slice.
        unsafe {
            let place = to.as_mut_ptr().add(8 * element * n).cast();
            if COUNT == 4 {
                _mm256_storeu_epi64(place, words)
            } else {
                _mm256_mask_storeu_epi64(place, (1 << COUNT) - 1, words)
            }
        }
    };
    for (l, z) in z.into_iter().enumerate() {
        store(l, _mm512_castsi512_si256(z));
        store(l + 4, _mm512_extracti64x4_epi64::<1>(z));
    }
}

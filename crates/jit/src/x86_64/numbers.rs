//! Numbers beside a limit, four at a time by AVX2, without a branch on one of them: row i holds word i of four numbers, and
//! from the lowest row on `x ≥ l` is `x_i > l_i`, or `x_i = l_i` where that was so of the words below, which is
//! `x_i > l_i − 1` in one comparison. Words of 64 bits are compared as signed ones with their top bit turned.

use std::arch::x86_64::*;

use super::native::borrows;

/// Numbers of a group.
const LANES: usize = 4;

/// What is compared with, in registers.
struct Rows<const N: usize> {
    /// Word i of the limit in all lanes, of the lowest one less, with the top bit turned.
    limit: [__m256i; N],
    /// All ones where a word above the lowest is 0, of which nothing can be subtracted: everything is as great.
    zero: [__m256i; N],
    top: __m256i,
}

/// Shows `call` the number of each block of so many numbers of two slices, or of the second one alone, when they have
/// been tested. Is any of them not below the limit?
#[inline]
#[target_feature(enable = "avx2")]
pub fn tested<const N: usize, const ZEROS: bool>(
    limit: &[u64; N],
    block: usize,
    a: Option<&[[u64; N]]>,
    b: &[[u64; N]],
    mut call: impl FnMut(usize),
) -> bool {
    let top = _mm256_set1_epi64x(i64::MIN);
    let mut rows = Rows { limit: [top; N], zero: [_mm256_setzero_si256(); N], top };
    for i in 0..N {
        let word = limit[i].wrapping_sub(u64::from(i == 0)) ^ 1 << 63;
        rows.limit[i] = _mm256_set1_epi64x(word.cast_signed());
        rows.zero[i] = _mm256_set1_epi64x(-i64::from(i > 0 && limit[i] == 0));
    }
    let (mut any, mut rest) = (_mm256_setzero_si256(), false);
    for at in 0..b.len() / block {
        let of = |numbers: &[[u64; N]], any: &mut __m256i| {
            let (fours, others) = numbers[at * block..(at + 1) * block].as_chunks::<LANES>();
            for four in fours {
                *any = _mm256_or_si256(*any, above::<N, ZEROS>(&rows, four));
            }
            others.iter().fold(false, |any, number| any | is_above(limit, number))
        };
        if let Some(a) = a {
            rest |= of(a, &mut any);
        }
        rest |= of(b, &mut any);
        call(at);
    }
    rest | (_mm256_testz_si256(any, any) == 0)
}

fn is_above<const N: usize>(limit: &[u64; N], number: &[u64; N]) -> bool {
    !number.iter().zip(limit).fold(false, |borrow, (x, limit)| borrows(*x, *limit, borrow))
}

/// All ones in the lanes of the numbers that are not below the limit.
#[inline]
#[target_feature(enable = "avx2")]
fn above<const N: usize, const ZEROS: bool>(rows: &Rows<N>, four: &[[u64; N]; LANES]) -> __m256i {
    let from = four.as_ptr().cast::<u64>();
    let next = |below: __m256i, i: usize, row: __m256i| {
        let greater = _mm256_cmpgt_epi64(_mm256_xor_si256(row, rows.top), _mm256_add_epi64(rows.limit[i], below));
        if ZEROS { _mm256_or_si256(greater, _mm256_and_si256(below, rows.zero[i])) } else { greater }
    };
    // Two words of each of two numbers, in the halves of a register: of the second one it is read from two words before
    // these on, of the first one to two words behind them.
    let pair = |first: usize, second: usize, i: usize| {
        // SAFETY: both are four words of these 4·N: i + 1 < N, first < second, so first·N + i + 4 ≤ 4·N where N ≥ 2, and
        // second·N + i ≥ 2.
        unsafe {
            let low = _mm256_loadu_si256(from.add(first * N + i).cast());
            let high = _mm256_loadu_si256(from.add(second * N + i - 2).cast());
            _mm256_blend_epi32::<0xf0>(low, high)
        }
    };
    let (mut above, mut i) = (_mm256_setzero_si256(), 0);
    while i + 1 < N {
        let (even, odd) = (pair(0, 2, i), pair(1, 3, i));
        above = next(above, i, _mm256_unpacklo_epi64(even, odd));
        above = next(above, i + 1, _mm256_unpackhi_epi64(even, odd));
        i += 2;
    }
    if i < N {
        let word = |number: usize| four[number][i].cast_signed();
        above = next(above, i, _mm256_set_epi64x(word(3), word(2), word(1), word(0)));
    }
    above
}

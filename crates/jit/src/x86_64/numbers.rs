//! Numbers beside a limit, four at a time by AVX2, without a branch on one of them: row i holds word i of four numbers, and
//! from the lowest row on `x ≥ l` is `x_i > l_i`, or `x_i = l_i` where that was so of the words below, which is
//! `x_i > l_i − 1` in one comparison. Words of 64 bits are compared as signed ones with their top bit turned.

use std::arch::x86_64::*;

use super::native::borrows;
use crate::limit::{Limit, is_above_by};

/// Numbers of a group.
const LANES: usize = 4;

/// Blocks that are tested before the first of them is computed.
const AHEAD: usize = 4;

/// What is compared with, in registers.
struct Rows<const N: usize> {
    limit: [__m256i; N],
    /// Where a word above the lowest is 0, everything is as great, and nothing can be subtracted of it.
    zero: [__m256i; N],
    top: __m256i,
}

/// As [`super::native::tested`].
#[inline]
#[target_feature(enable = "avx2")]
pub fn tested<const N: usize, const R: usize, const ZEROS: bool>(
    limit: &Limit,
    [block, blocks]: [usize; 2],
    a: Option<&[[u64; N]]>,
    others: &[&[[u64; N]]; R],
    mut call: impl FnMut(usize),
) -> bool {
    let top = _mm256_set1_epi64x(i64::MIN);
    let mut rows = Rows { limit: [top; N], zero: [top; N], top };
    for i in 0..N {
        rows.limit[i] = _mm256_set1_epi64x(limit.turned[i].cast_signed());
        if ZEROS {
            rows.zero[i] = _mm256_set1_epi64x(limit.zero[i].cast_signed());
        }
    }
    let (mut any, mut rest) = (_mm256_setzero_si256(), false);
    let mut at = 0;
    while at < blocks {
        let end = blocks.min(at + AHEAD);
        let numbers = at * block..end * block;
        for k in 0..=R {
            let input = if k < R { Some(others[k]) } else { a };
            let Some(input) = input else { break };
            let numbers = &input[numbers.clone()];
            any = _mm256_or_si256(any, any_above::<N, ZEROS>(&rows, numbers));
            if !numbers.len().is_multiple_of(LANES) {
                rest |= last_above(limit, numbers);
            }
        }
        while at < end {
            call(at);
            at += 1;
        }
    }
    rest | (_mm256_testz_si256(any, any) == 0)
}

/// Is one of the numbers behind the last whole group not below the limit?
fn last_above<const N: usize>(limit: &Limit, numbers: &[[u64; N]]) -> bool {
    let Some(limit) = limit.words::<N>() else { return true };
    numbers.as_chunks::<LANES>().1.iter().fold(false, |any, number| any | is_above_by(limit, number, borrows))
}

/// All ones in some lane where one of the numbers of whole groups is not below the limit.
#[inline]
#[target_feature(enable = "avx2")]
fn any_above<const N: usize, const ZEROS: bool>(rows: &Rows<N>, numbers: &[[u64; N]]) -> __m256i {
    let mut any = _mm256_setzero_si256();
    for four in numbers.as_chunks::<LANES>().0 {
        any = _mm256_or_si256(any, above::<N, ZEROS>(rows, four));
    }
    any
}

/// All ones in the lanes of the numbers that are not below the limit.
#[inline]
#[target_feature(enable = "avx2")]
fn above<const N: usize, const ZEROS: bool>(rows: &Rows<N>, four: &[[u64; N]; LANES]) -> __m256i {
    let from = four.as_ptr().cast::<u64>();
    let (mut above, mut i) = (_mm256_setzero_si256(), 0);
    while i + 1 < N {
        // Two words of each of two numbers, in the halves of a register: of the second one it is read from two words
        // before these on, of the first one to two words behind them.
        // SAFETY: all are four words of these 4·N: i + 1 < N, so N ≥ 2, N + i + 4 ≤ 4·N, 2·N + i ≥ 2.
        let (even, odd) = unsafe {
            let load = |at: usize| _mm256_loadu_si256(from.add(at).cast());
            (
                _mm256_blend_epi32::<0xf0>(load(i), load(2 * N + i - 2)),
                _mm256_blend_epi32::<0xf0>(load(N + i), load(3 * N + i - 2)),
            )
        };
        above = next::<N, ZEROS>(rows, above, i, _mm256_unpacklo_epi64(even, odd));
        above = next::<N, ZEROS>(rows, above, i + 1, _mm256_unpackhi_epi64(even, odd));
        i += 2;
    }
    if i < N {
        let [a, b, c, d] = four.each_ref().map(|number| number[i].cast_signed());
        above = next::<N, ZEROS>(rows, above, i, _mm256_set_epi64x(d, c, b, a));
    }
    above
}

/// One row further up.
#[inline]
#[target_feature(enable = "avx2")]
fn next<const N: usize, const ZEROS: bool>(rows: &Rows<N>, below: __m256i, i: usize, row: __m256i) -> __m256i {
    let greater = _mm256_cmpgt_epi64(_mm256_xor_si256(row, rows.top), _mm256_add_epi64(rows.limit[i], below));
    if ZEROS { _mm256_or_si256(greater, _mm256_and_si256(below, rows.zero[i])) } else { greater }
}

//! What this processor has for moving data and for memory that is soon used. `false` and `None`: nothing, and nothing was
//! done.

use evariste_codegen::x86_64::Features;

use super::{numbers, residues as vectors, slices, transpose, unpack};
use crate::endian::Endian;
use crate::limit::Limit;
use crate::residues::vector::{Task, Width};

/// Asks for a line of memory, which need not exist.
#[inline(always)]
pub(crate) fn prefetch(address: *const i8, write: bool) {
    // SAFETY: nothing is read or written, and an address without memory is no fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        if write { _mm_prefetch::<_MM_HINT_ET0>(address) } else { _mm_prefetch::<_MM_HINT_T0>(address) }
    }
}

fn features() -> Features {
    Features::of_this_machine().unwrap_or_default()
}

/// Whole groups of so many elements into rows.
pub(crate) fn into_rows(lanes: usize, n: usize, endian: Endian, from: &[u8], to: &mut [u64]) -> bool {
    let big = endian == Endian::Big;
    // SAFETY: the processor has these instructions.
    unsafe {
        match (lanes, features()) {
            (8, Features { avx512: true, .. }) if big => transpose::into_rows::<true>(n, from, to),
            (8, Features { avx512: true, .. }) => transpose::into_rows::<false>(n, from, to),
            (4, Features { avx2: true, .. }) if big => unpack::into_rows::<true>(n, from, to),
            (4, Features { avx2: true, .. }) => unpack::into_rows::<false>(n, from, to),
            _ => return false,
        }
    }
    true
}

/// The way back.
pub(crate) fn into_elements(lanes: usize, n: usize, endian: Endian, from: &[u64], to: &mut [u8]) -> bool {
    let big = endian == Endian::Big;
    // SAFETY: the processor has these instructions.
    unsafe {
        match (lanes, features()) {
            (8, Features { avx512: true, .. }) if big => transpose::into_elements::<true>(n, from, to),
            (8, Features { avx512: true, .. }) => transpose::into_elements::<false>(n, from, to),
            (4, Features { avx2: true, .. }) if big => unpack::into_elements::<true>(n, from, to),
            (4, Features { avx2: true, .. }) => unpack::into_elements::<false>(n, from, to),
            _ => return false,
        }
    }
    true
}

/// Is any word not 0?
pub(crate) fn any(words: &[u64]) -> Option<bool> {
    match features() {
        // SAFETY: the processor has these instructions.
        Features { avx512: true, .. } => Some(unsafe { transpose::any(words) }),
        // SAFETY: the processor has these instructions.
        Features { avx2: true, .. } => Some(unsafe { unpack::any(words) }),
        _ => None,
    }
}

/// Does `x − y − borrow` borrow? Compilers do not make one chain of plain subtractions of which the differences are
/// dropped.
#[inline(always)]
pub(crate) fn borrows(x: u64, y: u64, borrow: bool) -> bool {
    let mut difference = 0;
    std::arch::x86_64::_subborrow_u64(borrow.into(), x, y, &mut difference) != 0
}

/// As [`crate::numbers::tested`], which has looked at the lengths. `Err`, and nothing was done: there is nothing quicker
/// here than a test of each number.
#[inline]
pub(crate) fn tested<const N: usize, const R: usize, C: FnMut(usize)>(
    limit: &Limit,
    lengths: [usize; 2],
    a: Option<&[[u64; N]]>,
    others: &[&[[u64; N]]; R],
    call: C,
) -> Result<bool, C> {
    let lowest = limit.words::<N>().and_then(|words| words.first()).copied().unwrap_or(0);
    if lowest == 0 || lengths[0] == 0 || !features().avx2 {
        return Err(call);
    }
    // SAFETY: the processor has these instructions.
    Ok(unsafe {
        match limit.has_zeros {
            false => numbers::tested::<N, R, false>(limit, lengths, a, others, call),
            true => numbers::tested::<N, R, true>(limit, lengths, a, others, call),
        }
    })
}

/// Words into rows of bits.
pub(crate) fn slice(row: usize, words: &[u64], rows: &mut [u64]) -> bool {
    slices::into_rows(row, words, rows)
}

/// The way back.
pub(crate) fn unslice(row: usize, rows: &[u64], words: &mut [u64]) -> bool {
    slices::into_words(row, rows, words)
}

/// Has it vectors for residues?
pub(crate) fn has_residues(width: Width) -> bool {
    let found = features();
    match width {
        Width::Plain => false,
        Width::Narrow => found.avx2 && found.fma && found.bmi2,
        Width::Wide => found.avx512 && found.fma && found.bmi2 && std::arch::is_x86_feature_detected!("avx512vnni"),
    }
}

/// A task on vectors of a width; `Err`, and nothing was done: there are none.
pub(crate) fn residues<T: Task>(width: Width, task: T) -> Result<T::Output, T> {
    if !has_residues(width) {
        return Err(task);
    }
    // SAFETY: the processor has these instructions.
    Ok(unsafe {
        match width {
            Width::Wide => vectors::wide(task),
            _ => vectors::narrow(task),
        }
    })
}

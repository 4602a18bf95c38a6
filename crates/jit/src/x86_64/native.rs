//! What this processor has for moving data and for memory that is soon used. `false` and `None`: nothing, and nothing was
//! done.

use evariste_codegen::x86_64::Features;

use super::{slices, transpose};
use crate::endian::Endian;

/// Asks for a line of memory, which need not exist.
#[inline(always)]
pub(crate) fn prefetch(address: *const i8, write: bool) {
    // SAFETY: nothing is read or written, and an address without memory is no fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        if write { _mm_prefetch::<_MM_HINT_ET0>(address) } else { _mm_prefetch::<_MM_HINT_T0>(address) }
    }
}

fn has_avx512() -> bool {
    Features::of_this_machine().is_some_and(|f| f.avx512)
}

/// Whole groups of elements into rows.
pub(crate) fn into_rows(n: usize, endian: Endian, from: &[u8], to: &mut [u64]) -> bool {
    let able = has_avx512();
    if able {
        // SAFETY: the processor has these instructions.
        unsafe {
            match endian {
                Endian::Little => transpose::into_rows::<false>(n, from, to),
                Endian::Big => transpose::into_rows::<true>(n, from, to),
            }
        }
    }
    able
}

/// The way back.
pub(crate) fn into_elements(n: usize, endian: Endian, from: &[u64], to: &mut [u8]) -> bool {
    let able = has_avx512();
    if able {
        // SAFETY: the processor has these instructions.
        unsafe {
            match endian {
                Endian::Little => transpose::into_elements::<false>(n, from, to),
                Endian::Big => transpose::into_elements::<true>(n, from, to),
            }
        }
    }
    able
}

/// Is any word not 0?
pub(crate) fn any(words: &[u64]) -> Option<bool> {
    // SAFETY: the processor has these instructions.
    has_avx512().then(|| unsafe { transpose::any(words) })
}

/// Words into rows of bits.
pub(crate) fn slice(row: usize, words: &[u64], rows: &mut [u64]) -> bool {
    slices::into_rows(row, words, rows)
}

/// The way back.
pub(crate) fn unslice(row: usize, rows: &[u64], words: &mut [u64]) -> bool {
    slices::into_words(row, rows, words)
}

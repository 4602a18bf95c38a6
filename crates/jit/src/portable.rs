//! What a processor without a folder of its own has for moving data and for memory that is soon used: nothing.

use crate::endian::Endian;
use crate::limit::Limit;
use crate::residues::vector::{Task, Width};

/// Asks for memory: this processor cannot be asked.
pub(crate) fn prefetch(_: *const i8, _: bool) {}

/// Whole groups of elements into rows.
pub(crate) fn into_rows(_: usize, _: usize, _: Endian, _: &[u8], _: &mut [u64]) -> bool {
    false
}

/// The way back.
pub(crate) fn into_elements(_: usize, _: usize, _: Endian, _: &[u64], _: &mut [u8]) -> bool {
    false
}

/// Is any word not 0?
pub(crate) fn any(_: &[u64]) -> Option<bool> {
    None
}

/// Does `x − y − borrow` borrow?
#[inline(always)]
pub(crate) fn borrows(x: u64, y: u64, borrow: bool) -> bool {
    let (difference, below) = x.overflowing_sub(y);
    below | difference.overflowing_sub(u64::from(borrow)).1
}

/// Tests of many numbers at once.
pub(crate) fn tested<const N: usize, const R: usize, C: FnMut(usize)>(
    _: &Limit,
    _: [usize; 2],
    _: Option<&[[u64; N]]>,
    _: &[&[[u64; N]]; R],
    call: C,
) -> Result<bool, C> {
    Err(call)
}

/// Words into rows of bits.
pub(crate) fn slice(_: usize, _: &[u64], _: &mut [u64]) -> bool {
    false
}

/// The way back.
pub(crate) fn unslice(_: usize, _: &[u64], _: &mut [u64]) -> bool {
    false
}

/// Has it vectors for residues?
pub(crate) fn has_residues(_: Width) -> bool {
    false
}

/// A task on vectors of a width.
pub(crate) fn residues<T: Task>(_: Width, task: T) -> Result<T::Output, T> {
    Err(task)
}

//! What the processor of this process has for moving data and for memory that is soon used: a line for each that has.

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use crate::portable::{
    any, borrows, has_residues, into_elements, into_rows, prefetch, residues, slice, tested, unslice,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use crate::x86_64::native::{
    any, borrows, has_residues, into_elements, into_rows, prefetch, residues, slice, tested, unslice,
};

//! Kernels over one-bit words.

use crate::registry::Whole;

/// Registry lines of this folder.
pub const WHOLE: &[Whole] = &[];

//! What a prime field needs beside its products: additions, forms, bytes, tests, powers. One operation a file.

use crate::registry::Whole;

/// Registry lines of this folder.
pub const WHOLE: &[Whole] = &[];

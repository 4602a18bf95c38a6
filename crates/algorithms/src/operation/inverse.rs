//! The row of the inverse.

use super::member::Operation;
use super::row::{A, of_elements};

impl Operation {
    /// `1/a` (0 for 0), by a fixed power; prime moduli and binary fields.
    pub const INVERSE: Operation = Operation::of(&of_elements(
        "inv",
        &[A],
        "1/a by a fixed power (0 for 0); prime moduli and binary fields",
        |s, _, x| Some(s.inverse(&x[0]).unwrap_or_default()),
        &["inverse", "invert", "inversion", "reciprocal"],
    ));
}

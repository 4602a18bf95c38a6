//! Rows of sums, differences and negatives.

use super::member::Operation;
use super::row::{A, TWO, of_elements};

impl Operation {
    /// `a + b`.
    pub const ADD: Operation = Operation::of(
        &of_elements("add", TWO, "a + b", |s, _, x| s.add(&x[0], &x[1]), &["addition", "plus", "sum", "xor"])
            .in_arrays(),
    );

    /// `a − b`.
    pub const SUB: Operation = Operation::of(
        &of_elements(
            "sub",
            TWO,
            "a − b",
            |s, _, x| s.subtract(&x[0], &x[1]),
            &["subtract", "subtraction", "minus", "difference", "diff"],
        )
        .in_arrays(),
    );

    /// `−a`.
    pub const OPP: Operation = Operation::of(
        &of_elements("opp", &[A], "−a", |s, _, x| s.negate(&x[0]), &["neg", "negate", "negation", "negative", "minus"])
            .in_arrays(),
    );
}

//! Rows of sums that are not reduced, which arrays do many times.

use super::member::Operation;
use super::row::{A, B, COLUMNS, Family, Holds, Kind, NOT_IN_NUMBERS, Row, Slot};
use crate::lanes::sums::{has_columns, terms};
use crate::layout::Layout;

/// As many terms as arrays take at a time, and one.
fn lengths(layout: &Layout) -> Vec<u32> {
    if !has_columns(layout) {
        return Vec::new();
    }
    let mut all = vec![1, terms(layout)];
    all.dedup();
    all
}

const SUM_IN: Slot = Slot::new("s", Holds::Columns);

impl Operation {
    /// The columns of `s + a[0]·b[0] + …`, not reduced.
    pub const DOT: Operation = Operation::of(&Row {
        in_arrays: true,
        family: Some(Family { prefix: "dot_", radix: 10, members: |_, l| lengths(l) }),
        ..Row::new(
            Kind::Arrays,
            "dot_N",
            &[SUM_IN, A, B],
            &[COLUMNS],
            "s + a[0]·b[0] + … of N products, in columns that are not reduced",
            NOT_IN_NUMBERS,
        )
    });

    /// The columns of `s + a[0] + …`, not reduced.
    pub const SUM: Operation = Operation::of(&Row {
        in_arrays: true,
        family: Some(Family { prefix: "sum_", radix: 10, members: |_, l| lengths(l) }),
        ..Row::new(
            Kind::Arrays,
            "sum_N",
            &[SUM_IN, A],
            &[COLUMNS],
            "s + a[0] + … of N elements, in columns that are not reduced",
            NOT_IN_NUMBERS,
        )
    });
}

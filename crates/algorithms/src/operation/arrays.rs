//! Rows of operations that arrays do many times.

use num_bigint::BigUint;

use super::Operation;
use super::elements::powers_just_below;
use super::row::{A, B, COLUMNS, Family, Holds, Kind, NOT_IN_NUMBERS, OUT, Row, Slot};
use crate::lanes::sums::terms;
use crate::layout::Layout;

/// As many terms as arrays take at a time, and one.
fn lengths(layout: &Layout) -> Vec<u32> {
    if layout.radix.is_none() {
        return Vec::new();
    }
    let mut all = vec![1, terms(layout)];
    all.dedup();
    all
}

const SUM_IN: Slot = Slot::new("s", Holds::Columns);

impl Operation {
    /// `a·b + c`.
    pub const MUL_ADD: Operation = Operation::of(&Row::new(
        Kind::Arrays,
        "mul_add",
        &[A, B, Slot::element("c")],
        &[OUT],
        "a·b + c",
        |s, _, x| s.add(&s.multiply(&x[0], &x[1])?, &x[2]),
    ));

    /// The columns of `s + a[0]·b[0] + …`, not reduced.
    pub const DOT: Operation = Operation::of(&Row {
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

    /// `a·x + b` modulo p, and then modulo `2^k`, by a run-time constant a, of which a shifted multiple modulo p is
    /// supplied too.
    pub const AFFINE_CONSTANT: Operation = Operation::of(&Row {
        family: Some(Family { prefix: "affine_constant_mod_2_", radix: 10, members: |f, _| powers_just_below(f) }),
        ..Row::new(
            Kind::Arrays,
            "affine_constant_mod_2_K",
            &[Slot::new("x", Holds::Words), A, Slot::element("shifted"), B],
            &[Slot::new("out", Holds::Words)],
            "a·x + b modulo p, and then modulo 2^K, by constants a, its shifted multiple, and b",
            |s, k, x| {
                let sum = s.add(&s.multiply(&x[1], &x[0])?, &x[3])?;
                Some(sum % (BigUint::from(1u32) << u32::try_from(k).ok()?))
            },
        )
    });
}

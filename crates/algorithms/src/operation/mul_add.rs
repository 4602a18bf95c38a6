//! The row of a product and a sum, which arrays do many times.

use super::member::Operation;
use super::row::{A, B, Kind, OUT, Row, Slot};

impl Operation {
    /// `a·b + c`.
    pub const MUL_ADD: Operation = Operation::of(
        &Row::new(Kind::Arrays, "mul_add", &[A, B, Slot::element("c")], &[OUT], "a·b + c", |s, _, x| {
            s.add(&s.multiply(&x[0], &x[1])?, &x[2])
        })
        .in_arrays(),
    );
}

//! Rows of products.

use super::member::Operation;
use super::row::{A, TWO, of_elements};

impl Operation {
    /// `a·b`.
    pub const MUL: Operation = Operation::of(
        &of_elements(
            "mul",
            TWO,
            "a·b",
            |s, _, x| s.multiply(&x[0], &x[1]),
            &["multiply", "multiplication", "times", "product", "prod"],
        )
        .in_arrays(),
    );

    /// `a²`.
    pub const SQUARE: Operation = Operation::of(
        &of_elements("square", &[A], "a²", |s, _, x| s.multiply(&x[0], &x[0]), &["sqr", "squared", "squaring", "sq"])
            .in_arrays(),
    );
}

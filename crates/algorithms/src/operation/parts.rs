//! Rows of operations that others are made of: a product that is not reduced, and its reduction; sums of
//! three operands, which arrays of more are made of. A package has them within what calls them.

use super::member::Operation;
use super::row::{A, B, Holds, Kind, OUT, Row, Slot};

const THREE: &[Slot] = &[A, B, Slot::element("c")];
const WIDE_OUT: &[Slot] = &[Slot::new("out", Holds::Wide)];

impl Operation {
    /// The whole product `a·b`, twice as long and not reduced.
    pub const MUL_WIDE: Operation = Operation::of(&Row::new(
        Kind::Parts,
        "mul_wide",
        &[A, B],
        WIDE_OUT,
        "the whole product a·b, not reduced",
        |s, _, x| s.whole_product(&x[0], &x[1]),
    ));

    /// The whole square `a²`, twice as long and not reduced.
    pub const SQUARE_WIDE: Operation = Operation::of(&Row::new(
        Kind::Parts,
        "square_wide",
        &[A],
        WIDE_OUT,
        "the whole square a², not reduced",
        |s, _, x| s.whole_product(&x[0], &x[0]),
    ));

    /// The element that a whole product is (divided by R in Montgomery form).
    pub const REDUCE: Operation = Operation::of(&Row::new(
        Kind::Parts,
        "reduce",
        &[Slot::new("a", Holds::Wide)],
        &[OUT],
        "the element that a whole product is; a/R in Montgomery form",
        |s, _, x| s.canonical(&x[0]),
    ));

    /// `a + b + c`.
    pub const ADD_ADD: Operation =
        Operation::of(&Row::new(Kind::Parts, "add_add", THREE, &[OUT], "a + b + c", |s, _, x| {
            s.add(&s.add(&x[0], &x[1])?, &x[2])
        }));
}

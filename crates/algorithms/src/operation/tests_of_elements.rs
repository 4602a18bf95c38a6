//! Rows of tests.

use num_bigint::BigUint;

use super::member::Operation;
use super::row::{A, Row, TRUTH, TWO, bit, of_elements};

impl Operation {
    /// 1 when the (canonical) element is zero, else 0.
    pub const IS_ZERO: Operation = Operation::of(&Row {
        outputs: &[TRUTH],
        ..of_elements(
            "is_zero",
            &[A],
            "1 when a is zero, else 0",
            |_, _, x| bit(x[0] == BigUint::ZERO),
            &["zero", "iszero"],
        )
    });

    /// 1 when two (canonical) elements are equal, else 0.
    pub const EQUAL: Operation = Operation::of(&Row {
        outputs: &[TRUTH],
        ..of_elements(
            "equal",
            TWO,
            "1 when a equals b, else 0",
            |_, _, x| bit(x[0] == x[1]),
            &["eq", "equals", "is_equal"],
        )
    });
}

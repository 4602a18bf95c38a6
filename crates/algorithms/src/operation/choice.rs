//! The row of a choice between elements.

use num_bigint::BigUint;

use super::member::Operation;
use super::row::{A, B, Holds, Slot, of_elements};

impl Operation {
    /// `b` when the flag is 1, else `a`.
    pub const SELECTZNZ: Operation = Operation::of(
        &of_elements(
            "selectznz",
            &[Slot::new("flag", Holds::Flag), A, B],
            "b when the flag is 1, else a; in constant time",
            |_, _, x| Some(if x[0] == BigUint::ZERO { x[1].clone() } else { x[2].clone() }),
            &[],
        )
        .in_arrays(),
    );
}

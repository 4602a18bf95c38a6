//! The row of powers.

use super::member::Operation;
use super::row::{A, Family, Row, of_elements};

impl Operation {
    /// `a^e` for a public exponent.
    pub const POWER: Operation = Operation::of(&Row {
        family: Some(Family { prefix: "pow_", radix: 16, members: |_, _| Vec::new() }),
        ..of_elements(
            "pow_HEX",
            &[A],
            "a^e for the public exponent e in hexadecimal",
            |s, e, x| s.power(&x[0], e),
            &["pow", "power", "exp", "modpow"],
        )
    });
}

//! Rows of traces and quadratic equations: binary fields.

use evariste_descriptions::BinaryField;
use num_bigint::BigUint;

use super::member::Operation;
use super::row::{A, Row, TRUTH, bit, of_elements};

impl Operation {
    /// The trace `a + a² + … + a^(2^(m−1))` in GF(2) (binary fields).
    pub const TRACE: Operation = Operation::of(&Row {
        outputs: &[TRUTH],
        ..of_elements(
            "trace",
            &[A],
            "a + a² + … + a^(2^(m−1)), 0 or 1; binary fields",
            |s, _, x| bit(s.get::<BinaryField>()?.trace(&x[0])),
            &[],
        )
    });

    /// The half-trace `a + a⁴ + … + a^(4^((m−1)/2))` (binary fields of odd degree).
    pub const HALF_TRACE: Operation = Operation::of(&of_elements(
        "half_trace",
        &[A],
        "a + a⁴ + … + a^(4^((m−1)/2)); binary fields of odd degree",
        |s, _, x| s.get::<BinaryField>()?.half_trace(&x[0]),
        &[],
    ));

    /// A z with `z² + z = a`, where the trace of a is 0 (binary fields).
    pub const SOLVE_QUADRATIC: Operation = Operation::of(&of_elements(
        "solve_quadratic",
        &[A],
        "a z with z² + z = a, where the trace of a is 0; binary fields",
        |s, _, x| {
            let f = s.get::<BinaryField>()?;
            let images = f.quadratic();
            let ones = (0..f.degree).filter(|i| x[0].bit(u64::from(*i)));
            Some(ones.fold(BigUint::ZERO, |sum, i| sum ^ &images[i as usize]))
        },
        &[],
    ));
}

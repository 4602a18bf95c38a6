//! Rows of square roots.

use evariste_descriptions::{BinaryField, Modulus, Structure};
use num_bigint::BigUint;

use super::member::Operation;
use super::row::{A, Holds, OUT, Row, Slot, TRUTH, bit, of_elements};

impl Operation {
    /// A square root of a, one of the two, and whether there is one (prime moduli and binary fields).
    pub const SQRT: Operation = Operation::of(&Row {
        outputs: &[OUT, Slot::new("valid", Holds::Valid)],
        counts: Some(up_to_sign),
        ..of_elements(
            "sqrt",
            &[A],
            "a square root of a, one of the two; valid: 1, or 0 and 0 where a is no square; odd prime moduli, and without the word valid binary fields",
            |s, _, x| root(s, &x[0]),
            &["square_root", "root"],
        )
    });

    /// 1 when the element is a square, 0 among them, else 0 (odd prime moduli).
    pub const IS_SQUARE: Operation = Operation::of(&Row {
        outputs: &[TRUTH],
        ..of_elements(
            "is_square",
            &[A],
            "1 when a is a square, as 0 is, else 0; odd prime moduli",
            |s, _, x| bit(s.get::<Modulus>().filter(|m| m.prime && m.value.bit(0))?.is_square(&x[0])),
            &["issquare", "legendre"],
        )
    });
}

/// A root; 0 where there is none.
fn root(s: &dyn Structure, x: &BigUint) -> Option<BigUint> {
    match (s.get::<Modulus>(), s.get::<BinaryField>()) {
        (Some(m), _) if m.prime => Some(m.root(x).unwrap_or_default()),
        (_, Some(f)) => Some(f.root(x)),
        _ => None,
    }
}

/// Of a number and its opposite the smaller one.
fn up_to_sign(s: &dyn Structure, x: &BigUint) -> Option<BigUint> {
    Some(x.clone().min(s.negate(x)?))
}

//! Rows of operations that change the form of an element. In numbers a form changes nothing: it is another way to write
//! the same element.

use super::member::Operation;
use super::row::{A, Holds, Kind, NOT_IN_NUMBERS, OUT, Row, Slot};

const BYTES_IN: &[Slot] = &[Slot::new("bytes", Holds::Bytes)];
const BYTES_OUT: &[Slot] = &[Slot::new("out", Holds::Bytes)];

impl Operation {
    /// Into Montgomery form.
    pub const TO_MONTGOMERY: Operation = Operation::of(
        &Row::new(Kind::Forms, "to_montgomery", &[A], &[OUT], "into Montgomery form: a·R", |_, _, x| {
            Some(x[0].clone())
        })
        .in_arrays(),
    );

    /// Out of Montgomery form.
    pub const FROM_MONTGOMERY: Operation = Operation::of(
        &Row::new(Kind::Forms, "from_montgomery", &[A], &[OUT], "out of Montgomery form: a/R", |_, _, x| {
            Some(x[0].clone())
        })
        .in_arrays(),
    );

    /// The canonical value, below p.
    pub const CANONICAL: Operation = Operation::of(
        &Row::new(Kind::Forms, "canonical", &[A], &[OUT], "the value below p", |s, _, x| s.canonical(&x[0]))
            .in_arrays(),
    );

    /// Bytes of the canonical value, lowest first.
    pub const TO_BYTES: Operation = Operation::of(&Row::new(
        Kind::Forms,
        "to_bytes",
        &[A],
        BYTES_OUT,
        "bytes of the canonical value, lowest first",
        NOT_IN_NUMBERS,
    ));

    /// Bytes of the canonical value, highest first.
    pub const TO_BYTES_BE: Operation = Operation::of(&Row::new(
        Kind::Forms,
        "to_bytes_be",
        &[A],
        BYTES_OUT,
        "bytes of the canonical value, highest first",
        NOT_IN_NUMBERS,
    ));

    /// From the bytes of a canonical value, lowest first.
    pub const FROM_BYTES: Operation = Operation::of(&Row::new(
        Kind::Forms,
        "from_bytes",
        BYTES_IN,
        &[OUT],
        "from bytes of a canonical value, lowest first",
        NOT_IN_NUMBERS,
    ));

    /// From the bytes of a canonical value, highest first.
    pub const FROM_BYTES_BE: Operation = Operation::of(&Row::new(
        Kind::Forms,
        "from_bytes_be",
        BYTES_IN,
        &[OUT],
        "from bytes of a canonical value, highest first",
        NOT_IN_NUMBERS,
    ));
}

//! Rows of pairings.

use evariste_descriptions::{Pairing, Part, Structure};

use super::member::Operation;
use super::points::VALID;
use super::row::{Holds, Kind, NOT_IN_NUMBERS, Row, Slot};

const POINTS: &[Slot] = &[Slot::new("p", Holds::Part(Part::First)), Slot::new("q", Holds::Part(Part::Second))];
const PAIRS: &[Slot] = &[
    Slot::new("p1", Holds::Part(Part::First)),
    Slot::new("q1", Holds::Part(Part::Second)),
    Slot::new("p2", Holds::Part(Part::First)),
    Slot::new("q2", Holds::Part(Part::Second)),
];
const F: &[Slot] = &[Slot::new("f", Holds::Part(Part::Target))];
const BYTES: &[Slot] = &[Slot::new("p", Holds::Bytes), Slot::new("q", Holds::Bytes)];
const PAIRS_OF_BYTES: &[Slot] = &[
    Slot::new("p1", Holds::Bytes),
    Slot::new("q1", Holds::Bytes),
    Slot::new("p2", Holds::Bytes),
    Slot::new("q2", Holds::Bytes),
];
const CHECKED: &[Slot] = &[Slot::new("out", Holds::Part(Part::Target)), VALID];
const VALUE: &[Slot] = &[Slot::new("out", Holds::Part(Part::Target))];

impl Operation {
    /// The pairing of two points, with the exact exponent.
    pub const PAIRING: Operation = Operation::of(&Row::new(
        Kind::Pairings,
        "pairing",
        POINTS,
        VALUE,
        "e(p, q), with the exact exponent (q − 1)/r of the last exponentiation",
        |s, _, x| Some(s.get::<Pairing>()?.pairing(&x[0], &x[1])),
    ));

    /// The power of the pairing that the usual fast final exponentiation gives.
    pub const PAIRING_MULTIPLE: Operation = Operation::of(&Row {
        synonyms: &["pairing_fast", "fast_pairing"],
        ..Row::new(
            Kind::Pairings,
            "pairing_multiple",
            POINTS,
            VALUE,
            "the power of e(p, q) that the usual fast final exponentiation gives: its cube for BLS12-381",
            |s, _, x| Some(s.get::<Pairing>()?.pairing_multiple(&x[0], &x[1])),
        )
    });

    /// The product of the pairings of two pairs.
    pub const MULTI_PAIRING: Operation = Operation::of(&Row {
        synonyms: &["pairing_product", "multipairing"],
        ..Row::new(
            Kind::Pairings,
            "multi_pairing",
            PAIRS,
            VALUE,
            "e(p1, q1)·e(p2, q2), with one last exponentiation",
            |s, _, x| {
                let pairing = s.get::<Pairing>()?;
                pairing.target.multiply(&pairing.pairing(&x[0], &x[1]), &pairing.pairing(&x[2], &x[3]))
            },
        )
    });

    /// The pairing of two points in bytes, with all checks.
    pub const PAIRING_OF_BYTES: Operation = Operation::of(&Row::new(
        Kind::Pairings,
        "pairing_of_bytes",
        BYTES,
        CHECKED,
        "e(p, q) of points in uncompressed bytes, 04 x y, of several coordinates the first one last; valid: 1, or 0 and the value 1 for what is no point of its group",
        NOT_IN_NUMBERS,
    ));

    /// The product of the pairings of two pairs in bytes, with all checks.
    pub const MULTI_PAIRING_OF_BYTES: Operation = Operation::of(&Row::new(
        Kind::Pairings,
        "multi_pairing_of_bytes",
        PAIRS_OF_BYTES,
        CHECKED,
        "e(p1, q1)·e(p2, q2) of points in uncompressed bytes; valid: 1, or 0 and a value without what is no point of its group",
        NOT_IN_NUMBERS,
    ));

    /// The pairing before its last exponentiation.
    pub const MILLER: Operation = Operation::of(&Row {
        synonyms: &["miller_loop"],
        counts: Some(|s, f| Some(s.get::<Pairing>()?.final_exponentiation(f))),
        ..Row::new(
            Kind::Pairings,
            "miller",
            POINTS,
            VALUE,
            "e(p, q) before the last exponentiation, up to factors that it makes 1",
            |s, _, x| Some(s.get::<Pairing>()?.miller(&x[0], &x[1])),
        )
    });

    /// The product of two pairings before their last exponentiation.
    pub const MULTI_MILLER: Operation = Operation::of(&Row {
        synonyms: &["multi_miller_loop"],
        counts: Some(|s, f| Some(s.get::<Pairing>()?.final_exponentiation(f))),
        ..Row::new(
            Kind::Pairings,
            "multi_miller",
            PAIRS,
            VALUE,
            "e(p1, q1)·e(p2, q2) before the last exponentiation, up to factors that it makes 1; of more pairs the product of such values",
            |s, _, x| {
                let pairing = s.get::<Pairing>()?;
                pairing.target.multiply(&pairing.miller(&x[0], &x[1]), &pairing.miller(&x[2], &x[3]))
            },
        )
    });

    /// The last exponentiation of a pairing.
    pub const FINAL_EXPONENTIATION: Operation = Operation::of(&Row {
        synonyms: &["final_exp"],
        ..Row::new(
            Kind::Pairings,
            "final_exponentiation",
            F,
            VALUE,
            "f^((q − 1)/r) for the q elements of the field of values",
            |s, _, x| Some(s.get::<Pairing>()?.final_exponentiation(&x[0])),
        )
    });

    /// The power of it that [`Operation::PAIRING_MULTIPLE`] has.
    pub const FINAL_EXPONENTIATION_MULTIPLE: Operation = Operation::of(&Row::new(
        Kind::Pairings,
        "final_exponentiation_multiple",
        F,
        VALUE,
        "the power of final_exponentiation that pairing_multiple has: its cube for BLS12-381",
        |s, _, x| Some(s.get::<Pairing>()?.final_exponentiation_multiple(&x[0])),
    ));
}

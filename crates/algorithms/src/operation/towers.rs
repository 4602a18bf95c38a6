//! Rows of towers: their automorphisms.

use evariste_descriptions::Tower;

use super::member::Operation;
use super::row::{A, Kind, OUT, Row};

impl Operation {
    /// `a^p`.
    pub const FROBENIUS: Operation = Operation::of(&Row {
        synonyms: &["frob"],
        ..Row::new(Kind::Towers, "frobenius", &[A], &[OUT], "a^p, for the prime p that a tower stands on", |s, _, x| {
            Some(s.get::<Tower>()?.frobenius(&x[0]))
        })
    });

    /// The other root of the highest floor's polynomial in place of its variable.
    pub const CONJUGATE: Operation = Operation::of(&Row {
        synonyms: &["conj", "conjugation"],
        ..Row::new(
            Kind::Towers,
            "conjugate",
            &[A],
            &[OUT],
            "a0 − a1·w for a0 + a1·w: the other root in place of w, on towers whose highest floor is quadratic",
            |s, _, x| s.get::<Tower>()?.conjugate(&x[0]),
        )
    });
}

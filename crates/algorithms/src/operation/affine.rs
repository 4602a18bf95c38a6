//! Rows of affine maps.

use evariste_descriptions::{Field, Modulus, Shape};
use num_bigint::BigUint;

use super::member::Operation;
use super::row::{A, B, Family, Holds, Kind, NOT_IN_NUMBERS, Row, Slot, of_elements};

const MAP: &[Slot] = &[A, Slot::element("x"), B];

impl Operation {
    /// `a·x + b`.
    pub const AFFINE: Operation =
        Operation::of(&of_elements("affine", MAP, "a·x + b", |s, _, x| s.add(&s.multiply(&x[0], &x[1])?, &x[2]), &[]));

    /// `a·x + b` modulo p, and then modulo `2^k`. Moduli just above `2^k` have it without being asked.
    pub const AFFINE_MOD: Operation = Operation::of(&Row {
        family: Some(Family { prefix: "affine_mod_2_", radix: 10, members: |f, _| powers_just_below(f) }),
        ..of_elements(
            "affine_mod_2_K",
            MAP,
            "a·x + b modulo p, and then modulo 2^K",
            |s, k, x| Some(s.add(&s.multiply(&x[0], &x[1])?, &x[2])? % (BigUint::from(1u32) << small(k)?)),
            &[],
        )
    });

    /// `a·x + b` modulo p, and then modulo `2^k`, by a run-time constant a, of which a shifted multiple modulo p is
    /// supplied too.
    pub const AFFINE_CONSTANT: Operation = Operation::of(&Row {
        family: Some(Family { prefix: "affine_constant_mod_2_", radix: 10, members: |f, _| powers_just_below(f) }),
        ..Row::new(
            Kind::Arrays,
            "affine_constant_mod_2_K",
            &[Slot::new("x", Holds::Words), A, Slot::element("shifted"), B],
            &[Slot::new("out", Holds::Words)],
            "a·x + b modulo p, and then modulo 2^K, by constants a, its shifted multiple, and b",
            |s, k, x| {
                let sum = s.add(&s.multiply(&x[1], &x[0])?, &x[3])?;
                Some(sum % (BigUint::from(1u32) << u32::try_from(k).ok()?))
            },
        )
    });

    /// `a·x + b` modulo p, and then modulo the power of two just below it, of so many words x by one a and one b.
    pub const AFFINE_EACH: Operation = Operation::of(&Row {
        family: Some(Family { prefix: "affine_each_", radix: 10, members: |_, _| Vec::new() }),
        ..Row::new(
            Kind::Arrays,
            "affine_each_N",
            &[Slot::new("a", Holds::Words), Slot::new("x", Holds::Words), Slot::new("b", Holds::Words)],
            &[Slot::new("out", Holds::Words)],
            "a·x + b modulo p, and then modulo the power of two just below p, for N words x by one a and one b",
            NOT_IN_NUMBERS,
        )
    });
}

fn small(k: &BigUint) -> Option<u32> {
    u32::try_from(k).ok()
}

/// The k of moduli just above `2^k`.
fn powers_just_below(field: &Field) -> Vec<u32> {
    let shapes = field.get::<Modulus>().map_or(&[][..], |m| &m.shapes);
    let above = |s: &Shape| if let Shape::AbovePower { k, .. } = s { Some(*k) } else { None };
    shapes.iter().filter_map(above).collect()
}

//! Rows of operations on elements.

use evariste_descriptions::{BinaryField, Modulus, Shape};
use num_bigint::BigUint;

use super::Operation;
use super::row::{A, B, Family, Holds, Kind, OUT, Row, Slot, TRUTH};

const TWO: &[Slot] = &[A, B];
const MAP: &[Slot] = &[A, Slot::element("x"), B];

/// An operation that gives an element.
const fn of_elements(
    name: &'static str,
    inputs: &'static [Slot],
    what: &'static str,
    meaning: super::row::Meaning,
    synonyms: &'static [&'static str],
) -> Row {
    Row { name, family: None, kind: Kind::Elements, inputs, outputs: &[OUT], what, meaning, synonyms }
}

fn bit(is: bool) -> Option<BigUint> {
    Some(u32::from(is).into())
}

impl Operation {
    /// `a·b`.
    pub const MUL: Operation = Operation::of(&of_elements(
        "mul",
        TWO,
        "a·b",
        |s, _, x| s.multiply(&x[0], &x[1]),
        &["multiply", "multiplication", "times", "product", "prod"],
    ));

    /// `a²`.
    pub const SQUARE: Operation = Operation::of(&of_elements(
        "square",
        &[A],
        "a²",
        |s, _, x| s.multiply(&x[0], &x[0]),
        &["sqr", "squared", "squaring", "sq"],
    ));

    /// `a + b`.
    pub const ADD: Operation = Operation::of(&of_elements(
        "add",
        TWO,
        "a + b",
        |s, _, x| s.add(&x[0], &x[1]),
        &["addition", "plus", "sum", "xor"],
    ));

    /// `a − b`.
    pub const SUB: Operation = Operation::of(&of_elements(
        "sub",
        TWO,
        "a − b",
        |s, _, x| s.subtract(&x[0], &x[1]),
        &["subtract", "subtraction", "minus", "difference", "diff"],
    ));

    /// `−a`.
    pub const OPP: Operation = Operation::of(&of_elements(
        "opp",
        &[A],
        "−a",
        |s, _, x| s.negate(&x[0]),
        &["neg", "negate", "negation", "negative", "minus"],
    ));

    /// `b` when the flag is 1, else `a`.
    pub const SELECTZNZ: Operation = Operation::of(&of_elements(
        "selectznz",
        &[Slot::new("flag", Holds::Flag), A, B],
        "b when the flag is 1, else a; in constant time",
        |_, _, x| Some(if x[0] == BigUint::ZERO { x[1].clone() } else { x[2].clone() }),
        &[],
    ));

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

    /// `1/a` (0 for 0), by a fixed power; prime moduli and binary fields.
    pub const INVERSE: Operation = Operation::of(&of_elements(
        "inv",
        &[A],
        "1/a by a fixed power (0 for 0); prime moduli and binary fields",
        |s, _, x| Some(s.inverse(&x[0]).unwrap_or_default()),
        &["inverse", "invert", "inversion", "reciprocal"],
    ));

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
}

fn small(k: &BigUint) -> Option<u32> {
    u32::try_from(k).ok()
}

/// The k of moduli just above `2^k`.
pub(super) fn powers_just_below(field: &evariste_descriptions::Field) -> Vec<u32> {
    let shapes = field.get::<Modulus>().map_or(&[][..], |m| &m.shapes);
    let above = |s: &Shape| if let Shape::AbovePower { k, .. } = s { Some(*k) } else { None };
    shapes.iter().filter_map(above).collect()
}

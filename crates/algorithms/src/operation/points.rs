//! Rows of points: doubling, multiples, ladders.

use evariste_descriptions::{Curve, Part};

use super::member::Operation;
use super::row::{A, Holds, Kind, NOT_IN_NUMBERS, OUT, Row, Slot, TRUTH, bit};

const K: Slot = Slot::new("k", Holds::Part(Part::Scalars));
const U: Slot = Slot::new("u", Holds::Part(Part::Abscissae));
const K_BYTES: Slot = Slot::new("k", Holds::Bytes);
pub(super) const VALID: Slot = Slot::new("valid", Holds::Valid);
const CHECKED: &[Slot] = &[Slot::new("out", Holds::Bytes), VALID];
const U_OUT: &[Slot] = &[Slot::new("out", Holds::Part(Part::Abscissae))];

impl Operation {
    /// `2P`.
    pub const DOUBLE: Operation = Operation::of(&Row {
        synonyms: &["dbl", "doubling"],
        ..Row::new(Kind::Points, "double", &[A], &[OUT], "2a, of points", |s, _, x| s.add(&x[0], &x[0]))
    });

    /// `k·P` for a scalar k, of the base point where none is named.
    pub const SCALAR_MUL: Operation = Operation::of(&Row {
        synonyms: &["mul", "multiply", "scale", "times", "scalar_multiply", "scalar_multiplication"],
        ..Row::new(
            Kind::Points,
            "scalar_mul",
            &[K, Slot::new("p", Holds::Part(Part::Points))],
            &[OUT],
            "k·p for a scalar k and a point p (the base point where none is given); also named mul",
            |s, _, x| Some(s.get::<Curve>()?.scale(&x[0], &x[1])),
        )
    });

    /// `k·P` for a multiple P of the base point, where there are other points.
    pub const MUL_IN_SUBGROUP: Operation = Operation::of(&Row {
        synonyms: &["subgroup_mul"],
        ..Row::new(
            Kind::Points,
            "mul_in_subgroup",
            &[K, Slot::new("p", Holds::Part(Part::Points))],
            &[OUT],
            "k·p for a scalar k and a multiple p of the base point, which in_subgroup tells; curves with a cofactor",
            |s, _, x| s.get::<Curve>().filter(|curve| curve.has_other_points()).map(|curve| curve.scale(&x[0], &x[1])),
        )
    });

    /// `k·G` for the base point G.
    pub const MUL_BASE: Operation = Operation::of(&Row {
        synonyms: &["base_mul", "scalar_mul_base", "scale_base"],
        ..Row::new(Kind::Points, "mul_base", &[K], &[OUT], "k·G for a scalar k and the base point G", |s, _, x| {
            s.get::<Curve>()?.scale_base(&x[0])
        })
    });

    /// `k·P + l·G` for scalars k and l and the base point G.
    pub const DOUBLE_SCALAR_MUL: Operation = Operation::of(&Row {
        synonyms: &["double_mul", "multiple_sum"],
        ..Row::new(
            Kind::Points,
            "double_scalar_mul",
            &[K, Slot::new("p", Holds::Part(Part::Points)), Slot::new("l", Holds::Part(Part::Scalars))],
            &[OUT],
            "k·p + l·G for scalars k and l, a point p and the base point G: what signatures are verified by",
            |s, _, x| {
                let curve = s.get::<Curve>()?;
                s.add(&curve.scale(&x[0], &x[1]), &curve.scale_base(&x[2])?)
            },
        )
    });

    /// The first coordinate of `k·P` from that of P, 0 for the neutral element.
    pub const LADDER: Operation = Operation::of(&Row {
        synonyms: &["montgomery_ladder", "x_only"],
        ..Row::new(
            Kind::Points,
            "ladder",
            &[K, U],
            U_OUT,
            "the first coordinate of k·p from that of p, 0 for the neutral element; Montgomery and binary curves",
            |s, _, x| s.get::<Curve>()?.ladder(&x[0], &x[1]),
        )
    });

    /// Is a point a multiple of the base point?
    pub const IN_SUBGROUP: Operation = Operation::of(&Row {
        synonyms: &["subgroup", "is_in_subgroup", "in_group", "subgroup_check"],
        ..Row::new(
            Kind::Points,
            "in_subgroup",
            &[A],
            &[TRUTH],
            "1 when the point is a multiple of the base point, else 0; curves with a cofactor",
            |s, _, x| {
                let curve = s.get::<Curve>()?;
                let order = curve.order.as_ref().filter(|_| curve.has_other_points())?;
                bit(curve.scale(order, &x[0]) == s.zero())
            },
        )
    });

    /// The point of an element of the field.
    pub const MAP_TO_CURVE: Operation = Operation::of(&Row {
        synonyms: &["map", "mapped"],
        ..Row::new(
            Kind::Points,
            "map_to_curve",
            &[Slot::new("u", Holds::Part(Part::Coordinates))],
            &[OUT],
            "the point that RFC 9380 maps an element u of the field to, before a cofactor is cleared",
            |s, _, x| s.get::<Curve>()?.mapped(&x[0]),
        )
    });

    /// A point from its bytes, with all checks.
    pub const FROM_UNCOMPRESSED: Operation = Operation::of(&Row::new(
        Kind::Points,
        "from_uncompressed",
        &[Slot::new("p", Holds::Bytes)],
        &[OUT, VALID],
        "the point of bytes 04 x y; valid: 1, or 0 and the neutral element for what is no point of the base point's group",
        NOT_IN_NUMBERS,
    ));

    /// The bytes of a point.
    pub const TO_UNCOMPRESSED: Operation = Operation::of(&Row::new(
        Kind::Points,
        "to_uncompressed",
        &[A],
        CHECKED,
        "the bytes 04 x y of a point; valid: 1, or 0 for the neutral element, which has none",
        NOT_IN_NUMBERS,
    ));

    /// A point from its compressed bytes, with all checks.
    pub const FROM_COMPRESSED: Operation = Operation::of(&Row::new(
        Kind::Points,
        "from_compressed",
        &[Slot::new("p", Holds::Bytes)],
        &[OUT, VALID],
        "the point of bytes 02 x or 03 x, on Edwards curves of y with the sign of x (RFC 8032); valid: 1, or 0 and the neutral element for what is no point, on Weierstrass curves of the base point's group",
        NOT_IN_NUMBERS,
    ));

    /// A point of the base point's group from its compressed bytes, with all checks.
    pub const FROM_COMPRESSED_IN_SUBGROUP: Operation = Operation::of(&Row::new(
        Kind::Points,
        "from_compressed_in_subgroup",
        &[Slot::new("p", Holds::Bytes)],
        &[OUT, VALID],
        "from_compressed of Edwards curves, with valid: 0 for points that are no multiples of the base point too",
        NOT_IN_NUMBERS,
    ));

    /// The compressed bytes of a point.
    pub const TO_COMPRESSED: Operation = Operation::of(&Row::new(
        Kind::Points,
        "to_compressed",
        &[A],
        CHECKED,
        "the bytes 02 x or 03 x of a point, on Edwards curves y with the sign of x; valid: 1, or 0 for what has none",
        NOT_IN_NUMBERS,
    ));

    /// The point that belongs to a scalar, in bytes.
    pub const PUBLIC_KEY: Operation = Operation::of(&Row::new(
        Kind::Points,
        "public_key",
        &[K_BYTES],
        CHECKED,
        "the uncompressed point k·G; valid: 1, or 0 for a scalar that is 0 or not below the order; of Montgomery curves X25519 and X448 of the base point",
        NOT_IN_NUMBERS,
    ));

    /// Diffie and Hellman's shared secret, in bytes, with all checks.
    pub const ECDH: Operation = Operation::of(&Row::new(
        Kind::Points,
        "ecdh",
        &[K_BYTES, Slot::new("p", Holds::Bytes)],
        CHECKED,
        "the first coordinate of k·p from an uncompressed point, or X25519 and X448; valid: 1, or 0 for what is none",
        NOT_IN_NUMBERS,
    ));

    /// The same with a compressed point.
    pub const ECDH_COMPRESSED: Operation = Operation::of(&Row::new(
        Kind::Points,
        "ecdh_compressed",
        &[K_BYTES, Slot::new("p", Holds::Bytes)],
        CHECKED,
        "the first coordinate of k·p from a compressed point; valid: 1, or 0 for what is none",
        NOT_IN_NUMBERS,
    ));

    /// The ladder with a scalar that is clamped before: X25519 and X448, on numbers instead of bytes.
    pub const CLAMPED_LADDER: Operation = Operation::of(&Row {
        synonyms: &["x25519", "x448", "ecdh"],
        ..Row::new(
            Kind::Points,
            "clamped_ladder",
            &[K, U],
            U_OUT,
            "the ladder with k clamped before: X25519 and X448, whose bytes are these numbers, lowest first",
            |s, _, x| s.get::<Curve>()?.clamped_ladder(&x[0], &x[1]),
        )
    });

    /// The same of the base point: public keys of X25519 and X448, on numbers.
    pub const CLAMPED_MUL_BASE: Operation = Operation::of(&Row {
        synonyms: &["x25519_base", "x448_base"],
        ..Row::new(
            Kind::Points,
            "clamped_mul_base",
            &[K],
            U_OUT,
            "the first coordinate of k·G with k clamped before: public keys of X25519 and X448 as numbers",
            |s, _, x| s.get::<Curve>()?.clamped_mul_base(&x[0]),
        )
    });
}

//! The operation mixes on which layouts are compared.

use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Shape};

/// An operation and how often it occurs in the mix. Weight 0: measured and shown, without a say.
pub type Mix = Vec<(Operation, u32)>;

/// The mix of a field: for moduli 8 products, 4 squares, 6 additions, 4 subtractions (about one addition and one
/// doubling of points on a curve); the same for moduli that are given; products alone for integers; products and (free)
/// squares for normal bases. Moduli just above a power of two, which exist for their affine map, are compared on that
/// map.
pub fn mix(field: &Field) -> Mix {
    match field {
        Field::Integers(_) => vec![(Operation::Mul, 1), (Operation::Square, 0)],
        Field::Binary(_) => vec![(Operation::Mul, 1), (Operation::Square, 1)],
        Field::Odd(_) => vec![(Operation::Mul, 8), (Operation::Square, 4), (Operation::Add, 6), (Operation::Sub, 4)],
        Field::Modular(m) => match truncated_affine(m) {
            Some(affine) => {
                vec![(affine, 1), (Operation::Mul, 0), (Operation::Square, 0), (Operation::Add, 0), (Operation::Sub, 0)]
            }
            None => vec![(Operation::Mul, 8), (Operation::Square, 4), (Operation::Add, 6), (Operation::Sub, 4)],
        },
    }
}

/// `(a·x + b mod 2^k + c) mod 2^k`, for moduli of that shape.
pub fn truncated_affine(m: &evariste_descriptions::Modulus) -> Option<Operation> {
    m.shapes.iter().find_map(|s| match s {
        Shape::AbovePower { k, .. } => Some(Operation::Affine { low_bits: Some(*k) }),
        _ => None,
    })
}

/// The mix in words: `8 mul + 4 square + 6 add + 4 sub`.
pub fn describe(mix: &Mix) -> String {
    let terms: Vec<String> = mix.iter().filter(|(_, n)| *n > 0).map(|(op, n)| format!("{n} {}", op.name())).collect();
    terms.join(" + ")
}

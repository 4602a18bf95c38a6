//! What a package of one layout contains.

use evariste_spec::{Field, Shape};

use crate::layout::Layout;
use crate::operation::Operation;
use crate::registry::plans;

/// The operations that a field has in a layout, in the order of a header: products, additions, choice, forms, bytes, tests, inverse, affine maps.
///
/// Only what some plan can write is listed: `canonical` where resting elements are not canonical, tests for zero and equality where
/// they are, `inv` in fields, products alone for plain integers.
pub fn operations(field: &Field, layout: &Layout) -> Vec<Operation> {
    let mut all = vec![
        Operation::Mul,
        Operation::Square,
        Operation::Add,
        Operation::Sub,
        Operation::Opp,
        Operation::Selectznz,
        Operation::ToMontgomery,
        Operation::FromMontgomery,
        Operation::Canonical,
        Operation::ToBytes { big_endian: false },
        Operation::ToBytes { big_endian: true },
        Operation::FromBytes { big_endian: false },
        Operation::FromBytes { big_endian: true },
        Operation::FromWords,
        Operation::ToWords,
        Operation::IsZero,
        Operation::Equal,
        Operation::Inverse,
        Operation::Trace,
        Operation::HalfTrace,
        Operation::SolveQuadratic,
        Operation::Affine { low_bits: None },
    ];
    // The use of moduli just above a power of two: the value modulo p, and then modulo that power.
    if let Field::Modular(m) = field {
        all.extend(m.shapes.iter().filter_map(|s| match s {
            Shape::AbovePower { k, .. } => Some([Operation::Affine { low_bits: Some(*k) }, Operation::AffineConstant { low_bits: *k }]),
            _ => None,
        }).flatten());
    }
    all.retain(|op| !plans(field, layout, op).is_empty());
    all
}

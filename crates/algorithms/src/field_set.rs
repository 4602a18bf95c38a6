//! What a package of one layout contains.

use evariste_descriptions::{Field, Shape};

use crate::lanes;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation;
use crate::registry::plans;

/// Is an element at rest in this layout the only one of its value? Of integers and polynomials it always is.
pub fn is_canonical(field: &Field, layout: &Layout) -> bool {
    match field {
        Field::Modular(_) | Field::Odd(_) => representation::is_canonical(field, layout),
        Field::Integers(_) | Field::Binary(_) => true,
    }
}

/// The operations that a field has in a layout, in the order of [`Operation::WITHOUT_NUMBERS`].
///
/// Only what some plan can write is listed: `canonical` where resting elements are not canonical, tests for zero and
/// equality where they are, `inv` in fields, products alone for plain integers.
pub fn operations(field: &Field, layout: &Layout) -> Vec<Operation> {
    let mut all = Operation::WITHOUT_NUMBERS.to_vec();
    // The use of moduli just above a power of two: the value modulo p, and then modulo that power.
    if let Field::Modular(m) = field {
        all.extend(
            m.shapes
                .iter()
                .filter_map(|s| match s {
                    Shape::AbovePower { k, .. } => {
                        Some([Operation::Affine { low_bits: Some(*k) }, Operation::AffineConstant { low_bits: *k }])
                    }
                    _ => None,
                })
                .flatten(),
        );
    }
    // Sums in lanes: of as many terms as arrays take at a time, and of one.
    if layout.radix.is_some() {
        let most = lanes::sums::terms(layout);
        all.extend([1, most].map(|terms| Operation::Dot { terms }));
        all.extend([1, most].map(|terms| Operation::Sum { terms }));
        all.dedup();
    }
    all.retain(|op| !plans(field, layout, op).is_empty());
    all
}

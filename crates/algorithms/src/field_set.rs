//! What a package of one layout contains.

use evariste_descriptions::Field;

pub use crate::kinds::is_canonical;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::registry::plans;

/// The operations that a field has in a layout, in the order of [`OPERATIONS`](crate::operation::OPERATIONS).
///
/// Only what some plan can write is listed: `canonical` where resting elements are not canonical, tests for zero and
/// equality where they are, `inv` in fields, products alone for plain integers.
pub fn operations(field: &Field, layout: &Layout) -> Vec<Operation> {
    let mut all = Operation::candidates(field, layout);
    all.retain(|op| !plans(field, layout, op).is_empty());
    all
}

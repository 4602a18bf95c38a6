//! Binary fields: coordinate i in bit i.

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::range::pow2;

use super::kind::{Kind, element, first};
use crate::layout::Layout;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<BinaryField>().is_some(),
    layouts,
    lane_layouts: |_, _, _| Vec::new(),
    // Bit-sliced.
    words: &[1],
    listed: true,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| Vec::new(),
    is_canonical: |_, _| true,
    // (Squares are free in normal bases.)
    mix: |_| vec![(Operation::MUL, 1), (Operation::SQUARE, 1)],
};

/// Saturated; normal bases have words of one bit where fewer than eight are asked for.
fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    let normal = field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_some());
    let word = if normal && word < 8 { 1 } else { word };
    let n = field.bits().div_ceil(word) as usize;
    vec![Layout::saturated_with(format!("{n}x{word}"), word, n, pow2(field.bits()) - 1, None)]
}

//! Plain integers.

use evariste_descriptions::Integers;
use evariste_ir::range::pow2;

use super::kind::{Kind, element, first};
use crate::lanes;
use crate::layout::Layout;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Integers>().is_some(),
    layouts: |f, word| {
        let n = f.bits().div_ceil(word) as usize;
        vec![Layout::saturated_with(format!("{n}x{word}"), word, n, pow2(f.bits()) - 1, None)]
    },
    lane_layouts: |f, word, radix| lanes::layouts::integer_layouts(f.bits(), word, radix),
    words: &[],
    listed: true,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| Vec::new(),
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::MUL, 1), (Operation::SQUARE, 0)],
};

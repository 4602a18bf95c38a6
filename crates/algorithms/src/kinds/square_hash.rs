//! Square hash.

use evariste_descriptions::SquareHash;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<SquareHash>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| vec![Operation::HASH, Operation::WRAPPING, Operation::HASH_PLUS, Operation::WRAPPING_PLUS],
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::HASH, 1)],
};

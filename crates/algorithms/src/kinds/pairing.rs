//! Pairings. They have no layouts yet: the reference alone computes them.

use evariste_descriptions::Pairing;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Pairing>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| {
        vec![Operation::PAIRING, Operation::PAIRING_MULTIPLE, Operation::MILLER, Operation::FINAL_EXPONENTIATION]
    },
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::PAIRING, 1)],
};

//! Square hash.

use evariste_descriptions::SquareHash;

use super::kind::{Kind, first};
use crate::hash;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<SquareHash>().is_some(),
    layouts: hash::layouts,
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[hash::RECIPES, hash::APART_RECIPES, hash::RUNNING_RECIPES],
    ground: hash::ground,
    given: hash::given,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| {
        vec![
            Operation::HASH,
            Operation::WRAPPING,
            Operation::HASH_PLUS,
            Operation::WRAPPING_PLUS,
            Operation::ABSORB,
            Operation::ABSORB_WRAPPING,
            Operation::FINISH,
        ]
    },
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::HASH, 1), (Operation::WRAPPING, 0)],
};

//! The hash function MMH.

use evariste_descriptions::Mmh;

use super::kind::{Kind, first};
use crate::hash;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Mmh>().is_some(),
    layouts: hash::layouts,
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[hash::RECIPES, hash::RUNNING_RECIPES, hash::WRAPPING_RECIPES],
    ground: hash::ground,
    given: hash::given,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| {
        vec![
            Operation::HASH,
            Operation::HASH_WRAPPING,
            Operation::HASH_SIGNED,
            Operation::HASH_WRAPPING_SIGNED,
            Operation::ABSORB,
            Operation::ABSORB_WRAPPING,
            Operation::FINISH,
        ]
    },
    is_canonical: |_, _| true,
    mix: |_| {
        vec![
            (Operation::HASH, 1),
            (Operation::HASH_WRAPPING, 0),
            (Operation::HASH_SIGNED, 0),
            (Operation::HASH_WRAPPING_SIGNED, 0),
        ]
    },
};

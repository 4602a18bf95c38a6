//! The hash function TMMH/16.

use evariste_descriptions::Tmmh;

use super::kind::Kind;
use crate::hash;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Tmmh>().is_some(),
    layouts: hash::layouts,
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[hash::RECIPES, hash::TAG_RECIPES],
    ground: hash::ground,
    given: hash::given,
    result: hash::result,
    samples: |_, _, _| Vec::new(),
    exact: |_| vec![Operation::TAG, Operation::TAG_WORD],
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::TAG_WORD, 1), (Operation::TAG, 0)],
};

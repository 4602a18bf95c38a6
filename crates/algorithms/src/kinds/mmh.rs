//! The hash function MMH.

use evariste_descriptions::Mmh;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Mmh>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| vec![Operation::HASH, Operation::HASH_WRAPPING, Operation::HASH_SIGNED, Operation::HASH_WRAPPING_SIGNED],
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::HASH, 1)],
};

//! The hash function TMMH/16.

use evariste_descriptions::Tmmh;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Tmmh>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| vec![Operation::TAG],
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::TAG, 1)],
};

//! The stream cipher WG, and its field.

use evariste_descriptions::Wg;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Wg>().is_some(),
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
        vec![
            Operation::KEYSTREAM,
            Operation::LOAD,
            Operation::INITIALISE,
            Operation::PERMUTATION,
            Operation::FEEDBACK,
            Operation::TRANSFORMATION,
            Operation::MUL,
            Operation::SQUARE,
            Operation::ADD,
            Operation::INVERSE,
            Operation::TRACE,
        ]
    },
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::TRANSFORMATION, 1)],
};

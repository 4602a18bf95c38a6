//! The stream cipher WG, and its field.

use evariste_descriptions::Wg;

use super::kind::Kind;
use crate::cipher::wg;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Wg>().is_some(),
    layouts: wg::layouts,
    lane_layouts: |_, _, _| Vec::new(),
    // Bit-sliced, a key a lane.
    words: &[1],
    listed: false,
    own: &[wg::WG],
    ground: wg::ground,
    given: wg::given,
    result: wg::result,
    samples: |_, _, _| Vec::new(),
    exact: |_| {
        vec![
            Operation::KEYSTREAM,
            Operation::LOAD,
            Operation::INITIALISE,
            Operation::INITIAL_STEPS,
            Operation::STREAM,
            Operation::JUMP,
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
    mix: |_| {
        vec![
            (Operation::STREAM, 1),
            (Operation::TRANSFORMATION, 0),
            (Operation::INITIAL_STEPS, 0),
            (Operation::JUMP, 0),
        ]
    },
};

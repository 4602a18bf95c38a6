//! The block ciphers DFC and DFCv2.

use evariste_descriptions::Dfc;

use super::kind::{Kind, first};
use crate::cipher::dfc;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Dfc>().is_some(),
    layouts: dfc::layouts,
    lane_layouts: dfc::lane_layouts,
    words: &[],
    listed: false,
    own: &[dfc::RECIPES, dfc::NETWORKS, dfc::LANES],
    ground: dfc::ground,
    given: dfc::given,
    result: first,
    samples: dfc::samples,
    exact: |_| {
        vec![
            Operation::ENCRYPT,
            Operation::DECRYPT,
            Operation::EXPAND_KEY,
            Operation::ENCRYPT_BLOCK,
            Operation::DECRYPT_BLOCK,
            Operation::ENCRYPT_BLOCKS,
            Operation::DECRYPT_BLOCKS,
            Operation::ROUND,
        ]
    },
    is_canonical: |_, _| true,
    mix: |_| {
        vec![
            (Operation::ENCRYPT_BLOCK, 1),
            (Operation::DECRYPT_BLOCK, 0),
            (Operation::ENCRYPT_BLOCKS, 0),
            (Operation::DECRYPT_BLOCKS, 0),
            (Operation::EXPAND_KEY, 0),
            (Operation::ROUND, 0),
        ]
    },
};

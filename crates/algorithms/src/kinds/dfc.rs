//! The block ciphers DFC and DFCv2.

use evariste_descriptions::Dfc;

use super::kind::{Kind, element, first};
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Dfc>().is_some(),
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
            Operation::ENCRYPT,
            Operation::DECRYPT,
            Operation::EXPAND_KEY,
            Operation::ENCRYPT_BLOCK,
            Operation::DECRYPT_BLOCK,
            Operation::ROUND,
        ]
    },
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::ENCRYPT_BLOCK, 1)],
};

//! Pairings: the layouts are those of the prime field, for points and values alike.

use evariste_descriptions::{Field, Pairing};
use num_bigint::BigUint;

use super::kind::{Given, Kind, element};
use crate::operation::{Holds, Operation};
use crate::pairing;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Pairing>().is_some(),
    layouts: pairing::pairing_layouts,
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[&pairing::OPTIMAL_ATE, &pairing::TATE, pairing::EXPONENTIATIONS, pairing::CHECKED],
    ground: pairing::ground,
    given,
    result,
    samples: pairing::samples,
    exact: |_| {
        vec![
            Operation::PAIRING,
            Operation::PAIRING_MULTIPLE,
            Operation::MULTI_PAIRING,
            Operation::MILLER,
            Operation::MULTI_MILLER,
            Operation::FINAL_EXPONENTIATION,
            Operation::FINAL_EXPONENTIATION_MULTIPLE,
        ]
    },
    is_canonical: |f, layout| pairing::ground(f).is_some_and(|ground| super::is_canonical(&ground, layout)),
    mix: |_| {
        vec![
            (Operation::PAIRING, 1),
            (Operation::PAIRING_MULTIPLE, 0),
            (Operation::MILLER, 0),
            (Operation::FINAL_EXPONENTIATION, 0),
        ]
    },
};

fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    pairing::given(field, holds, x).unwrap_or_else(|| element(field, holds, x))
}

fn result(field: &Field, _: Holds, x: &[BigUint]) -> Option<BigUint> {
    field.get::<Pairing>().map(|pairing| pairing.target.packed(x))
}

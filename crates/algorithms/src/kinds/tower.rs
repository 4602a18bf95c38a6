//! Towers of extensions. They have no layouts yet: the reference alone computes in them.

use evariste_descriptions::{Field, Tower};

use super::kind::Kind;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Tower>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    exact,
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::MUL, 1), (Operation::SQUARE, 1)],
};

fn exact(field: &Field) -> Vec<Operation> {
    let mut all = vec![
        Operation::MUL,
        Operation::SQUARE,
        Operation::ADD,
        Operation::SUB,
        Operation::OPP,
        Operation::IS_ZERO,
        Operation::EQUAL,
        Operation::INVERSE,
        Operation::POWER,
        Operation::FROBENIUS,
    ];
    let top = field.get::<Tower>().and_then(|tower| tower.ring.floors.last());
    all.extend(top.filter(|floor| floor.polynomial.len() == 2).map(|_| Operation::CONJUGATE));
    all
}

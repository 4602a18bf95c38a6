//! Points of elliptic curves. They have no layouts yet: the reference alone computes with them.

use evariste_descriptions::{Curve, Field, Part, Structure};

use super::kind::Kind;
use crate::operation::Operation;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Curve>().is_some(),
    layouts: |_, _| Vec::new(),
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[],
    ground: |_| None,
    exact,
    is_canonical: |_, _| true,
    mix: |_| vec![(Operation::ADD, 1), (Operation::DOUBLE, 1)],
};

fn exact(field: &Field) -> Vec<Operation> {
    let Some(curve) = field.get::<Curve>() else { return Vec::new() };
    let mut all = vec![
        Operation::ADD,
        Operation::SUB,
        Operation::OPP,
        Operation::DOUBLE,
        Operation::EQUAL,
        Operation::SCALAR_MUL,
    ];
    all.extend(curve.base.as_ref().map(|_| Operation::MUL_BASE));
    if curve.part(Part::Abscissae).is_some() {
        all.push(Operation::LADDER);
    }
    all.extend(curve.clamps().then_some(Operation::CLAMPED_LADDER));
    all
}

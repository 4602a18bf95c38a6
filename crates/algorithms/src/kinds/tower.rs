//! Towers of extensions: the layouts are those of the prime field, coordinate after coordinate.

use evariste_descriptions::{Field, Tower};

use num_bigint::BigUint;

use super::kind::{Given, Kind};
use crate::operation::{Holds, Operation};
use crate::tower;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Tower>().is_some(),
    layouts: tower::tower_layouts,
    // Kernels of one element alone, as yet.
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[tower::FORMULAS, tower::COORDINATEWISE, tower::PROGRAMS],
    ground: tower::ground,
    given,
    result,
    samples: |_, _, _| Vec::new(),
    exact,
    is_canonical: |f, layout| tower::ground(f).is_some_and(|ground| super::is_canonical(&ground, layout)),
    mix: |_| vec![(Operation::MUL, 1), (Operation::SQUARE, 1)],
};

fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    match (holds, field.get::<Tower>()) {
        (Holds::Element, Some(tower)) => Given::Elements(tower.unpacked(x)),
        _ => super::kind::element(field, holds, x),
    }
}

fn result(field: &Field, _: Holds, x: &[BigUint]) -> Option<BigUint> {
    field.get::<Tower>().map(|tower| tower.packed(x))
}

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

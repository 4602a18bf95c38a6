//! Points of elliptic curves: over prime and binary fields kernels have them in coordinates, each in a layout of that field.

use evariste_descriptions::{Curve, Field, Part, Structure, Tower};
use num_bigint::BigUint;

use super::kind::{Given, Kind, element, first};
use crate::curve::{self, coordinates};
use crate::operation::{Holds, Operation};

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<Curve>().is_some(),
    layouts: curve::curve_layouts,
    lane_layouts: |_, _, _| Vec::new(),
    words: &[],
    listed: false,
    own: &[curve::FORMULAS, curve::PROGRAMS, curve::BINARY],
    ground: curve::ground,
    given,
    result,
    exact,
    // Of coordinates; a point has many.
    is_canonical: |f, layout| curve::ground(f).is_some_and(|ground| super::is_canonical(&ground, layout)),
    samples: curve::samples,
    mix: |f| match f.get::<Curve>().map(coordinates::have_sums) {
        Some(false) => vec![(Operation::LADDER, 1)],
        _ if curve::binary::is_binary(f) => vec![(Operation::SCALAR_MUL, 1), (Operation::LADDER, 0)],
        _ => vec![(Operation::SCALAR_MUL, 1), (Operation::ADD, 0), (Operation::DOUBLE, 0)],
    },
};

fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    match (holds, field.get::<Curve>()) {
        (Holds::Element | Holds::Part(Part::Points), Some(curve)) => Given::Elements(coordinates::of(curve, x)),
        (Holds::Part(Part::Scalars), Some(curve)) => {
            let points = curve.order.as_ref().zip(curve.cofactor.as_ref()).map(|(order, cofactor)| order * cofactor);
            let longer = x.bits() > u64::from(curve::scalar_bits(curve));
            Given::Number(points.filter(|_| longer).map_or_else(|| x.clone(), |points| x % points))
        }
        (Holds::Part(Part::Coordinates), Some(curve)) => {
            Given::Elements(curve.field().get::<Tower>().map_or_else(|| vec![x.clone()], |tower| tower.unpacked(x)))
        }
        _ => element(field, holds, x),
    }
}

fn result(field: &Field, holds: Holds, x: &[BigUint]) -> Option<BigUint> {
    match (holds, field.get::<Curve>()) {
        (Holds::Element, Some(curve)) => coordinates::point(curve, x),
        _ => first(field, holds, x),
    }
}

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
    if curve.base.is_some() {
        all.extend([Operation::MUL_BASE, Operation::DOUBLE_SCALAR_MUL]);
    }
    if curve.part(Part::Abscissae).is_some() {
        all.push(Operation::LADDER);
    }
    all.extend(curve.map().map(|_| Operation::MAP_TO_CURVE));
    if curve.has_other_points() {
        all.extend([Operation::IN_SUBGROUP, Operation::MUL_IN_SUBGROUP]);
    }
    if curve.clamps() {
        all.push(Operation::CLAMPED_LADDER);
        all.extend(curve.base.is_some().then_some(Operation::CLAMPED_MUL_BASE));
    }
    all
}

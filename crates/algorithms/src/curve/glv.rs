//! Multiples of points by windows of two half scalars.
//!
//! * **computes** `k·P` as `k1·P + k2·E(P)` for an endomorphism E.
//! * **needs** a curve `y² = x³ + b` whose points are all multiples of the base point, or a point that is one; sums
//!   without exceptions; k below `2^bits`, in words; P in resting coordinates.
//! * **gives** the coordinates of the multiple.
//! * **cost** half the doublings of `multiple`, as many sums, a product for each second one, and `decomposition`. Time and
//!   addresses do not depend on k or P.
//! * **source** Gallant, Lambert, Vanstone (2001); the windows are those of `multiple`.
//!
//! What a step does is proved; that the steps give `k·P` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Contract, Kernel, View};

use super::decomposition::Decomposition;
use super::endomorphism::{Endomorphism, Images};
use super::multiple::{JACOBIAN_NEEDS, Windows, has_points, window};
use super::setting::{over_prime, scalar_bits};
use super::{coordinates, digits, jacobian};
use crate::layout::Layout;
use crate::lowering::{Element, Operations};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::NotApplicable;

/// Doublings in the point's own coordinates.
const NEEDS: &[Need] = &[
    Need::new(Operation::ADD, Pick::First),
    Need::new(Operation::OPP, Pick::First),
    Need::new(Operation::SELECTZNZ, Pick::First),
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::new(Operation::DOUBLE, Pick::First),
];

/// Half scalars with doublings in Jacobian coordinates.
pub const JACOBIAN_HALVES: Composite = Composite {
    name: "endomorphism-jacobian",
    applies: |f, l, op| applies(f, l, op) && jacobian::formula(f).is_some(),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "endomorphism-jacobian"), parts, false),
};

/// Half scalars.
pub const HALVES: Composite = Composite {
    name: "endomorphism",
    applies,
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "endomorphism"), parts, true),
};

/// Is the point a multiple of the base point, of a curve over a prime field with such a map?
fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let of_multiples = over_prime(field).is_ok_and(|(curve, _)| match curve.has_other_points() {
        true => *op == Operation::MUL_IN_SUBGROUP,
        false => *op == Operation::SCALAR_MUL && curve.cofactor.is_some(),
    });
    of_multiples && has_points(field, layout) && parted(field, layout.word).is_some()
}

/// The map, and how scalars are taken apart.
fn parted(field: &Field, word: u32) -> Option<(Endomorphism, Decomposition)> {
    let (curve, _) = over_prime(field).ok()?;
    let map = Endomorphism::of(field)?;
    let parts = Decomposition::new(curve.order.as_ref()?, &map.eigenvalue, scalar_bits(curve), word)?;
    Some((map, parts))
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    complete: bool,
) -> Result<Kernel, NotApplicable> {
    let missing = || NotApplicable("a part is missing".into());
    let (curve, _) = over_prime(field)?;
    let (map, parted) = parted(field, layout.word).ok_or_else(|| NotApplicable("no map of this curve".into()))?;
    let [add, opp, select, ground @ ..] = parts else { return Err(missing()) };
    let [mul, square, sum, sub, minus, ..] = ground else { return Err(missing()) };
    let operations =
        Operations { mul: mul.clone(), square: square.clone(), add: sum.clone(), sub: sub.clone(), opp: minus.clone() };
    let doubling = if complete { ground.get(5..).ok_or_else(missing)? } else { ground };
    let count = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", count);
    let (k, scalar) = digits::scalar(b, "k", scalar_bits(curve));
    let point = Element::input(b, layout, "p", count);
    let w = window(parted.half);
    let n = digits::count(parted.half, w);
    let decompose = Callee::new(b, Arc::new(parted.kernel(layout.word, w, n)?), "decompose");
    let windows = Windows::of_digits(b, field, layout, [add, opp, select], doubling, [w, n])?;
    let images = Images::new(b, field, layout, &map, &operations)?;
    let [first, second] = ["first", "second"].map(|name| b.local(name, n, Interval::bits(w)));
    decompose.call_each(b, &[first, second].map(View::whole), &[View::whole(k)]);
    let table = windows.table(b, &View::whole(point.array));
    windows.start(b, table, first);
    windows.add_image(b, table, second, windows.first(), &images);
    windows.each(b, |b, at| {
        windows.add(b, table, first, at());
        windows.add_image(b, table, second, at(), &images);
    });
    let claims = windows.give(b, &out);
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

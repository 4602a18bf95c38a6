//! Multiples of points by windows of two half scalars, or of four quarters.
//!
//! * **computes** `k·P` as `k1·P + k2·E(P)` for an endomorphism E, or as `k1·P + k2·E(P) + k3·E²(P) + k4·E³(P)`.
//! * **needs** a curve `y² = x³ + b`, or the second group of a BLS12 or BN pairing, whose points are all multiples of the base point, or a point that is one; sums
//!   without exceptions; k below `2^bits`, in words; P in resting coordinates.
//! * **gives** the coordinates of the multiple.
//! * **cost** half the doublings of `multiple`, as many sums, a product for each second one, and `decomposition`. By four a
//!   quarter of the doublings, as many sums, and three images of each multiple of the table. Time and addresses do not
//!   depend on k or P.
//! * **source** Gallant, Lambert, Vanstone (2001); Galbraith, Lin, Scott (2011); the windows are those of `multiple`.
//!
//! **Sums in Jacobian coordinates** meet no exception but at the lowest digits: with the words of `jacobian_multiple`, of
//! both halves. The sum holds `A·P + B·E(P)` with A and B from the digits so far. A sum that has an exception says that
//! `u + v·λ` is 0 modulo the order n, where u and v are A and B, one of which may be more or less by the digit d, after the
//! doublings of this step. Then n divides the norm `u² − uv + v²` of `u + v·E`, which is at most 3·m² for m the larger of |u| and |v|.
//! Above the lowest digits m is at most `(most >> w) + 1 + 2^w` for halves of at most `most`; where three
//! squares of that are below n, the norm is 0, and so are u and v. As a multiple of 2^w is ±d for d = 0 alone, either all
//! digits before were 0 or the exception is none.
//!
//! What a step does is proved; that the steps give `k·P` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Contract, Index, Kernel, View};
use num_bigint::BigInt;
use num_traits::One;

use super::decomposition::{self, Decomposition};
use super::endomorphism::{Endomorphism, Images};
use super::jacobian_multiple::{self, Sums};
use super::multiple::{JACOBIAN_NEEDS, Windows, has_points, window};
use super::setting::{curve_of, scalar_bits};
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

/// Half scalars, all but the last sums in Jacobian coordinates.
pub const JACOBIAN_SUMS_OF_HALVES: Composite = Composite {
    name: "endomorphism-jacobian-sums",
    applies: |f, l, op| applies(f, l, op) && jacobian::formula(f).is_some() && meet_no_exception(f, l.word),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write_sums(f, l, &kernel_name(op, "endomorphism-jacobian-sums"), parts),
};

/// Half scalars, or quarters.
pub const HALVES: Composite = Composite {
    name: "endomorphism",
    applies,
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "endomorphism"), parts, true),
};

/// Is the point a multiple of the base point, of a curve with such a map?
fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let of_multiples = curve_of(field).is_ok_and(|(curve, _)| match curve.has_other_points() {
        true => *op == Operation::MUL_IN_SUBGROUP,
        false => *op == Operation::SCALAR_MUL && curve.cofactor.is_some(),
    });
    of_multiples && has_points(field, layout) && parted(field, layout.word).is_some()
}

/// The map, and how scalars are taken apart.
fn parted(field: &Field, word: u32) -> Option<(Endomorphism, Decomposition)> {
    let (curve, _) = curve_of(field).ok()?;
    let map = Endomorphism::of(field)?;
    let parts = Decomposition::new(curve.order.as_ref()?, map.relations.clone(), scalar_bits(curve), word)?;
    Some((map, parts))
}

/// Are halves short beside the order in all but their lowest digits? Of the map with `E² + E + 1 = 0`.
fn meet_no_exception(field: &Field, word: u32) -> bool {
    let Some((map, parted)) = parted(field, word).filter(|(_, parted)| parted.parts() == 2) else { return false };
    let Some(order) = curve_of(field).ok().and_then(|(curve, _)| curve.order.clone()) else { return false };
    let w = window_of(&parted);
    let most: BigInt = (parted.most() >> w) + 1 + (BigInt::one() << w);
    let is_cubic = map.trace == BigInt::from(-1) && map.norm.is_one();
    is_cubic && parted.digits(w) > 1 && &most * &most * 3 < BigInt::from(order)
}

/// Bits of a digit. Of four parts more of them share the doublings.
fn window_of(parted: &Decomposition) -> u32 {
    match (parted.parts(), parted.length()) {
        (4, 33..) => 5,
        (_, length) => window(length),
    }
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    complete: bool,
) -> Result<Kernel, NotApplicable> {
    let missing = || NotApplicable("a part is missing".into());
    let (curve, _) = curve_of(field)?;
    let (map, parted) = parted(field, layout.word).ok_or_else(|| NotApplicable("no map of this curve".into()))?;
    let [add, opp, select, ground @ ..] = parts else { return Err(missing()) };
    let operations = operations(parts)?;
    let doubling = if complete { ground.get(5..).ok_or_else(missing)? } else { ground };
    let count = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", count);
    let (k, scalar) = digits::scalar(b, "k", scalar_bits(curve));
    let point = Element::input(b, layout, "p", count);
    let w = window_of(&parted);
    let n = parted.digits(w);
    let windows = Windows::of_digits(b, field, layout, [add, opp, select], doubling, [w, n])?;
    let images = Images::new(b, field, layout, &map, &operations)?;
    let all = taken_apart(b, layout, &parted, k)?;
    let summands = summands(b, &windows, &images, &all, &View::whole(point.array));
    windows.start(b, summands[0].table, all[0]);
    let add = |b: &mut Builder, summand: &Summand, at: Index| match summand.turned {
        true => windows.add_image(b, summand.table, summand.digits, at, &images),
        false => windows.add(b, summand.table, summand.digits, at),
    };
    summands[1..].iter().for_each(|summand| add(b, summand, windows.first()));
    windows.each(b, |b, at| summands.iter().for_each(|summand| add(b, summand, at())));
    let claims = windows.give(b, &out);
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// The digits of both halves.
fn taken_apart(
    b: &mut Builder,
    layout: &Layout,
    parted: &Decomposition,
    k: Array,
) -> Result<Vec<Array>, NotApplicable> {
    let w = window_of(parted);
    let kernel = parted.kernel(layout.word, digits::piece(layout), w)?;
    let decompose = Callee::new(b, Arc::new(kernel), "decompose");
    let names = &decomposition::NAMES[..parted.parts()];
    let all: Vec<Array> = names.iter().map(|name| b.local(*name, parted.digits(w), Interval::bits(w))).collect();
    let to: Vec<View> = all.iter().copied().map(View::whole).collect();
    decompose.call_each(b, &to, &[View::whole(k)]);
    Ok(all)
}

fn write_sums(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, _) = curve_of(field)?;
    let (map, parted) = parted(field, layout.word).ok_or_else(|| NotApplicable("no map of this curve".into()))?;
    let operations = operations(parts)?;
    let count = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", count);
    let (k, scalar) = digits::scalar(b, "k", scalar_bits(curve));
    let point = Element::input(b, layout, "p", count);
    let w = window_of(&parted);
    let all = taken_apart(b, layout, &parted, k)?;
    let sums = Sums::new(b, field, layout, parts, w)?;
    let images = Images::new(b, field, layout, &map, &operations)?;
    let table = sums.table(b, &View::whole(point.array));
    let summand = |(i, digits): (usize, &Array)| jacobian_multiple::Summand {
        digits: *digits,
        table,
        images: (i > 0).then_some(&images),
    };
    let summands: Vec<_> = all.iter().enumerate().map(summand).collect();
    sums.add_all(b, parted.digits(w), &summands);
    let claims = sums.give(b, &out);
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// The operations of the prime field, which come after three of the curve.
fn operations(parts: &[Arc<Kernel>]) -> Result<Operations, NotApplicable> {
    let [_, _, _, mul, square, sum, sub, minus, ..] = parts else {
        return Err(NotApplicable("a part is missing".into()));
    };
    Ok(Operations { mul: mul.clone(), square: square.clone(), add: sum.clone(), sub: sub.clone(), opp: minus.clone() })
}

/// What a part of the scalar adds.
struct Summand {
    digits: Array,
    table: Array,
    /// The image of the table's multiple, not itself?
    turned: bool,
}

/// Of each part: from one table where an image is a product, else from the tables of images.
fn summands(b: &mut Builder, windows: &Windows, images: &Images, digits: &[Array], point: &View) -> Vec<Summand> {
    let mut table = windows.table(b, point);
    let mut all = vec![Summand { digits: digits[0], table, turned: false }];
    for (i, digits) in (1..).zip(&digits[1..]) {
        let turned = images.is_short();
        if !turned {
            table = windows.images(b, &format!("images_{i}"), table, images);
        }
        all.push(Summand { digits: *digits, table, turned });
    }
    all
}

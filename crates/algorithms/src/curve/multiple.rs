//! Multiples of points by windows.
//!
//! * **computes** `k·P`.
//! * **needs** a curve whose sums have no exceptions; k below `2^bits`, in words; P in resting coordinates.
//! * **gives** the coordinates of the multiple.
//! * **cost** of bits/w + 1 digits: w doublings (or as many in Jacobian coordinates and 4M + 2S for the ways there and
//!   back), an addition and a scan of `2^(w−1)` points each, and as many additions for the table. Time and addresses do not depend on k or P.
//! * **source** Joye, Tunstall (2009) for the digits around 0; Renes, Costello, Batina (2016), Hisil et al. (2008) for
//!   sums without exceptions.
//!
//! What a step does is proved; that the steps give `k·P` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{Field, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Claim, Contract, Index, Kernel, View};

use super::jacobian::{self, Jacobian};
use super::look_ups::Steps;
use super::setting::{curve_of, scalar_bits};
use super::{coordinates, digits};
use crate::layout::Layout;
use crate::lowering::{Element, digits_of};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::NotApplicable;

/// The operations of points that multiples are made of.
pub(super) const NEEDS: &[Need] = &[
    Need::new(Operation::ADD, Pick::First),
    Need::new(Operation::OPP, Pick::First),
    Need::new(Operation::SELECTZNZ, Pick::First),
    Need::new(Operation::DOUBLE, Pick::First),
];

/// The same with doublings in Jacobian coordinates.
const JACOBIAN_NEEDS: &[Need] = &[
    Need::new(Operation::ADD, Pick::First),
    Need::new(Operation::OPP, Pick::First),
    Need::new(Operation::SELECTZNZ, Pick::First),
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
    Need::ground(Operation::SELECTZNZ),
    Need::ground(Operation::IS_ZERO),
];

/// Multiples of a point.
pub const MULTIPLE: Composite = Composite {
    name: "windows",
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l),
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows"), parts),
};

/// Multiples of a point, with doublings in Jacobian coordinates.
pub const JACOBIAN_MULTIPLE: Composite = Composite {
    name: "windows-jacobian",
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l) && jacobian::formula(f).is_some(),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian"), parts),
};

pub(super) fn has_points(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && curve_of(field).is_ok_and(|(curve, _)| coordinates::count(curve) > 0)
}

/// Bits of a digit.
pub(super) fn window(bits: u32) -> u32 {
    match bits {
        0..=16 => 2,
        17..=96 => 4,
        _ => 5,
    }
}

/// How a point is doubled some times.
enum Doublings {
    /// In its own coordinates.
    Complete(Callee),
    /// In Jacobian coordinates, there and back.
    Jacobian(Box<Jacobian>),
}

impl Doublings {
    /// Doubles w times.
    fn write(&self, b: &mut Builder, w: u32, point: &View) {
        match self {
            Doublings::Complete(double) => {
                b.repeat(w, &[], |b, _, _| {
                    double.call_views(b, point.clone(), std::slice::from_ref(point));
                    Vec::new()
                });
            }
            Doublings::Jacobian(jacobian) => jacobian.write(b, w, point),
        }
    }
}

fn write(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = curve_of(field)?;
    let [add, opp, select, doubling @ ..] = parts else { return Err(NotApplicable("a part is missing".into())) };
    let coordinates = coordinates::count(curve);
    let bits = scalar_bits(curve);
    let w = window(bits);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", coordinates);
    let (k, scalar) = digits::scalar(b, bits);
    let point = Element::input(b, layout, "p", coordinates);
    let recode = Callee::new(b, Arc::new(digits::around_zero(layout.word, bits, w)?), "recode");
    let neutral = coordinates::of(curve, &curve.zero());
    let neutral = b.table("neutral", neutral.iter().flat_map(|x| digits_of(x, &modulus.value, layout)).collect());
    let count = digits::count(bits, w);
    let all = b.local("digits", count, Interval::bits(w));
    let steps = Steps::new(b, layout, coordinates, w, [add, opp, select]);
    let doublings = match doubling {
        [double] => Doublings::Complete(Callee::new(b, double.clone(), "double")),
        parts => Doublings::Jacobian(Box::new(Jacobian::new(b, field, layout, parts)?)),
    };
    recode.call(b, all, &[k]);
    let table = steps.multiples(b, neutral, &View::whole(point.array));
    let whole = View::whole(table);
    steps.look_up(b, &whole, all, &Index::at(i64::from(count) - 1));
    let sum = View::whole(steps.sum);
    steps.copy(b, &View::whole(steps.chosen), &sum);
    b.repeat(count - 1, &[], |b, i, _| {
        doublings.write(b, w, &sum);
        steps.look_up(b, &whole, all, &Index::at(i64::from(count) - 2).plus(i, -1));
        steps.add_chosen(b);
        Vec::new()
    });
    steps.copy(b, &sum, &View::whole(out.array));
    let step = |output| Claim::Step { output, name: "windows".into() };
    let claims = out.numbered(layout).into_iter().map(step).collect();
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

//! Multiples of the base point by tables of constants.
//!
//! * **computes** `k·G` for the base point G.
//! * **needs** a curve whose sums have no exceptions; k below `2^bits`, in words.
//! * **gives** the coordinates of the multiple.
//! * **cost** of n = (bits + 2)/w digits, in rows of r: r·w doublings, and for each digit an addition and a scan of
//!   `2^(w−1)` constants. There are n/r tables of `2^(w−1) + 1` points; r is the least from 2 on for which
//!   they stay within 20 KiB, where one does. Time and addresses do not depend on k.
//! * **source** Brickell, Gordon, McCurley, Wilson (1992); Lim, Lee (1994); Joye, Tunstall (2009) for the digits around 0.
//!
//! Table j has the multiples of `2^(w·r·j)·G`. What a step does is proved; that the steps give `k·G` is tested, on every
//! scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{Curve, Field, Point, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Contract, Index, Kernel, View};
use num_bigint::BigUint;

use super::look_ups::{self, Steps, table_of};
use super::multiple::{NEEDS, has_base, has_points, window};
use super::setting::{curve_of, scalar_bits};
use super::{coordinates, digits};
use crate::layout::Layout;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
use crate::signature::NotApplicable;

/// Bytes that tables may take: with the code and the sums they stay in the first cache.
const MOST_BYTES: u32 = 20 << 10;

/// Multiples of the base point.
pub const BASE_MULTIPLE: Composite = Composite {
    name: "comb",
    applies: |f, l, op| *op == Operation::MUL_BASE && has_points(f, l) && has_base(f),
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "comb"), parts),
};

/// The base point.
pub(super) fn base(field: &Field) -> Result<Point, NotApplicable> {
    let curve = curve_of(field)?.0;
    curve.base.clone().map(Some).ok_or_else(|| NotApplicable("the curve has no base point".into()))
}

/// The points of all tables: for each, 0 to `2^(w−1)` times its base.
fn points(curve: &Curve, base: Point, tables: u32, apart: u32, w: u32) -> Vec<Point> {
    let (mut all, mut first) = (Vec::new(), base);
    for _ in 0..tables {
        let mut point = curve.unpacked(&curve.zero());
        for _ in 0..=1u32 << (w - 1) {
            all.push(point.clone());
            point = curve.equation.add(&point, &first);
        }
        first = curve.equation.scale(&(BigUint::from(1u32) << apart), &first);
    }
    all
}

fn write(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, modulus) = curve_of(field)?;
    let [add, opp, select, double] = parts else { return Err(NotApplicable("combs have four parts".into())) };
    let coordinates = coordinates::count(curve);
    let bits = scalar_bits(curve);
    let w = window(bits);
    let count = digits::count(bits, w);
    let entries = (1u32 << (w - 1)) + 1;
    let size = (coordinates * layout.digits()) as u32;
    let most = (MOST_BYTES / (entries * size * layout.word.div_ceil(8))).max(1);
    let rows = count.div_ceil(most).max(2);
    let tables = count.div_ceil(rows);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", coordinates);
    let (k, scalar) = digits::scalar(b, "k", bits);
    let recode = Callee::new(b, Arc::new(digits::around_zero(layout, bits, w)?), "recode");
    let constants = points(curve, base(field)?, tables, w * rows, w);
    let constants: Vec<BigUint> =
        constants.iter().flat_map(|point| coordinates::of(curve, &curve.packed(point))).collect();
    let neutral = table_of(b, "neutral", &coordinates::of(curve, &curve.zero()), modulus, layout);
    let table = table_of(b, "multiples", &constants, modulus, layout);
    let all = b.local("digits", rows * tables, Interval::bits(w));
    let steps = Steps::new(b, layout, coordinates, w, [add, opp, select]);
    // (Short tables are parts of machine code, which reads them at fixed places: then this loop is written out.)
    let summands = look_ups::points(b, layout, "summands", coordinates, tables);
    let double = Callee::new(b, double.clone(), "double");
    recode.call_views(b, View::whole(all), &[View::whole(k)]);
    let zero = b.word_constant(1u32 << (w - 1));
    (count..rows * tables).for_each(|i| b.store(all, i, zero));
    let sum = View::whole(steps.sum);
    steps.copy(b, &View::whole(neutral), &sum);
    b.repeat(rows, &[], |b, row, _| {
        b.repeat(w, &[], |b, _, _| {
            double.call_views(b, sum.clone(), std::slice::from_ref(&sum));
            Vec::new()
        });
        let digit = |j| Index::at(i64::from(rows) - 1).plus(row, -1).plus(j, i64::from(rows));
        let entry = |j| View::from(summands, Index::at(0).plus(j, i64::from(size)));
        b.repeat(tables, &[], |b, j, _| {
            let one = View::from(table, Index::at(0).plus(j, i64::from(entries * size)));
            steps.scan(b, &one, all, &digit(j), &entry(j));
            Vec::new()
        });
        b.repeat(tables, &[], |b, j, _| {
            steps.copy(b, &entry(j), &View::whole(steps.chosen));
            steps.turn(b, all, &digit(j));
            steps.add_chosen(b);
            Vec::new()
        });
        Vec::new()
    });
    let claims = steps.give(b, &out, "comb");
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![scalar], claims }))
}

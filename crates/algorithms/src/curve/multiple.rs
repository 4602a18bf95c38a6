//! Multiples of points by windows.
//!
//! * **computes** `k·P`, and `k·G` for the base point G.
//! * **needs** a curve whose sums have no exceptions; k below `2^bits`, in words; P in resting coordinates.
//! * **gives** the coordinates of the multiple.
//! * **cost** of bits/w + 1 digits: w doublings (or as many in Jacobian coordinates and 4M + 2S for the ways there and
//!   back), an addition and a scan of `2^(w−1)` points each, and as many additions for the table. Time and addresses do not depend on k or P.
//! * **source** Joye, Tunstall (2009) for the digits around 0; Renes, Costello, Batina (2016), Hisil et al. (2008) for
//!   sums without exceptions.
//!
//! What a step does is proved; that the steps give `k·P` is tested, on every scalar of toy curves and by vectors.

use std::sync::Arc;

use evariste_descriptions::{Field, Modulus, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::{BigInt, BigUint};

use super::jacobian::{self, Jacobian};
use super::setting::{curve_of, scalar_bits};
use super::words::truth;
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
pub(super) const JACOBIAN_NEEDS: &[Need] = &[
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
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows"), parts, None),
};

/// Multiples of a point, with doublings in Jacobian coordinates.
pub const JACOBIAN_MULTIPLE: Composite = Composite {
    name: "windows-jacobian",
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l) && jacobian::formula(f).is_some(),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian"), parts, None),
};

/// Multiples of the base point.
pub const BASE_MULTIPLE: Composite = Composite {
    name: "windows",
    applies: |f, l, op| *op == Operation::MUL_BASE && has_points(f, l) && has_base(f),
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows"), parts, Some(&base(f)?)),
};

/// Multiples of the base point, with doublings in Jacobian coordinates.
pub const JACOBIAN_BASE_MULTIPLE: Composite = Composite {
    name: "windows-jacobian",
    applies: |f, l, op| *op == Operation::MUL_BASE && has_points(f, l) && has_base(f) && jacobian::formula(f).is_some(),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian"), parts, Some(&base(f)?)),
};

pub(super) fn has_base(field: &Field) -> bool {
    curve_of(field).is_ok_and(|(curve, _)| curve.base.is_some())
}

/// The coordinates of the base point.
fn base(field: &Field) -> Result<Vec<BigUint>, NotApplicable> {
    let curve = curve_of(field)?.0;
    let base = curve.base.clone().ok_or_else(|| NotApplicable("the curve has no base point".into()))?;
    Ok(coordinates::of(curve, &curve.packed(&Some(base))))
}

pub(super) fn has_points(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && curve_of(field).is_ok_and(|(curve, _)| coordinates::count(curve) > 0)
}

/// Bits of a digit.
fn window(bits: u32) -> u32 {
    match bits {
        0..=16 => 2,
        17..=96 => 4,
        _ => 5,
    }
}

/// What the steps call, and the sizes of what they work on.
struct Steps<'a> {
    layout: &'a Layout,
    /// Digits of a point.
    size: u32,
    /// Bits of a digit of the scalar.
    w: u32,
    add: Callee,
    opp: Callee,
    select: Callee,
}

impl Steps<'_> {
    /// An array for so many points.
    fn points(&self, b: &mut Builder, name: &str, count: u32) -> Array {
        let one = &self.layout.resting.digit_max;
        let coordinates = self.size as usize / one.len() * count as usize;
        let ranges = (0..coordinates).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
        let ty = b.word_type();
        b.array(name, ty, self.size * count, ArrayKind::Local, ranges)
    }

    /// Copies a point.
    fn copy(&self, b: &mut Builder, from: &View, to: &View) {
        for i in 0..i64::from(self.size) {
            let at = |view: &View| Index { base: view.start.base + i, ..view.start.clone() };
            let digit = b.load(from.array, at(from));
            b.store(to.array, at(to), digit);
        }
    }

    /// The multiples 0 to `2^(w−1)` of a point.
    fn table(&self, b: &mut Builder, neutral: Array, point: &View) -> Array {
        let last = 1u32 << (self.w - 1);
        let table = self.points(b, "multiples", last + 1);
        self.copy(b, &View::whole(neutral), &View::whole(table));
        self.copy(b, point, &View::from(table, self.size));
        let size = i64::from(self.size);
        b.repeat(last - 1, &[], |b, i, _| {
            let entry = |j: i64| View::from(table, Index::at(j * size).plus(i, size));
            self.add.call_views(b, entry(2), &[entry(1), point.clone()]);
            Vec::new()
        });
        table
    }

    /// The multiple of the table that the digit at that index says: `(e − 2^(w−1))·P`.
    fn look_up(&self, b: &mut Builder, table: Array, digits: Array, at: Index, scratch: &Scratch) {
        let half = 1u32 << (self.w - 1);
        let e = b.load(digits, at);
        let middle = b.word_constant(half);
        let is_negative = b.less(e, middle);
        let (above, below) = (b.wrapping_sub(e, middle), b.wrapping_sub(middle, e));
        let magnitude = b.select(is_negative, below, above);
        let flag = truth(b, is_negative);
        b.store(scratch.sign, 0u32, flag);
        let [point, opposite] = [scratch.point, scratch.opposite].map(View::whole);
        self.copy(b, &View::whole(table), &point);
        let size = i64::from(self.size);
        b.repeat(half, &[], |b, i, _| {
            let number = b.load(scratch.numbers, Index::counter(i));
            let is = b.equal(magnitude, number);
            let flag = truth(b, is);
            b.store(scratch.is, 0u32, flag);
            let entry = View::from(table, Index::at(size).plus(i, size));
            self.select.call_views(b, point.clone(), &[View::whole(scratch.is), point.clone(), entry]);
            Vec::new()
        });
        self.opp.call_views(b, opposite.clone(), std::slice::from_ref(&point));
        self.select.call_views(b, point.clone(), &[View::whole(scratch.sign), point, opposite]);
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

/// What a look-up works on.
struct Scratch {
    /// 1, 2, …
    numbers: Array,
    /// Is the multiple negative?
    sign: Array,
    /// Is it this one?
    is: Array,
    point: Array,
    opposite: Array,
}

/// What multiples by windows are made of.
pub(super) struct Windows<'a> {
    steps: Steps<'a>,
    scratch: Scratch,
    doublings: Doublings,
    recode: Callee,
    neutral: Array,
    modulus: &'a Modulus,
    bits: u32,
    chosen: View,
    /// The point that grows.
    pub(super) sum: View,
}

impl<'a> Windows<'a> {
    /// From the kernels of [`NEEDS`] or [`JACOBIAN_NEEDS`].
    pub(super) fn new(
        b: &mut Builder,
        field: &'a Field,
        layout: &'a Layout,
        parts: &[Arc<Kernel>],
    ) -> Result<Windows<'a>, NotApplicable> {
        let (curve, modulus) = curve_of(field)?;
        let [add, opp, select, doubling @ ..] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let bits = scalar_bits(curve);
        let w = window(bits);
        let callee = |b: &mut Builder, kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
        let add = callee(b, add, "add");
        let (opp, select) = (callee(b, opp, "opp"), callee(b, select, "select"));
        let recode = Callee::new(b, Arc::new(digits::around_zero(layout.word, bits, w)?), "recode");
        let neutral = table_of(b, "neutral", &coordinates::of(curve, &curve.zero()), modulus, layout);
        let numbers = b.table("numbers", (1..=1u32 << (w - 1)).map(BigInt::from).collect());
        let [sign, is] = ["sign", "is"].map(|name| b.local(name, 1, Interval::bits(1)));
        let size = (coordinates::count(curve) * layout.digits()) as u32;
        let steps = Steps { layout, size, w, add, opp, select };
        let [chosen, opposite, sum] = ["chosen", "opposite", "sum"].map(|name| steps.points(b, name, 1));
        let scratch = Scratch { numbers, sign, is, point: chosen, opposite };
        let [chosen, sum] = [chosen, sum].map(View::whole);
        let doublings = match doubling {
            [double] => Doublings::Complete(callee(b, double, "double")),
            parts => Doublings::Jacobian(Box::new(Jacobian::new(b, field, layout, parts)?)),
        };
        Ok(Windows { steps, scratch, doublings, recode, neutral, modulus, bits, chosen, sum })
    }

    /// A constant point, or several.
    pub(super) fn constant(&self, b: &mut Builder, name: &str, coordinates: &[BigUint]) -> Array {
        table_of(b, name, coordinates, self.modulus, self.steps.layout)
    }

    /// How many digits a scalar has.
    fn count(&self) -> u32 {
        digits::count(self.bits, self.steps.w)
    }

    /// How many multiples a table has, from 0 on.
    pub(super) fn entries(&self) -> u32 {
        (1 << (self.steps.w - 1)) + 1
    }

    /// The digits of a scalar.
    pub(super) fn digits(&self, b: &mut Builder, name: &str, scalar: Array) -> Array {
        let all = b.local(name, self.count(), Interval::bits(self.steps.w));
        self.recode.call(b, all, &[scalar]);
        all
    }

    /// The multiples of a point that digits choose from.
    pub(super) fn table(&self, b: &mut Builder, point: &View) -> Array {
        self.steps.table(b, self.neutral, point)
    }

    /// The index of the highest digit.
    pub(super) fn first(&self) -> Index {
        Index::at(i64::from(self.count()) - 1)
    }

    /// Starts with the multiple that the highest digit says.
    pub(super) fn start(&self, b: &mut Builder, table: Array, digits: Array) {
        self.steps.look_up(b, table, digits, self.first(), &self.scratch);
        self.steps.copy(b, &self.chosen, &self.sum);
    }

    /// Adds the multiple that the digit at that index says.
    pub(super) fn add(&self, b: &mut Builder, table: Array, digits: Array, at: Index) {
        self.steps.look_up(b, table, digits, at, &self.scratch);
        self.steps.add.call_views(b, self.sum.clone(), &[self.sum.clone(), self.chosen.clone()]);
    }

    /// For each digit but the highest, downwards: doublings, and what is added.
    pub(super) fn each(&self, b: &mut Builder, add: impl FnOnce(&mut Builder, &dyn Fn() -> Index)) {
        let next = i64::from(self.count()) - 2;
        b.repeat(self.count() - 1, &[], |b, i, _| {
            self.doublings.write(b, self.steps.w, &self.sum);
            add(b, &|| Index::at(next).plus(i, -1));
            Vec::new()
        });
    }

    /// Gives the sum.
    pub(super) fn give(&self, b: &mut Builder, out: &Element) -> Vec<Claim> {
        self.steps.copy(b, &self.sum, &View::whole(out.array));
        let step = |output| Claim::Step { output, name: "windows".into() };
        out.numbered(self.steps.layout).into_iter().map(step).collect()
    }
}

/// A constant array of coordinates.
fn table_of(b: &mut Builder, name: &str, coordinates: &[BigUint], modulus: &Modulus, layout: &Layout) -> Array {
    b.table(name, coordinates.iter().flat_map(|x| digits_of(x, &modulus.value, layout)).collect())
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    base: Option<&[BigUint]>,
) -> Result<Kernel, NotApplicable> {
    let (curve, _) = curve_of(field)?;
    let coordinates = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", coordinates);
    let (k, scalar) = digits::scalar(b, "k", scalar_bits(curve));
    let point = base.is_none().then(|| Element::input(b, layout, "p", coordinates));
    let windows = Windows::new(b, field, layout, parts)?;
    let from = match (&point, base) {
        (Some(point), _) => View::whole(point.array),
        (None, base) => View::whole(windows.constant(b, "base", base.unwrap_or_default())),
    };
    let digits = windows.digits(b, "digits", k);
    let table = windows.table(b, &from);
    windows.start(b, table, digits);
    windows.each(b, |b, at| windows.add(b, table, digits, at()));
    let claims = windows.give(b, &out);
    let points = point.iter().flat_map(|point| point.numbered(layout));
    let inputs = std::iter::once(scalar).chain(points).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

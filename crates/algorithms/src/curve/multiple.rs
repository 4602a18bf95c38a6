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

use evariste_descriptions::{Field, Modulus, Structure};
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Index, Kernel, View};
use num_bigint::BigUint;

use super::endomorphism::Images;
use super::jacobian::{self, Jacobian};
use super::look_ups::{Steps, table_of};
use super::setting::{curve_of, scalar_bits};
use super::{coordinates, digits};
use crate::layout::Layout;
use crate::lowering::Element;
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
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows"), parts),
};

/// Multiples of a point, with doublings in Jacobian coordinates.
pub const JACOBIAN_MULTIPLE: Composite = Composite {
    name: "windows-jacobian",
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l) && jacobian::formula(f).is_some(),
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian"), parts),
};

/// Is there a base point?
pub(super) fn has_base(field: &Field) -> bool {
    curve_of(field).is_ok_and(|(curve, _)| curve.base.is_some())
}

pub(super) fn has_points(field: &Field, layout: &Layout) -> bool {
    layout.word >= 8 && curve_of(field).is_ok_and(|(curve, _)| coordinates::have_sums(curve))
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

/// What multiples by windows are made of.
pub(super) struct Windows<'a> {
    steps: Steps<'a>,
    doublings: Doublings,
    neutral: Array,
    modulus: &'a Modulus,
    w: u32,
    /// How many digits a scalar has.
    count: u32,
    recode: Option<Callee>,
}

impl<'a> Windows<'a> {
    /// From the kernels of [`NEEDS`] or [`JACOBIAN_NEEDS`].
    pub(super) fn new(
        b: &mut Builder,
        field: &'a Field,
        layout: &'a Layout,
        parts: &[Arc<Kernel>],
    ) -> Result<Windows<'a>, NotApplicable> {
        let [add, opp, select, doubling @ ..] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let bits = scalar_bits(curve_of(field)?.0);
        let w = window(bits);
        let recode = Callee::new(b, Arc::new(digits::around_zero(layout, bits, w)?), "recode");
        let windows = Windows::of_digits(b, field, layout, [add, opp, select], doubling, [w, digits::count(bits, w)])?;
        Ok(Windows { recode: Some(recode), ..windows })
    }

    /// For so many digits of w bits that come from elsewhere.
    pub(super) fn of_digits(
        b: &mut Builder,
        field: &'a Field,
        layout: &'a Layout,
        sums: [&Arc<Kernel>; 3],
        doubling: &[Arc<Kernel>],
        [w, count]: [u32; 2],
    ) -> Result<Windows<'a>, NotApplicable> {
        let (curve, modulus) = curve_of(field)?;
        let neutral = table_of(b, "neutral", &coordinates::of(curve, &curve.zero()), modulus, layout);
        let steps = Steps::new(b, layout, coordinates::count(curve), w, sums);
        let doublings = match doubling {
            [double] => Doublings::Complete(Callee::new(b, double.clone(), "double")),
            parts => Doublings::Jacobian(Box::new(Jacobian::new(b, field, layout, parts)?)),
        };
        Ok(Windows { steps, doublings, neutral, modulus, w, count, recode: None })
    }

    /// A constant point, or several.
    pub(super) fn constant(&self, b: &mut Builder, name: &str, coordinates: &[BigUint]) -> Array {
        table_of(b, name, coordinates, self.modulus, self.steps.layout)
    }

    /// How many multiples a table has, from 0 on.
    pub(super) fn entries(&self) -> u32 {
        (1 << (self.w - 1)) + 1
    }

    /// The digits of a scalar.
    pub(super) fn digits(&self, b: &mut Builder, name: &str, scalar: Array) -> Array {
        let all = b.local(name, self.count, Interval::bits(self.w));
        if let Some(recode) = &self.recode {
            recode.call(b, all, &[scalar]);
        }
        all
    }

    /// The multiples of a point that digits choose from.
    pub(super) fn table(&self, b: &mut Builder, point: &View) -> Array {
        self.steps.multiples(b, self.neutral, point)
    }

    /// The index of the highest digit.
    pub(super) fn first(&self) -> Index {
        Index::at(i64::from(self.count) - 1)
    }

    /// Starts with the multiple that the highest digit says.
    pub(super) fn start(&self, b: &mut Builder, table: Array, digits: Array) {
        self.steps.look_up(b, &View::whole(table), digits, &self.first());
        self.steps.copy(b, &View::whole(self.steps.chosen), &View::whole(self.steps.sum));
    }

    /// Adds the multiple that the digit at that index says.
    pub(super) fn add(&self, b: &mut Builder, table: Array, digits: Array, at: Index) {
        self.steps.look_up(b, &View::whole(table), digits, &at);
        self.steps.add_chosen(b);
    }

    /// The images of all of a table's multiples.
    pub(super) fn images(&self, b: &mut Builder, name: &str, table: Array, images: &Images) -> Array {
        self.steps.images(b, name, table, |b, to, from| images.write_views(b, to, from))
    }

    /// Adds the image of the multiple that the digit at that index says.
    pub(super) fn add_image(&self, b: &mut Builder, table: Array, digits: Array, at: Index, images: &Images) {
        self.steps.look_up(b, &View::whole(table), digits, &at);
        images.write(b, self.steps.chosen, self.steps.chosen);
        self.steps.add_chosen(b);
    }

    /// For each digit but the highest, downwards: doublings, and what is added.
    pub(super) fn each(&self, b: &mut Builder, add: impl FnOnce(&mut Builder, &dyn Fn() -> Index)) {
        let next = i64::from(self.count) - 2;
        b.repeat(self.count - 1, &[], |b, i, _| {
            self.doublings.write(b, self.w, &View::whole(self.steps.sum));
            add(b, &|| Index::at(next).plus(i, -1));
            Vec::new()
        });
    }

    /// Gives the sum.
    pub(super) fn give(&self, b: &mut Builder, out: &Element) -> Vec<Claim> {
        self.steps.give(b, out, "windows")
    }
}

fn write(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, _) = curve_of(field)?;
    let coordinates = coordinates::count(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", coordinates);
    let (k, scalar) = digits::scalar(b, "k", scalar_bits(curve));
    let point = Element::input(b, layout, "p", coordinates);
    let windows = Windows::new(b, field, layout, parts)?;
    let digits = windows.digits(b, "digits", k);
    let table = windows.table(b, &View::whole(point.array));
    windows.start(b, table, digits);
    windows.each(b, |b, at| windows.add(b, table, digits, at()));
    let claims = windows.give(b, &out);
    let inputs = std::iter::once(scalar).chain(point.numbered(layout)).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

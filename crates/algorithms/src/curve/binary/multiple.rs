//! Multiples of points of binary curves: a ladder, and the second coordinate from where it ends.
//!
//! * **computes** `k·P`, and `k·G` for the base point G, for every point of the curve and every k.
//! * **needs** k below `2^bits`, in words; a point (X : Y : Z) with x = X/Z, y = Y/Z, neutral where Z is 0.
//! * **gives** (x : y : 1), or (0 : 1 : 0) for the neutral element.
//! * **cost** that of the ladder; recovery 10M + 1S + 1I + 6A; of a given point an inverse and two products before it.
//!   Time and addresses depend on nothing.
//! * **source** López and Dahab, "Fast multiplication on elliptic curves over GF(2^m) without precomputation" (1999). Left
//!   out there: multiples of the point of order two, and multiples next to the neutral element, which masks choose here.
//!
//! The loop is proved to be its recurrence; that all gives `k·P` is tested, on every scalar and point of toy curves and by
//! vectors.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Value, View};
use num_bigint::{BigInt, BigUint};

use super::super::digits::{scalar, unpack_bits};
use super::super::rungs::{Climb, local};
use super::super::setting::scalar_bits;
use super::super::words::are_zero;
use super::ladder::{operations, rung};
use super::{OPERATIONS, SLICED_OPERATIONS, curve_of, has_points, has_sliced_points, number};
use crate::layout::Layout;
use crate::lowering::{BinaryGround, BinaryOperations, Element, digits_of, lower_bits, named};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
use crate::signature::NotApplicable;

/// The name of both, in words and bit-sliced.
const NAME: &str = "lopez-dahab";
const SLICED: &str = "lopez-dahab-sliced";

/// Multiples of a point.
pub const MULTIPLE: Composite = Composite {
    name: NAME,
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_points(f, l),
    needs: OPERATIONS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, NAME), parts, None),
};

/// Multiples of the base point.
pub const BASE_MULTIPLE: Composite = Composite {
    name: NAME,
    applies: |f, l, op| *op == Operation::MUL_BASE && has_points(f, l) && base(f).is_ok(),
    needs: OPERATIONS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, NAME), parts, Some(base(f)?)),
};

/// Multiples of a point, bit-sliced. Not listed with the layouts of curves.
pub const SLICED_MULTIPLE: Composite = Composite {
    name: SLICED,
    applies: |f, l, op| *op == Operation::SCALAR_MUL && has_sliced_points(f, l),
    needs: SLICED_OPERATIONS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, SLICED), parts, None),
};

/// Multiples of the base point, bit-sliced.
pub const SLICED_BASE_MULTIPLE: Composite = Composite {
    name: SLICED,
    applies: |f, l, op| *op == Operation::MUL_BASE && has_sliced_points(f, l) && base(f).is_ok(),
    needs: SLICED_OPERATIONS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, SLICED), parts, Some(base(f)?)),
};

/// The base point.
fn base(field: &Field) -> Result<(BigUint, BigUint), NotApplicable> {
    let base = curve_of(field)?.0.base.clone();
    base.ok_or_else(|| NotApplicable("the curve has no base point".into()))
}

/// What is called, and how many digits an element has.
struct Calls {
    n: u32,
    mul: Callee,
    add: Callee,
    inverse: Callee,
    recovery: Callee,
}

impl Calls {
    fn new(
        b: &mut Builder,
        field: &Field,
        layout: &Layout,
        operations: &BinaryOperations,
    ) -> Result<Calls, NotApplicable> {
        let (curve, f) = curve_of(field)?;
        let (ground, formula) = (BinaryGround { field: f, layout }, named("lopez-dahab-recovery")?);
        let numbers = |name: &str| number(curve, f, name);
        let recovery = lower_bits("lopez_dahab_recovery", &formula, ground, &numbers, operations)?;
        let inverse = operations.inverse.clone().ok_or_else(|| NotApplicable("a part is missing".into()))?;
        let mut callee = |kernel: Arc<Kernel>, name: &str| Callee::new(b, kernel, name);
        Ok(Calls {
            n: layout.digits() as u32,
            mul: callee(operations.mul.clone(), "mul"),
            add: callee(operations.add.clone(), "add"),
            inverse: callee(inverse, "inverse"),
            recovery: callee(Arc::new(recovery), "recovery"),
        })
    }

    fn coordinate(&self, point: Array, i: u32) -> View {
        View::from(point, i * self.n)
    }

    fn load(&self, b: &mut Builder, view: &View) -> Vec<Value> {
        (0..self.n).map(|i| b.load(view.array, view.start.clone().offset(i.into()))).collect()
    }

    fn is_zero(&self, b: &mut Builder, view: &View) -> Value {
        let words = self.load(b, view);
        are_zero(b, &words)
    }

    /// The affine coordinates of a point with Z other than 0.
    fn affine(&self, b: &mut Builder, layout: &Layout, point: Array) -> Array {
        let affine = local(b, layout, "affine", 2);
        let inverse = View::whole(local(b, layout, "inverse", 1));
        let z = self.coordinate(point, 2);
        self.inverse.call_views(b, inverse.clone(), std::slice::from_ref(&z));
        for i in 0..2 {
            self.mul.call_views(b, self.coordinate(affine, i), &[self.coordinate(point, i), inverse.clone()]);
        }
        affine
    }
}

/// a where the mask is all ones, else b.
fn select(b: &mut Builder, mask: Value, x: &[Value], y: &[Value]) -> Vec<Value> {
    x.iter().zip(y).map(|(x, y)| b.select(mask, *x, *y)).collect()
}

fn write(
    field: &Field,
    layout: &Layout,
    name: &str,
    parts: &[Arc<Kernel>],
    base: Option<(BigUint, BigUint)>,
) -> Result<Kernel, NotApplicable> {
    let operations = operations(parts)?;
    let (curve, f) = curve_of(field)?;
    let bits = scalar_bits(curve);
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", 3);
    let (k, scalar) = scalar(b, "k", bits);
    let point = base.is_none().then(|| Element::input(b, layout, "p", 3));
    // Bit-sliced the scalar is its bits.
    let sliced = layout.word == 1;
    let unpack = if sliced { None } else { Some(Arc::new(unpack_bits(layout.word, bits)?)) };
    let unpack = unpack.map(|kernel| Callee::new(b, kernel, "unpack"));
    let climb = Climb::new(b, layout, bits, rung(field, layout, &operations)?);
    let calls = Calls::new(b, field, layout, &operations)?;
    let limit = BinaryGround { field: f, layout }.limit();
    let all = match &unpack {
        Some(unpack) => {
            let all = b.local("bits", bits, Interval::bits(1));
            unpack.call(b, all, &[k]);
            all
        }
        None => k,
    };
    let (affine, neutral) = match (&point, &base) {
        (Some(point), _) => {
            let affine = calls.affine(b, layout, point.array);
            (affine, Some(calls.coordinate(point.array, 2)))
        }
        (None, base) => {
            let (x, y) = base.clone().unwrap_or_default();
            (constant(b, layout, [x, y].iter().flat_map(|x| digits_of(x, &limit, layout))), None)
        }
    };
    let [low, high] = climb.write(b, all, calls.coordinate(affine, 0));
    let found = local(b, layout, "found", 2);
    calls.recovery.call(b, found, &[affine, low, high]);
    let result = Ends { all, affine, low, high, found, neutral, may_be_two: base.is_none() };
    let one = [f.one(), BigUint::ZERO].map(|c| digits_of(&c, &limit, layout));
    let [one, zero] = one.map(|digits| digits.into_iter().map(|d| b.word_constant(d)).collect::<Vec<_>>());
    let [x, y, is_neutral] = result.point(b, layout, &calls);
    let is_neutral = is_neutral[0];
    let coordinates = [(zero.clone(), x), (one.clone(), y), (zero, one)];
    for (c, (of_neutral, of_point)) in (0..).zip(coordinates) {
        let chosen = select(b, is_neutral, &of_neutral, &of_point);
        (0..calls.n).zip(chosen).for_each(|(i, digit)| b.store(out.array, c * calls.n + i, digit));
    }
    let step = |output| Claim::Step { output, name: "lopez_dahab".into() };
    let claims = out.numbered(layout).into_iter().map(step).collect();
    let points = point.iter().flat_map(|point| point.numbered(layout));
    let inputs = std::iter::once(scalar).chain(points).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// Constant coordinates in an array, as those of a given point are: machine code calls the ladder's loop with one address
/// for all.
fn constant(b: &mut Builder, layout: &Layout, digits: impl Iterator<Item = BigInt>) -> Array {
    let affine = local(b, layout, "affine", 2);
    for (i, digit) in (0u32..).zip(digits) {
        let digit = b.word_constant(digit);
        b.store(affine, i, digit);
    }
    affine
}

/// Where a ladder ended, and from where it came.
struct Ends {
    all: Array,
    affine: Array,
    low: Array,
    high: Array,
    found: Array,
    /// Z of P, which may be neutral.
    neutral: Option<View>,
    /// Can P be the point of order two, whose first coordinate is 0?
    may_be_two: bool,
}

impl Ends {
    /// The affine coordinates of the multiple, and the mask that says whether it is the neutral element instead.
    fn point(&self, b: &mut Builder, layout: &Layout, calls: &Calls) -> [Vec<Value>; 3] {
        // −P where R1 is the neutral element.
        let opposite = View::whole(local(b, layout, "opposite", 1));
        let [own_x, own_y] = [0, 1].map(|i| calls.coordinate(self.affine, i));
        calls.add.call_views(b, opposite.clone(), &[own_x.clone(), own_y.clone()]);
        let before = calls.is_zero(b, &calls.coordinate(self.high, 1));
        let [found_x, found_y] = [0, 1].map(|i| calls.load(b, &calls.coordinate(self.found, i)));
        let (px, py, opposite) = (calls.load(b, &own_x), calls.load(b, &own_y), calls.load(b, &opposite));
        let mut x = select(b, before, &px, &found_x);
        let mut y = select(b, before, &opposite, &found_y);
        let mut is_neutral = calls.is_zero(b, &calls.coordinate(self.low, 1));
        if self.may_be_two {
            // Of the point of order two k's lowest bit decides.
            let is_two = are_zero(b, &px);
            let lowest = b.load(self.all, 0u32);
            let zero = b.word_constant(0);
            let is_even = b.equal(lowest, zero);
            let (even_two, other) = (b.and(is_two, is_even), b.not(is_two));
            let is_other = b.and(other, is_neutral);
            is_neutral = b.or(even_two, is_other);
            x = select(b, is_two, &px, &x);
            y = select(b, is_two, &py, &y);
        }
        if let Some(z) = &self.neutral {
            let neutral = calls.is_zero(b, z);
            is_neutral = b.or(is_neutral, neutral);
        }
        [x, y, vec![is_neutral]]
    }
}

//! Points in Jacobian coordinates: the ways there and back, doublings and sums.
//!
//! * **computes** doubles and sums of points in Jacobian coordinates; `2^w·P` of a projective point.
//! * **needs** a curve without points of order two, and a layout in which 0 has one form. For sums: two points neither
//!   equal nor opposite, neither of them neutral. (If either is neutral, so is what comes out.)
//! * **gives** Jacobian coordinates, the neutral element as Z = 0; a projective point, the neutral element, whose
//!   coordinates become 0 on the way, as (0 : 1 : 0) again.
//! * **cost** of a way there 2M + 1S, back 2M + 1S, a test for 0 and a choice.
//! * **source** the definitions: (X : Y : Z) is (XZ, YZ², Z) in Jacobian coordinates, (X, Y, Z) there is (XZ : Y : Z³).

use std::sync::Arc;

use evariste_descriptions::{CurveShape, Field};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Kernel, View};

use super::formula;
use super::formula::{complete_minus_three, number};
use super::look_ups::{further, points};
use super::setting::over_prime;
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, digits_of, lower, named};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// The formula of doublings, for curves on which they cost less than in projective coordinates.
pub(super) fn formula(field: &Field) -> Option<&'static str> {
    let (curve, _) = over_prime(field).ok()?;
    match curve.equation.shape {
        CurveShape::Weierstrass if complete_minus_three(curve) => Some("jacobian-doubling-minus-3-hmv"),
        CurveShape::Weierstrass if formula::complete_zero(curve) => Some("jacobian-doubling-0"),
        CurveShape::Weierstrass if formula::complete(curve) => Some("jacobian-doubling"),
        _ => None,
    }
}

/// The formula of sums.
const SUM: &str = "jacobian-addition-cmo";

/// The formula of sums with an affine point.
const MIXED_SUM: &str = "jacobian-mixed-addition-cmo";

/// What Jacobian coordinates call and work on.
pub(super) struct Jacobian {
    mul: Callee,
    square: Callee,
    select: Callee,
    is_zero: Callee,
    double: Callee,
    operations: Operations,
    digits: u32,
    point: Array,
    t: Array,
    flag: Array,
    one: Array,
}

impl Jacobian {
    /// From kernels of the prime field: product, square, sum, difference, opposite, choice, test for 0.
    pub(super) fn new(
        b: &mut Builder,
        field: &Field,
        layout: &Layout,
        parts: &[Arc<Kernel>],
    ) -> Result<Jacobian, NotApplicable> {
        let (curve, modulus) = over_prime(field)?;
        let [mul, square, add, sub, opp, select, is_zero] = parts else {
            return Err(NotApplicable("a part is missing".into()));
        };
        let operations = Operations {
            mul: mul.clone(),
            square: square.clone(),
            add: add.clone(),
            sub: sub.clone(),
            opp: opp.clone(),
        };
        let name = formula(field).ok_or_else(|| NotApplicable("no doubling in Jacobian coordinates".into()))?;
        let numbers = |name: &str| number(curve, name);
        let double = lower("jacobian_doubling", &named(name)?, Ground { modulus, layout }, &numbers, &operations)?;
        let callee = |b: &mut Builder, kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
        let one = &layout.resting.digit_max;
        let ranges = || one.iter().map(|d| Interval::up_to(d.clone())).collect();
        let (ty, digits) = (b.word_type(), layout.digits() as u32);
        Ok(Jacobian {
            mul: callee(b, mul, "jacobian_mul"),
            square: callee(b, square, "jacobian_square"),
            select: callee(b, select, "jacobian_select"),
            is_zero: callee(b, is_zero, "is_zero"),
            double: callee(b, &Arc::new(double), "jacobian_double"),
            operations,
            digits,
            point: points(b, layout, "jacobian", 3, 1),
            t: b.array("jacobian_t", ty, digits, ArrayKind::Local, ranges()),
            flag: b.local("jacobian_flag", 1, Interval::bits(1)),
            one: b.table("jacobian_one", digits_of(&1u32.into(), &modulus.value, layout)),
        })
    }

    /// The sum of two points, to be called.
    pub(super) fn sum(&self, b: &mut Builder, field: &Field, layout: &Layout) -> Result<Callee, NotApplicable> {
        Ok(Callee::new(b, self.kernel("jacobian_addition", SUM, field, layout)?, "jacobian_add"))
    }

    /// The sum of a point and an affine one, whose coordinates are the first two of three, to be called.
    pub(super) fn mixed_sum(&self, b: &mut Builder, field: &Field, layout: &Layout) -> Result<Callee, NotApplicable> {
        Ok(Callee::new(b, self.kernel("jacobian_mixed_addition", MIXED_SUM, field, layout)?, "jacobian_add_affine"))
    }

    fn kernel(&self, name: &str, formula: &str, field: &Field, layout: &Layout) -> Result<Arc<Kernel>, NotApplicable> {
        let (curve, modulus) = over_prime(field)?;
        let numbers = |name: &str| number(curve, name);
        lower(name, &named(formula)?, Ground { modulus, layout }, &numbers, &self.operations).map(Arc::new)
    }

    /// Coordinate i of a point.
    fn part(&self, point: &View, i: u32) -> View {
        View { start: further(&point.start, i64::from(i * self.digits)), ..point.clone() }
    }

    /// To Jacobian coordinates, elsewhere.
    pub(super) fn enter(&self, b: &mut Builder, to: &View, point: &View) {
        let t = View::whole(self.t);
        self.square.call_views(b, t.clone(), &[self.part(point, 2)]);
        self.mul.call_views(b, self.part(to, 0), &[self.part(point, 0), self.part(point, 2)]);
        self.mul.call_views(b, self.part(to, 1), &[self.part(point, 1), t]);
        let (from, to) = (self.part(point, 2), self.part(to, 2));
        for i in 0..i64::from(self.digits) {
            let digit = b.load(from.array, further(&from.start, i));
            b.store(to.array, further(&to.start, i), digit);
        }
    }

    /// Back to projective ones, elsewhere.
    pub(super) fn leave(&self, b: &mut Builder, to: &View, point: &View) {
        let t = View::whole(self.t);
        self.square.call_views(b, t.clone(), &[self.part(point, 2)]);
        self.mul.call_views(b, self.part(to, 0), &[self.part(point, 0), self.part(point, 2)]);
        self.mul.call_views(b, self.part(to, 2), &[t, self.part(point, 2)]);
        let flag = View::whole(self.flag);
        self.is_zero.call_views(b, flag.clone(), &[self.part(to, 2)]);
        self.select.call_views(b, self.part(to, 1), &[flag, self.part(point, 1), View::whole(self.one)]);
    }

    /// Doubles w times, in place.
    pub(super) fn double(&self, b: &mut Builder, w: u32, point: &View) {
        b.repeat(w, &[], |b, _, _| {
            self.double.call_views(b, point.clone(), std::slice::from_ref(point));
            Vec::new()
        });
    }

    /// The double of a point, elsewhere.
    pub(super) fn double_of(&self, b: &mut Builder, to: &View, point: &View) {
        self.double.call_views(b, to.clone(), std::slice::from_ref(point));
    }

    /// Doubles a projective point w times.
    pub(super) fn write(&self, b: &mut Builder, w: u32, point: &View) {
        let own = View::whole(self.point);
        self.enter(b, &own, point);
        self.double(b, w, &own);
        self.leave(b, point, &own);
    }
}

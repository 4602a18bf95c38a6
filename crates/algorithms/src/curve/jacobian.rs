//! Doublings in Jacobian coordinates between sums in projective ones.
//!
//! * **computes** `2^w·P` of a projective point.
//! * **needs** a curve without points of order two, and a layout in which 0 has one form.
//! * **gives** a projective point; the neutral element, whose coordinates become 0 on the way, as (0 : 1 : 0) again.
//! * **cost** w doublings; 4M + 2S, a test for 0 and a choice.
//! * **source** the definitions: (X : Y : Z) is (XZ, YZ², Z) in Jacobian coordinates, (X, Y, Z) there is (XZ : Y : Z³).

use std::sync::Arc;

use evariste_descriptions::{CurveShape, Field};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Kernel, View};

use super::formula;
use super::formula::{complete_minus_three, number};
use super::setting::over_prime;
use crate::layout::Layout;
use crate::lowering::{Ground, Operations, digits_of, lower, named};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// The formula of doublings, for curves on which they cost less than in projective coordinates.
pub(super) fn formula(field: &Field) -> Option<&'static str> {
    let (curve, _) = over_prime(field).ok()?;
    match curve.equation.shape {
        CurveShape::Weierstrass if complete_minus_three(curve) => Some("jacobian-doubling-minus-3"),
        CurveShape::Weierstrass if formula::complete_zero(curve) => Some("jacobian-doubling-0"),
        CurveShape::Weierstrass if formula::complete(curve) => Some("jacobian-doubling"),
        _ => None,
    }
}

/// What doublings call and work on.
pub(super) struct Jacobian {
    mul: Callee,
    square: Callee,
    select: Callee,
    is_zero: Callee,
    double: Callee,
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
        let ranges = |n: usize| (0..n).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
        let (ty, digits) = (b.word_type(), layout.digits() as u32);
        Ok(Jacobian {
            mul: callee(b, mul, "jacobian_mul"),
            square: callee(b, square, "jacobian_square"),
            select: callee(b, select, "jacobian_select"),
            is_zero: callee(b, is_zero, "is_zero"),
            double: callee(b, &Arc::new(double), "jacobian_double"),
            digits,
            point: b.array("jacobian", ty, 3 * digits, ArrayKind::Local, ranges(3)),
            t: b.array("jacobian_t", ty, digits, ArrayKind::Local, ranges(1)),
            flag: b.local("jacobian_flag", 1, Interval::bits(1)),
            one: b.table("jacobian_one", digits_of(&1u32.into(), &modulus.value, layout)),
        })
    }

    /// Doubles w times.
    pub(super) fn write(&self, b: &mut Builder, w: u32, point: &View) {
        let part = |i: u32| View::from(self.point, i * self.digits);
        let of = |i: u32| {
            let mut view = point.clone();
            view.start.base += i64::from(i * self.digits);
            view
        };
        let t = View::whole(self.t);
        self.square.call_views(b, t.clone(), &[of(2)]);
        self.mul.call_views(b, part(0), &[of(0), of(2)]);
        self.mul.call_views(b, part(1), &[of(1), t.clone()]);
        for i in 0..self.digits {
            let digit = b.load(point.array, i + 2 * self.digits);
            b.store(self.point, i + 2 * self.digits, digit);
        }
        let whole = View::whole(self.point);
        b.repeat(w, &[], |b, _, _| {
            self.double.call_views(b, whole.clone(), std::slice::from_ref(&whole));
            Vec::new()
        });
        self.square.call_views(b, t.clone(), &[part(2)]);
        self.mul.call_views(b, of(0), &[part(0), part(2)]);
        self.mul.call_views(b, of(2), &[t, part(2)]);
        let flag = View::whole(self.flag);
        self.is_zero.call_views(b, flag.clone(), &[of(2)]);
        self.select.call_views(b, of(1), &[flag, part(1), View::whole(self.one)]);
    }
}

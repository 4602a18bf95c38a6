//! Sums on Weierstrass curves with points of order two.
//!
//! * **computes** `P + Q`, for any two points.
//! * **needs** resting coordinates, a layout in which 0 has one form. The output may be an operand.
//! * **gives** resting coordinates; of P + (−P) some (0 : Y : 0).
//! * **cost** a complete sum, one by the chord (12M + 2S), five tests for 0, and three choices. Time does not depend on
//!   the points.
//! * **source** Renes, Costello, Batina (2016): their sum is (0 : 0 : 0) where P − Q has order two, and only there; Cohen,
//!   Miyaji, Ono (1998) for these.
//!
//! There P ≠ Q, and P = −Q only for points of order four: the chord gives (0 : Y : 0) then. Where one is neutral it is the
//! other's. What both formulas are is proved; that these choices are the sum is tested, on every pair of points of toy
//! curves.

use std::sync::Arc;

use evariste_descriptions::CurveShape;
use evariste_ir::range::Interval;
use evariste_ir::{Builder, Claim, Contract, Kernel, View};

use super::coordinates::count;
use super::formula::{self, complete, kernel_of};
use super::setting::{curve_of, tower_of};
use crate::lowering::{Element, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;
use crate::tower::{Means, needs, room};

needs!(REDUCED, WHOLE: IS_ZERO, SELECTZNZ);

/// Sums of any two points.
pub const CHOSEN_SUM: ChosenSum = ChosenSum;

/// The recipe.
pub struct ChosenSum;

impl Recipe for ChosenSum {
    fn name(&self) -> &'static str {
        "addition-by-cases"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let (curve, modulus) = curve_of(s.field).ok()?;
        let fits =
            *s.operation == Operation::ADD && curve.equation.shape == CurveShape::Weierstrass && !complete(curve);
        let whole = tower_of(curve).is_some() && lazy::takes(modulus, s.layout);
        fits.then_some(if whole { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let (curve, modulus) = curve_of(s.field)?;
        let means = Means { modulus, layout: s.layout, parts, more: 2 };
        let general = if formula::minus_three(curve) {
            "complete-addition-minus-3"
        } else if formula::zero(curve) {
            "complete-addition-0"
        } else {
            "complete-addition"
        };
        let part = |name: &str| kernel_of(curve, means, name, &name.replace('-', "_")).map(Arc::new);
        let size = count(curve);
        let mut builder = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let b = &mut builder;
        let out = Element::output(b, s.layout, "out", size);
        let [p, q] = ["P", "Q"].map(|name| Element::input(b, s.layout, name, size));
        let complete = Callee::new(b, part(general)?, "complete");
        let chord = Callee::new(b, part("chord-addition")?, "chord");
        let is_zero = Callee::new(b, means.more(0)?, "is_zero");
        let select = Callee::new(b, means.more(1)?, "select");
        let [sum, other] = ["sum", "other"].map(|name| room(b, s.layout, name, size));
        let flag = b.local("flag", 1, Interval::bits(1));
        complete.call(b, sum, &[p.array, q.array]);
        chord.call(b, other, &[p.array, q.array]);
        let n = s.layout.digits() as u32;
        // Where these coordinates are 0, the sum is another point.
        let third = size as u32 / 3;
        for (of, places, instead) in [
            (sum, 0..size as u32, other),
            (p.array, 2 * third..size as u32, q.array),
            (q.array, 2 * third..size as u32, p.array),
        ] {
            let mut all = b.word_constant(1);
            for i in places {
                is_zero.call_views(b, View::whole(flag), &[View::from(of, i * n)]);
                let is = b.load(flag, 0u32);
                all = b.and(all, is);
            }
            b.store(flag, 0u32, all);
            for i in 0..size as u32 {
                let [to, from, other] = [sum, sum, instead].map(|array| View::from(array, i * n));
                select.call_views(b, to, &[View::whole(flag), from, other]);
            }
        }
        for i in 0..size as u32 * n {
            let digit = b.load(sum, i);
            b.store(out.array, i, digit);
        }
        let claims = out.numbered(s.layout).into_iter();
        let claims = claims.map(|output| Claim::Step { output, name: "addition_by_cases".into() }).collect();
        let inputs = [p, q].iter().flat_map(|point| point.numbered(s.layout)).collect();
        Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
    }
}

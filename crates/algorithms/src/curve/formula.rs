//! A formula of points as a recipe.

use std::sync::Arc;

use evariste_descriptions::{Curve, CurveShape, Field};
use evariste_ir::Kernel;
use num_bigint::BigUint;
use num_traits::Zero;

use super::setting::{curve_of, tower_of};
use crate::lowering::{lazy, named};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;
use crate::tower::{self, Means, needs};

needs!(REDUCED, WHOLE:);

/// A formula of points in the coordinates of a shape.
pub struct PointFormula {
    operation: Operation,
    formula: &'static str,
    shape: CurveShape,
    when: fn(&Curve) -> bool,
}

impl PointFormula {
    /// The formula of that name, for curves of a shape that are so.
    pub const fn new(
        operation: Operation,
        formula: &'static str,
        shape: CurveShape,
        when: fn(&Curve) -> bool,
    ) -> PointFormula {
        PointFormula { operation, formula, shape, when }
    }
}

impl Recipe for PointFormula {
    fn name(&self) -> &'static str {
        self.formula
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let (curve, modulus) = curve_of(s.field).ok()?;
        let fits = *s.operation == self.operation && curve.equation.shape == self.shape && (self.when)(curve);
        let whole = tower_of(curve).is_some() && lazy::takes(modulus, s.layout);
        fits.then_some(if whole { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let (curve, modulus) = curve_of(s.field)?;
        let means = Means { modulus, layout: s.layout, parts, more: 0 };
        kernel_of(curve, means, self.formula, &kernel_name(s.operation, algorithm))
    }
}

/// The kernel of a formula of a curve's points.
pub(super) fn kernel_of(curve: &Curve, means: Means, formula: &str, name: &str) -> Result<Kernel, NotApplicable> {
    let formula = named(formula)?;
    let Some(tower) = tower_of(curve) else {
        return means.reduced(name, &formula, &|name| number(curve, name));
    };
    // Constants of the curve are elements of the tower: small ones, or their coordinates.
    let b = tower.unpacked(&curve.equation.coefficients[1]);
    let small: Vec<u32> = b.iter().filter_map(|b| u32::try_from(b).ok().filter(|b| (1..100).contains(b))).collect();
    let flat = |lowest| match small[..] {
        [s, t] if b.len() == 2 => {
            tower::over_the_lowest(tower, &formula, &[("b", [s, t]), ("b3", [3 * s, 3 * t])], lowest)
        }
        _ => tower::over_the_lowest(tower, &formula, &[], lowest),
    };
    let coordinate = |name: &str| {
        let (name, i) = name.rsplit_once('_')?;
        tower.unpacked(&number(curve, name)?).get(i.parse::<usize>().ok()?).cloned()
    };
    let kernel = means.best(name, &flat, &|name| coordinate(name).or_else(|| tower::number(tower, name)))?;
    Ok(Arc::unwrap_or_clone(kernel))
}

/// The number of a constant of a curve's formulas.
pub(super) fn number(curve: &Curve, name: &str) -> Option<BigUint> {
    let [c0, c1] = &curve.equation.coefficients;
    match (curve.equation.shape, name) {
        (CurveShape::Weierstrass | CurveShape::Edwards, "a") | (CurveShape::Montgomery, "A") => Some(c0.clone()),
        (CurveShape::Weierstrass, "b") | (CurveShape::Edwards, "d") => Some(c1.clone()),
        (CurveShape::Montgomery, "a24") => {
            let field = curve.field();
            let two = field.add(&field.one(), &field.one())?;
            let quarter = field.inverse(&field.multiply(&two, &two)?)?;
            field.multiply(&field.add(c0, &field.negate(&two)?)?, &quarter)
        }
        _ => None,
    }
}

/// Every curve of the shape.
pub(super) fn any(_: &Curve) -> bool {
    true
}

/// a = −1.
pub(super) fn minus_one(curve: &Curve) -> bool {
    is(curve, 1)
}

/// Sums have no exceptions.
pub(super) fn complete(curve: &Curve) -> bool {
    let parity = |n: &BigUint| n.bit(0);
    match (&curve.order, &curve.cofactor) {
        (Some(order), Some(cofactor)) => parity(order) && parity(cofactor),
        _ if tower_of(curve).is_some() => false,
        // A point of order two is a root of the right side, and a cubic without roots is irreducible.
        _ => {
            let [a, b] = &curve.equation.coefficients;
            Field::parse(&format!("{}[x]/(x^3+{a}*x+{b})", curve.field().called())).is_ok()
        }
    }
}

/// a = −3.
pub(super) fn minus_three(curve: &Curve) -> bool {
    is(curve, 3)
}

/// a = 0.
pub(super) fn zero(curve: &Curve) -> bool {
    curve.equation.coefficients[0].is_zero()
}

/// a = −3, and sums have no exceptions.
pub(super) fn complete_minus_three(curve: &Curve) -> bool {
    minus_three(curve) && complete(curve)
}

/// a = 0, and sums have no exceptions.
pub(super) fn complete_zero(curve: &Curve) -> bool {
    zero(curve) && complete(curve)
}

/// Is a minus this number?
fn is(curve: &Curve, minus: u32) -> bool {
    let a = curve.field().negate(&curve.equation.coefficients[0]);
    a.and_then(|a| curve.field().canonical(&a)) == curve.field().canonical(&minus.into())
}

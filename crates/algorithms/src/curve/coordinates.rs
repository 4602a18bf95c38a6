//! Points as kernels have them: in coordinates that need no inverse.
//!
//! * **computes** the coordinates of an affine point, and the point of coordinates.
//! * **needs** a curve over a prime field, a tower or a binary field. Over a tower each coordinate is several, those of the
//!   prime field.
//! * **gives** (X : Y : Z) with x = X/Z, y = Y/Z on Weierstrass, Montgomery and binary curves, the neutral element as
//!   (0 : 1 : 0); on Edwards curves (X : Y : Z : T) with T = XY/Z too, the neutral element as (0 : 1 : 1 : 0).
//! * **cost** one product, or one inverse and two.
//! * **source** Renes, Costello, Batina (2016); Hisil, Wong, Carter, Dawson (2008).

use evariste_descriptions::{Curve, CurveShape, Tower};
use num_bigint::BigUint;
use num_traits::Zero;

use super::setting::tower_of;

/// How many coordinates over the prime or binary field a point of the curve has in kernels.
pub fn count(curve: &Curve) -> usize {
    of_point(curve) * tower_of(curve).map_or(1, Tower::degree)
}

/// Do kernels add points? Those of Montgomery curves go by first coordinates.
pub fn have_sums(curve: &Curve) -> bool {
    curve.equation.shape != CurveShape::Montgomery
}

/// How many over the curve's own field.
fn of_point(curve: &Curve) -> usize {
    match curve.equation.shape {
        CurveShape::Weierstrass | CurveShape::Montgomery | CurveShape::Binary => 3,
        CurveShape::Edwards => 4,
    }
}

/// The coordinates of a point that is given as a number.
pub fn of(curve: &Curve, point: &BigUint) -> Vec<BigUint> {
    let (zero, one) = (BigUint::zero(), curve.field().one());
    let all = match (curve.equation.shape, curve.unpacked(point)) {
        (CurveShape::Edwards, Some((x, y))) => {
            let product = curve.field().multiply(&x, &y).unwrap_or_default();
            vec![x, y, one, product]
        }
        (_, None) => vec![zero.clone(), one, zero],
        (_, Some((x, y))) => vec![x, y, one],
    };
    match tower_of(curve) {
        Some(tower) => all.iter().flat_map(|x| tower.unpacked(x)).collect(),
        None => all,
    }
}

/// The point of coordinates, as a number. `None`: they are those of no point.
pub fn point(curve: &Curve, coordinates: &[BigUint]) -> Option<BigUint> {
    let coordinates = coordinates.get(..count(curve))?;
    let packed = |tower: &Tower| coordinates.chunks(tower.degree()).map(|x| tower.packed(x)).collect();
    let all: Vec<BigUint> = tower_of(curve).map_or_else(|| coordinates.to_vec(), packed);
    let [x, y, z, rest @ ..] = &all[..] else { return None };
    if z.is_zero() {
        // Only (0 : y : 0) is a point, the neutral element of curves where that is none of the affine points.
        let flagged = curve.equation.shape != CurveShape::Edwards;
        let neutral = flagged && x.is_zero() && !y.is_zero();
        return neutral.then(|| curve.packed(&None));
    }
    let field = curve.field();
    let inverse = field.inverse(z)?;
    let (x, y) = (field.multiply(x, &inverse)?, field.multiply(y, &inverse)?);
    if let [t] = rest
        && field.multiply(&x, &y)? != field.multiply(t, &inverse)?
    {
        return None;
    }
    curve.equation.holds(&x, &y).then(|| curve.packed(&Some((x, y))))
}

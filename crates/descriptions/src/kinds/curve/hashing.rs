//! Elements of the field as points: what hashing to a curve does after hashing to the field (RFC 9380, section 6.6).

use num_bigint::BigUint;
use num_traits::Zero;

use super::isogenies::{CurveMap, Isogeny, MAPS};
use super::lift::root;
use super::{Curve, CurveShape, Equation, Point};
use crate::kinds::tower::Tower;
use crate::lists::coordinate;

impl Curve {
    /// The map of RFC 9380 for this curve, where there is one.
    pub fn map(&self) -> Option<&'static CurveMap> {
        let name = self.named?.name;
        MAPS.iter().find(|map| map.curve == name)
    }

    /// An element of the field that a table writes.
    pub fn element_of_text(&self, text: &str) -> Option<BigUint> {
        coordinate(&**self.field(), text, 0..text.len()).ok()
    }

    /// The point that an element of the field is mapped to. No cofactor is cleared.
    pub fn mapped(&self, u: &BigUint) -> Option<BigUint> {
        let map = self.map()?;
        let z = self.element_of_text(map.z)?;
        let point = match (self.equation.shape, &map.isogeny) {
            (CurveShape::Montgomery, _) => Some(self.elligator(&self.equation.coefficients[0], &z, u)?),
            (CurveShape::Edwards, _) => Some(self.of_montgomery(map.montgomery.as_ref()?, &z, u)?),
            (_, None) => Some(self.simplified(&self.equation, &z, u)?),
            (_, Some(isogeny)) => {
                let [a, b] = isogeny.coefficients.map(|text| self.element_of_text(text));
                let from = Equation { coefficients: [a?, b?], ..self.equation.clone() };
                self.image(isogeny, &self.simplified(&from, &z, u)?)?
            }
        };
        Some(self.packed(&point))
    }

    /// The sign of an element: the parity of its first coordinate that is not 0.
    pub(super) fn sign(&self, a: &BigUint) -> bool {
        let all = self.field().get::<Tower>().map_or_else(|| vec![a.clone()], |tower| tower.unpacked(a));
        all.iter().find(|c| !c.is_zero()).is_some_and(|c| c.bit(0))
    }

    /// Simplified Shallue, van de Woestijne and Ulas: with `t = Z²u⁴ + Zu²` one of `x = −B/A·(1 + 1/t)` and `Zu²x`.
    fn simplified(&self, of: &Equation, z: &BigUint, u: &BigUint) -> Option<(BigUint, BigUint)> {
        let [a, b] = &of.coefficients;
        let zero = BigUint::zero();
        let zuu = of.product(z, &of.square(u));
        let t = of.sum(&of.square(&zuu), &zuu);
        let first = if t.is_zero() {
            of.quotient(b, &of.product(z, a))
        } else {
            let one = of.field.one();
            let factor = of.sum(&one, &of.quotient(&one, &t));
            of.product(&of.quotient(&of.difference(&zero, b), a), &factor)
        };
        let right = |x: &BigUint| of.sum(&of.product(&of.sum(&of.square(x), a), x), b);
        let second = of.product(&zuu, &first);
        let found = |x: BigUint| root(&*of.field, &right(&x)).map(|y| (x, y));
        let (x, y) = found(first).or_else(|| found(second))?;
        let y = if self.sign(&y) == self.sign(u) { y } else { of.difference(&zero, &y) };
        Some((x, y))
    }

    /// The image of a point under an isogeny; the neutral element where a denominator is 0.
    fn image(&self, isogeny: &Isogeny, (x, y): &(BigUint, BigUint)) -> Option<Point> {
        let of = &self.equation;
        let value = |coefficients: &[&str]| {
            let zero = Some(BigUint::zero());
            coefficients
                .iter()
                .rev()
                .fold(zero, |sum, c| Some(of.sum(&of.product(&sum?, x), &self.element_of_text(c)?)))
        };
        let [n, d, m, e] = isogeny.polynomials.map(value);
        let (n, d, m, e) = (n?, d?, m?, e?);
        if d.is_zero() || e.is_zero() {
            return Some(None);
        }
        Some(Some((of.quotient(&n, &d), of.product(y, &of.quotient(&m, &e)))))
    }
}

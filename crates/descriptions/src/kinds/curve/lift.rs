//! Points from their first coordinate (on Edwards curves from the second): a square root in the field of the curve.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{Curve, CurveShape};
use crate::Structure;
use crate::kinds::binary::BinaryField;

impl Curve {
    /// One of the points with this first coordinate, on Edwards curves with this second one; `None` where there is none.
    pub fn lifted(&self, x: &BigUint) -> Option<BigUint> {
        let of = &self.equation;
        let [c0, c1] = &of.coefficients;
        let field = self.field();
        let xx = of.square(x);
        let cube = of.product(&xx, x);
        let y = match of.shape {
            CurveShape::Weierstrass => root(&**field, &of.sum(&of.sum(&cube, &of.product(c0, x)), c1))?,
            CurveShape::Montgomery => {
                root(&**field, &of.quotient(&of.sum(&of.sum(&cube, &of.product(c0, &xx)), x), c1))?
            }
            // x² = (1 − y²)/(a − d·y²)
            CurveShape::Edwards => {
                let (rest, part) = (of.difference(&field.one(), &xx), of.difference(c0, &of.product(c1, &xx)));
                let other = root(&**field, &of.quotient(&rest, &part))?;
                return Some(self.packed(&Some((other, x.clone()))));
            }
            // y = x·z with z² + z = x + a + b/x²
            CurveShape::Binary => {
                let f = field.get::<BinaryField>()?;
                if x.is_zero() {
                    f.root(c1)
                } else {
                    let right = of.sum(&of.sum(x, c0), &of.quotient(c1, &xx));
                    of.product(x, &f.solve_quadratic(&right)?)
                }
            }
        };
        of.holds(x, &y).then(|| self.packed(&Some((x.clone(), y))))
    }
}

/// A square root in a field of odd order, by the steps of Tonelli and Shanks; `None` where there is none.
pub(crate) fn root(field: &dyn Structure, a: &BigUint) -> Option<BigUint> {
    if a.is_zero() {
        return Some(BigUint::zero());
    }
    let even = field.order() - 1u32;
    let (twos, half) = (even.trailing_zeros()?, &even >> 1u32);
    let odd = &even >> twos;
    let is_square = |x: &BigUint| field.power(x, &half).is_some_and(|power| power == field.one());
    if !is_square(a) {
        return None;
    }
    // Numbers of the ground field may all be squares above it; among elements with one more coordinate than numbers have
    // half are none, as in every field.
    let step = match field.coordinates() {
        1 => BigUint::ZERO,
        coordinates => BigUint::one() << (field.bits() / coordinates * (coordinates - 1)),
    };
    let none = (1u32..1000).map(|n| &step + n).find(|n| !is_square(n))?;
    let mut of_order = field.power(&none, &odd)?;
    let mut power = field.power(a, &odd)?;
    let mut root = field.power(a, &((&odd + 1u32) >> 1u32))?;
    for i in (1..twos).rev() {
        // power has an order that divides 2^i, and of_order has the order 2^(i + 1).
        if field.power(&power, &(BigUint::one() << (i - 1)))? != field.one() {
            root = field.multiply(&root, &of_order)?;
            power = field.multiply(&power, &field.multiply(&of_order, &of_order)?)?;
        }
        of_order = field.multiply(&of_order, &of_order)?;
    }
    (field.multiply(&root, &root)? == *a).then_some(root)
}

//! Elements of the field as points of Montgomery curves and of the Edwards curves behind them (RFC 9380, sections 6.7 and 6.8).

use num_bigint::BigUint;
use num_traits::Zero;

use super::Curve;
use super::isogenies::{OfMontgomery, ToEdwards};
use super::lift::root;

impl Curve {
    /// Elligator 2 on `y² = x³ + Ax² + x`: x = −A/(1 + Zu²) with an odd y, or −x − A with an even one.
    pub(super) fn elligator(&self, a: &BigUint, z: &BigUint, u: &BigUint) -> Option<(BigUint, BigUint)> {
        let of = &self.equation;
        let zero = BigUint::zero();
        let below = of.sum(&of.field.one(), &of.product(z, &of.square(u)));
        let minus_a = of.difference(&zero, a);
        let first = if below.is_zero() { minus_a.clone() } else { of.quotient(&minus_a, &below) };
        let second = of.difference(&minus_a, &first);
        let right = |x: &BigUint| {
            let xx = of.square(x);
            of.sum(&of.sum(&of.product(&xx, x), &of.product(a, &xx)), x)
        };
        let found = |x: BigUint, odd: bool| Some((x.clone(), self.root_of_sign(&right(&x), odd)?));
        found(first, true).or_else(|| found(second, false))
    }

    /// The square root that is odd, or the even one.
    fn root_of_sign(&self, a: &BigUint, odd: bool) -> Option<BigUint> {
        let y = root(&*self.equation.field, a)?;
        Some(if self.sign(&y) == odd { y } else { self.equation.difference(&BigUint::zero(), &y) })
    }

    /// The point of an Edwards curve that comes from one of a Montgomery curve.
    pub(super) fn of_montgomery(&self, from: &OfMontgomery, z: &BigUint, u: &BigUint) -> Option<(BigUint, BigUint)> {
        let of = &self.equation;
        let (one, a) = (of.field.one(), self.element_of_text(from.a)?);
        let (s, t) = self.elligator(&a, z, u)?;
        let ss = of.square(&s);
        let [x, below_x, y, below_y] = match from.way {
            ToEdwards::Birational => {
                let square = of.difference(&BigUint::zero(), &of.sum(&a, &of.sum(&one, &one)));
                let c = self.root_of_sign(&square, false)?;
                [of.product(&c, &s), t, of.difference(&s, &one), of.sum(&s, &one)]
            }
            ToEdwards::FourIsogeny => {
                let tt = of.square(&t);
                let double = |x: &BigUint| of.sum(x, x);
                let fourfold = |x: &BigUint| double(&double(x));
                let ssss = of.square(&ss);
                let x = of.product(&fourfold(&t), &of.difference(&ss, &one));
                let below_x = of.sum(&of.sum(&of.difference(&ssss, &double(&ss)), &fourfold(&tt)), &one);
                // s·(s⁴ − 2s² + 1 − 4t²), negative; s·(s⁴ − 2s² + 1) − 2t²·(s² + 1)
                let square = of.sum(&of.difference(&ssss, &double(&ss)), &one);
                let y = of.product(&s, &of.difference(&fourfold(&tt), &square));
                let rest = of.product(&double(&tt), &of.sum(&ss, &one));
                [x, below_x, y, of.difference(&of.product(&s, &square), &rest)]
            }
        };
        if below_x.is_zero() || below_y.is_zero() {
            return Some((BigUint::zero(), one));
        }
        Some((of.quotient(&x, &below_x), of.quotient(&y, &below_y)))
    }
}

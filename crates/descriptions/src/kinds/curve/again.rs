//! The group law a second time, in another way: every curve as a long Weierstrass equation
//! `y^2 + e·x·y = x^3 + f·x^2 + g·x + h`, coordinates as fractions whose terms are never inverted before the end.

use num_bigint::BigUint;
use num_traits::Zero;

use super::Curve;
use super::equation::{CurveShape, Equation, Point};
use crate::{Field, Structure};

/// The arithmetic again.
#[derive(Debug)]
struct Again(Curve);

/// A numerator and a denominator.
type Fraction = (BigUint, BigUint);

/// The group law of a curve, again.
pub(super) fn again(field: &Field) -> Box<dyn Structure> {
    match field.get::<Curve>() {
        Some(curve) => Box::new(Again(curve.clone())),
        None => unreachable!("the table asks each kind about its own fields"),
    }
}

impl Again {
    fn over(&self) -> &Equation {
        &self.0.equation
    }

    fn plus(&self, a: &Fraction, b: &Fraction) -> Fraction {
        let over = self.over();
        (over.sum(&over.product(&a.0, &b.1), &over.product(&b.0, &a.1)), over.product(&a.1, &b.1))
    }

    fn minus(&self, a: &Fraction, b: &Fraction) -> Fraction {
        let zero = BigUint::zero();
        self.plus(a, &(self.over().difference(&zero, &b.0), b.1.clone()))
    }

    fn times(&self, a: &Fraction, b: &Fraction) -> Fraction {
        (self.over().product(&a.0, &b.0), self.over().product(&a.1, &b.1))
    }

    fn through(&self, a: &Fraction, b: &Fraction) -> Fraction {
        self.times(a, &(b.1.clone(), b.0.clone()))
    }

    fn whole(&self, a: &BigUint) -> Fraction {
        (a.clone(), self.over().field.one())
    }

    fn same(&self, a: &Fraction, b: &Fraction) -> bool {
        self.over().product(&a.0, &b.1) == self.over().product(&b.0, &a.1)
    }

    /// A and B of the Montgomery curve of an Edwards curve: `2(a + d)/(a − d)` and `4/(a − d)`.
    fn montgomery(&self) -> [Fraction; 2] {
        let [c0, c1] = &self.over().coefficients;
        if self.over().shape == CurveShape::Montgomery {
            return [self.whole(c0), self.whole(c1)];
        }
        let one = self.over().field.one();
        let two = self.over().sum(&one, &one);
        let apart = self.over().difference(c0, c1);
        let sum = self.over().product(&two, &self.over().sum(c0, c1));
        [(sum, apart.clone()), (self.over().square(&two), apart)]
    }

    /// The coefficients e, f, g of the long equation.
    fn long(&self) -> [Fraction; 3] {
        let [c0, _] = &self.over().coefficients;
        let zero = self.whole(&BigUint::zero());
        match self.over().shape {
            CurveShape::Weierstrass => [zero.clone(), zero, self.whole(c0)],
            CurveShape::Binary => [self.whole(&self.over().field.one()), self.whole(c0), zero],
            // X = B·x, Y = B²·y.
            CurveShape::Montgomery | CurveShape::Edwards => {
                let [a, b] = self.montgomery();
                [zero, self.times(&a, &b), self.times(&b, &b)]
            }
        }
    }

    /// A point on the long equation.
    fn into_long(&self, point: &Point) -> Option<[Fraction; 2]> {
        let (x, y) = point.as_ref()?;
        let (mut u, mut v) = (self.whole(x), self.whole(y));
        if self.over().shape == CurveShape::Edwards {
            let one = self.whole(&self.over().field.one());
            if x.is_zero() {
                // (0, 1) and (0, −1).
                return (*y != self.over().field.one()).then(|| [0, 0].map(|_| self.whole(&BigUint::zero())));
            }
            u = self.through(&self.plus(&one, &v), &self.minus(&one, &v));
            v = self.through(&u, &self.whole(x));
        }
        if matches!(self.over().shape, CurveShape::Montgomery | CurveShape::Edwards) {
            let [_, b] = self.montgomery();
            (u, v) = (self.times(&b, &u), self.times(&self.times(&b, &b), &v));
        }
        Some([u, v])
    }

    /// And back.
    fn out_of_long(&self, point: Option<[Fraction; 2]>) -> Point {
        let Some([mut u, mut v]) = point else { return self.over().neutral() };
        if matches!(self.over().shape, CurveShape::Montgomery | CurveShape::Edwards) {
            let [_, b] = self.montgomery();
            (u, v) = (self.through(&u, &b), self.through(&v, &self.times(&b, &b)));
        }
        if self.over().shape == CurveShape::Edwards {
            let one = self.whole(&self.over().field.one());
            let y = self.through(&self.minus(&u, &one), &self.plus(&u, &one));
            // The point (0, 0) of order 2 is (0, −1).
            let x = if v.0.is_zero() { self.whole(&BigUint::zero()) } else { self.through(&u, &v) };
            (u, v) = (x, y);
        }
        Some((self.over().quotient(&u.0, &u.1), self.over().quotient(&v.0, &v.1)))
    }

    /// The opposite on the long equation: the other y with the same x.
    fn opposite(&self, [x, y]: &[Fraction; 2]) -> [Fraction; 2] {
        let [e, ..] = self.long();
        let zero = self.whole(&BigUint::zero());
        [x.clone(), self.minus(&zero, &self.plus(y, &self.times(&e, x)))]
    }
}

impl Structure for Again {
    fn name(&self) -> String {
        self.0.name()
    }

    fn text(&self) -> String {
        self.0.text()
    }

    fn description(&self) -> String {
        self.0.description()
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn order(&self) -> BigUint {
        self.0.order()
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        let [p, q] = [a, b].map(|point| self.into_long(&self.0.unpacked(point)));
        let (Some(p), Some(q)) = (&p, &q) else {
            return Some(self.0.packed(&self.out_of_long(p.or(q))));
        };
        let [e, f, g] = self.long();
        let ([x1, y1], [x2, y2]) = (p, q);
        let slope = if !self.same(x1, x2) {
            self.through(&self.minus(y2, y1), &self.minus(x2, x1))
        } else if self.same(y2, &self.opposite(p)[1]) {
            return Some(self.0.packed(&self.over().neutral()));
        } else {
            // (3x² + 2f·x + g − e·y)/(2y + e·x).
            let square = self.times(x1, x1);
            let three = self.plus(&self.plus(&square, &square), &square);
            let fx = self.times(&f, x1);
            let rise = self.minus(&self.plus(&self.plus(&three, &self.plus(&fx, &fx)), &g), &self.times(&e, y1));
            self.through(&rise, &self.plus(&self.plus(y1, y1), &self.times(&e, x1)))
        };
        let x = self.plus(&self.times(&slope, &slope), &self.times(&e, &slope));
        let x = self.minus(&self.minus(&self.minus(&x, &f), x1), x2);
        // The third point of the line, and its opposite.
        let third = self.plus(&self.times(&slope, &self.minus(&x, x1)), y1);
        Some(self.0.packed(&self.out_of_long(Some(self.opposite(&[x, third])))))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        let point = self.into_long(&self.0.unpacked(a));
        Some(self.0.packed(&self.out_of_long(point.map(|point| self.opposite(&point)))))
    }
}

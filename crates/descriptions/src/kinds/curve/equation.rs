//! Equations of curves, and the group law on their points: affine, by cases, as textbooks have it.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::Field;

/// The form of a curve's equation, with coefficients c0 and c1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveShape {
    /// `y^2 = x^3 + c0·x + c1`.
    Weierstrass,
    /// `c1·y^2 = x^3 + c0·x^2 + x`.
    Montgomery,
    /// `c0·x^2 + y^2 = 1 + c1·x^2·y^2`, with c0 a square and c1 none, so that sums have no exceptions.
    Edwards,
    /// `y^2 + x·y = x^3 + c0·x^2 + c1`, over binary fields.
    Binary,
}

/// A point by its coordinates; `None` is the neutral element where that is none of the affine points.
pub type Point = Option<(BigUint, BigUint)>;

/// An equation over a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The field of coordinates.
    pub field: Field,
    /// The form.
    pub shape: CurveShape,
    /// The coefficients.
    pub coefficients: [BigUint; 2],
}

/// What fields have.
const FIELD: &str = "curves stand on fields, which have sums and products";

impl Equation {
    /// `a + b` in the field.
    pub(crate) fn sum(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.field.add(a, b).expect(FIELD)
    }

    /// `a − b` in the field.
    pub(crate) fn difference(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.sum(a, &self.opposite(b))
    }

    /// `−a` in the field.
    fn opposite(&self, a: &BigUint) -> BigUint {
        self.field.negate(a).expect(FIELD)
    }

    /// `a·b` in the field.
    pub(crate) fn product(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.field.multiply(a, b).expect(FIELD)
    }

    /// `a²` in the field.
    pub(crate) fn square(&self, a: &BigUint) -> BigUint {
        self.product(a, a)
    }

    /// `k·a` in the field, for a small k.
    fn times(&self, k: u32, a: &BigUint) -> BigUint {
        (0..k).fold(BigUint::zero(), |sum, _| self.sum(&sum, a))
    }

    /// `a/b` in the field, for b other than 0.
    pub(crate) fn quotient(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.product(a, &self.field.inverse(b).unwrap_or_default())
    }

    /// Does the equation hold?
    pub fn holds(&self, x: &BigUint, y: &BigUint) -> bool {
        let [c0, c1] = &self.coefficients;
        let (xx, yy) = (self.square(x), self.square(y));
        let cube = self.product(&xx, x);
        let (left, right) = match self.shape {
            CurveShape::Weierstrass => (yy, self.sum(&self.sum(&cube, &self.product(c0, x)), c1)),
            CurveShape::Montgomery => (self.product(c1, &yy), self.sum(&self.sum(&cube, &self.product(c0, &xx)), x)),
            CurveShape::Edwards => {
                let right = self.sum(&self.field.one(), &self.product(c1, &self.product(&xx, &yy)));
                (self.sum(&self.product(c0, &xx), &yy), right)
            }
            CurveShape::Binary => {
                let left = self.sum(&yy, &self.product(x, y));
                (left, self.sum(&self.sum(&cube, &self.product(c0, &xx)), c1))
            }
        };
        left == right
    }

    /// Why this is no curve with a group law that has no exceptions; `None` where it is one.
    pub(crate) fn fault(&self) -> Option<String> {
        let [c0, c1] = &self.coefficients;
        let cube = |a: &BigUint| self.product(&self.square(a), a);
        match self.shape {
            CurveShape::Weierstrass => {
                let discriminant = self.sum(&self.times(4, &cube(c0)), &self.times(27, &self.square(c1)));
                discriminant.is_zero().then(|| "it is singular: 4*a^3 + 27*b^2 is 0".to_owned())
            }
            CurveShape::Montgomery => {
                let four = self.times(4, &self.field.one());
                (c1.is_zero() || self.square(c0) == four).then(|| "it is singular: A^2 is 4, or B is 0".to_owned())
            }
            CurveShape::Edwards if c0.is_zero() || c1.is_zero() || c0 == c1 => {
                Some("it is singular: a and d are different and not 0".to_owned())
            }
            CurveShape::Edwards => (!self.is_square(c0) || self.is_square(c1))
                .then(|| "its sums have exceptions: a is to be a square and d none".to_owned()),
            CurveShape::Binary => c1.is_zero().then(|| "it is singular: b is 0".to_owned()),
        }
    }

    /// Is an element of a field of odd order a square?
    pub(crate) fn is_square(&self, a: &BigUint) -> bool {
        let half = (self.field.order() - 1u32) >> 1;
        a.is_zero() || self.field.power(a, &half) == Some(self.field.one())
    }

    /// The neutral element.
    pub fn neutral(&self) -> Point {
        (self.shape == CurveShape::Edwards).then(|| (BigUint::zero(), self.field.one()))
    }

    /// `−P`.
    pub fn negate(&self, point: &Point) -> Point {
        let (x, y) = point.as_ref()?;
        Some(match self.shape {
            CurveShape::Weierstrass | CurveShape::Montgomery => (x.clone(), self.opposite(y)),
            CurveShape::Edwards => (self.opposite(x), y.clone()),
            CurveShape::Binary => (x.clone(), self.sum(x, y)),
        })
    }

    /// `P + Q`.
    pub fn add(&self, p: &Point, q: &Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (p, q) else { return p.clone().or_else(|| q.clone()) };
        if self.shape == CurveShape::Edwards {
            return Some(self.sum_of_edwards((x1, y1), (x2, y2)));
        }
        if *p == self.negate(q) {
            return None;
        }
        let slope = self.slope(p, q)?;
        let [c0, c1] = &self.coefficients;
        let (square, both) = (self.square(&slope), self.sum(x1, x2));
        if self.shape == CurveShape::Binary {
            let x = self.sum(&self.sum(&self.sum(&square, &slope), &both), c0);
            let y = self.sum(&self.sum(&self.product(&slope, &self.sum(x1, &x)), &x), y1);
            return Some((x, y));
        }
        let x = if self.shape == CurveShape::Montgomery {
            self.difference(&self.difference(&self.product(c1, &square), c0), &both)
        } else {
            self.difference(&square, &both)
        };
        let y = self.difference(&self.product(&slope, &self.difference(x1, &x)), y1);
        Some((x, y))
    }

    /// The slope of the line through two points that are not opposite, of the tangent where they are one point.
    pub(crate) fn slope(&self, p: &Point, q: &Point) -> Option<BigUint> {
        let ((x1, y1), (x2, y2)) = (p.as_ref()?, q.as_ref()?);
        if x1 != x2 {
            return Some(self.quotient(&self.difference(y2, y1), &self.difference(x2, x1)));
        }
        let [c0, c1] = &self.coefficients;
        let square = self.times(3, &self.square(x1));
        Some(match self.shape {
            CurveShape::Binary => self.sum(x1, &self.quotient(y1, x1)),
            CurveShape::Montgomery => {
                let rise = self.sum(&self.sum(&square, &self.times(2, &self.product(c0, x1))), &self.field.one());
                self.quotient(&rise, &self.times(2, &self.product(c1, y1)))
            }
            CurveShape::Weierstrass | CurveShape::Edwards => self.quotient(&self.sum(&square, c0), &self.times(2, y1)),
        })
    }

    fn sum_of_edwards(&self, (x1, y1): (&BigUint, &BigUint), (x2, y2): (&BigUint, &BigUint)) -> (BigUint, BigUint) {
        let [c0, c1] = &self.coefficients;
        let (xx, yy) = (self.product(x1, x2), self.product(y1, y2));
        let cross = self.sum(&self.product(x1, y2), &self.product(y1, x2));
        let (one, d) = (self.field.one(), self.product(c1, &self.product(&xx, &yy)));
        let x = self.quotient(&cross, &self.sum(&one, &d));
        let y = self.quotient(&self.difference(&yy, &self.product(c0, &xx)), &self.difference(&one, &d));
        (x, y)
    }

    /// `k·P`: double and add from the top bit.
    pub fn scale(&self, k: &BigUint, point: &Point) -> Point {
        (0..k.bits()).rev().fold(self.neutral(), |sum, i| {
            let twice = self.add(&sum, &sum);
            if k.bit(i) { self.add(&twice, point) } else { twice }
        })
    }

    /// Can the field's curves have that many points? Hasse: `(n − q − 1)² ≤ 4q`.
    pub(crate) fn admits(&self, points: &BigUint) -> bool {
        let middle = self.field.order() + BigUint::one();
        let apart = if *points > middle { points - &middle } else { &middle - points };
        &apart * &apart <= self.field.order() * 4u32
    }

    /// Is it over a field of odd order?
    pub(crate) fn is_odd(field: &Field) -> bool {
        field.order().is_odd()
    }
}

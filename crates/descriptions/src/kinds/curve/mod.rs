//! Curves over prime fields, towers and binary fields, with reference arithmetic on their points: affine, slow and
//! obviously right.
//!
//! A point is a natural number: its coordinates at multiples of the field's bits, x first, and above them one more bit
//! that says "not the neutral element" where that is none of the affine points. So 0 is the neutral element, but of
//! Edwards curves, whose neutral element is the point (0, 1).

mod again;
mod check;
mod description;
mod elligator;
mod equation;
mod hashing;
mod isogenies;
mod ladder;
mod lift;
mod parts;
mod structure;
mod tables;
mod terms;

use num_bigint::BigUint;
use num_traits::One;

pub(crate) use self::description::KIND;
pub use self::equation::{CurveShape, Equation, Point};
pub use self::isogenies::{CurveMap, Isogeny, OfMontgomery, ToEdwards};
use self::parts::{Abscissae, Coordinates, Scalars};
pub use self::tables::NamedCurve;
use crate::Field;

/// A curve, with a base point, its order and the cofactor where they are known. Built by parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The equation, with the group law.
    pub equation: Equation,
    /// The base point.
    pub base: Option<(BigUint, BigUint)>,
    /// Its order.
    pub order: Option<BigUint>,
    /// How often the order goes into the number of points.
    pub cofactor: Option<BigUint>,
    /// The entry of the table of names that it has.
    pub named: Option<&'static NamedCurve>,
    /// Are its elements the multiples of the base point alone?
    pub(crate) subgroup: bool,
    scalars: Scalars,
    abscissae: Abscissae,
    coordinates: Coordinates,
}

impl Curve {
    /// An equation without a base point.
    pub(crate) fn new(equation: Equation) -> Curve {
        let scalars = Scalars { order: None };
        let abscissae = Abscissae { field: equation.field.clone(), base: None };
        let coordinates = Coordinates { field: equation.field.clone() };
        let (base, order, cofactor) = (None, None, None);
        Curve { equation, base, order, cofactor, named: None, subgroup: false, scalars, abscissae, coordinates }
    }

    /// This with a base point, its order and the cofactor.
    pub(crate) fn with_base(
        mut self,
        base: Option<(BigUint, BigUint)>,
        order: Option<BigUint>,
        cofactor: Option<BigUint>,
    ) -> Curve {
        self.scalars.order.clone_from(&order);
        self.abscissae.base = base.as_ref().map(|(x, _)| x.clone());
        (self.base, self.order, self.cofactor) = (base, order, cofactor);
        self
    }

    /// The multiples of the base point.
    pub(crate) fn multiples_of_base(mut self) -> Curve {
        self.subgroup = true;
        self
    }

    /// The field of coordinates.
    pub fn field(&self) -> &Field {
        &self.equation.field
    }

    /// Is the neutral element none of the affine points?
    fn flagged(&self) -> bool {
        self.equation.shape != CurveShape::Edwards
    }

    /// The point that a number is. It need not be on the curve.
    pub fn unpacked(&self, number: &BigUint) -> Point {
        let bits = self.field().bits();
        let (low, rest) = (number % (BigUint::one() << bits), number >> bits);
        let (high, flag) = (&rest % (BigUint::one() << bits), rest >> bits);
        (!self.flagged() || flag.is_one()).then_some((low, high))
    }

    /// The number that a point is.
    pub fn packed(&self, point: &Point) -> BigUint {
        let bits = self.field().bits();
        let flag = BigUint::from(u32::from(self.flagged()));
        point.as_ref().map_or_else(BigUint::default, |(x, y)| ((flag << bits | y) << bits) | x)
    }

    /// `2·P`.
    pub fn double(&self, point: &BigUint) -> BigUint {
        let point = self.unpacked(point);
        self.packed(&self.equation.add(&point, &point))
    }

    /// `k·P`.
    pub fn scale(&self, k: &BigUint, point: &BigUint) -> BigUint {
        self.packed(&self.equation.scale(k, &self.unpacked(point)))
    }

    /// `k·G` for the base point G.
    pub fn scale_base(&self, k: &BigUint) -> Option<BigUint> {
        let base = self.base.clone()?;
        Some(self.packed(&self.equation.scale(k, &Some(base))))
    }

    /// The first coordinate of `k·P` from that of P, 0 for the neutral element: Montgomery and binary curves.
    pub fn ladder(&self, k: &BigUint, x: &BigUint) -> Option<BigUint> {
        self.equation.ladder(k, x)
    }

    /// Are there points that are no multiples of the base point?
    pub fn has_other_points(&self) -> bool {
        self.base.is_some() && self.order.is_some() && self.cofactor.as_ref().is_some_and(|h| !h.is_one())
    }

    /// Is there a ladder of clamped scalars? Of Montgomery curves whose cofactor is a power of two, of which a scalar
    /// becomes a multiple.
    pub fn clamps(&self) -> bool {
        let power = |cofactor: &BigUint| cofactor.count_ones() == 1;
        self.equation.shape == CurveShape::Montgomery && self.cofactor.as_ref().is_some_and(power)
    }

    /// The ladder of a scalar that is clamped before: X25519 and X448.
    pub fn clamped_ladder(&self, k: &BigUint, x: &BigUint) -> Option<BigUint> {
        let cofactor = self.cofactor.as_ref().filter(|_| self.clamps())?;
        self.ladder(&ladder::clamped(k, self.field().bits(), cofactor), x)
    }

    /// The same of the base point.
    pub fn clamped_mul_base(&self, k: &BigUint) -> Option<BigUint> {
        self.clamped_ladder(k, &self.base.as_ref()?.0)
    }
}

/// Every named curve, in the order of the table.
pub fn named_curves() -> &'static [NamedCurve] {
    tables::CURVES
}

//! Miller's functions in affine coordinates, over the target field, as textbooks have them.
//!
//! Source: Miller, "The Weil pairing, and its efficient calculation" (2004); for the optimal ate pairings Vercauteren,
//! "Optimal pairings" (2010).

use num_bigint::BigUint;
use num_traits::One;

use crate::kinds::curve::{Equation, Point};

/// A quotient of functions at a point, along a chain of sums of points.
pub(super) struct Chain<'a> {
    over: &'a Equation,
    /// Where functions are taken.
    at: (BigUint, BigUint),
    /// The product of lines, and that of verticals.
    value: [BigUint; 2],
    /// The sum so far.
    pub sum: Point,
}

impl Chain<'_> {
    /// Before any sum: the point, and where functions are taken.
    pub fn new(over: &Equation, start: (BigUint, BigUint), at: (BigUint, BigUint)) -> Chain<'_> {
        let one = over.field.one();
        Chain { over, at, value: [one.clone(), one], sum: Some(start) }
    }

    /// The line through the sum so far and a point, at the place; a vertical where they are opposite.
    fn line(&self, point: &Point) -> BigUint {
        let Some((x, y)) = &self.sum else { return self.vertical(point) };
        if point.is_none() || *point == self.over.negate(&self.sum) {
            return self.vertical(&self.sum);
        }
        let slope = self.over.slope(&self.sum, point).unwrap_or_default();
        let run = self.over.product(&slope, &self.over.difference(&self.at.0, x));
        self.over.difference(&self.over.difference(&self.at.1, y), &run)
    }

    /// The vertical through a point, at the place.
    fn vertical(&self, point: &Point) -> BigUint {
        point.as_ref().map_or_else(|| self.over.field.one(), |(x, _)| self.over.difference(&self.at.0, x))
    }

    /// Adds a point: the line through both over the vertical through their sum.
    pub fn add(&mut self, point: &Point) {
        let line = self.line(point);
        self.sum = self.over.add(&self.sum, point);
        let vertical = self.vertical(&self.sum);
        let [lines, verticals] = &self.value;
        self.value = [self.over.product(lines, &line), self.over.product(verticals, &vertical)];
    }

    /// Doubles the sum: the function is squared before.
    pub fn double(&mut self) {
        self.value = [0, 1].map(|i| self.over.square(&self.value[i]));
        self.add(&self.sum.clone());
    }

    /// The chain of `n·P` for the point P that it began with.
    pub fn run(&mut self, n: &BigUint) {
        let start = self.sum.clone();
        for i in (0..n.bits().saturating_sub(1)).rev() {
            self.double();
            if n.bit(i) {
                self.add(&start);
            }
        }
    }

    /// The lines alone: verticals lie in a smaller field where the last exponentiation makes 1 of them.
    pub fn lines(&self) -> BigUint {
        self.value[0].clone()
    }

    /// Lines over verticals.
    pub fn quotient(&self) -> BigUint {
        self.over.quotient(&self.value[0], &self.value[1])
    }
}

/// The point of a twist on the curve itself, over the target field: each coordinate times a power of w, or over it.
pub(super) fn untwisted(over: &Equation, w: &BigUint, (x, y): &(BigUint, BigUint), divide: bool) -> (BigUint, BigUint) {
    let power = |n: u32| over.field.power(w, &n.into()).unwrap_or_else(BigUint::one);
    let scaled = |a: &BigUint, by: &BigUint| if divide { over.quotient(a, by) } else { over.product(a, by) };
    (scaled(x, &power(2)), scaled(y, &power(3)))
}

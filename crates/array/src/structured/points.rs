//! Points from affine coordinates and back: x and y, each of as many coordinates over the prime field as the curve's field
//! has. The neutral element of Weierstrass curves is (0, 0), or (0, 1) where the curve goes through (0, 0).

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_descriptions::{CurveShape, Tower};
use num_traits::Zero;

use super::coordinates::Coordinates;
use super::{Structured, StructuredArray, StructuredView};
use crate::error::ArrayError;

/// Is (0, 0) a point of a Weierstrass curve, one of order two?
fn passes_zero(over: &Coordinates) -> bool {
    let equation = &over.curve.equation;
    equation.shape == CurveShape::Weierstrass && equation.coefficients[1].is_zero()
}

impl Structured {
    /// Coordinates of an element of a tower, else 1.
    pub(super) fn degree(&self) -> usize {
        self.field.get::<Tower>().map_or(1, Tower::degree)
    }

    /// The curve's field, where points have sums.
    fn with_sums(&self, name: &str) -> Result<Coordinates<'_>, ArrayError> {
        let sums = |over: &Coordinates| {
            matches!(over.curve.equation.shape, CurveShape::Weierstrass | CurveShape::Edwards)
                && self.operations().any(|operation| *operation == Operation::ADD)
        };
        let why = "there are arrays of points on Edwards and Weierstrass curves";
        self.of_points().filter(sums).ok_or_else(|| ArrayError::kernel(name, &self.field.text(), why))
    }

    /// The neutral element, once.
    ///
    /// # Errors
    /// No curve with sums of points.
    pub fn neutral(&self) -> Result<StructuredArray, ArrayError> {
        let curve = self.with_sums("neutral")?.curve;
        self.from_numbers(Holds::Element, &[curve.packed(&curve.equation.neutral())])
    }

    /// Points from x and y. That they lie on the curve is not tested.
    ///
    /// # Errors
    /// No curve with sums of points; an array of another engine or of other coordinates.
    pub fn points<'a>(&self, affine: impl Into<StructuredView<'a>>) -> Result<StructuredArray, ArrayError> {
        let affine = affine.into();
        let over = self.with_sums("points")?;
        let [x, y] = self.two(&over, affine)?;
        let one = over.constant(&over.curve.field().one(), affine.len())?;
        if over.curve.equation.shape == CurveShape::Edwards {
            return over.join(&[&x, &y, &one, &over.mul(&x, &y)?]);
        }
        let flag = self.flagged(&over, self.are_neutral(&over, affine)?)?;
        // (0, 1) is (0 : 1 : 0) but for z.
        let y = if passes_zero(&over) { y } else { over.add(&y, &flag)? };
        over.join(&[&x, &y, &over.compute(&Operation::SUB, &[&one, &flag])?])
    }

    /// Which x and y stand for the neutral element of a Weierstrass curve.
    fn are_neutral(&self, over: &Coordinates, affine: StructuredView) -> Result<Vec<bool>, ArrayError> {
        if !passes_zero(over) {
            return self.is_zero(affine);
        }
        let [x, y] = self.two(over, affine)?;
        let one = over.constant(&over.curve.field().one(), affine.len())?;
        let other = over.compute(&Operation::SUB, &[&y, &one])?;
        self.is_zero(over.join(&[&x, &other])?.view())
    }

    /// 1 where a flag is set, else 0, as elements of the curve's field.
    fn flagged(&self, over: &Coordinates, flags: Vec<bool>) -> Result<StructuredArray, ArrayError> {
        let zero = self.of_flags(vec![false; flags.len()].into_iter())?;
        let mut all = vec![zero; over.degree()];
        all[0] = self.of_flags(flags.into_iter())?;
        self.from_coordinates(&all)
    }

    /// x and y of points.
    ///
    /// # Errors
    /// As [`Structured::points`].
    pub fn affine<'a>(&self, points: impl Into<StructuredView<'a>>) -> Result<StructuredArray, ArrayError> {
        let points = points.into();
        let over = self.with_sums("affine")?;
        let affine = self.affine_or_zeros(points)?;
        if !passes_zero(&over) {
            return Ok(affine);
        }
        let neutral = self.is_zero(self.third(&over, points)?.view())?;
        let [x, y] = self.two(&over, affine.view())?;
        over.join(&[&x, &over.add(&y, &self.flagged(&over, neutral)?)?])
    }

    /// x and y of points, (0, 0) of every neutral element but those of Edwards curves: as pairings take them.
    ///
    /// # Errors
    /// As [`Structured::points`].
    pub fn affine_or_zeros<'a>(&self, points: impl Into<StructuredView<'a>>) -> Result<StructuredArray, ArrayError> {
        let over = self.with_sums("affine")?;
        let all = over.split(points.into())?;
        let [x, y, z, ..] = &all[..] else { return Err(self.no_points("affine")) };
        let inverse = over.compute(&Operation::INVERSE, &[z])?;
        over.join(&[&over.mul(x, &inverse)?, &over.mul(y, &inverse)?])
    }

    fn third(&self, over: &Coordinates, points: StructuredView) -> Result<StructuredArray, ArrayError> {
        over.split(points)?.into_iter().nth(2).ok_or_else(|| self.no_points("affine"))
    }

    /// Which x and y are those of a point, or of the neutral element.
    ///
    /// # Errors
    /// As [`Structured::points`].
    pub fn on_curve<'a>(&self, affine: impl Into<StructuredView<'a>>) -> Result<Vec<bool>, ArrayError> {
        let affine = affine.into();
        let over = self.with_sums("on_curve")?;
        let [x, y] = self.two(&over, affine)?;
        let [c0, c1] = &over.curve.equation.coefficients;
        let [c0, c1] = [over.constant(c0, affine.len())?, over.constant(c1, affine.len())?];
        let [xx, yy] = [over.mul(&x, &x)?, over.mul(&y, &y)?];
        if over.curve.equation.shape == CurveShape::Edwards {
            let one = over.constant(&over.curve.field().one(), affine.len())?;
            let left = over.add(&over.mul(&c0, &xx)?, &yy)?;
            let right = over.add(&one, &over.mul(&c1, &over.mul(&xx, &yy)?)?)?;
            return self.equal_coordinates(left.view(), right.view());
        }
        let right = over.add(&over.mul(&over.add(&xx, &c0)?, &x)?, &c1)?;
        let holds = self.equal_coordinates(yy.view(), right.view())?;
        Ok(holds.into_iter().zip(self.are_neutral(&over, affine)?).map(|(holds, neutral)| holds || neutral).collect())
    }

    fn two(&self, over: &Coordinates, affine: StructuredView) -> Result<[StructuredArray; 2], ArrayError> {
        over.split(affine)?.try_into().map_err(|_| self.no_points("points"))
    }

    fn no_points(&self, name: &str) -> ArrayError {
        ArrayError::kernel(name, &self.field.text(), "the array does not hold such coordinates")
    }
}

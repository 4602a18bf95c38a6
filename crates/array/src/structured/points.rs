//! Points from affine coordinates and back: x and y, each of as many coordinates over the prime field as the curve's field
//! has. The neutral element of Weierstrass curves is (0, 0), which lies on none that has kernels: these have no point of
//! order 2.

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_descriptions::{CurveShape, Tower};

use super::coordinates::Coordinates;
use super::{Structured, StructuredArray, StructuredView};
use crate::error::ArrayError;

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
        let why = "there are arrays of points on Edwards curves, and on Weierstrass curves of odd order";
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
        let neutral = self.is_zero(affine)?;
        let zero = self.of_flags(vec![false; neutral.len()].into_iter())?;
        let low = self.of_flags(neutral.into_iter())?;
        let mut flag = vec![zero; over.degree()];
        flag[0] = low;
        let flag = self.from_coordinates(&flag)?;
        over.join(&[&x, &over.add(&y, &flag)?, &over.compute(&Operation::SUB, &[&one, &flag])?])
    }

    /// x and y of points.
    ///
    /// # Errors
    /// As [`Structured::points`].
    pub fn affine<'a>(&self, points: impl Into<StructuredView<'a>>) -> Result<StructuredArray, ArrayError> {
        let over = self.with_sums("affine")?;
        let all = over.split(points.into())?;
        let [x, y, z, ..] = &all[..] else { return Err(self.no_points("affine")) };
        let inverse = over.compute(&Operation::INVERSE, &[z])?;
        over.join(&[&over.mul(x, &inverse)?, &over.mul(y, &inverse)?])
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
        Ok(holds.into_iter().zip(self.is_zero(affine)?).map(|(holds, neutral)| holds || neutral).collect())
    }

    fn two(&self, over: &Coordinates, affine: StructuredView) -> Result<[StructuredArray; 2], ArrayError> {
        over.split(affine)?.try_into().map_err(|_| self.no_points("points"))
    }

    fn no_points(&self, name: &str) -> ArrayError {
        ArrayError::kernel(name, &self.field.text(), "the array does not hold such coordinates")
    }
}

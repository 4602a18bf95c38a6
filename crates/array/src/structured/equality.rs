//! Which elements are equal, and which are 0.

use evariste_algorithms::curve::coordinates;

use super::{Structured, StructuredView};
use crate::error::{ArrayError, same_length};

impl Structured {
    /// Which elements are equal: of points, which are the same point in whatever coordinates.
    ///
    /// # Errors
    /// Arrays of another engine, of different lengths or numbers of coordinates.
    pub fn equal<'a, 'b>(
        &self,
        a: impl Into<StructuredView<'a>>,
        b: impl Into<StructuredView<'b>>,
    ) -> Result<Vec<bool>, ArrayError> {
        let (a, b) = (a.into(), b.into());
        same_length("equal", a.len(), b.len())?;
        if a.count() != b.count() {
            let why = format!("elements of {} and of {} coordinates", a.count(), b.count());
            return Err(ArrayError::kernel("equal", &self.field.text(), why));
        }
        match self.of_points().filter(|over| coordinates::count(over.curve) == a.count()) {
            None => self.equal_coordinates(a, b),
            Some(over) => {
                // Of (X : Y : Z) the quotients X/Z and Y/Z; the neutral element, whose Z is 0, has X = 0 and no such Y.
                let (a, b) = (over.split(a)?, over.split(b)?);
                let same = |i: usize| {
                    let (left, right) = (over.mul(&a[i], &b[2])?, over.mul(&b[i], &a[2])?);
                    self.equal_coordinates(left.view(), right.view())
                };
                Ok(same(0)?.into_iter().zip(same(1)?).map(|(x, y)| x && y).collect())
            }
        }
    }

    /// Which elements have the same coordinates.
    pub(super) fn equal_coordinates(&self, a: StructuredView, b: StructuredView) -> Result<Vec<bool>, ArrayError> {
        self.of_coordinates(a.len(), a.count(), |c| {
            let [a, b] = [self.coordinate(a, c)?, self.coordinate(b, c)?];
            Ok(self.ground.equal(&self.ground.canonical(&a)?, &self.ground.canonical(&b)?)?.to_flags())
        })
    }

    /// Which elements have no coordinate but 0.
    ///
    /// # Errors
    /// An array of another engine.
    pub fn is_zero<'a>(&self, a: impl Into<StructuredView<'a>>) -> Result<Vec<bool>, ArrayError> {
        let a = a.into();
        self.of_coordinates(a.len(), a.count(), |c| {
            Ok(self.ground.is_zero(&self.ground.canonical(&self.coordinate(a, c)?)?)?.to_flags())
        })
    }

    /// What holds for all coordinates.
    fn of_coordinates(
        &self,
        len: usize,
        count: usize,
        flags: impl Fn(usize) -> Result<Vec<bool>, ArrayError>,
    ) -> Result<Vec<bool>, ArrayError> {
        let mut all = vec![true; len];
        for c in 0..count {
            all.iter_mut().zip(flags(c)?).for_each(|(all, flag)| *all &= flag);
        }
        Ok(all)
    }
}

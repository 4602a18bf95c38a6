//! Elements that move from place to place: what indices, transpositions and broadcasts of arrays of any number of
//! dimensions are made of.
//!
//! When not to use it: for parts that start where a vector starts, which [`View`] gives without a copy.

use crate::array::Array;
use crate::engine::{Engine, Kernels};
use crate::error::ArrayError;
use crate::form::Resting;

/// Places of elements in an array: those of an array of several dimensions, as a first place and a step for each
/// dimension (0: the same element again, negative: backwards), or any, one by one.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// The last dimension changes fastest.
    Strided {
        /// Of the element whose indices are all 0.
        first: isize,
        /// How many indices each dimension has.
        shape: &'a [usize],
        /// How far apart neighbours of each dimension are.
        steps: &'a [isize],
    },
    /// In that order.
    Listed(&'a [i64]),
}

impl Places<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Places::Strided { shape, .. } => shape.iter().fold(1usize, |all, count| all.saturating_mul(*count)),
            Places::Listed(places) => places.len(),
        }
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Are all of them in an array of so many elements?
    fn inside(&self, len: usize) -> bool {
        let within = |place: isize| place >= 0 && (place as usize) < len;
        match self {
            _ if self.is_empty() => true,
            Places::Strided { first, shape, steps } => {
                // Sums of the farthest steps; what overflows is outside.
                let ends = shape.iter().zip(*steps).try_fold((*first, *first), |(low, high), (count, step)| {
                    let far = step.checked_mul(isize::try_from(count - 1).ok()?)?;
                    Some((low.checked_add(far.min(0))?, high.checked_add(far.max(0))?))
                });
                shape.len() == steps.len() && ends.is_some_and(|(low, high)| within(low) && within(high))
            }
            Places::Listed(places) => places.iter().all(|place| within(*place as isize)),
        }
    }

    /// The first place, where they are neighbours in the order of memory.
    fn run(&self) -> Option<usize> {
        let Places::Strided { first, shape, steps } = self else { return None };
        let mut step = 1;
        for (count, own) in shape.iter().zip(*steps).rev().filter(|(count, _)| **count != 1) {
            if *own != step {
                return None;
            }
            step *= *count as isize;
        }
        Some(*first as usize)
    }

    /// Calls `each(number, place, count, step)` for rows of the last dimension of places that are inside: how many there
    /// are from one place on, and how far apart. Listed places are rows of one.
    fn rows(&self, mut each: impl FnMut(usize, usize, usize, isize)) {
        match self {
            _ if self.is_empty() => {}
            Places::Listed(places) => places.iter().enumerate().for_each(|(i, place)| each(i, *place as usize, 1, 1)),
            Places::Strided { first, shape, steps } => {
                let (inner, step) = shape.last().zip(steps.last()).map_or((1, 0), |(count, step)| (*count, *step));
                let outer = shape.len().saturating_sub(1);
                let (mut indices, mut start, mut number) = (vec![0; outer], *first, 0);
                loop {
                    each(number, start as usize, inner, step);
                    number += inner;
                    // The next row: an index that is at its end starts again, and the one before it goes on.
                    let next = (0..outer).rev().find(|axis| {
                        indices[*axis] += 1;
                        start += steps[*axis];
                        let more = indices[*axis] < shape[*axis];
                        if !more {
                            start -= steps[*axis] * shape[*axis] as isize;
                            indices[*axis] = 0;
                        }
                        more
                    });
                    if next.is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// Calls `each(number, place, count)` for all of them, which are inside: for neighbours together, where there are so
    /// many in a row.
    fn runs(&self, least: usize, mut each: impl FnMut(usize, usize, usize)) {
        if let Some(first) = self.run().filter(|_| !self.is_empty()) {
            return each(0, first, self.len());
        }
        self.rows(|number, place, count, step| match step {
            1 if count >= least => each(number, place, count),
            _ => (0..count).for_each(|i| each(number + i, (place as isize + step * i as isize) as usize, 1)),
        });
    }
}

impl Kernels {
    /// Elements of so many digits, from these places, which there are, one behind the other.
    pub(crate) fn gather(&self, digits: usize, from: &[u64], to: &mut [u64], places: Places) {
        places.runs(self.lanes(), |number, place, count| self.move_run(digits, (from, place), (to, number), count));
    }

    /// `len` elements of so many digits, or one for all, to these places, which there are.
    pub(crate) fn scatter(&self, digits: usize, from: &[u64], to: &mut [u64], places: Places, len: usize) {
        if len == 1 {
            places.runs(usize::MAX, |_, place, count| {
                (place..place + count).for_each(|place| self.move_run(digits, (from, 0), (to, place), 1));
            });
            return;
        }
        places.runs(self.lanes(), |number, place, count| self.move_run(digits, (from, number), (to, place), count));
    }
}

impl Engine {
    /// That many zeros.
    pub fn zeros(&self, len: usize) -> Array {
        self.fresh(len)
    }

    /// The elements at these places, one behind the other.
    ///
    /// # Errors
    /// A foreign array; a place that the array does not have.
    pub fn gather(&self, a: &Array, places: Places) -> Result<Array, ArrayError> {
        let mut out = self.fresh(places.len());
        self.gather_into(&mut out, a, places)?;
        Ok(out)
    }

    /// `out[i] = a[place i]`.
    ///
    /// # Errors
    /// As [`Engine::gather`]; different lengths.
    pub fn gather_into(&self, out: &mut Array, a: &Array, places: Places) -> Result<(), ArrayError> {
        self.moves("gather", out, a, out.len, a.len, places)?;
        self.kernels.gather(self.kernels.digits(), a.storage.words(), out.storage.words_mut(), places);
        Ok(())
    }

    /// `out[place i] = a[i]`; where a place is named twice, the last one counts. An array of one element is written to
    /// all places.
    ///
    /// # Errors
    /// A foreign array; a place that `out` does not have; different lengths.
    pub fn scatter(&self, out: &mut Array, places: Places, a: &Array) -> Result<(), ArrayError> {
        let one = a.len == 1;
        let len = if one { places.len() } else { a.len };
        self.moves("scatter", out, a, len, out.len, places)?;
        self.kernels.scatter(self.kernels.digits(), a.storage.words(), out.storage.words_mut(), places, a.len);
        Ok(())
    }

    /// Are both arrays of this engine, as many elements moved as there are, and all places in the array of `len`
    /// elements?
    fn moves(
        &self,
        name: &'static str,
        out: &Array<Resting>,
        a: &Array<Resting>,
        moved: usize,
        len: usize,
        places: Places,
    ) -> Result<(), ArrayError> {
        self.own(name, &out.kernels)?;
        self.own(name, &a.kernels)?;
        crate::error::same_length(name, moved, places.len())?;
        self.inside(places, len)
    }

    /// Are all places in an array of `len` elements?
    pub(crate) fn inside(&self, places: Places, len: usize) -> Result<(), ArrayError> {
        if places.inside(len) {
            return Ok(());
        }
        let lanes = self.lanes();
        Err(ArrayError::View { start: 0, end: places.len(), len, lanes, why: "a place is outside of it" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(places: Places) -> Vec<usize> {
        let mut found = Vec::new();
        places.runs(3, |number, place, count| {
            assert_eq!(number, found.len());
            assert!(count == 1 || count >= 3 || places.run().is_some());
            found.extend(place..place + count);
        });
        found
    }

    #[test]
    fn strided_places_go_through_the_last_dimension_first() {
        let places = |first, shape, steps| Places::Strided { first, shape, steps };
        assert_eq!(all(places(5, &[2, 3], &[10, -2])), [5, 3, 1, 15, 13, 11]);
        assert_eq!(all(places(7, &[], &[])), [7]);
        assert_eq!(all(places(1, &[2, 1, 2], &[0, 9, 3])), [1, 4, 1, 4]);
        assert_eq!(all(places(0, &[3, 0], &[1, 1])), [0; 0]);
        assert_eq!(all(places(1, &[2, 3], &[10, 1])), [1, 2, 3, 11, 12, 13]);
        assert_eq!(all(places(1, &[2, 2], &[10, 1])), [1, 2, 11, 12]);
        assert_eq!(places(5, &[2, 1, 3], &[3, 99, 1]).run(), Some(5));
        assert_eq!(places(5, &[2, 3], &[4, 1]).run(), None);
    }

    #[test]
    fn places_outside_are_seen() {
        let inside = |first, shape: &[usize], steps: &[isize], len| Places::Strided { first, shape, steps }.inside(len);
        assert!(inside(5, &[2, 3], &[10, -2], 16) && !inside(5, &[2, 3], &[10, -2], 15));
        assert!(!inside(3, &[3], &[-2], 10) && !inside(0, &[2], &[isize::MAX], 10) && !inside(0, &[2], &[], 10));
        assert!(inside(99, &[0], &[1], 0));
        assert!(
            Places::Listed(&[0, 4]).inside(5) && !Places::Listed(&[-1]).inside(5) && !Places::Listed(&[5]).inside(5)
        );
    }
}

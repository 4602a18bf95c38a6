//! Arithmetic on whole arrays in the field that a curve's coordinates are of: a prime field, or a tower.

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_descriptions::Curve;
use num_bigint::BigUint;

use super::{Structured, StructuredArray, StructuredView};
use crate::array::Array;
use crate::elementwise::Source;
use crate::engine::Engine;
use crate::error::ArrayError;
use crate::places::Places;

/// The field of a curve's coordinates.
pub(super) struct Coordinates<'a> {
    pub curve: &'a Curve,
    own: &'a Structured,
    /// The tower that the curve stands on; none of prime fields.
    tower: Option<Structured>,
}

impl Structured {
    /// The field that coordinates of points are of; none of what is no curve.
    pub(super) fn of_points(&self) -> Option<Coordinates<'_>> {
        let curve = self.field.get::<Curve>()?;
        let tower = self.below.as_ref().map(|below| Structured { ground: self.ground.clone(), ..(**below).clone() });
        Some(Coordinates { curve, own: self, tower })
    }

    /// One element of the prime field for each flag: 1 where it is set, else 0.
    pub(super) fn of_flags(&self, flags: impl ExactSizeIterator<Item = bool>) -> Result<Array, ArrayError> {
        let each = self.ground.words_per_element();
        let mut words = vec![0u64; flags.len() * each];
        words.iter_mut().step_by(each).zip(flags).for_each(|(word, flag)| *word = u64::from(flag));
        self.ground.from_words(&words)
    }
}

impl Coordinates<'_> {
    fn ground(&self) -> &Engine {
        &self.own.ground
    }

    /// How many coordinates over the prime field one over this field is.
    pub fn degree(&self) -> usize {
        self.tower.as_ref().map_or(1, |tower| tower.degree())
    }

    /// The coordinates over this field of elements of several.
    pub fn split(&self, array: StructuredView) -> Result<Vec<StructuredArray>, ArrayError> {
        let all = self.own.coordinates(array)?;
        all.chunks(self.degree()).map(|part| self.own.from_coordinates(part)).collect()
    }

    /// Elements of several coordinates over this field.
    pub fn join(&self, parts: &[&StructuredArray]) -> Result<StructuredArray, ArrayError> {
        let all = parts.iter().map(|part| self.own.coordinates(*part)).collect::<Result<Vec<_>, _>>()?;
        self.own.from_coordinates(&all.concat())
    }

    /// One operation of the field.
    pub fn compute(&self, operation: &Operation, operands: &[&StructuredArray]) -> Result<StructuredArray, ArrayError> {
        if let Some(tower) = &self.tower {
            return tower.compute(operation, &operands.iter().map(|a| (*a).into()).collect::<Vec<_>>());
        }
        let all = operands.iter().map(|a| self.own.coordinate(*a, 0)).collect::<Result<Vec<_>, _>>()?;
        if *operation == Operation::INVERSE {
            return self.own.from_coordinates(&[self.ground().inverse(&all[0])?]);
        }
        let mut out: Array = self.ground().fresh(all.first().map_or(0, Array::len));
        let sources: Vec<Source<_>> = all.iter().map(|a| Source::View(a.view())).collect();
        self.ground().apply("points", operation, out.view_mut(), &sources)?;
        self.own.from_coordinates(&[out])
    }

    pub fn mul(&self, a: &StructuredArray, b: &StructuredArray) -> Result<StructuredArray, ArrayError> {
        self.compute(&Operation::MUL, &[a, b])
    }

    pub fn add(&self, a: &StructuredArray, b: &StructuredArray) -> Result<StructuredArray, ArrayError> {
        self.compute(&Operation::ADD, &[a, b])
    }

    /// So many times one element of the field.
    pub fn constant(&self, number: &BigUint, len: usize) -> Result<StructuredArray, ArrayError> {
        let one = match &self.tower {
            Some(tower) => tower.from_numbers(Holds::Element, std::slice::from_ref(number))?,
            None => self.own.from_coordinates(&[self.ground().from_integers(std::slice::from_ref(number))?])?,
        };
        self.own.gather(&one, Places::Strided { first: 0, shape: &[len], steps: &[0] })
    }
}

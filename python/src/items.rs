//! Elements of several coordinates, one behind the other: what an array of a tower's elements or of points holds.
//!
//! The same steps as on elements of a field (`elements.rs`), with the engine of structures.

use std::ops::Range;
use std::sync::Arc;

use evariste::BigUint;
use evariste::array::{ArrayError, Endian, Operand, Places, Structured, StructuredArray, StructuredView};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{array_exception, free, in_blocks, in_growing_blocks};
use crate::field::endian;
use crate::held::Held;
use crate::structure::{BLOCK, Shared, computed, put};

/// Some elements of one structure: all of an array, or a part of what was in one, which is only read.
#[pyclass(frozen, module = "evariste._core")]
pub struct Items {
    shared: Arc<Shared>,
    pub held: Held<StructuredArray>,
}

/// What is in it at a moment.
type Now = crate::held::Now<StructuredArray>;

impl Now {
    fn slice(&self, range: Range<usize>) -> Result<StructuredView<'_>, ArrayError> {
        self.array.slice(self.within(range))
    }

    fn all(&self) -> Result<StructuredView<'_>, ArrayError> {
        self.slice(0..self.len())
    }
}

impl Items {
    pub fn new(shared: &Arc<Shared>, array: StructuredArray) -> Items {
        Items { shared: shared.clone(), held: Held::new(array) }
    }

    fn engine(&self, py: Python) -> PyResult<Structured> {
        free(py, || self.shared.engine())
    }

    /// All that is in it, one behind the other from the start of an array on.
    fn whole(&self, engine: &Structured) -> Result<Arc<StructuredArray>, ArrayError> {
        let now = self.held.now();
        if now.is_whole() {
            return Ok(now.array);
        }
        let place = Places::Strided { first: now.place.start as isize, shape: &[now.len()], steps: &[1] };
        Ok(Arc::new(engine.gather(&now.array, place)?))
    }

    /// An operation of some operands.
    fn computed(&self, py: Python, operation: &str, operands: &[&Now]) -> PyResult<Items> {
        let engine = self.engine(py)?;
        let views = operands.iter().map(|now| Ok(Operand::from(now.all()?))).collect::<Result<Vec<_>, ArrayError>>();
        let views = views.map_err(|error| array_exception(&error))?;
        Ok(Items::new(&self.shared, computed(py, &engine, operation, &views)?))
    }

    /// Results of so many coordinates each, block by block.
    fn by_blocks(
        &self,
        py: Python,
        engine: &Structured,
        (len, count): (usize, usize),
        compute: impl Fn(Range<usize>) -> Result<StructuredArray, ArrayError> + Sync,
    ) -> PyResult<Items> {
        let mut out = free(py, || Ok(engine.zeros(len, count)))?;
        in_growing_blocks(py, len, engine.ground().lanes() * engine.ground().threads(), |range| {
            put(engine, &mut out, range.start, &compute(range)?)
        })?;
        Ok(Items::new(&self.shared, out))
    }

    /// Flags of elements, block by block.
    fn flags<'py>(
        py: Python<'py>,
        len: usize,
        flags: impl Fn(Range<usize>) -> Result<Vec<bool>, ArrayError> + Sync,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut all = Vec::with_capacity(len);
        in_blocks(py, len, BLOCK, |range| {
            all.extend(flags(range)?);
            Ok(())
        })?;
        Ok(PyArray1::from_vec(py, all))
    }

    /// Changes what is in it; who computes with it meanwhile has what was there.
    fn written(
        &self,
        py: Python,
        source: &Items,
        change: impl FnOnce(&Structured, &mut StructuredArray, &StructuredArray) -> Result<(), ArrayError> + Send,
    ) -> PyResult<()> {
        let engine = self.engine(py)?;
        free(py, || {
            let source = source.whole(&engine)?;
            Ok(self.held.change(|array| change(&engine, array, &source))?)
        })
    }

    /// Canonical words or bytes of all coordinates, element by element.
    fn unpacked<T: Copy + Default + Send>(
        &self,
        py: Python,
        each: usize,
        unpack: impl Fn(&Structured, &evariste::array::Array) -> Result<Vec<T>, ArrayError> + Sync,
    ) -> PyResult<Vec<T>> {
        let (a, engine) = (self.held.now(), self.engine(py)?);
        let count = a.array.count();
        let row = each * count;
        let mut all = vec![T::default(); a.len() * row];
        in_blocks(py, a.len(), BLOCK, |range| {
            let part = &mut all[range.start * row..range.end * row];
            for c in 0..count {
                let own = unpack(&engine, &engine.coordinate(a.slice(range.clone())?, c)?)?;
                part.chunks_exact_mut(row)
                    .zip(own.chunks_exact(each))
                    .for_each(|(to, from)| to[c * each..(c + 1) * each].copy_from_slice(from));
            }
            Ok(())
        })?;
        Ok(all)
    }
}

#[pymethods]
impl Items {
    fn __len__(&self) -> usize {
        self.held.now().len()
    }

    /// Some of the elements as they are now, from one on that starts a vector: without a copy.
    fn part(&self, py: Python, first: usize, len: usize) -> PyResult<Items> {
        let now = self.held.now();
        free(py, || {
            let place = now.within(first..first + len);
            now.array.slice(place.clone())?;
            Ok(Items { shared: self.shared.clone(), held: Held::part(now, place) })
        })
    }

    /// `a + b`, `a − b`, `a·b`; one of the operands may be a single element.
    fn binary(&self, py: Python, operation: &str, other: &Items) -> PyResult<Items> {
        let (a, b) = (self.held.now(), other.held.now());
        match operation {
            "multiply" if a.is(&b) => self.computed(py, "square", &[&a]),
            "multiply" => self.computed(py, "mul", &[&a, &b]),
            "subtract" => self.computed(py, "sub", &[&a, &b]),
            other => self.computed(py, other, &[&a, &b]),
        }
    }

    /// An operation of one operand, by its name.
    fn unary(&self, py: Python, operation: &str) -> PyResult<Items> {
        self.computed(py, operation, &[&self.held.now()])
    }

    /// `−a`.
    fn negative(&self, py: Python) -> PyResult<Items> {
        self.unary(py, "opp")
    }

    /// `a²`.
    fn square(&self, py: Python) -> PyResult<Items> {
        self.unary(py, "square")
    }

    /// `a^e`; the exponent's bytes, lowest first.
    fn power(&self, py: Python, exponent: &[u8]) -> PyResult<Items> {
        let (a, engine, exponent) = (self.held.now(), self.engine(py)?, BigUint::from_bytes_le(exponent));
        let count = a.array.count();
        self.by_blocks(py, &engine, (a.len(), count), |range| engine.power(a.slice(range)?, &exponent))
    }

    /// `1/a`, and the place of the first 0, which has none.
    fn inverse(&self, py: Python) -> PyResult<(Items, Option<usize>)> {
        let (a, engine) = (self.held.now(), self.engine(py)?);
        let zero = free(py, || Ok(engine.is_zero(a.all()?)?.iter().position(|zero| *zero)))?;
        Ok((self.computed(py, "inv", &[&a])?, zero))
    }

    /// `a·b + c`.
    fn multiply_add(&self, py: Python, b: &Items, c: &Items) -> PyResult<Items> {
        self.binary(py, "multiply", b)?.binary(py, "add", c)
    }

    /// `a + c·b` for a single element c.
    fn plus_multiple(&self, py: Python, b: &Items, c: &Items) -> PyResult<Items> {
        b.binary(py, "multiply", c)?.binary(py, "add", self)
    }

    /// Which elements are equal.
    fn equal<'py>(&self, py: Python<'py>, other: &Items) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (a, b, engine) = (self.held.now(), other.held.now(), self.engine(py)?);
        if a.len() != b.len() {
            let (left, right) = (a.len(), b.len());
            return Err(array_exception(&ArrayError::Length { operation: "equal", left, right }));
        }
        Items::flags(py, a.len(), |range| engine.equal(a.slice(range.clone())?, b.slice(range)?))
    }

    /// Sums or products of rows of `width` elements, a whole number of vectors, to one row: by halves.
    fn fold(&self, py: Python, operation: &str, rows: usize, width: usize) -> PyResult<Items> {
        let (mut left, engine, mut rows) = (self.held.now(), self.engine(py)?, rows);
        let name = if operation == "multiply" { "mul" } else { operation };
        while rows > 1 {
            let half = rows / 2;
            let upper = rows - half;
            let cut = |from: usize, to: usize| left.slice(from * width..to * width).map_err(|e| array_exception(&e));
            let sums = computed(py, &engine, name, &[cut(0, half)?.into(), cut(upper, rows)?.into()])?;
            let shapes = [[upper * width], [half * width]];
            let place =
                |from: usize, i: usize| Places::Strided { first: from as isize, shape: &shapes[i], steps: &[1] };
            let new = if upper == half {
                sums
            } else {
                free(py, || {
                    let mut all = engine.gather(&left.array, place(left.place.start, 0))?;
                    engine.scatter(&mut all, place(0, 1), &sums)?;
                    Ok(all)
                })?
            };
            left = Now { place: 0..new.len(), array: Arc::new(new) };
            rows = upper;
        }
        let shape = [width];
        let places = Places::Strided { first: left.place.start as isize, shape: &shape, steps: &[1] };
        free(py, || Ok(Items::new(&self.shared, engine.gather(&left.array, places)?)))
    }

    /// The elements at places of an array of several dimensions.
    fn gather(&self, py: Python, first: isize, shape: Vec<usize>, steps: Vec<isize>) -> PyResult<Items> {
        let (now, engine) = (self.held.now(), self.engine(py)?);
        let first = first.saturating_add_unsigned(now.place.start);
        free(py, || {
            let places = Places::Strided { first, shape: &shape, steps: &steps };
            Ok(Items::new(&self.shared, engine.gather(&now.array, places)?))
        })
    }

    /// The elements at these places.
    fn gather_list(&self, py: Python, places: PyReadonlyArray1<i64>) -> PyResult<Items> {
        let (engine, places) = (self.engine(py)?, places.as_slice()?);
        free(py, || Ok(Items::new(&self.shared, engine.gather(&*self.whole(&engine)?, Places::Listed(places))?)))
    }

    /// Writes elements, or a single one, to places of an array of several dimensions.
    fn scatter(&self, py: Python, first: isize, shape: Vec<usize>, steps: Vec<isize>, source: &Items) -> PyResult<()> {
        self.written(py, source, |engine, array, source| {
            engine.scatter(array, Places::Strided { first, shape: &shape, steps: &steps }, source)
        })
    }

    /// Writes elements, or a single one, to these places.
    fn scatter_list(&self, py: Python, places: PyReadonlyArray1<i64>, source: &Items) -> PyResult<()> {
        let places = places.as_slice()?;
        self.written(py, source, |engine, array, source| engine.scatter(array, Places::Listed(places), source))
    }

    /// Takes over what another array of the same length holds.
    fn take_over(&self, py: Python, source: &Items) -> PyResult<()> {
        if !Arc::ptr_eq(&self.shared, &source.shared) {
            return Err(PyTypeError::new_err("the arrays are of different fields"));
        }
        let engine = self.engine(py)?;
        free(py, || {
            self.held.replace(source.whole(&engine)?);
            Ok(())
        })
    }

    /// x and y of points.
    fn affine(&self, py: Python) -> PyResult<Items> {
        let (a, engine) = (self.held.now(), self.engine(py)?);
        let count = if self.shared.is_edwards() { a.array.count() / 2 } else { a.array.count() / 3 * 2 };
        self.by_blocks(py, &engine, (a.len(), count), |range| engine.affine(a.slice(range)?))
    }

    /// The same, (0, 0) for every neutral element of Weierstrass curves: as pairings take points.
    fn affine_or_zeros(&self, py: Python) -> PyResult<Items> {
        let (a, engine) = (self.held.now(), self.engine(py)?);
        let count = a.array.count() / 3 * 2;
        self.by_blocks(py, &engine, (a.len(), count), |range| engine.affine_or_zeros(a.slice(range)?))
    }

    /// Canonical words of all coordinates, lowest first.
    fn to_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let each = self.engine(py)?.ground().words_per_element();
        let words = self.unpacked(py, each, |engine, a| {
            let mut words = vec![0; a.len() * each];
            engine.ground().to_words_into(&mut words, a)?;
            Ok(words)
        })?;
        Ok(PyArray1::from_vec(py, words))
    }

    /// Canonical bytes of all coordinates, lowest first.
    fn to_bytes<'py>(&self, py: Python<'py>, big: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (each, order): (usize, Endian) = (self.engine(py)?.ground().bytes_per_element(), endian(big));
        Ok(PyBytes::new(py, &self.unpacked(py, each, |engine, a| engine.ground().to_bytes(a, order))?))
    }
}

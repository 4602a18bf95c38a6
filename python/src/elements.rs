//! Elements one behind the other, in the order of lanes: what an array for Python holds, whatever its shape.
//!
//! Computations take what is in an array when they start and write to new memory, so neither a broken computation nor
//! one on another thread leaves half a result.

use std::ops::Range;
use std::sync::Arc;

use evariste::array::{Array, ArrayError, Engine, Places, View};
use evariste::{BigUint, Error};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{array_exception, free, in_blocks};
use crate::field::{BLOCK, Inner, endian};
use crate::held::Held;

/// Elements of a computation of many products each, between two looks at signals.
const SLOW_BLOCK: usize = 1 << 15;
/// Products of elements between two looks at signals: what is made ready of the right factor is, each time anew.
const PRODUCTS: usize = 1 << 25;

/// Some elements of one field: all of an array, or a part of what was in one, which is only read.
#[pyclass(frozen, module = "evariste._core")]
pub struct Elements {
    inner: Arc<Inner>,
    held: Held<Array>,
}

/// What is in elements at a moment.
type Now = crate::held::Now<Array>;

impl Now {
    /// A copy of a part, which may start anywhere.
    fn copy_range(&self, range: Range<usize>) -> Result<Array, ArrayError> {
        self.array.copy_range(self.within(range))
    }

    /// A part that starts where a vector starts.
    fn slice(&self, range: Range<usize>) -> Result<View<'_>, ArrayError> {
        self.array.slice(self.within(range))
    }

    fn all(&self) -> Result<View<'_>, ArrayError> {
        self.slice(0..self.len())
    }
}

impl Elements {
    pub fn new(inner: &Arc<Inner>, array: Array) -> Elements {
        Elements { inner: inner.clone(), held: Held::new(array) }
    }

    /// What is in it now.
    fn now(&self) -> Now {
        self.held.now()
    }

    /// All that is in it, one behind the other from the start of an array on.
    fn whole(&self, engine: &Engine) -> Result<Arc<Array>, ArrayError> {
        let now = self.now();
        if now.is_whole() {
            return Ok(now.array);
        }
        let place = Places::Strided { first: now.place.start as isize, shape: &[now.len()], steps: &[1] };
        Ok(Arc::new(engine.gather(&now.array, place)?))
    }

    fn engine(&self, py: Python) -> PyResult<Engine> {
        free(py, || self.inner.engine())
    }

    /// A new array, filled block by block.
    fn filled(
        &self,
        py: Python,
        len: usize,
        block: usize,
        job: impl Fn(&Engine, &mut Array, Range<usize>) -> Result<(), ArrayError> + Sync,
    ) -> PyResult<Elements> {
        let engine = self.engine(py)?;
        let mut out = free(py, || self.inner.room(&engine, len))?;
        in_blocks(py, len, block, |range| job(&engine, &mut out, range))?;
        Ok(Elements::new(&self.inner, out))
    }

    /// Steps on single elements of one operand.
    fn each(
        &self,
        py: Python,
        block: usize,
        job: impl Fn(&Engine, &mut Array, &Now, Range<usize>) -> Result<(), ArrayError> + Sync,
    ) -> PyResult<Elements> {
        let a = self.now();
        self.filled(py, a.len(), block, |engine, out, range| job(engine, out, &a, range))
    }

    /// The only element of an array as a number; none of longer ones.
    fn constant(&self, engine: &Engine, a: &Now) -> Result<Option<BigUint>, ArrayError> {
        if a.len() == 1 { Ok(engine.to_integers(a.all()?)?.pop()) } else { Ok(None) }
    }
}

/// Memory that nobody else holds is used again.
impl Drop for Elements {
    fn drop(&mut self) {
        if let Some(array) = self.held.alone()
            && let Ok(engine) = self.inner.engine()
        {
            let array = std::mem::replace(array, engine.zeros(0));
            self.inner.give_back(array);
        }
    }
}

/// Places of an array of several dimensions.
struct Strided {
    first: isize,
    shape: Vec<usize>,
    steps: Vec<isize>,
}

impl Strided {
    fn places(&self) -> Places<'_> {
        Places::Strided { first: self.first, shape: &self.shape, steps: &self.steps }
    }
}

#[pymethods]
impl Elements {
    fn __len__(&self) -> usize {
        self.now().len()
    }

    /// Some of the elements as they are now, from one on that starts a vector: without a copy.
    fn part(&self, py: Python, first: usize, len: usize) -> PyResult<Elements> {
        let now = self.now();
        free(py, || {
            let place = now.within(first..first + len);
            now.array.slice(place.clone())?;
            Ok(Elements { inner: self.inner.clone(), held: Held::part(now, place) })
        })
    }

    /// `a + b`, `a − b`, `a·b`; the second operand may be a single element.
    fn binary(&self, py: Python, operation: &str, other: &Elements) -> PyResult<Elements> {
        let (a, b, engine) = (self.now(), other.now(), self.engine(py)?);
        let constant = free(py, || Ok(if a.len() == 1 { None } else { self.constant(&engine, &b)? }))?;
        let same = a.is(&b);
        match (operation, constant) {
            ("add", None) => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.add_into(out.slice_mut(range.clone())?, a.slice(range.clone())?, part(&b, &a, range)?)
            }),
            ("subtract", None) => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.sub_into(out.slice_mut(range.clone())?, a.slice(range.clone())?, part(&b, &a, range)?)
            }),
            ("multiply", None) if same => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.square_into(out.slice_mut(range.clone())?, a.slice(range)?)
            }),
            ("multiply", None) => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.mul_into(out.slice_mut(range.clone())?, a.slice(range.clone())?, part(&b, &a, range)?)
            }),
            ("add", Some(c)) => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.add_constant_into(out.slice_mut(range.clone())?, a.slice(range)?, &c)
            }),
            ("multiply", Some(c)) => self.filled(py, a.len(), BLOCK, |engine, out, range| {
                engine.mul_constant_into(out.slice_mut(range.clone())?, a.slice(range)?, &c)
            }),
            ("subtract", Some(c)) => {
                let minus = engine.field().order();
                let ring = engine.field().get::<evariste::builder::Modulus>().is_some();
                let minus = if ring && c != BigUint::ZERO { minus - c } else { c };
                self.filled(py, a.len(), BLOCK, |engine, out, range| {
                    engine.add_constant_into(out.slice_mut(range.clone())?, a.slice(range)?, &minus)
                })
            }
            (other, _) => Err(PyValueError::new_err(format!("there is no operation `{other}`"))),
        }
    }

    /// `−a`.
    fn negative(&self, py: Python) -> PyResult<Elements> {
        self.each(py, BLOCK, |engine, out, a, range| engine.neg_into(out.slice_mut(range.clone())?, a.slice(range)?))
    }

    /// `a²`.
    fn square(&self, py: Python) -> PyResult<Elements> {
        self.each(py, BLOCK, |engine, out, a, range| engine.square_into(out.slice_mut(range.clone())?, a.slice(range)?))
    }

    /// `a^e`; the exponent's bytes, lowest first.
    fn power(&self, py: Python, exponent: &[u8]) -> PyResult<Elements> {
        let exponent = BigUint::from_bytes_le(exponent);
        self.each(py, SLOW_BLOCK, |engine, out, a, range| {
            engine.power_into(out.slice_mut(range.clone())?, a.slice(range)?, &exponent)
        })
    }

    /// `1/a`, and the place of the first 0, which has none.
    fn inverse(&self, py: Python) -> PyResult<(Elements, Option<usize>)> {
        let inverse = self.each(py, SLOW_BLOCK, |engine, out, a, range| {
            engine.inverse_into(out.slice_mut(range.clone())?, a.slice(range)?)
        })?;
        let (engine, array) = (self.engine(py)?, inverse.now());
        let zero = free(py, || {
            Ok(engine.is_zero(&engine.canonical(array.all()?)?)?.to_flags().iter().position(|zero| *zero))
        })?;
        Ok((inverse, zero))
    }

    /// `a·b + c`, of equal length.
    fn multiply_add(&self, py: Python, b: &Elements, c: &Elements) -> PyResult<Elements> {
        let (a, b, c) = (self.now(), b.now(), c.now());
        self.filled(py, a.len(), BLOCK, |engine, out, range| {
            let [b, c] = [part(&b, &a, range.clone())?, part(&c, &a, range.clone())?];
            engine.mul_add_into(out.slice_mut(range.clone())?, a.slice(range)?, b, c)
        })
    }

    /// `a + c·b` for a single element c.
    fn plus_multiple(&self, py: Python, b: &Elements, c: &Elements) -> PyResult<Elements> {
        let (a, b, c, engine) = (self.now(), b.now(), c.now(), self.engine(py)?);
        let constant = free(py, || Ok(self.constant(&engine, &c)?))?;
        let constant = constant.ok_or_else(|| PyValueError::new_err("a coefficient is a single element"))?;
        self.filled(py, a.len(), BLOCK, |engine, out, range| {
            let (own, first) = (&[range.len()], (a.place.start + range.start) as isize);
            let mut sum = engine.gather(&a.array, Places::Strided { first, shape: own, steps: &[1] })?;
            engine.mul_constant_add_assign(&mut sum, part(&b, &a, range.clone())?, &constant)?;
            engine.scatter(out, Places::Strided { first: range.start as isize, shape: own, steps: &[1] }, &sum)
        })
    }

    /// Which elements are equal.
    fn equal<'py>(&self, py: Python<'py>, other: &Elements) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (a, b, engine) = (self.now(), other.now(), self.engine(py)?);
        let mut flags = Vec::with_capacity(a.len());
        if a.len() != b.len() {
            let (left, right) = (a.len(), b.len());
            return Err(array_exception(&ArrayError::Length { operation: "equal", left, right }));
        }
        in_blocks(py, a.len(), BLOCK, |range| {
            let [x, y] = [engine.canonical(a.slice(range.clone())?)?, engine.canonical(part(&b, &a, range)?)?];
            flags.extend(engine.equal(&x, &y)?.to_flags());
            Ok(())
        })?;
        Ok(PyArray1::from_vec(py, flags))
    }

    /// The sums of `count` runs of `len` elements, each of which starts `pitch` behind the last.
    fn sums(&self, py: Python, count: usize, len: usize, pitch: usize) -> PyResult<Elements> {
        let (a, engine) = (self.now(), self.engine(py)?);
        let mut sums = Vec::with_capacity(count);
        in_blocks(py, count, (BLOCK * 8 / pitch.max(1)).max(1), |range| {
            for i in range {
                sums.push(engine.sum(a.slice(i * pitch..i * pitch + len)?)?);
            }
            Ok(())
        })?;
        free(py, || Ok(Elements::new(&self.inner, engine.from_integers(&sums)?)))
    }

    /// The inner products of `count` runs of two arrays, or with the one run that the other one has.
    fn dots(&self, py: Python, other: &Elements, count: usize, len: usize, pitch: usize) -> PyResult<Elements> {
        let (a, b, engine) = (self.now(), other.now(), self.engine(py)?);
        let mut sums = Vec::with_capacity(count);
        in_blocks(py, count, (BLOCK * 8 / pitch.max(1)).max(1), |range| {
            for i in range {
                let place = i * pitch..i * pitch + len;
                let other = if b.len() < a.len() { 0..len } else { place.clone() };
                sums.push(engine.dot(a.slice(place)?, b.slice(other)?)?);
            }
            Ok(())
        })?;
        free(py, || Ok(Elements::new(&self.inner, engine.from_integers(&sums)?)))
    }

    /// One row of `rows`, each of `width` elements (a multiple of the lanes): the sum or product of all.
    fn fold(&self, py: Python, operation: &str, rows: usize, width: usize) -> PyResult<Elements> {
        let engine = self.engine(py)?;
        let mut left = self.now();
        let mut rows = rows;
        while rows > 1 {
            let half = rows / 2;
            let upper = rows - half;
            let mut out = free(py, || self.inner.room(&engine, upper * width))?;
            in_blocks(py, half * width, BLOCK, |range| {
                let other = range.start + upper * width..range.end + upper * width;
                let (to, a, b) = (out.slice_mut(range.clone())?, left.slice(range)?, left.slice(other)?);
                if operation == "add" { engine.add_into(to, a, b) } else { engine.mul_into(to, a, b) }
            })?;
            if upper > half {
                let middle = half * width..upper * width;
                let place = Places::Strided { first: middle.start as isize, shape: &[width], steps: &[1] };
                free(py, || Ok(engine.scatter(&mut out, place, &left.copy_range(middle)?)?))?;
            }
            let new = Now { place: 0..out.len(), array: Arc::new(out) };
            if let Some(old) = Arc::into_inner(std::mem::replace(&mut left, new).array) {
                self.inner.give_back(old);
            }
            rows = upper;
        }
        let first = free(py, || Ok(left.copy_range(0..width)?))?;
        Ok(Elements::new(&self.inner, first))
    }

    /// The product of a matrix of m × k and one of k × n elements.
    fn matmul(&self, py: Python, other: &Elements, m: usize, k: usize, n: usize) -> PyResult<Elements> {
        let (a, b, engine) = (self.now(), other.now(), self.engine(py)?);
        let rows = (PRODUCTS / (k * n).max(1)).next_multiple_of(engine.lanes() * engine.threads()).max(1);
        let mut out = free(py, || self.inner.room(&engine, m.saturating_mul(n)))?;
        in_blocks(py, m, rows, |range| {
            let to = out.slice_mut(range.start * n..range.end * n)?;
            engine.matmul_into(to, a.slice(range.start * k..range.end * k)?, b.all()?, range.len(), k, n)
        })?;
        Ok(Elements::new(&self.inner, out))
    }

    /// The transforms of runs of `len` elements by a root of unity of that order, its bytes lowest first.
    fn transform(&self, py: Python, len: usize, root: &[u8]) -> PyResult<Elements> {
        let (a, engine, root) = (self.now(), self.engine(py)?, BigUint::from_bytes_le(root));
        let transform = free(py, || Ok(self.inner.transform(&engine, len, &root)?))?;
        if !a.len().is_multiple_of(len) {
            let (left, right) = (a.len(), len);
            return Err(array_exception(&ArrayError::Length { operation: "transform", left, right }));
        }
        self.filled(py, a.len(), len, |engine, out, range| {
            engine.transformed_into(&transform, out.slice_mut(range.clone())?, a.slice(range)?)
        })
    }

    /// The elements at places of an array of several dimensions.
    fn gather(&self, py: Python, first: isize, shape: Vec<usize>, steps: Vec<isize>) -> PyResult<Elements> {
        let (now, engine) = (self.now(), self.engine(py)?);
        let first = first.saturating_add_unsigned(now.place.start);
        free(py, || {
            let places = Places::Strided { first, shape: &shape, steps: &steps };
            let mut out = self.inner.room(&engine, places.len())?;
            engine.gather_into(&mut out, &now.array, places)?;
            Ok(Elements::new(&self.inner, out))
        })
    }

    /// The elements at these places.
    fn gather_list(&self, py: Python, places: PyReadonlyArray1<i64>) -> PyResult<Elements> {
        let (engine, places) = (self.engine(py)?, places.as_slice()?);
        free(py, || {
            let mut out = self.inner.room(&engine, places.len())?;
            engine.gather_into(&mut out, &*self.whole(&engine)?, Places::Listed(places))?;
            Ok(Elements::new(&self.inner, out))
        })
    }

    /// Writes elements, or a single one, to places of an array of several dimensions.
    fn scatter(
        &self,
        py: Python,
        first: isize,
        shape: Vec<usize>,
        steps: Vec<isize>,
        source: &Elements,
    ) -> PyResult<()> {
        let (engine, places) = (self.engine(py)?, Strided { first, shape, steps });
        let source = free(py, || Ok(source.whole(&engine)?))?;
        self.written(py, |array| Ok(engine.scatter(array, places.places(), &source)?))
    }

    /// Writes elements, or a single one, to these places.
    fn scatter_list(&self, py: Python, places: PyReadonlyArray1<i64>, source: &Elements) -> PyResult<()> {
        let (engine, places) = (self.engine(py)?, places.as_slice()?);
        let source = free(py, || Ok(source.whole(&engine)?))?;
        self.written(py, |array| Ok(engine.scatter(array, Places::Listed(places), &source)?))
    }

    /// Takes over what another array of the same length holds.
    fn take_over(&self, py: Python, source: &Elements) -> PyResult<()> {
        if !Arc::ptr_eq(&self.inner, &source.inner) {
            return Err(PyTypeError::new_err("the arrays are of different fields"));
        }
        let engine = self.engine(py)?;
        free(py, || {
            if let Some(old) = self.held.replace(source.whole(&engine)?) {
                self.inner.give_back(old);
            }
            Ok(())
        })
    }

    /// Nanoseconds that the engine alone takes for a product of all elements, each time: what operators are compared with.
    fn product_times(&self, py: Python, other: &Elements, rounds: usize) -> PyResult<Vec<u64>> {
        let (a, b, engine) = (self.now(), other.now(), self.engine(py)?);
        free(py, || {
            let (mut out, mut times) = (engine.zeros(a.len()), Vec::new());
            // Once untimed: memory that was never touched is slow.
            engine.mul_into(&mut out, a.all()?, b.all()?)?;
            for _ in 0..rounds {
                let start = std::time::Instant::now();
                engine.mul_into(&mut out, a.all()?, b.all()?)?;
                times.push(start.elapsed().as_nanos() as u64);
            }
            Ok(times)
        })
    }

    /// Canonical words, lowest first.
    fn to_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (a, engine) = (self.now(), self.engine(py)?);
        let each = engine.words_per_element();
        let mut words = vec![0u64; a.len() * each];
        in_blocks(py, a.len(), BLOCK, |range| {
            engine.to_words_into(&mut words[range.start * each..range.end * each], a.slice(range)?)
        })?;
        Ok(PyArray1::from_vec(py, words))
    }

    /// Canonical bytes.
    fn to_bytes<'py>(&self, py: Python<'py>, big: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (a, engine) = (self.now(), self.engine(py)?);
        let (each, endian) = (engine.bytes_per_element(), endian(big));
        PyBytes::new_with(py, a.len() * each, |bytes| {
            in_blocks(py, a.len(), BLOCK, |range| {
                engine.to_bytes_into(&mut bytes[range.start * each..range.end * each], a.slice(range)?, endian)
            })
        })
    }
}

impl Elements {
    /// Changes what is in it; who computes with it meanwhile has what was there.
    fn written(&self, py: Python, change: impl FnOnce(&mut Array) -> Result<(), Error> + Send) -> PyResult<()> {
        free(py, || self.held.change(change))
    }
}

/// The same part of a second operand, which has to be as long as the first.
fn part<'a>(b: &'a Now, a: &Now, range: Range<usize>) -> Result<View<'a>, ArrayError> {
    if a.len() == b.len() {
        return b.slice(range);
    }
    Err(ArrayError::Length { operation: "array", left: a.len(), right: b.len() })
}

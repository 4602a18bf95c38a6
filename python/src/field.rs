//! A field as Python's classes hold it: the description, the engine of its arrays, memory that is used again.

use std::sync::{Arc, Mutex, PoisonError};

use evariste::array::{Array, ArrayError, Endian, Engine, Options, Places, Transform};
use evariste::builder::{BinaryField, Modulus};
use evariste::{BigUint, Error, Field};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{array_exception, exception, free, in_blocks};
use crate::elements::Elements;
use crate::random::Draws;
use crate::threads::Current;

/// Words from which on an array's memory is kept for the next one, and how many such arrays are kept: to ask the system
/// for memory and to have it cleared takes as long as a product.
const LARGE: usize = 1 << 16;
const KEPT: usize = 4;
const MOST_KEPT: usize = 1 << 24;

/// Elements that are packed between two looks at signals.
pub const BLOCK: usize = 1 << 20;

/// What arrays of a field share.
pub struct Inner {
    pub field: Field,
    sliced: bool,
    engine: Current<Engine>,
    spare: Mutex<Vec<Array>>,
    /// Transforms that were made lately, by length and root.
    transforms: Mutex<Vec<(BigUint, Arc<Transform>)>>,
}

impl Inner {
    /// A transform of a length by a root; one of those made lately, if it is among them.
    pub fn transform(&self, engine: &Engine, len: usize, root: &BigUint) -> Result<Arc<Transform>, ArrayError> {
        let mut made = self.transforms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = made.iter().find(|(own, transform)| own == root && transform.len() == len) {
            return Ok(found.clone());
        }
        let new = Arc::new(engine.transform(len, root)?);
        if made.len() >= KEPT {
            made.remove(0);
        }
        made.push((root.clone(), new.clone()));
        Ok(new)
    }

    /// The engine, set up when it is first asked for, on the threads that are set now.
    pub fn engine(&self) -> Result<Engine, Error> {
        self.engine.get(|| {
            let options = Options { threads: 1, sliced: self.sliced, ..Options::default() };
            Ok(Engine::with(self.field.spec(), options)?)
        })
    }

    /// An array of that length whose content does not matter.
    ///
    /// # Errors
    /// More than the system has.
    pub fn room(&self, engine: &Engine, len: usize) -> Result<Array, Error> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        match spare.iter().position(|array| array.len() == len) {
            Some(place) => Ok(spare.swap_remove(place)),
            None => zeros(engine, len),
        }
    }

    /// Keeps the memory of an array that nobody needs.
    pub fn give_back(&self, array: Array) {
        let words = |array: &Array| array.len() * self.field.bits().div_ceil(32) as usize;
        if words(&array) < LARGE || words(&array) > MOST_KEPT {
            return;
        }
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        while spare.len() >= KEPT || spare.iter().map(words).sum::<usize>() + words(&array) > MOST_KEPT {
            if spare.is_empty() {
                break;
            }
            spare.remove(0);
        }
        spare.push(array);
    }
}

/// That many zeros, or the error that there is no memory for them: a failed allocation would end the process.
pub fn zeros(engine: &Engine, len: usize) -> Result<Array, Error> {
    let words = len.div_ceil(engine.lanes()).saturating_mul(engine.lanes() * engine.layout().digits());
    if words > LARGE {
        let source = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let refused = |_| Error::Io { doing: format!("hold {len} elements"), source };
        Vec::<u64>::new().try_reserve_exact(words).map_err(refused)?;
    }
    Ok(engine.zeros(len))
}

/// A described field, ring or binary field.
#[pyclass(frozen, module = "evariste._core")]
pub struct Core {
    pub inner: Arc<Inner>,
}

#[pymethods]
impl Core {
    /// Reads a description.
    #[new]
    #[pyo3(signature = (text, sliced = false))]
    fn new(py: Python, text: &str, sliced: bool) -> PyResult<Core> {
        let field = free(py, || {
            let field = Field::parse(text)?;
            let held = field.spec().get::<Modulus>().is_some() || field.spec().get::<BinaryField>().is_some();
            // The error says what has arrays.
            if held { Ok(field) } else { field.arrays(1).map(|_| field) }
        })?;
        let (engine, spare, transforms) = (Current::later(), Mutex::default(), Mutex::default());
        Ok(Core { inner: Arc::new(Inner { field, sliced, engine, spare, transforms }) })
    }

    /// A description that parses back.
    #[getter]
    fn text(&self) -> String {
        self.inner.field.text()
    }

    /// What people call it, such that it parses back.
    #[getter]
    fn called(&self) -> String {
        self.inner.field.called()
    }

    /// A short name.
    #[getter]
    fn name(&self) -> String {
        self.inner.field.name()
    }

    /// What it is, in a few lines.
    #[getter]
    fn description(&self) -> String {
        self.inner.field.description()
    }

    /// The number of elements, its bytes lowest first.
    #[getter]
    fn order<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.field.order().to_bytes_le())
    }

    /// The number that the element 1 is, its bytes lowest first.
    #[getter]
    fn one<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.field.one().value().to_bytes_le())
    }

    /// `prime`, `ring` or `binary`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.inner.field.spec().get::<Modulus>() {
            Some(modulus) if modulus.prime => "prime",
            Some(_) => "ring",
            None => "binary",
        }
    }

    /// Bits of an element.
    #[getter]
    fn bits(&self) -> u64 {
        (self.inner.field.order() - 1u32).bits()
    }

    /// Elements that lie side by side.
    #[getter]
    fn lanes(&self, py: Python) -> PyResult<usize> {
        Ok(free(py, || self.inner.engine())?.lanes())
    }

    /// The name of the layout.
    #[getter]
    fn layout(&self, py: Python) -> PyResult<String> {
        Ok(free(py, || self.inner.engine())?.layout().name.clone())
    }

    /// The least length that transforms have.
    #[getter]
    fn smallest_transform(&self, py: Python) -> PyResult<usize> {
        Ok(free(py, || self.inner.engine())?.smallest_transform())
    }

    /// That many zeros.
    fn zeros(&self, py: Python, len: usize) -> PyResult<Elements> {
        free(py, || Ok(Elements::new(&self.inner, zeros(&self.inner.engine()?, len)?)))
    }

    /// Elements of canonical words, lowest first.
    fn from_words(&self, py: Python, words: PyReadonlyArray1<u64>) -> PyResult<Elements> {
        let words = words.as_slice()?;
        let engine = free(py, || self.inner.engine())?;
        let each = engine.words_per_element();
        self.pack(py, &engine, "words", (words.len(), each), |out, range| {
            engine.from_words_into(out.slice_mut(range.clone())?, &words[range.start * each..range.end * each])
        })
    }

    /// Random elements, from the state and the increment of a generator.
    fn random(&self, py: Python, state: [u8; 16], increment: [u8; 16], len: usize) -> PyResult<Elements> {
        let engine = free(py, || self.inner.engine())?;
        let mut draws = Draws::new(state, increment, &self.inner.field.order(), engine.words_per_element());
        let mut out = free(py, || self.inner.room(&engine, len))?;
        let again = draws.draw(py, len, |range, words| engine.from_words_into(out.slice_mut(range)?, words))?;
        if !again.places.is_empty() {
            free(py, || {
                let new = engine.from_words(&again.words)?;
                Ok(engine.scatter(&mut out, Places::Listed(&again.places), &new)?)
            })?;
        }
        Ok(Elements::new(&self.inner, out))
    }

    /// Elements of canonical bytes.
    fn from_bytes(&self, py: Python, bytes: PyReadonlyArray1<u8>, big: bool) -> PyResult<Elements> {
        let bytes = bytes.as_slice()?;
        let engine = free(py, || self.inner.engine())?;
        let (each, endian) = (engine.bytes_per_element(), endian(big));
        self.pack(py, &engine, "bytes", (bytes.len(), each), |out, range| {
            let part = &bytes[range.start * each..range.end * each];
            engine.from_bytes_into(out.slice_mut(range)?, part, endian)
        })
    }

    /// How an operation of arrays is computed.
    fn describe(&self, py: Python, operation: &str) -> PyResult<String> {
        free(py, || Ok(self.inner.engine()?.describe(operation)?))
    }

    /// Makes the code of all operations now.
    fn prepare(&self, py: Python) -> PyResult<()> {
        free(py, || Ok(self.inner.engine()?.prepare()?))
    }

    /// The inverse of a number, its bytes lowest first; none where there is none.
    fn inverse<'py>(&self, py: Python<'py>, number: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let element = self.inner.field.element_from(BigUint::from_bytes_le(number));
        let element = element.map_err(|error| exception(&error))?;
        Ok(element.inverse().ok().map(|inverse| PyBytes::new(py, &inverse.value().to_bytes_le())))
    }
}

/// The order of bytes.
pub fn endian(big: bool) -> Endian {
    if big { Endian::Big } else { Endian::Little }
}

impl Core {
    /// Fills an array part by part; an element that is too large is named by its place in the whole.
    fn pack(
        &self,
        py: Python,
        engine: &Engine,
        unit: &'static str,
        (given, per_element): (usize, usize),
        fill: impl Fn(&mut Array, std::ops::Range<usize>) -> Result<(), ArrayError> + Sync,
    ) -> PyResult<Elements> {
        if !given.is_multiple_of(per_element) {
            return Err(array_exception(&ArrayError::Pieces { unit, given, per_element }));
        }
        let len = given / per_element;
        let mut out = free(py, || self.inner.room(engine, len))?;
        in_blocks(py, len, BLOCK, |range| {
            fill(&mut out, range.clone()).map_err(|error| match error {
                ArrayError::Range { index, value, limit } => {
                    ArrayError::Range { index: index + range.start, value, limit }
                }
                other => other,
            })
        })?;
        Ok(Elements::new(&self.inner, out))
    }
}

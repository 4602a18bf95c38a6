//! A tower, a curve or a pairing as Python's classes hold it: the description, the engine of its arrays.

use std::sync::Arc;

use evariste::array::{ArrayError, Operand, Operation, Options, Places, Scalars, Structured, StructuredArray};
use evariste::builder::{Curve, CurveShape, Pairing, Spec, Tower};
use evariste::{BigUint, Error, Field};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::border::{array_exception, free, in_blocks, in_growing_blocks};
use crate::items::Items;
use crate::threads::Current;

/// Elements that are converted between two looks at signals.
pub const BLOCK: usize = 1 << 15;

/// What arrays of a structure share.
pub struct Shared {
    pub field: Field,
    engine: Current<Structured>,
}

impl Shared {
    /// The engine, on the threads that are set now.
    pub fn engine(&self) -> Result<Structured, Error> {
        self.engine.get(|| Ok(Structured::with(self.field.spec(), Options::default())?))
    }

    /// Has a point four coordinates in kernels?
    pub fn is_edwards(&self) -> bool {
        self.field.spec().get::<Curve>().is_some_and(|curve| curve.equation.shape == CurveShape::Edwards)
    }
}

/// The operation of that name.
pub fn named(engine: &Structured, name: &str) -> Result<Operation, ArrayError> {
    let found = engine.operations().find(|operation| operation.name() == name).cloned();
    found.ok_or_else(|| {
        let all: Vec<String> = engine.operations().map(Operation::name).collect();
        let why = format!("arrays have no such operation\nhelp: there are {}", all.join(", "));
        ArrayError::Kernel { operation: name.into(), field: engine.field().text(), why }
    })
}

/// A tower, a curve or a pairing.
#[pyclass(frozen, module = "evariste._core")]
pub struct Structure {
    pub shared: Arc<Shared>,
}

/// An operand: elements, or scalars in words, a row each.
#[derive(FromPyObject)]
pub enum Given<'py> {
    Items(PyRef<'py, Items>),
    Scalars(PyReadonlyArray2<'py, u64>),
}

/// An operand at a moment.
enum Ready {
    Items(Arc<StructuredArray>, std::ops::Range<usize>),
    Scalars(Scalars),
}

#[pymethods]
impl Structure {
    /// Reads a description. What has no arrays is an error of the value.
    #[new]
    fn new(py: Python, text: &str) -> PyResult<Structure> {
        let field = free(py, || Field::parse(text))?;
        let options = Options { threads: 1, ..Options::default() };
        let made = free(py, || Ok(Structured::with(field.spec(), options)))?;
        let engine = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if engine.operations().next().is_none() {
            return Err(PyValueError::new_err(format!("`{}` has no kernels for arrays", field.text())));
        }
        Ok(Structure { shared: Arc::new(Shared { field, engine: Current::of(engine) }) })
    }

    /// A description that parses back.
    #[getter]
    fn text(&self) -> String {
        self.shared.field.text()
    }

    /// What people call it, such that it parses back.
    #[getter]
    fn called(&self) -> String {
        self.shared.field.called()
    }

    /// A short name.
    #[getter]
    fn name(&self) -> String {
        self.shared.field.name()
    }

    /// Elements that lie side by side.
    #[getter]
    fn lanes(&self, py: Python) -> PyResult<usize> {
        Ok(free(py, || self.shared.engine())?.ground().lanes())
    }

    /// The name of the layout of coordinates.
    #[getter]
    fn layout(&self, py: Python) -> PyResult<String> {
        Ok(free(py, || self.shared.engine())?.ground().layout().name.clone())
    }

    /// What it is made of, as JSON, numbers in hexadecimal.
    fn facts(&self, py: Python) -> PyResult<String> {
        free(py, || Ok(facts(&self.shared.engine()?, self.shared.field.spec()).to_string()))
    }

    /// How an operation of arrays is computed.
    fn describe(&self, py: Python, operation: &str) -> PyResult<String> {
        free(py, || {
            let engine = self.shared.engine()?;
            Ok(engine.describe(&named(&engine, operation)?)?)
        })
    }

    /// That many neutral elements of sums.
    fn zeros(&self, py: Python, len: usize) -> PyResult<Items> {
        free(py, || {
            let engine = self.shared.engine()?;
            let one = match self.shared.field.spec().get::<Tower>() {
                Some(_) => engine.from_numbers(evariste::builder::Holds::Element, &[BigUint::default()])?,
                None => engine.neutral()?,
            };
            // A failed allocation would end the process.
            let words = (len / engine.ground().lanes() + 1)
                .saturating_mul(engine.ground().lanes() * engine.ground().layout().digits() * one.count());
            let source = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
            let refused = |_| Error::Io { doing: format!("hold {len} elements"), source };
            Vec::<u64>::new().try_reserve_exact(words).map_err(refused)?;
            let all = Places::Strided { first: 0, shape: &[len], steps: &[0] };
            Ok(Items::new(&self.shared, engine.gather(&one, all)?))
        })
    }

    /// Elements of so many coordinates each, in canonical words, lowest first.
    fn from_words(&self, py: Python, words: PyReadonlyArray1<u64>, count: usize) -> PyResult<Items> {
        let (engine, words) = (free(py, || self.shared.engine())?, words.as_slice()?);
        let made = packed(py, &engine, words, count)?;
        Ok(Items::new(&self.shared, made))
    }

    /// Points of x and y in canonical words, and the place of the first pair that is on no point.
    fn points(&self, py: Python, words: PyReadonlyArray1<u64>, count: usize) -> PyResult<(Items, Option<usize>)> {
        let (engine, words) = (free(py, || self.shared.engine())?, words.as_slice()?);
        let affine = packed(py, &engine, words, count)?;
        let (one, mut off) = (free(py, || Ok(engine.neutral()?))?, None);
        let mut out = free(py, || Ok(engine.zeros(affine.len(), one.count())))?;
        in_growing_blocks(py, affine.len(), engine.ground().lanes() * engine.ground().threads(), |range| {
            let part = affine.slice(range.clone())?;
            off = off.or(engine.on_curve(part)?.iter().position(|holds| !holds).map(|at| at + range.start));
            put(&engine, &mut out, range.start, &engine.points(part)?)
        })?;
        Ok((Items::new(&self.shared, out), off))
    }

    /// The results of an operation of this structure, as elements of another or of this one. An operand of one element is
    /// every element's.
    fn compute(&self, py: Python, operation: &str, operands: Vec<Given>, of: &Structure) -> PyResult<Items> {
        let engine = free(py, || self.shared.engine())?;
        let mut ready = Vec::new();
        for operand in &operands {
            ready.push(match operand {
                Given::Items(items) => {
                    let now = items.held.now();
                    Ready::Items(now.array, now.place)
                }
                Given::Scalars(words) => {
                    let rows = words.as_array();
                    let number = |row: numpy::ndarray::ArrayView1<u64>| {
                        row.iter().rev().fold(BigUint::default(), |number, word| (number << 64u32) + *word)
                    };
                    Ready::Scalars(engine.scalars(&rows.rows().into_iter().map(number).collect::<Vec<_>>()))
                }
            });
        }
        let views = ready.iter().map(|operand| match operand {
            Ready::Items(array, place) => Ok(Operand::from(array.slice(place.clone())?)),
            Ready::Scalars(scalars) => Ok(Operand::from(scalars)),
        });
        let views = views.collect::<Result<Vec<_>, ArrayError>>().map_err(|error| array_exception(&error))?;
        Ok(Items::new(&of.shared, computed(py, &engine, operation, &views)?))
    }
}

/// The results of an operation, block by block.
pub fn computed(py: Python, engine: &Structured, operation: &str, operands: &[Operand]) -> PyResult<StructuredArray> {
    let job = free(py, || Ok(engine.job(&named(engine, operation)?, operands)?))?;
    let mut out = job.room();
    let least = engine.ground().lanes() * engine.ground().threads();
    in_growing_blocks(py, job.len(), least, |range| job.run(&mut out, range))?;
    Ok(out)
}

/// Writes elements one behind the other, from a place on.
pub fn put(
    engine: &Structured,
    out: &mut StructuredArray,
    first: usize,
    part: &StructuredArray,
) -> Result<(), ArrayError> {
    if part.is_empty() {
        return Ok(());
    }
    engine.scatter(out, Places::Strided { first: first as isize, shape: &[part.len()], steps: &[1] }, part)
}

/// Elements of canonical words.
fn packed(py: Python, engine: &Structured, words: &[u64], count: usize) -> PyResult<StructuredArray> {
    let each = engine.ground().words_per_element();
    let (given, per_element) = (words.len(), each * count.max(1));
    if !given.is_multiple_of(per_element) {
        return Err(array_exception(&ArrayError::Pieces { unit: "words", given, per_element }));
    }
    let len = given / per_element;
    let mut coordinates = Vec::new();
    for c in 0..count.max(1) {
        let mut own = engine.ground().zeros(len);
        in_blocks(py, len, BLOCK, |range| {
            let rows = words[range.start * per_element..range.end * per_element].chunks_exact(per_element);
            let part: Vec<u64> = rows.flat_map(|row| &row[c * each..(c + 1) * each]).copied().collect();
            let first = range.start;
            engine.ground().from_words_into(own.slice_mut(range)?, &part).map_err(|error| match error {
                ArrayError::Range { index, value, limit } => ArrayError::Range { index: index + first, value, limit },
                other => other,
            })
        })?;
        coordinates.push(own);
    }
    free(py, || Ok(engine.from_coordinates(&coordinates)?))
}

/// What a structure is made of.
fn facts(engine: &Structured, spec: &Spec) -> Value {
    let hex = |number: &BigUint| format!("{number:x}");
    let operations: Vec<String> = engine.operations().map(Operation::name).collect();
    let (ground, order) = (engine.ground().field().text(), hex(&spec.order()));
    let common = json!({ "ground": ground, "operations": operations });
    let own = if let Some(tower) = spec.get::<Tower>() {
        let variables: Vec<&str> = tower.ring.floors.iter().map(|floor| floor.variable.as_str()).collect();
        json!({ "kind": "tower", "degree": tower.degree(), "order": order, "variables": variables })
    } else if let Some(curve) = spec.get::<Curve>() {
        let tower = curve.field().get::<Tower>();
        let coordinates = |x: &BigUint| match tower {
            Some(tower) => tower.unpacked(x).iter().map(hex).collect(),
            None => vec![hex(x)],
        };
        let shape = match curve.equation.shape {
            CurveShape::Weierstrass => "weierstrass",
            CurveShape::Montgomery => "montgomery",
            CurveShape::Edwards => "edwards",
            CurveShape::Binary => "binary",
        };
        json!({
            "kind": "curve", "field": curve.field().text(), "degree": tower.map_or(1, Tower::degree), "shape": shape,
            "equation": curve.equation.text(),
            "coefficients": curve.equation.coefficients.each_ref().map(coordinates),
            "base": curve.base.as_ref().map(|(x, y)| [coordinates(x), coordinates(y)]),
            "order": curve.order.as_ref().map(hex), "cofactor": curve.cofactor.as_ref().map(hex),
            "scalar_bits": engine.scalar_bits(),
        })
    } else if let Some(pairing) = spec.get::<Pairing>() {
        let [first, second] = pairing.named.groups.map(|name| format!("curve:{name}"));
        json!({
            "kind": "pairing", "first": first, "second": second, "target": pairing.named.target,
            "order": hex(&pairing.order), "multiple": hex(&pairing.multiple),
        })
    } else {
        json!({})
    };
    let (Value::Object(mut all), Value::Object(own)) = (common, own) else { return Value::Null };
    all.extend(own);
    Value::Object(all)
}

/// What a description is: `tower`, `curve`, `pairing`, or another field.
#[pyfunction]
pub fn kind(py: Python, text: &str) -> PyResult<&'static str> {
    let field = free(py, || Field::parse(text))?;
    let spec = field.spec();
    Ok(match () {
        () if spec.get::<Tower>().is_some() => "tower",
        () if spec.get::<Curve>().is_some() => "curve",
        () if spec.get::<Pairing>().is_some() => "pairing",
        () => "field",
    })
}

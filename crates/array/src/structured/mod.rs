//! Arrays of elements that are several coordinates: elements of towers, points of curves, operands and values of
//! pairings.
//!
//! An element's coordinates lie one after the other within a group of lanes, each as the engine of the prime field has
//! its own elements: what one lane of a kernel sees is its element whole. An operation is one proved kernel, which calls
//! the kernels of the prime field; long ones (a product in Fp12, a multiple of a point, a pairing) run as routines in
//! lanes, group by group, so that all that they compute in between stays in the first or second cache. Where vectors are
//! short, scalar code computes them element by element if that takes less.

mod alone;
mod code;
mod coordinates;
mod elements;
mod equality;
mod forms;
mod inverse;
mod job;
mod points;
mod power;
mod scalars;
mod way;

use std::fmt;
use std::sync::{Arc, OnceLock};

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_descriptions::{Field, Tower};

use crate::device;
use crate::engine::{Engine, Options};
use crate::error::ArrayError;
pub use elements::{StructuredArray, StructuredView};
pub use job::Job;
pub use scalars::Scalars;
use way::Way;

/// The operations of a structure, with the code of each, made when it is first used.
type Codes = Vec<(Operation, OnceLock<Result<Way, ArrayError>>)>;

/// Operations on arrays of a tower's elements, of a curve's points or for a pairing. Cheap to clone.
#[derive(Clone)]
pub struct Structured {
    ground: Engine,
    field: Field,
    codes: Arc<Codes>,
    /// That of the tower that a curve stands on.
    below: Option<Arc<Structured>>,
    /// What was weighed where coordinates have several forms, in words.
    choice: Option<String>,
    /// Is scalar code compared with lanes by its time here?
    measured: bool,
}

/// An operand of an operation. One of a single element is every element's.
#[derive(Clone, Copy)]
pub enum Operand<'a> {
    /// Elements, points, values.
    Elements(StructuredView<'a>),
    /// What points are multiplied by.
    Scalars(&'a Scalars),
}

impl<'a> From<&'a StructuredArray> for Operand<'a> {
    fn from(array: &'a StructuredArray) -> Operand<'a> {
        Operand::Elements(array.view())
    }
}

impl<'a> From<StructuredView<'a>> for Operand<'a> {
    fn from(view: StructuredView<'a>) -> Operand<'a> {
        Operand::Elements(view)
    }
}

impl<'a> From<&'a Scalars> for Operand<'a> {
    fn from(scalars: &'a Scalars) -> Operand<'a> {
        Operand::Scalars(scalars)
    }
}

impl Operand<'_> {
    fn len(&self) -> usize {
        match self {
            Operand::Elements(view) => view.len(),
            Operand::Scalars(scalars) => scalars.len(),
        }
    }
}

/// Has the operation one result and operands that arrays hold?
fn is_of_arrays(operation: &Operation) -> bool {
    let held = |holds: Holds| matches!(holds, Holds::Element | Holds::Part(_));
    let row = operation.row();
    row.outputs.len() == 1 && row.inputs.iter().chain(row.outputs).all(|slot| held(slot.holds))
}

impl Structured {
    /// The engine of a tower, a curve or a pairing, over a prime field, or of a curve over a binary one. Coordinates over a
    /// binary field are whole words in lanes or bit-sliced: what takes the least cycles by a core's table, or the least time
    /// here, if [`Options::measured`] says so, for arrays of as many elements as [`Options::elements`] says. Where vectors
    /// have fewer than eight words, elements of towers lie in lanes or one by one in whole words: what takes a product less
    /// time here, or where [`Options::forget`] says no fewer cycles.
    ///
    /// # Errors
    /// Another field; one without a layout for lanes.
    pub fn with(field: &Field, options: Options) -> Result<Structured, ArrayError> {
        if device::is_asked(options.engine.as_deref())? {
            return Err(device::unfit(field));
        }
        let forms = Structured::forms(field, &options)?;
        // A product is soon timed, a multiple on request.
        let measured = options.measured || !options.forget && field.get::<Tower>().is_some();
        let elements = options.elements;
        if measured { Structured::timed(forms, elements) } else { Structured::estimated(forms, elements) }
    }

    /// The tower, the curve or the pairing.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The engine of the prime field, whose arrays coordinates are.
    pub fn ground(&self) -> &Engine {
        &self.ground
    }

    /// This engine on another number of threads (0: as many as the machine has).
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn with_threads(&self, threads: usize) -> Result<Structured, ArrayError> {
        Ok(Structured { ground: self.ground.with_threads(threads)?, ..self.clone() })
    }

    /// This engine on the threads of another one.
    pub fn on_threads_of(&self, other: &Engine) -> Structured {
        Structured { ground: self.ground.on_threads_of(other), ..self.clone() }
    }

    /// The operations that arrays have.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.codes.iter().map(|(operation, _)| operation)
    }

    /// How an operation is computed.
    ///
    /// # Errors
    /// An operation that has no code here.
    pub fn describe(&self, operation: &Operation) -> Result<String, ArrayError> {
        let how = &self.code(operation)?.description;
        Ok(self.choice.as_ref().map_or_else(|| how.clone(), |choice| format!("{how} ({choice})")))
    }

    fn code(&self, operation: &Operation) -> Result<&Way, ArrayError> {
        let Some((_, code)) = self.codes.iter().find(|(own, _)| own == operation) else {
            return Err(self.no(operation, "no such operation of arrays"));
        };
        code.get_or_init(|| self.way(operation)).as_ref().map_err(Clone::clone)
    }

    fn no(&self, operation: &Operation, why: impl ToString) -> ArrayError {
        ArrayError::kernel(&operation.name(), &self.field.text(), why)
    }

    /// The results of an operation, element by element. An operand of a single element is every element's.
    ///
    /// # Errors
    /// As [`Structured::job`].
    pub fn compute(&self, operation: &Operation, operands: &[Operand]) -> Result<StructuredArray, ArrayError> {
        let job = self.job(operation, operands)?;
        let mut out = job.room();
        job.run(&mut out, 0..job.len())?;
        Ok(out)
    }
}

impl fmt::Debug for Structured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Structured({} over {:?})", self.field.text(), self.ground)
    }
}

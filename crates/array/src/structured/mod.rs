//! Arrays of elements that are several coordinates: elements of towers, points of curves, operands and values of
//! pairings.
//!
//! An element's coordinates lie one after the other within a group of lanes, each as the engine of the prime field has
//! its own elements: what one lane of a kernel sees is its element whole. An operation is one proved kernel, which calls
//! the kernels of the prime field; long ones (a product in Fp12, a multiple of a point, a pairing) run as routines in
//! lanes, group by group, so that all that they compute in between stays in the first or second cache.

mod code;
mod elements;
mod forms;
mod scalars;

use std::fmt;
use std::sync::{Arc, OnceLock};

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_descriptions::Field;

use crate::code::{Code, In};
use crate::engine::{Engine, Options};
use crate::error::{ArrayError, same_length};
use crate::storage::Storage;
pub use elements::StructuredArray;
pub use scalars::Scalars;

/// Nodes of a kernel of which one group is worth a thread's while.
const WORTH: usize = 5120;

/// The operations of a structure, with the code of each, made when it is first used.
type Codes = Vec<(Operation, OnceLock<Result<Code, ArrayError>>)>;

/// Operations on arrays of a tower's elements, of a curve's points or for a pairing. Cheap to clone.
#[derive(Clone)]
pub struct Structured {
    ground: Engine,
    field: Field,
    codes: Arc<Codes>,
    /// What was weighed where coordinates have several forms, in words.
    choice: Option<String>,
}

/// An operand of an operation. One of a single element is every element's.
#[derive(Clone, Copy)]
pub enum Operand<'a> {
    /// Elements, points, values.
    Elements(&'a StructuredArray),
    /// What points are multiplied by.
    Scalars(&'a Scalars),
}

impl<'a> From<&'a StructuredArray> for Operand<'a> {
    fn from(array: &'a StructuredArray) -> Operand<'a> {
        Operand::Elements(array)
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
            Operand::Elements(array) => array.len(),
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
    /// here, if [`Options::measured`] says so.
    ///
    /// # Errors
    /// Another field; one without a layout for lanes.
    pub fn with(field: &Field, options: Options) -> Result<Structured, ArrayError> {
        let forms = Structured::forms(field, &options)?;
        if options.measured { Structured::timed(forms) } else { Structured::estimated(forms) }
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

    fn code(&self, operation: &Operation) -> Result<&Code, ArrayError> {
        let Some((_, code)) = self.codes.iter().find(|(own, _)| own == operation) else {
            return Err(self.no(operation, "no such operation of arrays"));
        };
        code.get_or_init(|| self.made(operation)).as_ref().map_err(Clone::clone)
    }

    fn no(&self, operation: &Operation, why: impl ToString) -> ArrayError {
        ArrayError::kernel(&operation.name(), &self.field.text(), why)
    }

    /// The results of an operation, element by element. An operand of a single element is every element's.
    ///
    /// # Errors
    /// An operation that arrays have not; operands of another kind, of another engine, or of different length; scalars
    /// that are too long.
    pub fn compute(&self, operation: &Operation, operands: &[Operand]) -> Result<StructuredArray, ArrayError> {
        let code = self.code(operation)?;
        let (outputs, inputs) = code.arity();
        if (outputs, inputs) != (1, operands.len()) {
            return Err(self.no(operation, format!("{} operands are given, it has {inputs}", operands.len())));
        }
        let len = operands.iter().map(Operand::len).find(|len| *len != 1).unwrap_or(1);
        let kernels = &self.ground.kernels;
        let (mut digits, mut parameters) = (0, code.parameters.iter());
        let mut sources: Vec<Source> = Vec::new();
        for parameter in parameters.by_ref() {
            match parameter.role {
                crate::code::Role::Output(_) => digits = parameter.digits,
                crate::code::Role::Input(i) => {
                    sources.push(self.source(operation, operands[i], len, parameter.digits, code.block_groups())?);
                }
            }
        }
        let mut out = StructuredArray::zeros(kernels, len, digits / kernels.digits());
        let (row, stride) = (kernels.row(), kernels.row() * digits);
        let chunk = code.block_groups();
        // What takes long is worth a thread group by group.
        let least = if code.is_longer_than(WORTH) { 1 } else { kernels.grain(chunk) };
        self.ground.parallel(out.words_mut(), chunk * stride, least, |i, words, _| {
            let (first, groups) = (i * chunk, words.len() / stride);
            let inputs: Vec<In> = sources.iter().map(|source| source.groups(row, first, groups)).collect();
            code.run(words, &inputs).map_err(|why| self.no(operation, why))
        })?;
        Ok(out)
    }

    /// An operand in the order of lanes.
    fn source<'a>(
        &self,
        operation: &Operation,
        operand: Operand<'a>,
        len: usize,
        digits: usize,
        block: usize,
    ) -> Result<Source<'a>, ArrayError> {
        let kernels = &self.ground.kernels;
        let words = match operand {
            Operand::Elements(array) => {
                self.ground.own("structured", array.kernels())?;
                if array.count() * kernels.digits() != digits && !array.is_empty() {
                    let (given, wanted) = (array.count(), digits / kernels.digits());
                    return Err(self.no(operation, format!("an operand of {given} coordinates: it takes {wanted}")));
                }
                Words::Given(array.words())
            }
            Operand::Scalars(scalars) => {
                Words::Made(scalars.in_lanes(kernels, digits).map_err(|why| self.no(operation, why))?)
            }
        };
        if operand.len() == len {
            return Ok(Source::Array { words, digits });
        }
        if operand.len() != 1 {
            same_length("structured", len, operand.len())?;
        }
        // The element of the first lane in all lanes of a block.
        let (row, words) = (kernels.row(), words.as_slice());
        let everywhere = |word: u64| if kernels.digit_bits() == 1 { (word & 1).wrapping_neg() } else { word };
        let group: Vec<u64> = (0..digits).flat_map(|i| std::iter::repeat_n(everywhere(words[i * row]), row)).collect();
        let mut all = Storage::zeroed(group.len() * block);
        all.words_mut().chunks_mut(group.len()).for_each(|to| to.copy_from_slice(&group));
        Ok(Source::Constant(all))
    }
}

/// Words that somebody has, or that were made.
enum Words<'a> {
    Given(&'a [u64]),
    Made(Storage),
}

impl Words<'_> {
    fn as_slice(&self) -> &[u64] {
        match self {
            Words::Given(words) => words,
            Words::Made(storage) => storage.words(),
        }
    }
}

/// An operand in the order of lanes.
enum Source<'a> {
    Array { words: Words<'a>, digits: usize },
    Constant(Storage),
}

impl Source<'_> {
    fn groups(&self, row: usize, first: usize, groups: usize) -> In<'_> {
        match self {
            Source::Array { words, digits } => {
                let group = row * digits;
                In::Words(&words.as_slice()[first * group..(first + groups) * group])
            }
            Source::Constant(block) => In::Constant(block.words()),
        }
    }
}

impl fmt::Debug for Structured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Structured({} over {:?})", self.field.text(), self.ground)
    }
}

//! An operation with its operands, in the order of lanes: computed at once, or range by range.

use std::ops::Range;

use evariste_algorithms::Operation;

use super::way::{STEP, Way};
use super::{Operand, Structured, StructuredArray};

use crate::code::{In, Role};
use crate::error::{ArrayError, same_length};
use crate::storage::Storage;

/// Nodes of a kernel of which one group is worth a thread's while.
const WORTH: usize = 5120;

/// An operation whose operands are ready.
pub struct Job<'a> {
    structured: &'a Structured,
    operation: Operation,
    way: &'a Way,
    sources: Vec<Source<'a>>,
    len: usize,
    /// Digits of a result.
    digits: usize,
}

impl Structured {
    /// An operation on these operands. One of a single element is every element's.
    ///
    /// # Errors
    /// An operation that arrays have not; operands of another kind, of another engine, or of different length; scalars
    /// that are too long.
    pub fn job<'a>(&'a self, operation: &Operation, operands: &[Operand<'a>]) -> Result<Job<'a>, ArrayError> {
        let way = self.code(operation)?;
        let code = &way.code;
        let (outputs, inputs) = code.arity();
        if (outputs, inputs) != (1, operands.len()) {
            return Err(self.no(operation, format!("{} operands are given, it has {inputs}", operands.len())));
        }
        let len = operands.iter().map(Operand::len).find(|len| *len != 1).unwrap_or(1);
        let (mut digits, mut sources) = (0, Vec::new());
        for parameter in &code.parameters {
            match parameter.role {
                Role::Output(_) => digits = parameter.digits,
                Role::Input(i) => {
                    sources.push(self.source(operation, operands[i], len, parameter.digits, code.block_groups())?);
                }
            }
        }
        Ok(Job { structured: self, operation: operation.clone(), way, sources, len, digits })
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
            Operand::Elements(view) => {
                self.ground.own("structured", view.kernels())?;
                if view.count() * kernels.digits() != digits && !view.is_empty() {
                    let (given, wanted) = (view.count(), digits / kernels.digits());
                    return Err(self.no(operation, format!("an operand of {given} coordinates: it takes {wanted}")));
                }
                Words::Given(view.words())
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

impl Job<'_> {
    /// Number of results.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No results?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// An array that the results fit in.
    pub fn room(&self) -> StructuredArray {
        let kernels = &self.structured.ground.kernels;
        StructuredArray::zeros(kernels, self.len, self.digits / kernels.digits())
    }

    /// Computes the results of a range, which starts where a vector starts, and ends where one does or with the array.
    ///
    /// # Errors
    /// Another range; an array that is not of [`Job::room`].
    pub fn run(&self, out: &mut StructuredArray, range: Range<usize>) -> Result<(), ArrayError> {
        let (ground, kernels) = (&self.structured.ground, &self.structured.ground.kernels);
        let (row, stride) = (kernels.row(), kernels.row() * self.digits);
        same_length("structured", self.len, out.len())?;
        let place = out.view().place(&range)?;
        if out.count() * kernels.digits() != self.digits || !(range.end.is_multiple_of(row) || range.end == self.len) {
            return Err(self.structured.no(&self.operation, "results and range do not fit the operation"));
        }
        // Elements one by one are few operations each: as many as are worth a step of the walk.
        let chunk = if kernels.whole_words() { STEP } else { self.way.code.block_groups() };
        // What takes long is worth a thread group by group.
        let least = if self.way.code.is_longer_than(WORTH) { 1 } else { kernels.grain(chunk) };
        let done = match &self.sources[..] {
            [Source::Array { words: from, .. }] if self.operation == Operation::INVERSE => {
                let words = &mut out.words_mut()[place.clone()];
                self.structured.shared_inverses(self.way, &range, words, &from.as_slice()[place.clone()])?
            }
            _ => 0,
        };
        let (start, words) = (place.start + done, &mut out.words_mut()[place.start + done..place.end]);
        let first = start / stride.max(1);
        ground.parallel(words, chunk * stride, least, |i, words, _| {
            let (first, groups) = (first + i * chunk, words.len() / stride);
            let inputs: Vec<In> = self.sources.iter().map(|source| source.groups(row, first, groups)).collect();
            self.way.run(kernels, words, &inputs).map_err(|why| self.structured.no(&self.operation, why))
        })
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

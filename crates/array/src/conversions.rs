//! From resting to canonical elements and back.

use evariste_algorithms::Operation;
use evariste_jit::Prefetch;
use evariste_jit::slices::{slice, unslice};

use crate::array::{Array, View};
use crate::code::{BYTE, In, SHORT};
use crate::elementwise::Source;
use crate::engine::Engine;
use crate::error::ArrayError;
use crate::form::{Canonical, Resting};
use crate::short::{from_bytes, halve, into_bytes, widen};

impl Engine {
    /// The step that makes elements canonical; none where they rest so.
    pub(crate) fn leave(&self) -> Option<Operation> {
        let layout = &self.kernels.layout;
        match layout.montgomery {
            Some(_) => Some(Operation::FROM_MONTGOMERY),
            None if (self.kernels.words_alone() || self.kernels.whole_words() || self.kernels.binary().is_some())
                && layout.resting.bound.magnitude() < &self.kernels.limit =>
            {
                None
            }
            None => Some(Operation::CANONICAL),
        }
    }

    /// The canonical values.
    ///
    /// # Errors
    /// A foreign array.
    pub fn canonical<'a>(&self, a: impl Into<View<'a>>) -> Result<Array<Canonical>, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        match self.leave() {
            Some(step) => self.apply("canonical", &step, out.view_mut(), &[Source::View(a)])?,
            None => {
                self.own("canonical", a.kernels)?;
                out.storage.words_mut().copy_from_slice(a.words);
            }
        }
        Ok(out)
    }

    /// Canonical values as operands of everything else.
    ///
    /// # Errors
    /// A foreign array.
    pub fn resting<'a>(&self, a: impl Into<View<'a, Canonical>>) -> Result<Array<Resting>, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        if self.kernels.layout.montgomery.is_some() {
            self.apply("resting", &Operation::TO_MONTGOMERY, out.view_mut(), &[Source::View(a)])?;
        } else {
            // A canonical element rests as it is.
            self.own("resting", a.kernels)?;
            out.storage.words_mut().copy_from_slice(a.words);
        }
        Ok(out)
    }

    /// Elements in saturated words, in the order of lanes, become elements at rest, with software prefetch meanwhile.
    pub(crate) fn enter(&self, out: &mut [u64], saturated: &[u64], prefetches: &[Prefetch]) -> Result<(), ArrayError> {
        if self.moved_in(saturated, out) {
            return self.rest(out, prefetches);
        }
        self.kernels
            .code(&Operation::FROM_WORDS)?
            .run_prefetching(out, &[In::Words(saturated)], prefetches)
            .map_err(|why| self.kernels.fault("from_words", why))
    }

    /// Canonical elements become elements at rest.
    pub(crate) fn rest(&self, out: &mut [u64], prefetches: &[Prefetch]) -> Result<(), ArrayError> {
        if self.kernels.layout.montgomery.is_none() {
            return Ok(());
        }
        self.kernels
            .code(&Operation::TO_MONTGOMERY)?
            .run_prefetching(out, &[In::Out(0)], prefetches)
            .map_err(|why| self.kernels.fault("from_words", why))
    }

    /// Moves saturated words in the order of lanes to where elements rest, where that is no computation.
    pub(crate) fn moved_in(&self, saturated: &[u64], out: &mut [u64]) -> bool {
        match self.packing() {
            Some(Packing::Halves) => halve(saturated, out),
            Some(Packing::Bytes) => into_bytes(saturated, out),
            Some(Packing::Bits { m, row }) => slice(m, row, saturated, out),
            Some(Packing::Words) => out.copy_from_slice(saturated),
            None => return false,
        }
        true
    }

    /// The way back, of canonical elements.
    pub(crate) fn moved_out(&self, canonical: &[u64], saturated: &mut [u64]) {
        match self.packing() {
            Some(Packing::Halves) => widen(canonical, saturated),
            Some(Packing::Bytes) => from_bytes(canonical, saturated),
            Some(Packing::Bits { m, row }) => unslice(m, row, canonical, saturated),
            Some(Packing::Words) | None => saturated.copy_from_slice(canonical),
        }
    }

    /// How canonical elements lie, where they are only moved words.
    pub(crate) fn packing(&self) -> Option<Packing> {
        let (kernels, binary) = (&self.kernels, self.kernels.binary().is_some());
        match kernels.digit_bits() {
            SHORT => Some(Packing::Halves),
            BYTE => Some(Packing::Bytes),
            1 if binary => Some(Packing::Bits { m: kernels.bits, row: kernels.row() }),
            _ => (binary || kernels.words_alone() || kernels.whole_words()).then_some(Packing::Words),
        }
    }
}

/// Elements that are saturated words moved.
pub(crate) enum Packing {
    /// Two in a word.
    Halves,
    /// Eight in a word.
    Bytes,
    /// Bit-sliced: m rows of so many words.
    Bits { m: usize, row: usize },
    /// As they are.
    Words,
}

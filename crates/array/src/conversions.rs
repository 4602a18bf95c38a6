//! From resting to canonical elements and back.

use crate::array::{Array, View};
use crate::bits::{slice, unslice};
use crate::code::{In, SHORT};
use crate::elementwise::Source;
use crate::engine::{Engine, Step};
use crate::error::ArrayError;
use crate::form::{Canonical, Resting};
use crate::short::{halve, widen};

impl Engine {
    /// The step that makes elements canonical; none where they rest so.
    pub(crate) fn leave(&self) -> Option<Step> {
        let layout = &self.kernels.layout;
        match layout.montgomery {
            Some(_) => Some(Step::FromMontgomery),
            None if (self.kernels.short() || self.kernels.binary().is_some()) && layout.resting.bound.magnitude() < &self.kernels.limit => None,
            None => Some(Step::Canonical),
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
            Some(step) => self.apply("canonical", step, out.view_mut(), &[Source::View(a)])?,
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
            self.apply("resting", Step::ToMontgomery, out.view_mut(), &[Source::View(a)])?;
        } else {
            // A canonical element rests as it is.
            self.own("resting", a.kernels)?;
            out.storage.words_mut().copy_from_slice(a.words);
        }
        Ok(out)
    }

    /// Elements in saturated words, in the order of lanes, become elements at rest.
    pub(crate) fn enter(&self, out: &mut [u64], saturated: &[u64]) -> Result<(), ArrayError> {
        let no = |why| self.kernels.fault("from_words", why);
        if !self.moved_in(saturated, out) {
            self.kernels.code(Step::FromWords)?.run(out, &[In::Words(saturated)]).map_err(no)?;
        }
        match self.kernels.layout.montgomery {
            Some(_) => self.kernels.code(Step::ToMontgomery)?.run(out, &[In::Out]).map_err(no),
            None => Ok(()),
        }
    }

    /// Moves saturated words in the order of lanes to where elements rest, where that is no computation.
    pub(crate) fn moved_in(&self, saturated: &[u64], out: &mut [u64]) -> bool {
        let kernels = &self.kernels;
        match (kernels.binary(), kernels.digit_bits()) {
            (_, SHORT) => halve(saturated, out),
            (Some(_), 1) => slice(kernels.bits(), kernels.row(), saturated, out),
            (Some(_), _) => out.copy_from_slice(saturated),
            (None, _) => return false,
        }
        true
    }

    /// The way back, of canonical elements.
    pub(crate) fn moved_out(&self, canonical: &[u64], saturated: &mut [u64]) -> bool {
        let kernels = &self.kernels;
        match (kernels.binary(), kernels.digit_bits()) {
            (_, SHORT) => widen(canonical, saturated),
            (Some(_), 1) => unslice(kernels.bits(), kernels.row(), canonical, saturated),
            (Some(_), _) => saturated.copy_from_slice(canonical),
            (None, _) => return false,
        }
        true
    }
}

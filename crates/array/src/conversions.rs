//! From resting to canonical elements and back.

use crate::array::{Array, View};
use crate::code::In;
use crate::elementwise::Source;
use crate::engine::{Engine, Step};
use crate::error::ArrayError;
use crate::form::{Canonical, Resting};
use crate::short::halve;

impl Engine {
    /// The step that makes elements canonical; none where they rest so.
    pub(crate) fn leave(&self) -> Option<Step> {
        let layout = &self.kernels.layout;
        match layout.montgomery {
            Some(_) => Some(Step::FromMontgomery),
            None if self.kernels.short() && layout.resting.bound.magnitude() < &self.kernels.modulus.value => None,
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
        if self.kernels.short() {
            halve(saturated, out);
        } else {
            self.kernels.code(Step::FromWords)?.run(out, &[In::Words(saturated)]).map_err(no)?;
        }
        match self.kernels.layout.montgomery {
            Some(_) => self.kernels.code(Step::ToMontgomery)?.run(out, &[In::Out]).map_err(no),
            None => Ok(()),
        }
    }
}

//! Operations that take each element by itself.

use evariste_algorithms::Operation;
use evariste_jit::{MOST_PARAMETERS, Prefetch};
use num_bigint::BigUint;

use crate::array::{Array, View, ViewMut};
use crate::code::{Code, In};
use crate::device::Operand;
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::form::{Form, Resting};
use crate::mask::Mask;
use crate::trial::Trial;

/// An operand.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a, F: Form> {
    /// What is in the output of that number.
    Out(usize),
    /// An array.
    View(View<'a, F>),
    /// A flag an element, as long as its digits.
    Flags(&'a [u64]),
    /// One block for all.
    Constant(&'a [u64]),
}

impl<'a, F: Form> Source<'a, F> {
    /// The operand of so many elements that lie one by one.
    fn on_device(&self, len: usize) -> Operand<'a> {
        match *self {
            Source::Out(_) => Operand::Out,
            Source::View(view) => Operand::Words(view.groups(0, len)),
            Source::Flags(words) => Operand::Words(words),
            Source::Constant(words) => Operand::Element(words),
        }
    }
}

/// Blocks that a thread takes at once.
const BLOCKS: usize = 8;

impl Engine {
    /// One step on whole arrays, with one result.
    pub(crate) fn apply<F: Form, G: Form>(
        &self,
        name: &'static str,
        step: &Operation,
        out: ViewMut<G>,
        sources: &[Source<F>],
    ) -> Result<(), ArrayError> {
        let binary = self.kernels.binary().is_some();
        if binary && step.is(&Operation::OPP) {
            let zeros = vec![0; self.kernels.group() * self.kernels.code(&Operation::ADD)?.block_groups()];
            return self.apply(name, &Operation::ADD, out, &[sources[0], Source::Constant(&zeros)]);
        }
        let step = if binary && step.is(&Operation::SUB) { &Operation::ADD } else { step };
        self.own(name, out.kernels)?;
        self.fit(name, out.len, sources)?;
        if let Some((device, kernel)) = self.kernels.on_device(step) {
            let operands: Vec<Operand> = sources.iter().map(|source| source.on_device(out.len)).collect();
            return device.run(kernel, out.words, &operands).map_err(|why| self.kernels.fault(name, why));
        }
        let code = self.kernels.code(step)?;
        let chunk = BLOCKS * code.block_groups();
        let trial = Trial::of(self.bytes(out.len, 1, sources));
        self.walk(out, chunk, self.kernels.grain(chunk), |first, words, _| {
            trial.run(first / chunk, |ahead| {
                self.on_groups(name, code, first, &mut [words], sources, ahead.then_some(chunk))
            })
        })
    }

    /// Code with any number of results, on whole arrays of equal length.
    pub(crate) fn apply_all<F: Form, G: Form>(
        &self,
        name: &'static str,
        code: &Code,
        outs: Vec<ViewMut<G>>,
        sources: &[Source<F>],
    ) -> Result<(), ArrayError> {
        let len = outs.first().map_or(0, ViewMut::len);
        for out in &outs {
            self.own(name, out.kernels)?;
            same_length(name, len, out.len)?;
        }
        self.fit(name, len, sources)?;
        let chunk = BLOCKS * code.block_groups();
        let trial = Trial::of(self.bytes(len, outs.len(), sources));
        self.walk_all(outs, chunk, self.kernels.grain(chunk), |first, words| {
            trial.run(first / chunk, |ahead| self.on_groups(name, code, first, words, sources, ahead.then_some(chunk)))
        })
    }

    /// Are the operands of this engine, and as long as the results?
    fn fit<F: Form>(&self, name: &'static str, len: usize, sources: &[Source<F>]) -> Result<(), ArrayError> {
        sources.iter().try_for_each(|source| match source {
            Source::View(view) => self.fits(name, len, view),
            Source::Out(_) | Source::Flags(_) | Source::Constant(_) => Ok(()),
        })
    }

    /// Bytes of so many results and of the operands that are arrays.
    fn bytes<F: Form>(&self, len: usize, results: usize, sources: &[Source<F>]) -> usize {
        let arrays = results + sources.iter().filter(|source| matches!(source, Source::View(_))).count();
        arrays * len.div_ceil(self.lanes()) * self.kernels.group() * size_of::<u64>()
    }

    /// Runs code on the groups from `first` on, of which `outs` holds the results; `next`: the next chunk is
    /// prefetched, which lies so many groups behind.
    fn on_groups<F: Form>(
        &self,
        name: &'static str,
        code: &Code,
        first: usize,
        outs: &mut [&mut [u64]],
        sources: &[Source<F>],
        next: Option<usize>,
    ) -> Result<(), ArrayError> {
        let (row, group) = (self.kernels.row(), self.kernels.group());
        let count = outs.first().map_or(0, |words| words.len() / group);
        let (mut operands, mut prefetches) = ([In::Out(0); MOST_PARAMETERS], [Prefetch::NONE; MOST_PARAMETERS]);
        for (operand, source) in operands.iter_mut().zip(sources) {
            *operand = match source {
                Source::Out(k) => In::Out(*k),
                Source::View(view) => In::Words(view.groups(first, count)),
                Source::Flags(flags) => In::Words(&flags[first * row..(first + count) * row]),
                Source::Constant(words) => In::Constant(words),
            };
        }
        // What the next chunk writes and reads.
        if let Some(behind) = next {
            let written = outs.iter().map(|words| Prefetch::write(words, behind * group));
            let read = sources.iter().filter_map(|source| match source {
                Source::View(view) => Some(Prefetch::read(view.groups(first, count), behind * group)),
                _ => None,
            });
            prefetches.iter_mut().zip(written.chain(read)).for_each(|(place, prefetch)| *place = prefetch);
        }
        let operands = operands.get(..sources.len()).unwrap_or(&[]);
        let prefetches = if next.is_some() { &prefetches[..] } else { &[] };
        code.run_all(outs, operands, prefetches).map_err(|why| self.kernels.fault(name, why))
    }

    /// A block of one element, as often as the longest call of a step takes it.
    pub(crate) fn block(&self, value: &BigUint, step: &Operation) -> Result<Vec<u64>, ArrayError> {
        let lanes = self.kernels.lanes();
        let one = self.from_integers(&vec![value.clone(); lanes])?;
        Ok(one.storage.words().repeat(self.kernels.code(step)?.block_groups()))
    }

    /// `c·a` for one number c below the modulus.
    ///
    /// # Errors
    /// A foreign array; a number that is too large.
    pub fn mul_constant<'a>(&self, a: impl Into<View<'a>>, c: &BigUint) -> Result<Array, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        self.mul_constant_into(&mut out, a, c)?;
        Ok(out)
    }

    /// `out = c·a`.
    ///
    /// # Errors
    /// As [`Engine::mul_constant`].
    pub fn mul_constant_into<'o, 'a>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        c: &BigUint,
    ) -> Result<(), ArrayError> {
        let block = self.block(c, &Operation::MUL)?;
        self.apply("mul_constant", &Operation::MUL, out.into(), &[Source::View(a.into()), Source::Constant(&block)])
    }

    /// `a = c·a`, in place.
    ///
    /// # Errors
    /// As [`Engine::mul_constant`].
    pub fn mul_constant_assign<'a>(&self, a: impl Into<ViewMut<'a>>, c: &BigUint) -> Result<(), ArrayError> {
        let block = self.block(c, &Operation::MUL)?;
        self.apply::<Resting, Resting>(
            "mul_constant",
            &Operation::MUL,
            a.into(),
            &[Source::Out(0), Source::Constant(&block)],
        )
    }

    /// `out = a + c` for one number c below the modulus.
    ///
    /// # Errors
    /// A foreign array; different lengths; a number that is too large.
    pub fn add_constant_into<'o, 'a>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        c: &BigUint,
    ) -> Result<(), ArrayError> {
        let block = self.block(c, &Operation::ADD)?;
        self.apply("add_constant", &Operation::ADD, out.into(), &[Source::View(a.into()), Source::Constant(&block)])
    }

    /// `a = a + c`, in place.
    ///
    /// # Errors
    /// As [`Engine::add_constant_into`].
    pub fn add_constant_assign<'a>(&self, a: impl Into<ViewMut<'a>>, c: &BigUint) -> Result<(), ArrayError> {
        let block = self.block(c, &Operation::ADD)?;
        self.apply::<Resting, Resting>(
            "add_constant",
            &Operation::ADD,
            a.into(),
            &[Source::Out(0), Source::Constant(&block)],
        )
    }

    /// `out = out + c·a` for one number c below the modulus: a sum of multiples, term by term.
    ///
    /// # Errors
    /// As [`Engine::mul_constant`]; different lengths.
    pub fn mul_constant_add_assign<'o, 'a>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        c: &BigUint,
    ) -> Result<(), ArrayError> {
        let (out, a) = (out.into(), a.into());
        if !self.kernels.adds_to_products() {
            // Both have no kernel of this: the product, then the sum.
            let product = self.mul_constant(a, c)?;
            return self.add_assign(out, &product);
        }
        let block = self.block(c, &Operation::MUL_ADD)?;
        let sources = [Source::View(a), Source::Constant(&block), Source::Out(0)];
        self.apply("mul_constant_add", &Operation::MUL_ADD, out, &sources)
    }

    /// `a·b + c`, reduced once.
    ///
    /// # Errors
    /// A foreign array; different lengths.
    pub fn mul_add<'a, 'b, 'c>(
        &self,
        a: impl Into<View<'a>>,
        b: impl Into<View<'b>>,
        c: impl Into<View<'c>>,
    ) -> Result<Array, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        self.mul_add_into(&mut out, a, b, c)?;
        Ok(out)
    }

    /// `out = a·b + c`.
    ///
    /// # Errors
    /// As [`Engine::mul_add`].
    pub fn mul_add_into<'o, 'a, 'b, 'c>(
        &self,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
        b: impl Into<View<'b>>,
        c: impl Into<View<'c>>,
    ) -> Result<(), ArrayError> {
        let (out, a, b, c) = (out.into(), a.into(), b.into(), c.into());
        if !self.kernels.adds_to_products() {
            return self.mul_then_add(out, a, b, c);
        }
        self.apply("mul_add", &Operation::MUL_ADD, out, &[Source::View(a), Source::View(b), Source::View(c)])
    }

    /// `b` where the mask is set, else `a`.
    ///
    /// # Errors
    /// A foreign array; different lengths, of the mask too.
    pub fn select<'a, 'b>(
        &self,
        mask: &Mask,
        a: impl Into<View<'a>>,
        b: impl Into<View<'b>>,
    ) -> Result<Array, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        same_length("select", a.len, mask.len)?;
        self.apply(
            "select",
            &Operation::SELECTZNZ,
            out.view_mut(),
            &[Source::Flags(&mask.flags(&self.kernels)), Source::View(a), Source::View(b.into())],
        )?;
        Ok(out)
    }

    /// `a = b` where the mask is set, in place.
    ///
    /// # Errors
    /// As [`Engine::select`].
    pub fn select_assign<'a, 'b>(
        &self,
        mask: &Mask,
        a: impl Into<ViewMut<'a>>,
        b: impl Into<View<'b>>,
    ) -> Result<(), ArrayError> {
        let a = a.into();
        same_length("select", a.len, mask.len)?;
        self.apply(
            "select",
            &Operation::SELECTZNZ,
            a,
            &[Source::Flags(&mask.flags(&self.kernels)), Source::Out(0), Source::View(b.into())],
        )
    }
}

macro_rules! binary {
    ($name:ident, $into:ident, $assign:ident, $step:expr, $what:literal) => {
        #[doc = concat!("`", $what, "`.")]
        ///
        /// # Errors
        /// A foreign array; different lengths.
        pub fn $name<'a, 'b>(&self, a: impl Into<View<'a>>, b: impl Into<View<'b>>) -> Result<Array, ArrayError> {
            let a = a.into();
            let mut out = self.fresh(a.len);
            self.$into(&mut out, a, b)?;
            Ok(out)
        }

        #[doc = concat!("`out = ", $what, "`; errors as of `", stringify!($name), "`.")]
        #[allow(clippy::missing_errors_doc)]
        pub fn $into<'o, 'a, 'b>(
            &self,
            out: impl Into<ViewMut<'o>>,
            a: impl Into<View<'a>>,
            b: impl Into<View<'b>>,
        ) -> Result<(), ArrayError> {
            self.apply(stringify!($name), $step, out.into(), &[Source::View(a.into()), Source::View(b.into())])
        }

        #[doc = concat!("`a = ", $what, "`, in place; errors as of `", stringify!($name), "`.")]
        #[allow(clippy::missing_errors_doc)]
        pub fn $assign<'a, 'b>(&self, a: impl Into<ViewMut<'a>>, b: impl Into<View<'b>>) -> Result<(), ArrayError> {
            self.apply(stringify!($name), $step, a.into(), &[Source::Out(0), Source::View(b.into())])
        }
    };
}

macro_rules! unary {
    ($name:ident, $into:ident, $assign:ident, $step:expr, $what:literal) => {
        #[doc = concat!("`", $what, "`.")]
        ///
        /// # Errors
        /// A foreign array.
        pub fn $name<'a>(&self, a: impl Into<View<'a>>) -> Result<Array, ArrayError> {
            let a = a.into();
            let mut out = self.fresh(a.len);
            self.$into(&mut out, a)?;
            Ok(out)
        }

        #[doc = concat!("`out = ", $what, "`; errors: a foreign array, different lengths.")]
        #[allow(clippy::missing_errors_doc)]
        pub fn $into<'o, 'a>(&self, out: impl Into<ViewMut<'o>>, a: impl Into<View<'a>>) -> Result<(), ArrayError> {
            self.apply(stringify!($name), $step, out.into(), &[Source::View(a.into())])
        }

        #[doc = concat!("`a = ", $what, "`, in place; errors as of `", stringify!($name), "`.")]
        #[allow(clippy::missing_errors_doc)]
        pub fn $assign<'a>(&self, a: impl Into<ViewMut<'a>>) -> Result<(), ArrayError> {
            self.apply::<Resting, Resting>(stringify!($name), $step, a.into(), &[Source::Out(0)])
        }
    };
}

/// Operations that are one kernel.
impl Engine {
    binary!(mul, mul_into, mul_assign, &Operation::MUL, "a·b");
    binary!(add, add_into, add_assign, &Operation::ADD, "a + b");
    binary!(sub, sub_into, sub_assign, &Operation::SUB, "a − b");
    unary!(square, square_into, square_assign, &Operation::SQUARE, "a²");
    unary!(neg, neg_into, neg_assign, &Operation::OPP, "−a");
}

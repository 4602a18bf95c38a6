//! Operations that take each element by itself.

use evariste_jit::Prefetch;
use num_bigint::BigUint;

use crate::array::{Array, View, ViewMut};
use crate::code::In;
use crate::engine::{Engine, Step};
use crate::error::ArrayError;
use crate::form::{Form, Resting};
use crate::mask::Mask;
use crate::walk::{FAR, same_length};

/// An operand.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a, F: Form> {
    /// What is in the output.
    Out,
    /// An array.
    View(View<'a, F>),
    /// A flag an element, as long as its digits.
    Flags(&'a [u64]),
    /// One block for all.
    Constant(&'a [u64]),
}

/// Blocks that a thread takes at once.
const BLOCKS: usize = 8;

impl Engine {
    /// One step on whole arrays.
    pub(crate) fn apply<F: Form, G: Form>(
        &self,
        name: &'static str,
        step: Step,
        out: ViewMut<G>,
        sources: &[Source<F>],
    ) -> Result<(), ArrayError> {
        self.own(name, out.kernels)?;
        for source in sources {
            match source {
                Source::View(view) => self.fits(name, out.len, view)?,
                Source::Out | Source::Flags(_) | Source::Constant(_) => {}
            }
        }
        let step = match (step, self.kernels.binary()) {
            (Step::Sub, Some(_)) => Step::Add,
            (Step::Neg, Some(_)) => {
                let zeros = vec![0; self.kernels.group() * self.kernels.code(Step::Add)?.block_groups()];
                return self.apply(name, Step::Add, out, &[sources[0], Source::Constant(&zeros)]);
            }
            (step, _) => step,
        };
        let code = self.kernels.code(step)?;
        let (row, group) = (self.kernels.row(), self.kernels.group());
        let chunk = BLOCKS * code.block_groups();
        let bytes = sources.iter().fold(size_of_val(&*out.words), |bytes, source| {
            if let Source::View(view) = source { bytes + size_of_val(view.words) } else { bytes }
        });
        let far = bytes > FAR;
        self.walk(out, chunk, self.kernels.grain(chunk), |first, words, _| {
            let count = words.len() / group;
            let operand = |i: usize| match sources[i] {
                Source::Out => In::Out,
                Source::View(view) => In::Words(view.groups(first, count)),
                Source::Flags(flags) => In::Words(&flags[first * row..(first + count) * row]),
                Source::Constant(words) => In::Constant(words),
            };
            // What the next chunk writes and reads.
            let mut prefetches = [Prefetch::NONE; 4];
            if far {
                prefetches[0] = Prefetch::write(words, chunk * group);
                for (prefetch, source) in prefetches[1..].iter_mut().zip(sources) {
                    if let Source::View(view) = source {
                        *prefetch = Prefetch::read(view.groups(first, count), chunk * group);
                    }
                }
            }
            let prefetches = if far { &prefetches[..] } else { &[] };
            let run = match sources {
                [_] => code.run_prefetching(words, &[operand(0)], prefetches),
                [_, _] => code.run_prefetching(words, &[operand(0), operand(1)], prefetches),
                [_, _, _] => code.run_prefetching(words, &[operand(0), operand(1), operand(2)], prefetches),
                _ => Err("more operands than an operation has".into()),
            };
            run.map_err(|why| self.kernels.fault(name, why))
        })
    }

    /// A block of one element, as often as the longest call of a step takes it.
    pub(crate) fn block(&self, value: &BigUint, step: Step) -> Result<Vec<u64>, ArrayError> {
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
        let block = self.block(c, Step::Mul)?;
        self.apply("mul_constant", Step::Mul, out.into(), &[Source::View(a.into()), Source::Constant(&block)])
    }

    /// `a = c·a`, in place.
    ///
    /// # Errors
    /// As [`Engine::mul_constant`].
    pub fn mul_constant_assign<'a>(&self, a: impl Into<ViewMut<'a>>, c: &BigUint) -> Result<(), ArrayError> {
        let block = self.block(c, Step::Mul)?;
        self.apply::<Resting, Resting>("mul_constant", Step::Mul, a.into(), &[Source::Out, Source::Constant(&block)])
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
        if self.kernels.short() || self.kernels.binary().is_some() {
            return self.mul_then_add(out, a, b, c);
        }
        self.apply("mul_add", Step::MulAdd, out, &[Source::View(a), Source::View(b), Source::View(c)])
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
            Step::Select,
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
            Step::Select,
            a,
            &[Source::Flags(&mask.flags(&self.kernels)), Source::Out, Source::View(b.into())],
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
            self.apply(stringify!($name), $step, a.into(), &[Source::Out, Source::View(b.into())])
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
            self.apply::<Resting, Resting>(stringify!($name), $step, a.into(), &[Source::Out])
        }
    };
}

/// Operations that are one kernel.
impl Engine {
    binary!(mul, mul_into, mul_assign, Step::Mul, "a·b");
    binary!(add, add_into, add_assign, Step::Add, "a + b");
    binary!(sub, sub_into, sub_assign, Step::Sub, "a − b");
    unary!(square, square_into, square_assign, Step::Square, "a²");
    unary!(neg, neg_into, neg_assign, Step::Neg, "−a");
}

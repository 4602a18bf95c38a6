//! Functions of two arrays of words, checked once and called on many numbers, of which each may be tested.

use crate::executable::RawFunction;
use crate::function::Function;
use crate::limit::Limit;
use crate::numbers::tested;
use crate::stack;

/// A function of an output and two inputs of as many words each.
#[derive(Clone, Debug)]
pub struct OnPairs {
    /// Keeps the code.
    function: Function,
    entry: RawFunction,
    words: usize,
    in_place: bool,
}

/// What it is.
type Pairs = unsafe extern "C" fn(*mut u64, *const u64, *const u64);

impl OnPairs {
    /// `None`: the function takes something else.
    pub fn new(function: Function) -> Option<OnPairs> {
        let words = function.params().first().map_or(0, |param| param.len as usize);
        let fits = words > 0 && function.takes_pairs(words);
        let (entry, in_place) = (function.raw(), function.may_be_in_place());
        fits.then_some(OnPairs { function, entry, words, in_place })
    }

    /// Words of each array of a call.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    #[inline]
    fn callable(&self) -> Pairs {
        stack::reserve(self.function.stack());
        // SAFETY: the code was made for three pointers.
        unsafe { std::mem::transmute::<RawFunction, Pairs>(self.entry) }
    }

    /// `out = f(a, b)`. `false`, and nothing done: a slice has another length.
    #[inline]
    #[must_use]
    pub fn alone(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        let words = self.words;
        let fits = out.len() == words && a.len() == words && b.len() == words;
        if fits {
            // SAFETY: three arrays of as many words as the function takes, of which the first one alone is written, and is
            // nobody else's.
            unsafe { self.callable()(out.as_mut_ptr(), a.as_ptr(), b.as_ptr()) };
        }
        fits
    }

    /// `out = f(out, b)`. `false` also where the output must not be an input.
    #[inline]
    #[must_use]
    pub fn alone_in_place(&self, out: &mut [u64], b: &[u64]) -> bool {
        let fits = self.in_place && out.len() == self.words && b.len() == self.words;
        if fits {
            let out = out.as_mut_ptr();
            // SAFETY: as in `alone`; the program allows the first array to be the second one.
            unsafe { self.callable()(out, out, b.as_ptr()) };
        }
        fits
    }

    /// `out = f(a, b)` for each N words. `see` is shown both inputs of each call before it, so that a test of them and the
    /// call before go on at once. `false`, and nothing done: the function is not of N words, or the lengths differ.
    #[inline]
    #[must_use]
    pub fn each<const N: usize>(
        &self,
        out: &mut [[u64; N]],
        a: &[[u64; N]],
        b: &[[u64; N]],
        mut see: impl FnMut(&[u64; N], &[u64; N]),
    ) -> bool {
        if self.words != N || a.len() != out.len() || b.len() != out.len() {
            return false;
        }
        let function = self.callable();
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            see(a, b);
            // SAFETY: three arrays of N words, of which the first one alone is written, and is nobody else's.
            unsafe { function(out.as_mut_ptr(), a.as_ptr(), b.as_ptr()) };
        }
        true
    }

    /// The same of `out = f(out, b)`. `false` also where the output must not be an input.
    #[inline]
    #[must_use]
    pub fn each_in_place<const N: usize>(
        &self,
        out: &mut [[u64; N]],
        b: &[[u64; N]],
        mut see: impl FnMut(&[u64; N]),
    ) -> bool {
        if self.words != N || b.len() != out.len() || !self.in_place {
            return false;
        }
        let function = self.callable();
        for (out, b) in out.iter_mut().zip(b) {
            see(b);
            let out = out.as_mut_ptr();
            // SAFETY: arrays of N words, of which the first one alone is written, and which the program allows to be the
            // second one; it is nobody else's.
            unsafe { function(out, out, b.as_ptr()) };
        }
        true
    }

    /// As [`OnPairs::tested`] without a test. `false`, and nothing done, where that gives `None`.
    #[inline]
    #[must_use]
    pub fn blocks<const N: usize>(&self, out: &mut [[u64; N]], a: Option<&[[u64; N]]>, b: &[[u64; N]]) -> bool {
        let (out, a, b) = (out.as_flattened_mut(), a.map(<[_]>::as_flattened), b.as_flattened());
        let (words, len) = (self.words, out.len());
        let equal = b.len() == len && a.map_or(self.in_place, |a| a.len() == len);
        let whole = if words.is_power_of_two() { len & (words - 1) == 0 } else { len.is_multiple_of(words) };
        if !equal || !whole {
            return false;
        }
        let function = self.callable();
        let (to, by) = (out.as_mut_ptr(), b.as_ptr());
        let from = a.map_or(to.cast_const(), <[u64]>::as_ptr);
        for at in (0..len).step_by(words) {
            // SAFETY: as in `tested`.
            unsafe { function(to.add(at), from.add(at), by.add(at)) };
        }
        true
    }

    /// `out = f(a, b)`, or `out = f(out, b)` where there is no `a`, on as many numbers a call as the function's arrays
    /// hold. Numbers of `a` and `b` are tested, some blocks before they are computed: is any of them not below the limit?
    /// No branch depends on one. `None`, and nothing done: the arrays are no whole number of blocks of N words, the
    /// lengths differ, or the output must not be an input.
    #[inline]
    pub fn tested<const N: usize>(
        &self,
        limit: &Limit,
        out: &mut [[u64; N]],
        a: Option<&[[u64; N]]>,
        b: &[[u64; N]],
    ) -> Option<bool> {
        let words = self.words;
        let (block, len) = (words / N, out.len());
        let equal = b.len() == len && a.map_or(self.in_place, |a| a.len() == len);
        if N == 0 || block * N != words || !equal {
            return None;
        }
        // A division takes longer than the test of a number.
        let blocks = if block.is_power_of_two() { len >> block.trailing_zeros() } else { len / block };
        if blocks.wrapping_mul(block) != len {
            return None;
        }
        let function = self.callable();
        let (to, by) = (out.as_flattened_mut().as_mut_ptr(), b.as_flattened().as_ptr());
        let from = a.map_or(to.cast_const(), |a| a.as_flattened().as_ptr());
        tested(limit, [block, blocks], a, b, move |at| {
            // Within a slice.
            let at = at.wrapping_mul(words);
            // SAFETY: each pointer is to `words` words of a slice of whole blocks; the first one alone is written, and is
            // nobody else's, or the second one as well where the program allows it.
            unsafe { function(to.add(at), from.add(at), by.add(at)) };
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function must not be copied to another thread without its memory.
    #[test]
    fn handles_keep_their_code() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<OnPairs>();
    }
}

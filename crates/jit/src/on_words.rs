//! Functions of arrays of words, checked once and called on many numbers, of which each may be tested.

use std::array::from_fn;

use crate::executable::RawFunction;
use crate::function::Function;
use crate::limit::Limit;
use crate::numbers::tested;
use crate::stack;

/// A function of an output, a first input and R more, of as many words each.
#[derive(Clone, Debug)]
pub struct OnWords<const R: usize> {
    /// Keeps the code.
    function: Function,
    entry: RawFunction,
    words: usize,
    /// The same where there is stack for a call in any case, else no length of a slice.
    at_once: usize,
    in_place: bool,
}

/// Functions of two inputs.
pub type OnPairs = OnWords<1>;
/// Functions of three inputs.
pub type OnTriples = OnWords<2>;

impl<const R: usize> OnWords<R> {
    /// `None`: the function takes something else. It has two inputs or three.
    pub fn new(function: Function) -> Option<OnWords<R>> {
        let words = function.params().first().map_or(0, |param| param.len as usize);
        let fits = matches!(R, 1 | 2) && words > 0 && function.takes_words(R + 1, words);
        let (entry, in_place) = (function.raw(), function.may_be_in_place());
        let at_once = if stack::is_there(function.stack()) { words } else { usize::MAX };
        fits.then_some(OnWords { function, entry, words, at_once, in_place })
    }

    /// Words of each array of a call.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Makes sure of the stack that calls need.
    #[inline(always)]
    fn reserve(&self) {
        stack::reserve(self.function.stack());
    }

    /// A call.
    ///
    /// # Safety
    /// Each pointer is to as many words as the function takes, of which it writes the first ones alone, which are nobody
    /// else's, or the second ones as well where the program allows it. There is stack.
    #[inline(always)]
    unsafe fn call(&self, out: *mut u64, first: *const u64, others: [*const u64; R]) {
        type Pairs = unsafe extern "C" fn(*mut u64, *const u64, *const u64);
        type Triples = unsafe extern "C" fn(*mut u64, *const u64, *const u64, *const u64);
        match others[..] {
            // SAFETY: the code was made for three pointers; the rest is the caller's promise.
            [b] => unsafe { std::mem::transmute::<RawFunction, Pairs>(self.entry)(out, first, b) },
            // SAFETY: for four.
            [b, c] => unsafe { std::mem::transmute::<RawFunction, Triples>(self.entry)(out, first, b, c) },
            // There is no such value.
            _ => {}
        }
    }

    /// `out = f(a, b…)`, or `out = f(out, b…)` where there is no `a`. `false`, and nothing done: a slice has another length,
    /// or the output must not be an input.
    #[inline(always)]
    #[must_use]
    pub fn alone(&self, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> bool {
        self.reserve();
        // SAFETY: there is stack.
        unsafe { self.on_slices(self.words, out, a, others) }
    }

    /// As [`OnWords::alone`] with nothing but the call. `false`, and nothing done, also of code that needs much stack.
    #[inline(always)]
    #[must_use]
    pub fn at_once(&self, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> bool {
        // SAFETY: code that needs more stack than there is in any case takes slices of no length.
        unsafe { self.on_slices(self.at_once, out, a, others) }
    }

    /// As [`OnWords::at_once`] on any numbers: each code in turn on as many of those that are left as its calls take whole.
    /// `false`, and anything in the output: the lengths differ, numbers are left, or the output must not be an input.
    #[inline(always)]
    #[must_use]
    pub fn some_at_once(codes: &[Self], out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> bool {
        let len = out.len();
        if a.is_some_and(|a| a.len() != len) || others.iter().any(|other| other.len() != len) {
            return false;
        }
        let to = out.as_mut_ptr();
        let (from, pointers): (_, [_; R]) =
            (a.map_or(to.cast_const(), <[u64]>::as_ptr), from_fn(|i| others[i].as_ptr()));
        let mut at = 0;
        for code in codes.iter().filter(|code| a.is_some() || code.in_place) {
            while len - at >= code.at_once {
                // SAFETY: as in `on_slices`, from a word on behind which each slice has as many words as the code takes; code
                // that needs more stack than there is in any case takes more than any slice has.
                unsafe { code.call(to.add(at), from.add(at), from_fn(|i| pointers[i].add(at))) };
                at += code.at_once;
            }
        }
        at == len
    }

    /// A call, where the slices have that length and the output may be what it is to be.
    ///
    /// # Safety
    /// That length is the function's words, and then there is stack; or no slice has it.
    #[inline(always)]
    unsafe fn on_slices(&self, words: usize, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> bool {
        let fits = out.len() == words
            && a.map_or(self.in_place, |a| a.len() == words)
            && others.iter().all(|other| other.len() == words);
        if fits {
            let to = out.as_mut_ptr();
            // SAFETY: arrays of as many words as the function takes, of which the first one alone is written, and is nobody
            // else's; the program allows it to be the second one where it is. There is stack by the caller's promise.
            unsafe { self.call(to, a.map_or(to.cast_const(), <[u64]>::as_ptr), from_fn(|i| others[i].as_ptr())) };
        }
        fits
    }

    /// As [`OnWords::tested`] without a test. `false`, and nothing done, where that gives `None`.
    #[inline]
    #[must_use]
    pub fn blocks<const N: usize>(
        &self,
        out: &mut [[u64; N]],
        a: Option<&[[u64; N]]>,
        others: &[&[[u64; N]]; R],
    ) -> bool {
        let equal =
            others.iter().all(|other| other.len() == out.len()) && a.map_or(self.in_place, |a| a.len() == out.len());
        let (out, words) = (out.as_flattened_mut(), self.words);
        let len = out.len();
        let whole = if words.is_power_of_two() { len & (words - 1) == 0 } else { len.is_multiple_of(words) };
        if !equal || !whole {
            return false;
        }
        self.reserve();
        let to = out.as_mut_ptr();
        let from = a.map_or(to.cast_const(), |a| a.as_flattened().as_ptr());
        let pointers: [*const u64; R] = from_fn(|i| others[i].as_flattened().as_ptr());
        for at in (0..len).step_by(words) {
            // SAFETY: as in `tested`.
            unsafe { self.call(to.add(at), from.add(at), from_fn(|i| pointers[i].add(at))) };
        }
        true
    }

    /// `out = f(a, b…)`, or `out = f(out, b…)` where there is no `a`, on as many numbers a call as the function's arrays
    /// hold. Numbers of the inputs are tested, some blocks before they are computed: is any of them not below the limit?
    /// No branch depends on one. `None`, and nothing done: the arrays are no whole number of blocks of N words, the
    /// lengths differ, or the output must not be an input.
    #[inline]
    pub fn tested<const N: usize>(
        &self,
        limit: &Limit,
        out: &mut [[u64; N]],
        a: Option<&[[u64; N]]>,
        others: &[&[[u64; N]]; R],
    ) -> Option<bool> {
        let words = self.words;
        let (block, len) = (words / N, out.len());
        let equal = others.iter().all(|other| other.len() == len) && a.map_or(self.in_place, |a| a.len() == len);
        if N == 0 || block * N != words || !equal {
            return None;
        }
        // A division takes longer than the test of a number.
        let blocks = if block.is_power_of_two() { len >> block.trailing_zeros() } else { len / block };
        if blocks.wrapping_mul(block) != len {
            return None;
        }
        self.reserve();
        let to = out.as_flattened_mut().as_mut_ptr();
        let from = a.map_or(to.cast_const(), |a| a.as_flattened().as_ptr());
        let pointers: [*const u64; R] = from_fn(|i| others[i].as_flattened().as_ptr());
        tested(limit, [block, blocks], a, others, move |at| {
            // Within a slice.
            let at = at.wrapping_mul(words);
            // SAFETY: each pointer is to `words` words of a slice of whole blocks; the first one alone is written, and is
            // nobody else's, or the second one as well where the program allows it.
            unsafe { self.call(to.add(at), from.add(at), from_fn(|i| pointers[i].add(at))) };
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
        is_shared::<OnTriples>();
    }
}

//! A bit for each element: what `select` decides by.

use std::borrow::Cow;

use crate::engine::Kernels;
use crate::error::ArrayError;
use crate::{Engine, View, form::Canonical};

/// The most lanes that any engine has.
const LANES: usize = 512;

/// A flag for each element of an array, of whatever field.
#[derive(Clone)]
pub struct Mask {
    pub(crate) len: usize,
    /// 0 or 1 for each element, up to a whole group.
    pub(crate) words: Vec<u64>,
}

impl Mask {
    /// A mask from flags.
    pub fn new(flags: &[bool]) -> Mask {
        Mask::from_words(flags.iter().map(|f| u64::from(*f)).collect())
    }

    /// From 0 and 1.
    fn from_words(mut words: Vec<u64>) -> Mask {
        let len = words.len();
        words.resize(len.next_multiple_of(LANES), 0);
        Mask { len, words }
    }

    /// Number of flags.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No flags?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The flags.
    pub fn to_flags(&self) -> Vec<bool> {
        self.words[..self.len].iter().map(|w| *w == 1).collect()
    }

    /// How many flags are set.
    pub fn count(&self) -> usize {
        self.words[..self.len].iter().map(|w| *w as usize).sum()
    }

    /// The flags as words of memory, each as long as a digit.
    pub(crate) fn flags(&self, kernels: &Kernels) -> Cow<'_, [u64]> {
        let bits = kernels.digit_bits();
        if bits == 64 {
            return Cow::Borrowed(&self.words);
        }
        let join = |digits: &[u64]| digits.iter().rev().fold(0, |word, digit| word << bits | digit);
        Cow::Owned(self.words.chunks_exact(kernels.per_word()).map(join).collect())
    }
}

/// Of each lane of groups of so many words all digits at once.
fn any_digit<const ROW: usize>(group: usize, words: &[u64], flags: &mut [u64]) {
    for (words, flags) in words.chunks_exact(group).zip(flags.as_chunks_mut::<ROW>().0) {
        *flags = words
            .as_chunks::<ROW>()
            .0
            .iter()
            .fold([0; ROW], |any, digits| std::array::from_fn(|lane| any[lane] | digits[lane]));
    }
}

/// 1 where the word is 0.
fn zero(word: u64) -> u64 {
    !(word | word.wrapping_neg()) >> 63
}

impl Kernels {
    /// Flags of the zeros among canonical elements, as long as a digit each.
    pub(crate) fn zeros(&self, words: &[u64], flags: &mut [u64]) {
        match self.row() {
            4 => any_digit::<4>(self.group(), words, flags),
            8 => any_digit::<8>(self.group(), words, flags),
            row => (0..row).for_each(|lane| {
                let groups = words.chunks_exact(self.group()).map(|group| group.iter().skip(lane).step_by(row));
                let any = groups.map(|digits| digits.fold(0, |any, digit| any | digit));
                flags.iter_mut().skip(lane).step_by(row).zip(any).for_each(|(flag, any)| *flag = any);
            }),
        }
        let bits = self.digit_bits();
        for flag in flags {
            let part = |at: u32| zero(*flag >> (at * bits) & (u64::MAX >> (64 - bits))) << (at * bits);
            *flag = if bits == 64 { zero(*flag) } else { (0..64 / bits).map(part).fold(0, |all, part| all | part) };
        }
    }

    /// Sets the flags of these elements, in flags that begin with that of the first.
    pub(crate) fn flag(&self, flags: &mut [u64], first: usize, elements: std::ops::Range<usize>) {
        let (per_word, bits) = (self.per_word(), self.digit_bits());
        for element in elements.start.max(first) - first..elements.end - first {
            flags[element / per_word] |= 1 << (element % per_word * bits as usize);
        }
    }
}

impl Engine {
    /// Which canonical elements are zero. Of canonical elements the digits decide; no arithmetic is done.
    ///
    /// # Errors
    /// A foreign array.
    pub fn is_zero<'a>(&self, a: impl Into<View<'a, Canonical>>) -> Result<Mask, ArrayError> {
        let a = a.into();
        self.own("is_zero", a.kernels)?;
        Ok(self.flags(a.len, a.words, |_| 0))
    }

    /// Which canonical elements are equal.
    ///
    /// # Errors
    /// A foreign array; different lengths.
    pub fn equal<'a, 'b>(
        &self,
        a: impl Into<View<'a, Canonical>>,
        b: impl Into<View<'b, Canonical>>,
    ) -> Result<Mask, ArrayError> {
        let (a, b) = (a.into(), b.into());
        self.own("equal", a.kernels)?;
        self.fits("equal", a.len, &b)?;
        Ok(self.flags(a.len, a.words, |i| b.words[i]))
    }

    /// 1 for each element whose words are those of another.
    fn flags(&self, len: usize, words: &[u64], other: impl Fn(usize) -> u64) -> Mask {
        let (row, group, bits) = (self.kernels.row(), self.kernels.group(), self.kernels.digit_bits());
        let mut flags = Vec::with_capacity(words.len() / group * self.kernels.lanes());
        for (g, words) in words.chunks_exact(group).enumerate() {
            let mut differ = vec![0u64; row];
            for (i, word) in words.iter().enumerate() {
                differ[i % row] |= word ^ other(g * group + i);
            }
            for d in differ {
                flags.extend((0..64 / bits).map(|part| zero(d >> (part * bits) & (u64::MAX >> (64 - bits)))));
            }
        }
        flags.truncate(len);
        Mask::from_words(flags)
    }
}

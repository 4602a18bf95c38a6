//! What numbers in words are compared with.

/// The most words of a number that are compared without a loop over words.
const MOST: usize = 9;

/// What numbers of up to nine words are compared with.
#[derive(Clone, Debug)]
pub struct Limit {
    words: [u64; MOST],
    len: usize,
    /// The words as signed comparisons of `x > l_i` want them, the lowest one less: with their top bit turned.
    pub(crate) turned: [u64; MOST],
    /// All ones for words above the lowest one that are 0.
    pub(crate) zero: [u64; MOST],
    /// Is there such a word?
    pub(crate) has_zeros: bool,
    /// Are all words but the highest one 0, as where numbers are strings of bits? Then that word alone decides.
    pub(crate) is_top_alone: bool,
}

impl Limit {
    /// The limit of numbers of as many words, the lowest first. `None`: of none or more than nine.
    pub fn new(words: &[u64]) -> Option<Limit> {
        let len = words.len();
        let own = (1..=MOST).contains(&len).then(|| std::array::from_fn(|i| *words.get(i).unwrap_or(&0)))?;
        let turned = std::array::from_fn(|i| own[i].wrapping_sub(u64::from(i == 0)) ^ 1 << 63);
        let zero = std::array::from_fn(|i| if (1..len).contains(&i) && own[i] == 0 { u64::MAX } else { 0 });
        let is_top_alone = words[..len - 1].iter().all(|word| *word == 0);
        Some(Limit { words: own, len, turned, zero, has_zeros: zero.contains(&u64::MAX), is_top_alone })
    }

    /// The words, where there are so many.
    #[inline]
    pub fn words<const N: usize>(&self) -> Option<&[u64; N]> {
        if self.len == N { self.words.first_chunk::<N>() } else { None }
    }
}

/// Is a number of N words, the lowest first, not below that limit, by a processor's borrow of `x − y − borrow`?
#[inline(always)]
pub(crate) fn is_above_by<const N: usize>(
    limit: &[u64; N],
    number: &[u64; N],
    borrows: impl Fn(u64, u64, bool) -> bool,
) -> bool {
    !number.iter().zip(limit).fold(false, |borrow, (x, limit)| borrows(*x, *limit, borrow))
}

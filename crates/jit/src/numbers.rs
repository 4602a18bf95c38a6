//! Comparisons of numbers in words, without a branch on one of them.

use crate::native;

/// Is a number of N words, the lowest first, not below that limit? One borrow through all words.
#[inline(always)]
pub fn is_above<const N: usize>(limit: &[u64; N], number: &[u64; N]) -> bool {
    !number.iter().zip(limit).fold(false, |borrow, (x, limit)| native::borrows(*x, *limit, borrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of numbers of three words that are about 0, a middle and the greatest.
    #[test]
    fn numbers_are_compared() {
        let words = [0, 1, 1 << 63, u64::MAX - 1, u64::MAX];
        let numbers = || words.into_iter().flat_map(|a| words.into_iter().flat_map(move |b| words.map(|c| [c, b, a])));
        // In ascending order.
        for (i, limit) in numbers().enumerate() {
            for (j, number) in numbers().enumerate() {
                assert_eq!(is_above(&limit, &number), j >= i, "{number:?} beside {limit:?}");
            }
        }
        assert!(is_above(&[], &[]));
    }
}

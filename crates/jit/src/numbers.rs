//! Comparisons of numbers in words, without a branch on one of them.

use crate::limit::{Limit, is_above_by};
use crate::native;

/// Is a number of N words, the lowest first, not below that limit? One borrow through all words.
#[inline(always)]
pub fn is_above<const N: usize>(limit: &[u64; N], number: &[u64; N]) -> bool {
    is_above_by(limit, number, native::borrows)
}

/// Is any of these numbers not below that limit? Without a branch on one. `None`: the limit is of another number of words.
#[inline]
pub fn any_above<const N: usize>(limit: &Limit, numbers: &[[u64; N]]) -> Option<bool> {
    tested::<N, 0>(limit, [numbers.len(), 1], Some(numbers), &[], |_| ())
}

/// Shows `call` the number of each block of some slices, of which the first one may be missing, when its numbers have been
/// tested, which calls before may still go on beside: of so many numbers a block, and so many blocks, which are all of
/// the slices. Is any number not below the limit? `None`, and nothing done: the limit is of another number of words, or the
/// lengths are others.
#[inline]
pub(crate) fn tested<const N: usize, const R: usize>(
    limit: &Limit,
    [block, blocks]: [usize; 2],
    a: Option<&[[u64; N]]>,
    others: &[&[[u64; N]]; R],
    call: impl FnMut(usize),
) -> Option<bool> {
    let words = limit.words::<N>()?;
    let len = block.wrapping_mul(blocks);
    if a.iter().chain(others).any(|input| input.len() != len) {
        return None;
    }
    Some(native::tested(limit, [block, blocks], a, others, call).unwrap_or_else(|mut call| {
        let mut any = false;
        for at in 0..blocks {
            let of = |numbers: &[[u64; N]]| {
                let numbers = numbers[at * block..(at + 1) * block].iter();
                match limit.is_top_alone {
                    true => numbers.fold(false, |any, number| any | (number[N - 1] >= words[N - 1])),
                    false => numbers.fold(false, |any, number| any | is_above(words, number)),
                }
            };
            any = a.iter().chain(others).fold(any, |any, input| any | of(input));
            call(at);
        }
        any
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers about a limit, and about what its words are, at every place of blocks of every length.
    fn blocks_beside<const N: usize>(limit: [u64; N]) {
        let mut edges = vec![[0; N], [u64::MAX; N], limit];
        for i in 0..N {
            for step in [1, u64::MAX] {
                let mut near = limit;
                near[i] = near[i].wrapping_add(step);
                edges.push(near);
                // With all ones or zeros below and above.
                edges.push(std::array::from_fn(|j| if j < i { u64::MAX } else { near[j] }));
                edges.push(std::array::from_fn(|j| if j < i { 0 } else { near[j] }));
                edges.push(std::array::from_fn(|j| if j > i { u64::MAX } else { near[j] }));
                edges.push(std::array::from_fn(|j| if j == i { 1 << 63 } else { near[j] }));
            }
        }
        for edge in edges {
            for block in [1, 2, 3, 4, 7, 8, 16] {
                for at in 0..2 * block {
                    let (mut numbers, zeros) = (vec![[0; N]; 2 * block], vec![[0; N]; 2 * block]);
                    numbers[at] = edge;
                    let (limits, sizes) = (Limit::new(&limit).unwrap(), [block, 2]);
                    let (numbers, zeros) = (&numbers[..], &zeros[..]);
                    let mut calls = Vec::new();
                    let mut see = |at| calls.push(at);
                    let all = [
                        tested(&limits, sizes, Some(numbers), &[zeros], &mut see),
                        tested(&limits, sizes, Some(zeros), &[numbers], &mut see),
                        tested(&limits, sizes, None, &[numbers], &mut see),
                        tested(&limits, sizes, Some(zeros), &[zeros, numbers], &mut see),
                        tested(&limits, sizes, Some(zeros), &[numbers, zeros], &mut see),
                        tested(&limits, sizes, None, &[zeros, numbers], &mut see),
                    ];
                    let is = Some(is_above(&limit, &edge));
                    assert!(all == [is; 6], "{edge:x?} beside {limit:x?}, {at} of {block}: {all:?}");
                    assert_eq!(calls, [0, 1].repeat(6));
                }
            }
        }
    }

    #[test]
    fn blocks_of_numbers_are_compared() {
        blocks_beside([0xffff_ffff_0000_0001]);
        blocks_beside([1]);
        blocks_beside([7, 1 << 20]);
        blocks_beside([u64::MAX, 0, 5]);
        // p256, a number without its lowest word, 2^255 - 19.
        blocks_beside([u64::MAX, 0xffff_ffff, 0, 0xffff_ffff_0000_0001]);
        blocks_beside([0, 0, 0, 1 << 40]);
        blocks_beside([u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]);
        blocks_beside([u64::MAX, u64::MAX, 0, 0, 0]);
        blocks_beside([3, 0, u64::MAX, 1 << 63, (1 << 63) - 1, 1]);
        blocks_beside([1, 2, 3, 4, 5, 6, 7, 8, 0x1ff]);
        let limit = Limit::new(&[1, 1]).unwrap();
        assert_eq!(tested(&limit, [4, 0], None, &[&[[9, 9]; 3]], |_| panic!("no whole block")), None);
        assert_eq!(tested(&limit, [4, 0], None, &[&[[9, 9]; 0]], |_| panic!("no block")), Some(false));
        assert_eq!(tested(&limit, [1, 1], None, &[&[[0, 0, 0]]], |_| panic!("of three words")), None);
        assert!(Limit::new(&[]).is_none() && Limit::new(&[1; 10]).is_none());
    }

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

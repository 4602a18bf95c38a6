//! From elements one after the other to the order of lanes, and back: by the permutations of AVX-512 where there are eight lanes or a multiple, by plain copies elsewhere.

use evariste_jit::transpose::{self, Order};

/// `lanes` elements of n words each, one after the other, into n rows of `lanes` words.
fn interleave(n: usize, lanes: usize, from: &[u64], to: &mut [u64]) {
    for (i, row) in to.chunks_exact_mut(lanes).enumerate() {
        for (l, word) in row.iter_mut().enumerate() {
            *word = from[l * n + i];
        }
    }
}

/// Elements of n words, one after the other, into groups of lanes. Lanes of the last group without an element become zero. Where there is a choice, in the order of [`Order::Natural`] or in any.
pub(crate) fn to_lanes(n: usize, lanes: usize, order: Order, from: &[u64], to: &mut [u64]) {
    let whole = from.len() / (n * lanes) * (n * lanes);
    let (from, rest) = from.split_at(whole);
    let (to, last) = to.split_at_mut(whole);
    match (lanes, n) {
        (1, _) | (_, 1) => to.copy_from_slice(from),
        _ if transpose::interleave(n, lanes, order, from, to) => {}
        _ => from.chunks_exact(n * lanes).zip(to.chunks_exact_mut(n * lanes)).for_each(|(from, to)| interleave(n, lanes, from, to)),
    }
    if !rest.is_empty() {
        let mut padded = rest.to_vec();
        padded.resize(n * lanes, 0);
        interleave(n, lanes, &padded, &mut last[..n * lanes]);
    }
}

/// The way back; the last group's lanes without an element are left out.
pub(crate) fn from_lanes(n: usize, lanes: usize, order: Order, from: &[u64], to: &mut [u64]) {
    let whole = to.len() / (n * lanes) * (n * lanes);
    let (to, rest) = to.split_at_mut(whole);
    let (from, last) = from.split_at(whole);
    match (lanes, n) {
        (1, _) | (_, 1) => to.copy_from_slice(from),
        _ if transpose::deinterleave(n, lanes, order, from, to) => {}
        // n rows of `lanes` words are the transpose of `lanes` elements of n words.
        _ => from.chunks_exact(n * lanes).zip(to.chunks_exact_mut(n * lanes)).for_each(|(from, to)| interleave(lanes, n, from, to)),
    }
    for (k, word) in rest.iter_mut().enumerate() {
        *word = last[k % n * lanes + k / n];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_nothing() {
        for lanes in [1, 8, 16, 20] {
            for n in 1..=9 {
                for elements in [0, 1, 7, 8, 9, 16, 25] {
                    let from: Vec<u64> = (1..=(elements * n) as u64).collect();
                    let mut blocked = vec![u64::MAX; usize::div_ceil(elements, lanes) * lanes * n];
                    to_lanes(n, lanes, Order::Natural, &from, &mut blocked);
                    for e in 0..elements {
                        for i in 0..n {
                            assert_eq!(blocked[(e / lanes * n + i) * lanes + e % lanes], from[e * n + i], "word {i} of element {e} of {elements}");
                        }
                    }
                    let mut back = vec![0; from.len()];
                    from_lanes(n, lanes, Order::Natural, &blocked, &mut back);
                    assert_eq!(back, from);
                    blocked.fill(u64::MAX);
                    back.fill(0);
                    to_lanes(n, lanes, Order::Free, &from, &mut blocked);
                    from_lanes(n, lanes, Order::Free, &blocked, &mut back);
                    assert_eq!(back, from);
                }
            }
        }
    }
}

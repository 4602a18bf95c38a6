//! Elements one after the other into the order of lanes, and back, by permutations of vectors of eight words or of four:
//! words are moved, nothing is computed.
//!
//! Eight elements of n words become n rows of eight, word i of every element in row i. Where n is odd the words of a
//! row have different places modulo eight, so n registers blended are a row in another order; where n is twice an odd
//! number that holds for two rows of four elements. A blend may run on two ports, a permutation on one only: n
//! permutations are left. Elements of four words are blended as they are loaded, at addresses that stand for shifts.
//! Other lengths go in tiles of up to four words, by eight permutations each. Four elements of n words go two words at a
//! time, each by half a load, an unpack and a store. Elements may be bytes of either order. Whoever calls has another way
//! where the processor is another.

pub use crate::endian::Endian;
use crate::native;

/// Turns whole groups of `lanes` elements of n words each into n rows of `lanes` words. `false`, and nothing done, where
/// the processor has no such vectors or the lengths are not those of the same number of whole groups.
#[inline]
pub fn interleave(lanes: usize, n: usize, from: &[u64], to: &mut [u64]) -> bool {
    // SAFETY: the bytes of these words, which any bytes may be.
    let bytes = unsafe { std::slice::from_raw_parts(from.as_ptr().cast(), size_of_val(from)) };
    interleave_bytes(lanes, n, Endian::Little, bytes, to)
}

/// The way back.
#[inline]
pub fn deinterleave(lanes: usize, n: usize, from: &[u64], to: &mut [u64]) -> bool {
    // SAFETY: the bytes of these words, which any bytes may be, and which nobody else has meanwhile.
    let bytes = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast(), size_of_val(to)) };
    deinterleave_bytes(lanes, n, Endian::Little, from, bytes)
}

/// Interleaves elements of 8n bytes each.
pub fn interleave_bytes(lanes: usize, n: usize, endian: Endian, from: &[u8], to: &mut [u64]) -> bool {
    if !able(lanes, n, from.len(), to.len()) {
        return false;
    }
    native::into_rows(lanes, n, endian, from, to)
}

/// The way back.
pub fn deinterleave_bytes(lanes: usize, n: usize, endian: Endian, from: &[u64], to: &mut [u8]) -> bool {
    if !able(lanes, n, to.len(), from.len()) {
        return false;
    }
    native::into_elements(lanes, n, endian, from, to)
}

/// Are so many bytes and words the same number of whole groups?
fn able(lanes: usize, n: usize, bytes: usize, words: usize) -> bool {
    // A group is no longer than memory, also where there is none.
    let group = n.checked_mul(8).and_then(|bytes| bytes.checked_mul(lanes));
    // A division takes as long as a group.
    let whole = |group| bytes == group || bytes.is_multiple_of(group);
    group.is_some_and(|group| group > 0 && bytes == words * 8 && whole(group))
}

/// Is any word not 0? Without a branch on one of them.
pub fn any(words: &[u64]) -> bool {
    native::any(words).unwrap_or_else(|| words.iter().fold(0, |any, word| any | word) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are all different as far as a byte goes, words wholly: what moves them moves any.
    #[test]
    fn rows_and_back() {
        for (lanes, n) in [4, 8].into_iter().flat_map(|lanes| (1..=17).map(move |n| (lanes, n))) {
            for (groups, endian) in (0..4).flat_map(|groups| [(groups, Endian::Little), (groups, Endian::Big)]) {
                let words: Vec<u64> =
                    (0..(groups * lanes * n) as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
                let bytes: Vec<u8> = words
                    .chunks(n)
                    .flat_map(|element| match endian {
                        Endian::Little => element.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>(),
                        Endian::Big => element.iter().rev().flat_map(|w| w.to_be_bytes()).collect(),
                    })
                    .collect();
                // At an address that is no multiple of anything.
                let (mut odd, mut back) = (vec![0], vec![0xff; bytes.len() + 1]);
                odd.extend(&bytes);
                let mut rows = vec![u64::MAX; words.len()];
                if !interleave_bytes(lanes, n, endian, &odd[1..], &mut rows) {
                    continue;
                }
                for (at, word) in rows.iter().enumerate() {
                    let (group, i, lane) = (at / (lanes * n), at / lanes % n, at % lanes);
                    assert_eq!(
                        *word,
                        words[(group * lanes + lane) * n + i],
                        "word {i} of element {lane} of {lanes}, group {group}, {n} words, {endian:?}"
                    );
                }
                assert!(deinterleave_bytes(lanes, n, endian, &rows, &mut back[1..]));
                assert_eq!(back[1..], bytes, "{lanes} elements of {n} words, {endian:?}");
                let (mut same, mut back) = (vec![0; words.len()], vec![0; words.len()]);
                assert!(interleave(lanes, n, &words, &mut same) && deinterleave(lanes, n, &same, &mut back));
                assert_eq!((same, back), (rows, words));
            }
        }
    }

    #[test]
    fn one_word_is_found() {
        for len in 0..40 {
            assert!(!any(&vec![0; len]));
            for i in 0..len {
                let mut words = vec![0; len];
                words[i] = 1 << (i % 64);
                assert!(any(&words), "{i} of {len}");
            }
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        for lanes in [4, 8] {
            assert!(
                !interleave(lanes, 0, &[], &mut [])
                    && !interleave(lanes, 1 << (usize::BITS - 5), &[], &mut [])
                    && !deinterleave(lanes, 1 << (usize::BITS - 3), &[], &mut [])
                    && !interleave(lanes, 2, &[1; 15], &mut [0; 15])
                    && !deinterleave(lanes, 2, &[1; 16], &mut [0; 32])
            );
            assert!(
                !interleave_bytes(lanes, 2, Endian::Big, &[1; 64], &mut [0; 16])
                    && !deinterleave_bytes(lanes, 2, Endian::Big, &[1; 16], &mut [0; 64])
            );
        }
        assert!(!interleave(0, 2, &[1; 16], &mut [0; 16]) && !interleave(3, 2, &[1; 12], &mut [0; 12]));
    }
}

//! Elements in bytes of either order, and in words: eight bytes are read or written at a time, also where an element's
//! bytes are no whole number of words. What lies behind an element is then read and dropped, or written before the
//! element that it belongs to.

use evariste_jit::transpose::Endian;

/// Eight bytes from `at` on, lowest first; zeros behind the end.
fn read(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    rest.first_chunk().map_or_else(
        || rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        |eight| u64::from_le_bytes(*eight),
    )
}

/// Writes eight bytes from `at` on, lowest first, as far as there is room.
fn write(bytes: &mut [u8], at: usize, word: u64) {
    let rest = &mut bytes[at..];
    match rest.first_chunk_mut() {
        Some(eight) => *eight = word.to_le_bytes(),
        None => rest.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, of)| *byte = of),
    }
}

/// Words of elements of `size` bytes, `⌈size/8⌉` each.
pub(crate) fn words_of_bytes(size: usize, endian: Endian, bytes: &[u8], words: &mut [u64]) {
    let (n, part) = (size.div_ceil(8), size % 8);
    // Bits that the last word has not.
    let spare = (64 - 8 * part as u32) % 64;
    for (start, words) in (0..).step_by(size).zip(words.chunks_exact_mut(n)) {
        let element = &bytes[start..start + size];
        match endian {
            Endian::Little => {
                words.iter_mut().zip(element.as_chunks().0).for_each(|(word, eight)| *word = u64::from_le_bytes(*eight))
            }
            Endian::Big => words
                .iter_mut()
                .zip(element.as_rchunks().1.iter().rev())
                .for_each(|(word, eight)| *word = u64::from_be_bytes(*eight)),
        }
        if part > 0 {
            words[n - 1] = match endian {
                Endian::Little => read(bytes, start + 8 * (n - 1)) << spare >> spare,
                Endian::Big => read(bytes, start).swap_bytes() >> spare,
            };
        }
    }
}

/// The way back: numbers that fit `size` bytes.
pub(crate) fn bytes_of_words(size: usize, endian: Endian, words: &[u64], bytes: &mut [u8]) {
    let (n, part) = (size.div_ceil(8), size % 8);
    let spare = (64 - 8 * part as u32) % 64;
    for (start, words) in (0..).step_by(size).zip(words.chunks_exact(n)) {
        if part > 0 && endian == Endian::Big {
            write(bytes, start, (words[n - 1] << spare).swap_bytes());
        }
        let element = &mut bytes[start..start + size];
        match endian {
            Endian::Little => {
                element.as_chunks_mut().0.iter_mut().zip(words).for_each(|(eight, word)| *eight = word.to_le_bytes())
            }
            Endian::Big => element
                .as_rchunks_mut()
                .1
                .iter_mut()
                .rev()
                .zip(words)
                .for_each(|(eight, word)| *eight = word.to_be_bytes()),
        }
        if part > 0 && endian == Endian::Little {
            write(bytes, start + 8 * (n - 1), words[n - 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        for size in 1..=25usize {
            for elements in 0..5 {
                let bytes: Vec<u8> = (0..size * elements).map(|i| (i * 37 + 11) as u8 | 1).collect();
                for endian in [Endian::Little, Endian::Big] {
                    let mut words = vec![u64::MAX; size.div_ceil(8) * elements];
                    words_of_bytes(size, endian, &bytes, &mut words);
                    for (element, words) in bytes.chunks(size).zip(words.chunks(size.div_ceil(8))) {
                        let mut wanted = element.to_vec();
                        if endian == Endian::Big {
                            wanted.reverse();
                        }
                        wanted.resize(8 * words.len(), 0);
                        assert_eq!(
                            words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>(),
                            wanted,
                            "{size} bytes, {endian:?}"
                        );
                    }
                    let mut back = vec![0; bytes.len()];
                    bytes_of_words(size, endian, &words, &mut back);
                    assert_eq!(back, bytes, "{size} bytes, {endian:?}");
                }
            }
        }
    }
}

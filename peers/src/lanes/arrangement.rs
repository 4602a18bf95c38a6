//! How the words of many elements lie in one array.

use evariste_run::Buffer;

/// Word i of element `g·count + l`, of `len` words, lies at `(g·len + i)·count + l`: with `count` 1, element behind element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Words of equal weight that lie side by side.
    pub count: usize,
    /// Bytes of a word, 4 or 8.
    pub word_bytes: usize,
}

impl Arrangement {
    /// Where a word begins, in bytes.
    fn at(self, element: usize, word: usize, len: usize) -> usize {
        ((element / self.count * len + word) * self.count + element % self.count) * self.word_bytes
    }

    /// Elements of `len` words as one buffer.
    pub fn pack(self, elements: &[Vec<u64>], len: usize) -> Buffer {
        let mut buffer = Buffer::zeroed(elements.len() * len * self.word_bytes);
        for (e, words) in elements.iter().enumerate() {
            for (i, word) in words.iter().enumerate() {
                // Vectors are of little-endian machines.
                buffer.bytes_mut()[self.at(e, i, len)..][..self.word_bytes].copy_from_slice(&word.to_le_bytes()[..self.word_bytes]);
            }
        }
        buffer
    }

    /// The elements, of `len` words, of a buffer.
    pub fn unpack(self, buffer: &Buffer, elements: usize, len: usize) -> Vec<Vec<u64>> {
        let word = |at: usize| buffer.bytes()[at..][..self.word_bytes].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        (0..elements).map(|e| (0..len).map(|i| word(self.at(e, i, len))).collect()).collect()
    }
}

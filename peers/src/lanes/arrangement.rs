//! How the words of many elements lie in one array.

use evariste_run::Buffer;

/// Elements in groups of `count`, of `len` words each: a group's words of equal weight side by side, or, with `run` r >
/// 1, squares of r words of r elements side by side. With `count` and `run` 1, element behind element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Elements of a group.
    pub count: usize,
    /// Bytes of a word, 4 or 8.
    pub word_bytes: usize,
    /// The side of the squares; divides `count` and the words of an element.
    pub run: usize,
}

impl Arrangement {
    /// Where a word begins, in bytes.
    fn at(self, element: usize, word: usize, len: usize) -> usize {
        let (group, lane, run) = (element / self.count, element % self.count, self.run);
        let within = word / run * run * self.count + lane / run * run * run + word % run * run + lane % run;
        (group * len * self.count + within) * self.word_bytes
    }

    /// Elements of `len` words as one buffer.
    pub fn pack(self, elements: &[Vec<u64>], len: usize) -> Buffer {
        let mut buffer = Buffer::zeroed(elements.len() * len * self.word_bytes);
        for (e, words) in elements.iter().enumerate() {
            for (i, word) in words.iter().enumerate() {
                // Vectors are of little-endian machines.
                buffer.bytes_mut()[self.at(e, i, len)..][..self.word_bytes]
                    .copy_from_slice(&word.to_le_bytes()[..self.word_bytes]);
            }
        }
        buffer
    }

    /// The elements, of `len` words, of a buffer.
    pub fn unpack(self, buffer: &Buffer, elements: usize, len: usize) -> Vec<Vec<u64>> {
        let word = |at: usize| {
            buffer.bytes()[at..][..self.word_bytes].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
        };
        (0..elements).map(|e| (0..len).map(|i| word(self.at(e, i, len))).collect()).collect()
    }
}

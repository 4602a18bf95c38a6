//! The order of elements in memory, for programs, timed functions and arrays alike.

/// How the words of many elements lie in an array: element `g·lanes + l` has its word i at place `(g·len + i)·lanes + l`,
/// where `len` is the number of words of an element, so that the same word of neighbours lies side by side. A single
/// element is one lane of one group: its words in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrangement {
    /// Words side by side.
    pub lanes: u32,
    /// Groups of so many elements, one after the other.
    pub groups: u32,
    /// Bits of a word in memory: a divisor of 64.
    pub word_bits: u32,
}

impl Arrangement {
    /// One element.
    pub fn single(word_bits: u32) -> Arrangement {
        Arrangement { lanes: 1, groups: 1, word_bits }
    }

    /// Elements of all groups.
    pub fn elements(self) -> u32 {
        self.lanes * self.groups
    }

    /// The place of word i of an element of `len` words.
    pub fn place(self, element: usize, i: usize, len: usize) -> usize {
        let lanes = self.lanes as usize;
        (element / lanes * len + i) * lanes + element % lanes
    }

    /// The element and its word at a place, of elements of `len` words.
    pub fn at(self, place: usize, len: usize) -> (usize, usize) {
        let (row, lane) = (place / self.lanes as usize, place % self.lanes as usize);
        (row / len * self.lanes as usize + lane, row % len)
    }

    /// The 64-bit word of memory that a place lies in, and by how many bits above its end.
    pub fn in_memory(self, place: usize) -> (usize, u32) {
        let per_word = 64 / self.word_bits as usize;
        (place / per_word, self.word_bits * (place % per_word) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_place_of_its_own() {
        for (lanes, groups, word_bits) in [(1, 1, 64), (1, 5, 64), (8, 3, 64), (16, 2, 32), (512, 1, 1), (64, 2, 8)] {
            let order = Arrangement { lanes, groups, word_bits };
            for len in [1, 3, 5] {
                let (all, mut seen) = (order.elements() as usize * len, std::collections::BTreeSet::new());
                for element in 0..order.elements() as usize {
                    for i in 0..len {
                        let place = order.place(element, i, len);
                        assert!(place < all && seen.insert(order.in_memory(place)));
                        assert_eq!(order.at(place, len), (element, i));
                    }
                }
                assert_eq!(seen.len(), all);
            }
        }
        // The first words of all lanes, then the second ones; the next group behind them.
        let order = Arrangement { lanes: 4, groups: 2, word_bits: 32 };
        assert_eq!([order.place(1, 0, 3), order.place(1, 1, 3), order.place(5, 0, 3)], [1, 5, 13]);
        assert_eq!(order.in_memory(13), (6, 32));
    }
}

//! Random numbers for tests: splitmix64 (Steele, Lea, Flood 2014), small and the same everywhere. Not for secrets.

/// A stream of random words; its seed is its first state.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A word that is often an edge: 0, all ones, a single one, ones below or above a bit.
    pub fn edge_word(&mut self) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(64),
            3 => (1u64 << self.below(64)).wrapping_sub(1),
            4 => u64::MAX << self.below(64),
            _ => self.word(),
        }
    }

    /// A number below `end`; 0 where nothing is.
    pub fn below(&mut self, end: u64) -> u64 {
        self.word() % end.max(1)
    }

    /// A place in a list of so many; 0 in an empty one.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of these, of which there is one at least.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The first words of the reference implementation (Vigna's splitmix64.c) for the seed 0.
    #[test]
    fn words_are_those_of_splitmix64() {
        let mut random = Random(0);
        let words = [random.word(), random.word(), random.word()];
        assert_eq!(words, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn numbers_stay_below_their_end_and_reach_all() {
        let mut random = Random(1);
        let drawn: BTreeSet<u64> = (0..200).map(|_| random.below(3)).collect();
        assert_eq!(drawn, (0..3).collect());
        let picked: BTreeSet<u8> = (0..200).map(|_| *random.pick(&[4, 9])).collect();
        assert_eq!(picked, BTreeSet::from([4, 9]));
    }

    #[test]
    fn edges_are_drawn() {
        let mut random = Random(2);
        let drawn: BTreeSet<u64> = (0..2000).map(|_| random.edge_word()).collect();
        assert!([0, u64::MAX, 1 << 63, 0xff].iter().all(|edge| drawn.contains(edge)));
    }
}

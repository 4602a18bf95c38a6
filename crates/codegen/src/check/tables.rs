//! Look-ups in tables of constants: atoms of their own where machines have them. **Trusted.**

use super::terms::{Atom, Terms, Word};

/// Entries of the table that a machine looks words up in.
pub const ENTRIES: usize = 64;

/// Bits of such an entry.
pub const ENTRY_BITS: u32 = 16;

/// Entries of the table that a machine without masks looks halves of 64 bits up in, each by itself.
pub const OF_HALVES: usize = 8;

/// Entries of the table that a machine with masks looks halves up in.
pub const OF_MASKED_HALVES: usize = 32;

/// Bits of such an entry, and of a half.
pub const HALF_BITS: u32 = 32;

impl Terms {
    /// The entries of a table of [`Terms::look_up`].
    pub fn table(&self, number: u32) -> &[u64] {
        &self.tables[number as usize]
    }

    /// The entry of a table at an index that is below its length for every admissible input. What entries a shorter table
    /// would have behind its last is nobody's matter: they are 0.
    pub fn look_up(&mut self, entries: &[u64], index: Word) -> Word {
        let mut entries = entries.to_vec();
        entries.resize(entries.len().max(ENTRIES), 0);
        if let Some(entry) = self.word_value(index).and_then(|i| entries.get(usize::try_from(i).ok()?)) {
            return self.word_constant(*entry);
        }
        let (lo, hi) = (entries.iter().min().copied(), entries.iter().max().copied());
        let bounds = lo.zip(hi).map(|(lo, hi)| (lo.into(), hi.into()));
        let known = self.tables.iter().position(|other| *other == entries);
        let table = known.unwrap_or_else(|| {
            self.tables.push(entries);
            self.tables.len() - 1
        });
        let found = self.make(Atom::LookUp(table as u32, index), bounds);
        self.word(found)
    }
}

//! Zeroed memory of many words in pages of its own, which are large ones where the system has them: a first pass through
//! new memory then takes a fault every two megabytes, not every four kilobytes, and a pass at any time fewer walks
//! through the tables of pages.

use std::fmt;

use memmap2::MmapMut;

/// Words in pages of their own.
pub struct Pages {
    map: MmapMut,
}

impl Pages {
    /// Words from which on this is worth a mapping: fewer come from a heap that keeps what is given back to it.
    pub const WORTH: usize = 1 << 22;

    /// So many zeros; nothing where the system has no memory for them.
    pub fn zeroed(words: usize) -> Option<Pages> {
        let map = MmapMut::map_anon(words.checked_mul(8)?.max(1)).ok()?;
        // A system that has no large pages gives small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Pages { map })
    }

    /// All of them.
    pub fn words(&self) -> &[u64] {
        // SAFETY: any bytes are words, and a page starts at a multiple of eight.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / 8) }
    }

    /// All of them, to be written.
    pub fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and nobody else has them meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.map.len() / 8) }
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pages({} words)", self.words().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_zeroed_aligned_and_as_long_as_asked_for() {
        for len in [0, 1, 513, Pages::WORTH + 3] {
            let Some(mut pages) = Pages::zeroed(len) else { continue };
            assert_eq!((pages.words().len(), pages.words().as_ptr() as usize % 64), (len, 0));
            assert!(pages.words().iter().all(|word| *word == 0));
            pages.words_mut().fill(7);
            assert!(pages.words().iter().all(|word| *word == 7));
        }
        assert!(Pages::zeroed(usize::MAX / 4).is_none() && Pages::zeroed(1 << 60).is_none());
    }
}

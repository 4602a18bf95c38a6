//! Words in memory from the start of a cache line on, which is also the alignment of the widest vector.

use std::cell::Cell;

use evariste_jit::Pages;

/// Words of a cache line.
const LINE: usize = 8;

/// A fixed number of words, aligned to 64 bytes.
#[derive(Debug)]
pub(crate) struct Storage {
    memory: Memory,
    /// Where the first cache line starts.
    start: usize,
    len: usize,
}

#[derive(Debug)]
enum Memory {
    /// Up to seven words more than asked for.
    Heap(Vec<u64>),
    Pages(Pages),
}

impl Storage {
    /// That many zeros: many of them in pages of their own.
    pub fn zeroed(len: usize) -> Storage {
        Storage::from(len, Pages::WORTH)
    }

    /// The same, in pages of their own from fewer words on: for what is not given back soon.
    pub fn large(len: usize) -> Storage {
        Storage::from(len, Pages::WORTH >> 4)
    }

    fn from(len: usize, worth: usize) -> Storage {
        if len >= worth
            && let Some(pages) = Pages::zeroed(len)
        {
            return Storage { memory: Memory::Pages(pages), start: 0, len };
        }
        let words = vec![0u64; len + LINE - 1];
        let misaligned = words.as_ptr() as usize % (8 * LINE) / 8;
        Storage { start: (LINE - misaligned) % LINE, memory: Memory::Heap(words), len }
    }

    pub fn words(&self) -> &[u64] {
        match &self.memory {
            Memory::Heap(words) => &words[self.start..self.start + self.len],
            Memory::Pages(pages) => pages.words(),
        }
    }

    pub fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.memory {
            Memory::Heap(words) => &mut words[self.start..self.start + self.len],
            Memory::Pages(pages) => pages.words_mut(),
        }
    }
}

impl Clone for Storage {
    fn clone(&self) -> Storage {
        let mut copy = Storage::zeroed(self.len);
        copy.words_mut().copy_from_slice(self.words());
        copy
    }
}

/// Words of scratch memory that a thread keeps at most.
const KEPT: usize = 1 << 14;

thread_local! {
    /// What the last user left.
    static LEFT: Cell<Option<Storage>> = const { Cell::new(None) };
}

/// Memory for steps in between, kept from one chunk to the next, and by the thread from one operation to the next: that
/// on a few elements takes less time than to ask for memory and to clear it.
pub(crate) struct Scratch {
    storage: Option<Storage>,
}

impl Default for Scratch {
    /// What the thread has.
    fn default() -> Scratch {
        Scratch { storage: LEFT.take() }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        LEFT.set(self.storage.take().filter(|s| s.len <= KEPT));
    }
}

impl Scratch {
    /// K areas of that many words; whatever was in them before may still be there.
    pub fn areas<const K: usize>(&mut self, len: usize) -> [&mut [u64]; K] {
        let each = len.next_multiple_of(LINE).max(LINE);
        if self.storage.as_ref().is_none_or(|s| s.len < K * each) {
            self.storage = Some(Storage::zeroed(K * each));
        }
        let mut areas = self.storage.iter_mut().flat_map(|s| s.words_mut().chunks_exact_mut(each));
        std::array::from_fn(|_| areas.next().map_or(&mut [][..], |area| &mut area[..len]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_and_its_copies_start_at_a_cache_line() {
        for len in [0, 1, 7, 8, 40, 1000, Pages::WORTH + 5] {
            let mut storage = Storage::zeroed(len);
            storage.words_mut().iter_mut().enumerate().for_each(|(i, w)| *w = i as u64);
            let copy = storage.clone();
            for s in [&storage, &copy] {
                assert_eq!(s.words().as_ptr() as usize % 64, 0);
                assert_eq!(s.words().len(), len);
            }
            assert_eq!(storage.words(), copy.words());
        }
    }

    #[test]
    fn areas_are_apart_and_aligned() {
        let mut scratch = Scratch::default();
        for len in [1, 9, 3] {
            let [a, b] = scratch.areas::<2>(len);
            a.fill(1);
            b.fill(2);
            assert_eq!((a.len(), b.len()), (len, len));
            assert!(
                a.iter().all(|x| *x == 1)
                    && (a.as_ptr() as usize).is_multiple_of(64)
                    && (b.as_ptr() as usize).is_multiple_of(64)
            );
        }
    }
}

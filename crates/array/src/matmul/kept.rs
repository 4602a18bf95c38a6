//! What products of matrices keep from one to the next.

use std::sync::{Arc, Mutex};

use evariste_jit::residues::Constants;

use crate::storage::Storage;

/// Words that are kept from one product to the next, at most.
const KEPT: usize = 4 << 20;

/// Memory and numbers of products, from one to the next: to touch new memory takes longer than to compute.
#[derive(Default)]
pub(crate) struct Kept {
    memory: Mutex<Vec<Storage>>,
    pub(super) constants: Mutex<Vec<(usize, Option<Arc<Constants>>)>>,
}

impl Kept {
    /// Memory of so many words at least, with anything in it.
    pub(super) fn memory(&self, words: usize) -> Storage {
        let mut all = self.memory.lock().unwrap_or_else(|e| e.into_inner());
        let len = |i: &usize| all[*i].words().len();
        let fitting = (0..all.len()).filter(|i| len(i) >= words).min_by_key(len);
        fitting.map_or_else(|| Storage::large(words), |i| all.swap_remove(i))
    }

    /// Keeps memory for the next product.
    pub(super) fn keep(&self, memory: Storage) {
        let mut all = self.memory.lock().unwrap_or_else(|e| e.into_inner());
        if all.iter().map(|s| s.words().len()).sum::<usize>() + memory.words().len() <= KEPT {
            all.push(memory);
        }
    }
}

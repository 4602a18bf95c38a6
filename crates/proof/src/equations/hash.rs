//! A fast hash for small keys (multiply and rotate); not for hostile input.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Map with the fast hash.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// Set with the fast hash.
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// The hasher.
#[derive(Default, Clone, Copy)]
pub struct FastHasher(u64);

impl FastHasher {
    fn mix(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(5) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.mix(*b as u64);
        }
    }

    fn write_u32(&mut self, x: u32) {
        self.mix(x as u64);
    }

    fn write_u64(&mut self, x: u64) {
        self.mix(x);
    }

    fn write_usize(&mut self, x: usize) {
        self.mix(x as u64);
    }

    fn write_u8(&mut self, x: u8) {
        self.mix(x as u64);
    }
}

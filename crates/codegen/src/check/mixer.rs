//! How the tables of forms are hashed. **Trusted** as far as hash tables are.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table of forms, atoms or words.
pub(super) type Map<K, V> = HashMap<K, V, Build>;

/// How its keys are hashed.
pub(super) type Build = BuildHasherDefault<Mixer>;

/// A multiplicative hash; keys are small integers.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u64(u64::from(*b));
        }
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, x: u128) {
        self.write_u64(x as u64);
        self.write_u64((x >> 64) as u64);
    }

    fn write_i128(&mut self, x: i128) {
        self.write_u128(x as u128);
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
}

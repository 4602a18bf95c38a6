//! Universal hash functions as kernels: MMH and square hash of messages of up to 32 words.
//!
//! A shorter message, and its key, are filled up with words of 0, which add nothing to any of the sums.

mod given;
mod sums;
mod whole;

pub use self::given::{WORDS, fits, given, ground, layouts};
pub use self::whole::RECIPES;

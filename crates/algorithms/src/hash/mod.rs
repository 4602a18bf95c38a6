//! Universal hash functions as kernels: MMH, square hash and TMMH/16 of messages of up to 32 words.
//!
//! A shorter message, and its key, are filled up with words of 0, which add nothing to any of the sums.

mod apart;
mod given;
mod running;
mod setting;
mod signed;
mod sums;
mod tag;
mod ways;
mod whole;

pub use self::apart::RECIPES as APART_RECIPES;
pub use self::given::{TAG_BYTES, WORDS, fits, given, ground, layouts, result};
pub use self::running::{RECIPES as RUNNING_RECIPES, WRAPPING_RECIPES};
pub use self::tag::RECIPES as TAG_RECIPES;
pub use self::whole::RECIPES;

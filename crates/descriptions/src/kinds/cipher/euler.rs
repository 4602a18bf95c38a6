//! The digits of e that DFC takes its constants from.

use std::sync::OnceLock;

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// Words that are used.
const WORDS: u64 = 72;

/// The fraction of e in words of 32 bits, highest first: `b7e15162`, `8aed2a6a`, …
pub(super) fn words() -> &'static [u32] {
    static ALL: OnceLock<Vec<u32>> = OnceLock::new();
    ALL.get_or_init(|| {
        // The sum of 1/k!, each rounded down, with 64 bits to spare for what is lost.
        let bits = 32 * WORDS + 64;
        let mut term = BigUint::one() << bits;
        let mut sum = BigUint::ZERO;
        for k in 1u32.. {
            sum += &term;
            term /= k;
            if term == BigUint::ZERO {
                break;
            }
        }
        let word = |i: u64| ((&sum >> (bits - 32 * (i + 1))) % (BigUint::one() << 32u32)).to_u32().unwrap_or_default();
        (0..WORDS).map(word).collect()
    })
}

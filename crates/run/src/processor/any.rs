//! Any processor: nanoseconds for ticks.

use std::sync::OnceLock;
use std::time::Instant;

/// Nanoseconds since the first call.
pub(crate) fn ticks() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Runs a chain of additions and exclusive-ors, each waiting for the one before: `CHAIN_CYCLES` operations of one cycle
/// each.
#[inline(never)]
pub(crate) fn dependent_additions(start: u64) -> u64 {
    let (step, mask) = (std::hint::black_box(start | 1), std::hint::black_box(start ^ 0x55));
    let mut sum = start;
    for _ in 0..32 {
        for _ in 0..32 {
            sum = sum.wrapping_add(step) ^ mask;
        }
    }
    sum
}

/// None are told apart on this architecture.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) fn features() -> Vec<String> {
    Vec::new()
}

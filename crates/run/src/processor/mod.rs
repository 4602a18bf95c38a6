//! What this process asks of its processor: ticks, a chain of instructions whose cycles are known, the names of its
//! extensions. A processor is a file and a line.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(not(target_arch = "x86_64"))]
mod any;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::features;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use any::features;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use any::{dependent_additions, ticks};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{dependent_additions, features, ticks};

/// Cycles of one call of `dependent_additions`, where that is known.
pub const CHAIN_CYCLES: f64 = 2048.0;

//! What the tests of several rooms share. Only tests depend on it.
//!
//! A test that cannot run everywhere says so with [`lacks_feature`] or [`lacks_tool`] and returns, or goes on with what
//! it can do. `cargo xtask test` counts these lines: a missing processor feature is always a skip, a missing tool is a
//! failure where `CI=true`, since it can be installed.

#[cfg(feature = "machine")]
pub mod levels;
#[cfg(feature = "machine")]
pub mod machine;
mod nvcc;
#[cfg(feature = "machine")]
pub mod qemu;
mod random;
mod samples;
#[cfg(feature = "small")]
pub mod small;

/// That of the program itself, for every program of tests that links this: proofs allocate millions of short numbers.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub use nvcc::{ARCHITECTURES, Nvcc};
pub use random::Random;
pub use samples::{always_one_of_each, full, one_of_each, reduction_of, sample, seed, seed_of_the_day, turn};

/// Counts the running test as skipped: the processor has no `feature` (`"AVX-512 IFMA"`), which `what` needs.
pub fn lacks_feature(what: &str, feature: &str) {
    println!("SKIP: {what} (hardware: {feature})");
}

/// Counts the running test as skipped: this machine has no `tool` (`"gcc"`), which `what` needs.
pub fn lacks_tool(what: &str, tool: &str) {
    println!("SKIP: {what} (tool: {tool})");
}

//! The repository's chores: running and counting tests, and the rules that the tree must keep.
//!
//! See `cargo xtask` for the commands. The rules are in [`tidy`], one a file; each is a function from files or packages
//! to violations, so that its own test can feed it a tree that breaks it.

pub mod clock;
pub mod format;
pub mod gpu;
pub mod record;
pub mod run_tests;
pub mod tidy;

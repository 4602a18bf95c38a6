//! The repository's rules, and what `peers/` says of a system.
//!
//! The one test program of this crate: each file is a module of it.

mod peers;
mod tidy;

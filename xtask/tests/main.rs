//! The repository's rules, the program that measures GPUs, and what `peers/` says of a system.
//!
//! The one test program of this crate: each file is a module of it.

mod gpu;
mod peers;
mod tidy;

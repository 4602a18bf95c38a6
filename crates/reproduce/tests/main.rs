//! Published figures.
//!
//! The one test program of this crate: each file is a module of it.

mod figures;

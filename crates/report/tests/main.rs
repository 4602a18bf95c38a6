//! Pages.
//!
//! The one test program of this crate: each file is a module of it.

mod markup;
mod page;
mod reproduction;

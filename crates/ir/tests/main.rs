//! The language of kernels: text, verifier, ranges, interpreter.
//!
//! The one test program of this crate: each file is a module of it.

mod claims;
mod common;
mod defined;
mod divsteps;
mod fuzz;
mod interpreter;
mod legalise;
mod legalise_random;
mod operations;
mod prune;
mod reference;
mod text;
mod times;
mod transfer;
mod verify;

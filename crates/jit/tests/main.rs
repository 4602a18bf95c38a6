//! Machine code in this process beside the interpreter.
//!
//! The one test program of this crate: each file is a module of it.

mod aarch64;
mod abreast;
mod aimed;
mod aimed_lanes;
mod aimed_look_ups;
mod aimed_words;
mod assembler;
mod bytes;
mod calls;
mod common;
mod emulator;
mod encoding;
mod fields;
mod floats;
mod kernels;
mod lanes;
mod many_arrays;
mod mutants;
mod random;
mod rolled;
mod routines;
mod short_lanes;
mod stack;
mod vector_encoding;
mod words;

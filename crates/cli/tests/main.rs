//! The command as users run it.
//!
//! The one test program of this crate: each file is a module of it.

mod answers;
mod bad_input;
mod ciphers;
mod common;
mod compiled;
mod constant_time;
mod cuda;
mod documents;
mod embedding;
mod every_field;
mod faces;
mod interrupt;
mod known_answers;
mod mach_o;
mod masks;
mod packages;
mod runners;
mod shell;
mod structures;
mod tune;

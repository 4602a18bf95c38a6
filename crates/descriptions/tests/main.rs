//! Descriptions, their errors, and reference arithmetic.
//!
//! The one test program of this crate: each file is a module of it.

mod binary;
mod ciphers;
mod curves;
mod descriptions;
mod diagnostics_curves;
mod diagnostics_expressions;
mod diagnostics_names;
mod fuzz;
mod macs;
mod modular;
mod pairings;
mod primality;
mod towers;

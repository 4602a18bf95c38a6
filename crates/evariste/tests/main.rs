//! The face of the library.
//!
//! The one test program of this crate: each file is a module of it.

mod binary_curves;
mod ciphers;
mod curves;
mod ecc_cdh;
mod elements;
mod every_operation;
mod examples;
mod pairings;
mod pairings_of_bytes;
mod signatures;
mod towers;
mod wycheproof_cases;

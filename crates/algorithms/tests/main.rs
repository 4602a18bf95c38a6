//! What the algorithms compute, on every input at toy sizes and on edges at real ones.
//!
//! The one test program of this crate: each file is a module of it.

mod binary_fields;
mod binary_inverses;
mod binary_words;
mod ciphers;
mod common;
mod curve_programs;
mod exhaust;
mod exhaustion;
mod field_operations;
mod fold_merge;
mod hashes;
mod lazy_formulas;
mod montgomery;
mod operations;
mod pairing_products;
mod parts;
mod products;
mod roots;
mod safegcd;
mod special_moduli;

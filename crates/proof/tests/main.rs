//! What is proved and what is not. Tests that break rules are in `src/tests`.
//!
//! The one test program of this crate: each file is a module of it.

mod affine_halves;
mod attacked_calls;
mod binary_curves;
mod butterflies;
mod candidates;
mod claims;
mod compressed;
mod core;
mod exchanges;
mod false_proofs;
mod formulas;
mod generators;
mod kernels;
mod lanes;
mod lazy;
mod legalised;
mod lowered;
mod parts;
mod real_sizes;
mod second_judge;
mod smt;
mod toys;

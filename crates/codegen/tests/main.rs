//! Passes, programs and the checker.
//!
//! The one test program of this crate: each file is a module of it.

mod abreast;
mod another_isa;
mod attacked_look_ups;
mod check_fields;
mod check_operations;
mod check_points;
mod check_terms;
mod common;
mod exact_shifts;
mod groups;
mod lane_routines;
mod look_ups;
mod moves;
mod one_after_another;
mod passes;
mod programs;
mod refused;
mod rolled;
mod routines;
mod tables;
mod vector_routines;

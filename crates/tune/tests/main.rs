//! Candidates through proof, interpreter and compilers; mutants and faults; what is remembered.
//!
//! The one test program of this crate: each file is a module of it.

mod arrays;
mod assembly;
mod batches;
mod binary_words;
mod blocks_in_lanes;
mod bytes;
mod cache;
mod cores;
mod defined;
mod differential;
mod faults;
mod hostile_schedules;
mod ladder_sizes;
mod lane_vectors;
mod layout_for_code;
mod many_parameters;
mod mutants;
mod run_time_modulus;

mod regressions;
mod rolled;
mod schedules;
mod search;
mod side_by_side;
mod sliced_lanes;
mod support;
mod toy;
mod vectors;

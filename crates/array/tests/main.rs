//! Arrays: operations, plans, errors.
//!
//! The one test program of this crate: each file is a module of it.

mod binary;
mod binary_curves;
mod device;
mod errors;
mod every_plan;
mod formulas;
mod matrices;
mod operations;
mod ranked_lanes;
mod structured;
mod words;

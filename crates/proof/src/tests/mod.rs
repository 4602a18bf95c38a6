//! Tests that break rules of the proofs, which only this crate's own test build can do.

mod bit_powers;
mod divsteps;
mod even_moduli;
mod floats;
mod formulas;
mod known_callees;
mod look_ups;
mod monomials;
mod mutants;
mod nets;
mod recurrences;
mod remainders;
mod run_time_calls;
mod run_time_modulus;

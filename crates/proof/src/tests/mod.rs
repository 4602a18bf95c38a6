//! Tests that break rules of the proofs, which only this crate's own test build can do.

mod attacked_steps;
mod bit_bounds;
mod bit_formulas;
mod bit_powers;
mod divsteps;
mod even_moduli;
mod floats;
mod formulas;
mod known_callees;
mod look_ups;
mod map_sizes;
mod mixed_steps;
mod monomials;
mod mutants;
mod nets;
mod owed_facts;
mod recurrences;
mod remainders;
mod run_time_calls;
mod run_time_modulus;

use evariste_ir::Kernel;

use crate::toys::exhaust;
use crate::{Outcome, prove};

fn is_proved(kernel: &Kernel) -> bool {
    matches!(prove(kernel), Outcome::Proved(_))
}

/// Well formed, right on every input, and proved.
fn holds(what: &str, kernel: &Kernel) {
    assert_eq!(evariste_ir::verify(kernel), Ok(()), "{what}");
    assert_eq!(exhaust(kernel), None, "{what}");
    if let Outcome::Unknown(open) = prove(kernel) {
        panic!("{what}: {}: {}", open.what, open.detail);
    }
    assert!(is_proved(kernel), "{what}");
}

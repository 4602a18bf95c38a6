//! Proofs of kernels against their contracts.
//!
//! [`prove`] says of a kernel that it is [`Outcome::Proved`], [`Outcome::Refuted`] by an input, or
//! [`Outcome::Unknown`]. Only a [`Proved`] kernel may leave the house, and nothing but this crate can make one.
//!
//! How it works: the kernel is translated once into equations between non-negative integers ([`translate`]); every
//! question is a polynomial in the unknowns, answered by adding multiples of the equations ([`search`]) in steps that a
//! small trusted core checks ([`equations`]). Nothing here knows what Montgomery or Karatsuba is.

mod broken_rules;
mod claims;
mod counterexample;
pub mod equations;
mod inputs;
mod nets;
mod outcome;
pub mod search;
mod session;
pub mod translate;
pub mod unroll;

#[cfg(test)]
extern crate self as evariste_proof;
#[cfg(test)]
#[path = "../tests/kernels/mod.rs"]
mod kernels;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "../tests/toys/mod.rs"]
mod toys;

use std::sync::Arc;

use evariste_ir::Kernel;
use session::Session;

pub use outcome::{Counterexample, Obligation, Outcome, Proved, Report};
pub use session::Callees;

/// Proves a kernel against its contract. What was proved passes the nets before it leaves.
pub fn prove(kernel: &Kernel) -> Outcome {
    prove_with(kernel, &Callees::default())
}

/// As [`prove`], for one of many kernels that call the same ones, or each other: what was proved of these for others
/// serves here, and what is proved here serves those that call this kernel.
pub fn prove_with(kernel: &Kernel, known: &Callees) -> Outcome {
    let mut session = Session::new(known);
    match session.check(kernel) {
        Ok(checked) => {
            let clean = session.clean(kernel, &checked);
            match nets::pass(kernel, &clean) {
                Ok(()) => {
                    let statement = Arc::new(kernel.clone());
                    known.keep(&statement, &checked.ranges);
                    Outcome::Proved(Proved { kernel: Arc::new(clean), statement, report: checked.report })
                }
                Err(open) => Outcome::Unknown(open),
            }
        }
        Err(open) => match counterexample::search(kernel) {
            Some(found) => Outcome::Refuted(found),
            None => Outcome::Unknown(open),
        },
    }
}

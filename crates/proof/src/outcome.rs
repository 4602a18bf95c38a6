//! What a proof gives.

use std::sync::Arc;
use std::time::Duration;

use evariste_ir::Kernel;
use num_bigint::BigInt;

use crate::search::Stats;

/// The verdict on a kernel.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Every promise of the contract holds for every input that the contract admits.
    Proved(Proved),
    /// An input that the interpreter runs and that violates the contract.
    Refuted(Counterexample),
    /// Neither: what could not be shown. Not an error of the user; the kernel simply cannot leave.
    Unknown(Obligation),
}

impl Outcome {
    /// The proved kernel, if it is one.
    pub fn proved(self) -> Option<Proved> {
        match self {
            Outcome::Proved(p) => Some(p),
            _ => None,
        }
    }
}

/// A kernel whose contract holds. Made by [`crate::prove`] only; it cannot be read from a file.
///
/// The kernel inside has lost what only the proof needed: ghost arrays, and statements that nothing returned depends
/// on. Its values carry the intervals that were proved, not those that its writer declared.
#[derive(Clone, Debug)]
pub struct Proved {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) statement: Arc<Kernel>,
    pub(crate) report: Report,
}

impl Proved {
    /// The kernel, ready for targets.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel as it was proved, with ghosts: its contract is the exact statement.
    pub fn statement(&self) -> &Kernel {
        &self.statement
    }

    /// How the proof went.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl std::ops::Deref for Proved {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

/// An input that violates the contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// Contents of the readable parameters, in order of the parameters (by array index of the kernel).
    pub inputs: Vec<(String, Vec<BigInt>)>,
    /// What went wrong, in words.
    pub violation: String,
}

/// What could not be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The statement or promise that it is about.
    pub what: String,
    /// Why it stayed open.
    pub detail: String,
}

/// How a proof went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Operations after unrolling.
    pub operations: u64,
    /// Obligations that intervals alone did not settle.
    pub obligations: u64,
    /// Work of the search.
    pub stats: Stats,
    /// Kernels called, each proved once.
    pub callees: u64,
    /// Promises that rest on vectors only (named steps).
    pub steps: Vec<String>,
    /// Time of the proof, callees included.
    pub time: Duration,
}

//! What can go wrong while tuning.

use std::path::{Path, PathBuf};

use evariste_backend::Refusal;
use evariste_run::RunError;
use thiserror::Error;

/// An error of the tuner, complete by itself: it can be shown to the user.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A remembered ranking cannot be read.
    #[error("the remembered ranking {} cannot be used: {why}\nhelp: it was left in place; tune again to write a new one, or delete it", path.display())]
    CacheCorrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A ranking cannot be remembered.
    #[error("the ranking cannot be remembered in {}: {why}\nhelp: set EVARISTE_CACHE to a folder that can be written", path.display())]
    CacheWrite {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        why: String,
    },
    /// A core's table cannot be read.
    #[error("the core's table {} cannot be used: {why}\nhelp: it was left in place; `evariste probe` writes a new one, or delete it", path.display())]
    CoreCorrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A core's table cannot be written.
    #[error("the core's table cannot be written to {}: {why}\nhelp: `-o FILE` writes it elsewhere", path.display())]
    CoreWrite {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        why: String,
    },
    /// No table of a core has that name.
    #[error("no core's table `{asked}`: neither a file nor one of {names}")]
    NoCore {
        /// What was asked for.
        asked: String,
        /// Tables that ship.
        names: String,
    },
    /// A table of another instruction set.
    #[error(
        "EVARISTE_CORE asks for the costs of {name}, which are of {architecture}: code is measured and weighed as {here} here\nhelp: tables of {here} are {names}, and what `evariste probe` measures; `evariste show estimates FIELD --target {architecture}` has the costs of the others"
    )]
    ForeignCore {
        /// The core.
        name: String,
        /// Its instruction set.
        architecture: String,
        /// That of this machine.
        here: String,
        /// The tables that there are of it.
        names: String,
    },
    /// No back end knows the instructions of this machine.
    #[error("the instructions of {0} are not known, so that nothing can be measured")]
    NoProbe(String),
    /// A file of schedules cannot be read.
    #[error("the schedules in {} cannot be read: {why}\nhelp: it was left in place; correct it or delete it", path.display())]
    SchedulesUnreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file of schedules cannot be written.
    #[error("the schedules cannot be written to {}: {why}", path.display())]
    SchedulesWrite {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        why: String,
    },
    /// The compiler, the loader or the harness.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The printer or the package.
    #[error(transparent)]
    Emit(#[from] evariste_emit::EmitError),
    /// No machine code for a kernel: no program, a program that the checker refused, or one that this machine cannot
    /// run.
    #[error("no machine code: {0}")]
    MachineCode(String),
    /// A kernel has no form on the vectors that were asked for.
    #[error("no code on vectors: {0}")]
    NoVectors(String),
    /// No candidate is left.
    #[error("no algorithm for `{operation}` in `{field}`{detail}")]
    NoCandidate {
        /// The field.
        field: String,
        /// The operation.
        operation: String,
        /// What would work.
        detail: String,
    },
    /// An operand is not in its range.
    #[error("{0}")]
    Operand(String),
    /// Somebody asked to stop before anything was measured.
    #[error("stopped while {0}: nothing was measured")]
    Stopped(&'static str),
    /// A kernel that was needed was not proved, or disagreed with the reference.
    #[error("{0}")]
    Unproved(String),
}

impl TuneError {
    pub(crate) fn corrupt(path: &Path, why: String) -> TuneError {
        TuneError::CacheCorrupt { path: path.to_path_buf(), why }
    }
}

impl From<Refusal> for TuneError {
    fn from(refusal: Refusal) -> TuneError {
        match refusal {
            Refusal::Code(why) => TuneError::MachineCode(why),
            Refusal::NoVectors(why) => TuneError::NoVectors(why),
            Refusal::Run(why) => TuneError::Run(why),
        }
    }
}

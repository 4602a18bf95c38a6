//! What can go wrong, as one type. Every message is complete by itself and can be shown to the user: what was given,
//! what is wrong, and in lines that begin with `help: ` what would work.

use evariste_array::ArrayError;
use evariste_descriptions::Diagnostic;
use evariste_emit::EmitError;
use evariste_run::RunError;
use evariste_tune::TuneError;
use thiserror::Error;

/// An error of the library.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Arithmetic of elements modulo a number supplied at run time.
    #[error(
        "{field} has no arithmetic of elements: the modulus is supplied at run time\nhelp: describe the field of that modulus, or evaluate with the modulus as last operand"
    )]
    NoModulus {
        /// The description.
        field: String,
    },
    /// What is described has exact arithmetic, and no kernels yet.
    #[error(
        "{field} has exact arithmetic, but no kernels yet: there is nothing to measure, to show or to emit\nhelp: `evariste eval \"{field}\" OP …` answers by the reference; {field} has {operations}"
    )]
    NoKernels {
        /// The description.
        field: String,
        /// The operations that the reference has.
        operations: String,
    },
    /// A module was to be written where Cargo names no folder.
    #[error("there is no OUT_DIR to write to\nhelp: call `emit` in a build script, or name a folder by `out_dir`")]
    NoOutDir,
    /// A module could not be written.
    #[error("cannot write {path}: {source}\nhelp: name a folder that is there and that you may write to")]
    Unwritten {
        /// The path.
        path: String,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A description or a number cannot be read; the diagnostic points at the fault.
    #[error(transparent)]
    Description(#[from] Diagnostic),
    /// Two elements of different fields were combined.
    #[error(
        "the operands belong to different fields: {left} and {right}\nhelp: elements must come from the same field"
    )]
    MixedFields {
        /// The field of the first operand.
        left: String,
        /// The field of the second operand.
        right: String,
    },
    /// A number that is no element, or no operand of the kernel.
    #[error("{what} is out of range: {why}\nhelp: {help}")]
    OutOfRange {
        /// The number, by name or value.
        what: String,
        /// Why it is out of range.
        why: String,
        /// What would be in range.
        help: String,
    },
    /// An element that has no inverse.
    #[error("{element} has no inverse in {field}")]
    NoInverse {
        /// The element, in decimal.
        element: String,
        /// The field.
        field: String,
    },
    /// A name (of an operation, a layout, a plan, …) that does not exist.
    #[error("there is no {kind} `{given}`\nhelp: {help}")]
    Unknown {
        /// What was to be named.
        kind: &'static str,
        /// The name given.
        given: String,
        /// The names that there are.
        help: String,
    },
    /// Too few or too many operands.
    #[error("`{operation}` takes {}, and got {given}", operands(expected))]
    OperandCount {
        /// The operation.
        operation: String,
        /// The names of the operands that it takes.
        expected: Vec<String>,
        /// How many were given.
        given: usize,
    },
    /// A plan whose bounds do not meet the layout, or an operation that the field does not have.
    #[error("{plan} does not apply: {why}")]
    NotApplicable {
        /// The plan's full name.
        plan: String,
        /// The reason.
        why: String,
    },
    /// A kernel broke a rule of the language while it was interpreted.
    #[error("the interpreter stopped: {0}")]
    Interpreter(String),
    /// The emitted package that was to be checked cannot be read.
    #[error("`{path}` cannot be checked: {why}\nhelp: give the folder that `evariste emit` wrote")]
    NotAPackage {
        /// The folder or file.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// Known answers for a package that cannot be read, or are wrong.
    #[error("{which}: {why}\nhelp: {help}")]
    KnownAnswers {
        /// The file, or which of them.
        which: String,
        /// What is wrong.
        why: String,
        /// What would work.
        help: String,
    },
    /// Files or processes.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Tuning, remembering, choosing.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// Compilers and measuring.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Printing or writing a package.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// Arrays of elements.
    #[error(transparent)]
    Array(#[from] ArrayError),
}

impl Error {
    pub(crate) fn io(doing: impl Into<String>, source: std::io::Error) -> Error {
        Error::Io { doing: doing.into(), source }
    }

    /// Was something given that cannot be meant (a description, a name, a number), in contrast to something that
    /// failed?
    pub fn is_usage(&self) -> bool {
        match self {
            Error::Description(_)
            | Error::MixedFields { .. }
            | Error::OutOfRange { .. }
            | Error::Unknown { .. }
            | Error::OperandCount { .. }
            | Error::KnownAnswers { .. } => true,
            Error::NoInverse { .. } | Error::NotApplicable { .. } | Error::NoKernels { .. } => true,
            Error::Array(error) => !matches!(error, ArrayError::Kernel { .. } | ArrayError::Threads { .. }),
            Error::Tune(TuneError::Operand(_) | TuneError::NoCandidate { .. }) => true,
            Error::Emit(error) | Error::Tune(TuneError::Emit(error)) => {
                matches!(
                    error,
                    EmitError::BadName { .. }
                        | EmitError::NoSuchLanguage { .. }
                        | EmitError::NoSuchFace { .. }
                        | EmitError::Face { .. }
                        | EmitError::NoKernels
                        | EmitError::DuplicateName { .. }
                )
            }
            _ => false,
        }
    }
}

/// `2 operands (a, b)`.
fn operands(names: &[String]) -> String {
    match names {
        [] => "no operands".into(),
        [one] => format!("1 operand ({one})"),
        _ => format!("{} operands ({})", names.len(), names.join(", ")),
    }
}

//! What can go wrong while printing a kernel or writing its package. Each message is complete by itself: what was
//! given, what is wrong, what would work.

use std::path::PathBuf;

/// An error of this room.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The language cannot express something of the kernel.
    #[error("kernel `{kernel}`: {what} cannot be printed in {language}\nhelp: {help}")]
    Unsupported {
        /// The kernel's name.
        kernel: String,
        /// What cannot be printed.
        what: String,
        /// The language's name.
        language: &'static str,
        /// What would work.
        help: &'static str,
    },
    /// A value that exists for the contract only is needed for the result.
    #[error(
        "kernel `{kernel}` reads `{array}`, which exists for its contract only (a ghost)\nhelp: keep the digits in a local array"
    )]
    GhostIsRead {
        /// The kernel's name.
        kernel: String,
        /// The array's name.
        array: String,
    },
    /// A prefix or the name of an operation is no identifier.
    #[error(
        "`{given}` cannot be {role}: it must start with a letter and hold only letters, digits and underscores\nhelp: try `{suggestion}`"
    )]
    BadName {
        /// What was given.
        given: String,
        /// What it was to be: "the prefix" or "the name of an operation".
        role: &'static str,
        /// A name that would do.
        suggestion: String,
    },
    /// Two kernels would become functions of the same name.
    #[error("two kernels would both become the function `{symbol}`\nhelp: give each operation its own name")]
    DuplicateName {
        /// The function's name.
        symbol: String,
    },
    /// A package without kernels.
    #[error("a package needs at least one operation\nhelp: name operations that the field has")]
    NoKernels,
    /// An operation without a test vector: its test could not fail.
    #[error("operation `{operation}` has no test vector\nhelp: every operation of a package needs at least one")]
    NoVectors {
        /// The operation.
        operation: String,
    },
    /// A test vector that does not fit its kernel's parameters.
    #[error("vector {index} of operation `{operation}` does not fit: {reason}")]
    BadVector {
        /// The operation.
        operation: String,
        /// Which vector of the operation, from 0.
        index: usize,
        /// What is wrong.
        reason: String,
    },
    /// Machine code that cannot be printed, or not as this operation's.
    #[error("the machine code of `{operation}` cannot be printed: {why}")]
    MachineCode {
        /// The operation.
        operation: String,
        /// What is wrong.
        why: String,
    },
    /// A kernel in lanes that is not the product of the package, or for vectors that are not known.
    #[error("no products in lanes for `{level}`: {why}")]
    Lanes {
        /// The vectors.
        level: String,
        /// What is wrong.
        why: String,
    },
    /// A package of machine code without any.
    #[error(
        "none of the operations has machine code\nhelp: write --lang c or --lang rust, or name operations that have it, such as --ops mul"
    )]
    NoMachineCode,
    /// No such language.
    #[error("no language `{given}`\nhelp: the languages are {known}")]
    NoSuchLanguage {
        /// What was given.
        given: String,
        /// The names that there are, with commas.
        known: String,
    },
    /// The language has no such face.
    #[error("{language} has no face `{given}`\nhelp: {}", if known.is_empty() { "leave --faces out".to_string() } else { format!("it has {known}") })]
    NoSuchFace {
        /// What was given.
        given: String,
        /// The language's name.
        language: &'static str,
        /// The names that there are, with commas.
        known: String,
    },
    /// The package cannot have that face.
    #[error("no face `{face}`: {why}")]
    Face {
        /// Its name.
        face: &'static str,
        /// What is missing, and what would work.
        why: String,
    },
    /// The output folder holds files that are not ours.
    #[error(
        "`{}` holds {what}\nhelp: choose another folder, or add --force (files of the same name are then replaced, others are kept)",
        path.display()
    )]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
        /// What was found there.
        what: String,
    },
    /// The output folder holds the package of another field.
    #[error(
        "`{}` holds a package of {there}\nhelp: choose another folder, such as -o {}, or add --force to replace it by one of {wanted}",
        path.display(), path.with_file_name(suggested(wanted)).display()
    )]
    OtherPackage {
        /// The folder.
        path: PathBuf,
        /// What its package is of.
        there: String,
        /// What was to be written.
        wanted: String,
    },
    /// The output folder is a symbolic link.
    #[error("`{}` is a link to `{}`\nhelp: name the folder itself", path.display(), behind.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        behind: PathBuf,
    },
    /// Under the name of a file of the package lies something else: a link, a folder, a pipe.
    #[error("`{}` is not a plain file, and the package has a file of this name\nhelp: remove it, or choose another folder", path.display())]
    NotAPlainFile {
        /// The path.
        path: PathBuf,
    },
    /// A file of a package is not right in its folder.
    #[error("a file of a package cannot be called `{given}`\nhelp: names have no `/` and are not `evariste.json`")]
    BadFileName {
        /// The name.
        given: String,
    },
    /// The hidden folder beside the output folder is not ours.
    #[error("`{}` was not made by this user's `evariste`\nhelp: remove it, or choose another folder", path.display())]
    Foreign {
        /// The hidden folder.
        path: PathBuf,
    },
    /// Another process has been writing the folder for long.
    #[error("another process is writing this folder: it holds `{}`\nhelp: wait for it, or choose another folder", path.display())]
    Busy {
        /// The hidden folder that it has locked.
        path: PathBuf,
    },
    /// The folder cannot be exchanged for the new one.
    #[error("cannot replace `{}` as a whole: {source}\nhelp: where a file system is mounted, choose a folder inside it", path.display())]
    Exchange {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The output path is a file, or has no name.
    #[error("`{}` is not a folder\nhelp: choose the path of a folder, which need not exist", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A file or folder could not be handled; nothing was left behind.
    #[error("cannot {doing}: {source}\nhelp: choose a folder that you may write to")]
    Io {
        /// What was being done, with the path.
        doing: String,
        /// The system's answer.
        source: std::io::Error,
    },
}

/// A folder's name for a package.
fn suggested(of: &str) -> String {
    of.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(40).collect()
}

impl EmitError {
    /// Wraps a system error with what was being done.
    pub(crate) fn io(doing: impl Into<String>, source: std::io::Error) -> Self {
        EmitError::Io { doing: doing.into(), source }
    }
}

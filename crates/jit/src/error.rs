//! What can go wrong between a program and a call of it.

use crate::code::NotConstantTime;

/// Why a program has no encoding.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The instruction set has no such form.
    #[error("instruction {at} ({inst}) has no such form")]
    #[allow(missing_docs)]
    NoForm { at: usize, inst: String },
    /// A number that the form cannot hold, or an address that cannot be written down.
    #[error("instruction {at} ({inst}) cannot be encoded: {reason}")]
    #[allow(missing_docs)]
    Refused { at: usize, inst: String, reason: String },
    /// A branch to a label that is not there.
    #[error("instruction {at} names label {label}, which the program does not have")]
    #[allow(missing_docs)]
    NoLabel { at: usize, label: u32 },
    /// A label that is there twice.
    #[error("label {label} is defined twice")]
    #[allow(missing_docs)]
    LabelTwice { label: u32 },
    /// A constant that is not in the table.
    #[error("instruction {at} reads outside the program's constants")]
    #[allow(missing_docs)]
    NoConstant { at: usize },
}

/// Why code cannot run here.
#[derive(Debug, thiserror::Error)]
pub enum JitError {
    /// The program has no encoding.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The code has an instruction whose time may depend on data.
    #[error(transparent)]
    NotConstantTime(#[from] NotConstantTime),
    /// The code is for processors of that name, and this is another.
    #[error("machine code for {0}, but this is another processor\nhelp: use the emitted C")]
    AnotherProcessor(&'static str),
    /// The processor lacks an instruction set.
    #[error("the code needs {needed}, this processor offers {offered}\nhelp: compile for {offered}")]
    #[allow(missing_docs)]
    Features { needed: String, offered: String },
    /// The system gives no executable memory.
    #[error("the system refuses executable memory: {0}\nhelp: use the emitted C")]
    NoExecutableMemory(#[source] std::io::Error),
    /// More parameters than a call here can pass.
    #[error("{name} has {given} parameters; calls pass 1 to {most}")]
    #[allow(missing_docs)]
    Arity { name: String, given: usize, most: usize },
    /// An element size that is not 1, 2, 4 or 8 bytes.
    #[error("{parameter} has elements of {bytes} bytes; 1, 2, 4 and 8 are possible")]
    #[allow(missing_docs)]
    ElementSize { parameter: String, bytes: u32 },
}

/// Why a call was refused; nothing was run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    /// Too few or too many arguments.
    #[error("{name} takes {expected} arguments, not {given}")]
    #[allow(missing_docs)]
    Count { name: String, expected: usize, given: usize },
    /// An array of elements of another size.
    #[error("{parameter} has elements of {expected} bytes, not {given}")]
    #[allow(missing_docs)]
    Element { parameter: String, expected: usize, given: usize },
    /// An array of another length.
    #[error("{parameter} has {expected} elements, not {given}")]
    #[allow(missing_docs)]
    Length { parameter: String, expected: usize, given: usize },
    /// A shared slice where the function writes.
    #[error("{parameter} is written: give it a mutable slice or a slice of cells")]
    #[allow(missing_docs)]
    ReadOnly { parameter: String },
    /// Two arrays that overlap where they must not.
    #[error("{first} and {second} overlap")]
    #[allow(missing_docs)]
    Overlap { first: String, second: String },
}

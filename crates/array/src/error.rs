//! What can go wrong: each error names both sides.

use evariste_tune::TuneError;
use num_bigint::BigUint;
use thiserror::Error;

/// An error of the arrays, complete by itself: it can be shown to the user.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArrayError {
    /// The field has no layout for lanes.
    #[error(
        "`{field}` has no layout for arrays\nhelp: arrays hold elements modulo a number of at most about {most} bits, and of binary fields"
    )]
    NoLayout {
        /// The field.
        field: String,
        /// Bits of the largest modulus that the sums of products leave room for.
        most: u32,
    },
    /// Instruction sets to do without that are none: it says which, and what would work.
    #[error("{0}")]
    Misnamed(String),
    /// An engine that there is not.
    #[error("there is no engine `{0}`\nhelp: there are processor, opencl")]
    NoEngine(String),
    /// The engine that was named cannot be had: it says why, and what would work.
    #[error("{0}")]
    Device(String),
    /// Two arrays of different length.
    #[error(
        "`{operation}`: one array has {left} elements, the other {right}\nhelp: operands and result have the same length; `slice` takes a part of an array"
    )]
    Length {
        /// The operation.
        operation: &'static str,
        /// Elements of the first.
        left: usize,
        /// Elements of the other.
        right: usize,
    },
    /// An array of another field, layout or order of lanes.
    #[error(
        "`{operation}`: the engine works on {left}, the array is of {right}\nhelp: make the array with this engine (`from_words`, `from_bytes`, `from_integers`)"
    )]
    Foreign {
        /// The operation.
        operation: &'static str,
        /// Field and layout of the engine.
        left: String,
        /// Those of the array.
        right: String,
    },
    /// A number that is no canonical element.
    #[error(
        "element {index} is {value:#x}, which is not below {limit:#x}\nhelp: elements are the numbers below that: reduce it first"
    )]
    Range {
        /// Which.
        index: usize,
        /// The number.
        value: BigUint,
        /// The modulus, or the number of elements of a binary field.
        limit: BigUint,
    },
    /// Too few arrays of words.
    #[error("`{operation}` of {given} arrays of words\nhelp: give two or more")]
    Operands {
        /// The operation.
        operation: &'static str,
        /// How many were given.
        given: usize,
    },
    /// A slice that does not hold a whole number of elements.
    #[error(
        "{given} {unit} are not a whole number of elements: one element has {per_element} {unit}\nhelp: give a multiple of {per_element} {unit}"
    )]
    Pieces {
        /// Words or bytes.
        unit: &'static str,
        /// How many.
        given: usize,
        /// Those of an element.
        per_element: usize,
    },
    /// A part that an array does not have, or that does not start where a vector starts.
    #[error(
        "no view of elements {start} to {end} of an array of {len}: {why}\nhelp: a view starts at a multiple of {lanes}; `copy_range` copies any part"
    )]
    View {
        /// First element.
        start: usize,
        /// The one after the last.
        end: usize,
        /// Elements of the array.
        len: usize,
        /// Elements of a vector.
        lanes: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// An inverse modulo a composite number.
    #[error("{modulus:#x} is not prime, and `inverse` raises to the power p − 2\nhelp: invert modulo a prime only")]
    NotPrime {
        /// The modulus.
        modulus: BigUint,
    },
    /// A transform that there is not.
    #[error("no transform of {len} elements by the root {root:#x}: {why}\nhelp: give a root of unity of that order")]
    Root {
        /// The length.
        len: usize,
        /// The number that was to be a root.
        root: BigUint,
        /// What is wrong.
        why: String,
    },
    /// An operation that has no proved kernel or no code.
    #[error("`{operation}` in `{field}`: {why}")]
    Kernel {
        /// The operation.
        operation: String,
        /// The field.
        field: String,
        /// What is wrong.
        why: String,
    },
    /// No threads.
    #[error("cannot start {threads} threads: {why}\nhelp: ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The system's answer.
        why: String,
    },
}

impl ArrayError {
    /// From the tuner's error.
    pub(crate) fn kernel(operation: &str, field: &str, why: impl ToString) -> ArrayError {
        ArrayError::Kernel { operation: operation.into(), field: field.into(), why: why.to_string() }
    }
}

/// For `?` where only the text counts.
impl From<ArrayError> for TuneError {
    fn from(e: ArrayError) -> TuneError {
        TuneError::Operand(e.to_string())
    }
}

/// Equal lengths, or the error that names both.
pub(crate) fn same_length(operation: &'static str, left: usize, right: usize) -> Result<(), ArrayError> {
    if left == right { Ok(()) } else { Err(ArrayError::Length { operation, left, right }) }
}

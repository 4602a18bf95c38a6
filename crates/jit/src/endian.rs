//! The order of bytes.

/// The order of an element's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endian {
    /// Lowest first.
    Little,
    /// Highest first.
    Big,
}

//! How large a description may be.

/// The fewest bits that a modulus or a plain integer may have.
pub const MINIMUM_BITS: u32 = 2;
/// The most bits that a modulus or a plain integer may have.
pub const MAXIMUM_BITS: u32 = 4096;
/// The largest degree of a binary field.
pub const MAXIMUM_DEGREE: u32 = 1024;

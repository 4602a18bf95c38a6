//! What a lane of a vector is.

/// What a lane is: the bits of its word, whether conditions live in mask registers (else they are words 0 or 1), and
/// whether it is the lowest of a register and the only one that counts: a double word is then one vector, the low word
/// of it the lane. `funnel`: there are shifts of double words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    pub(super) bits: u32,
    pub(super) masks: bool,
    pub(super) alone: bool,
    pub(super) funnel: bool,
}

/// The ones of a lane of so many bits.
pub(super) fn pattern(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

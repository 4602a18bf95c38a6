//! The two forms of an array's elements, as types.

mod sealed {
    pub trait Sealed {}
}

/// How the elements of an array are held.
pub trait Form: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Its name in messages.
    const NAME: &'static str;
}

/// As operations give and accept them: in Montgomery form where the layout has one, a little above the modulus perhaps,
/// digits perhaps with garbage above their radix. Equal elements may differ here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resting;

/// The canonical value, below the modulus, in clean digits: equal elements are equal here, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical;

impl sealed::Sealed for Resting {}
impl sealed::Sealed for Canonical {}

impl Form for Resting {
    const NAME: &'static str = "resting";
}

impl Form for Canonical {
    const NAME: &'static str = "canonical";
}

//! The six status flags, each of which may be undefined.

use crate::fault::Fault;

/// Status flags; `None` is undefined, and reading it is a [`Fault`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(missing_docs)]
pub struct Flags {
    pub carry: Option<bool>,
    pub parity: Option<bool>,
    pub adjust: Option<bool>,
    pub zero: Option<bool>,
    pub sign: Option<bool>,
    pub overflow: Option<bool>,
}

impl Flags {
    /// The bits of a register `rflags`, and which of them are defined.
    pub fn bits(self) -> (u64, u64) {
        let flags = [self.carry, self.parity, self.adjust, self.zero, self.sign, self.overflow];
        flags.into_iter().zip([0, 2, 4, 6, 7, 11]).fold((0, 0), |(value, defined), (flag, bit)| {
            (value | u64::from(flag == Some(true)) << bit, defined | u64::from(flag.is_some()) << bit)
        })
    }

    /// All flags as a register `rflags` holds them.
    pub fn from_bits(rflags: u64) -> Flags {
        let flag = |bit: u32| Some(rflags >> bit & 1 == 1);
        Flags { carry: flag(0), parity: flag(2), adjust: flag(4), zero: flag(6), sign: flag(7), overflow: flag(11) }
    }

    pub(crate) fn carry(self) -> Result<bool, Fault> {
        self.carry.ok_or(Fault::UndefinedFlag("carry"))
    }

    pub(crate) fn overflow(self) -> Result<bool, Fault> {
        self.overflow.ok_or(Fault::UndefinedFlag("overflow"))
    }

    pub(crate) fn zero(self) -> Result<bool, Fault> {
        self.zero.ok_or(Fault::UndefinedFlag("zero"))
    }

    /// SF, ZF and PF "are set according to the result": its top bit, whether it is 0, whether the number of ones in its
    /// lowest byte is even.
    pub(crate) fn set_by_result(&mut self, result: u64, bits: u32) {
        self.sign = Some(result >> (bits - 1) & 1 == 1);
        self.zero = Some(result == 0);
        self.parity = Some((result as u8).count_ones().is_multiple_of(2));
    }
}

//! What running a kernel found wrong.

use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An exact operation's result does not fit its type.
    LeftType,
    /// A value outside of the interval that the kernel states (range-checking mode).
    OutsideRange,
    /// A carried value outside of the loop's invariant on entry (range-checking mode).
    InvariantAtEntry,
    /// A carried value outside of the loop's invariant after an iteration (range-checking mode).
    InvariantAtStep,
    /// A secret index outside of its table.
    Lookup,
    /// A public index outside of its array, or a negative shift amount.
    Index,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::LeftType => "the exact result does not fit its type",
            Fault::OutsideRange => "a value leaves its stated range",
            Fault::InvariantAtEntry => "a carried value breaks the loop's invariant on entry",
            Fault::InvariantAtStep => "a carried value breaks the loop's invariant after an iteration",
            Fault::Lookup => "a look-up outside of its table",
            Fault::Index => "an index outside of its array",
        })
    }
}

/// A fault with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The kernel in whose body it happened.
    pub kernel: String,
    /// The statement: its index in the body, then in the loop's body, and so on (of the kernel written out).
    pub path: Vec<u32>,
    /// The calls that led there: kernel and statement, outermost first.
    pub callers: Vec<(String, Vec<u32>)>,
    /// The first lane where it happened.
    pub lane: usize,
    /// What happened.
    pub fault: Fault,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = |p: &[u32]| p.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        write!(f, "{} in {}, statement {}", self.fault, self.kernel, path(&self.path))?;
        for (name, p) in self.callers.iter().rev() {
            write!(f, ", called by {name}, statement {}", path(p))?;
        }
        Ok(())
    }
}

/// What a run found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The first faults ([`Report::MOST`] at most), in order of execution.
    pub violations: Vec<Violation>,
    /// Bit `i` of word `i / 64`: lane `i` had a fault. Empty when there was none.
    pub bad: Vec<u64>,
}

impl Report {
    /// Faults that are described; the lanes of all faults are in `bad`.
    pub const MOST: usize = 16;

    /// Had no lane a fault?
    pub fn is_clean(&self) -> bool {
        self.bad.is_empty()
    }

    /// Had this lane a fault?
    pub fn lane_is_bad(&self, lane: usize) -> bool {
        self.bad.get(lane / 64).is_some_and(|w| w >> (lane % 64) & 1 == 1)
    }
}

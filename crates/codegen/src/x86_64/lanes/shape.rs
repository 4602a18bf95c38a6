//! The free choices of a program on vectors.

use std::fmt;

use crate::x86_64::vector::Width;

/// What may be chosen freely about a program on vectors: a point of the tuner's search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Width of the registers.
    pub width: Width,
    /// Groups that are written out one after the other, interleaved.
    pub groups: u32,
    /// How often the loop runs over them; 1: no loop.
    pub iterations: u32,
    /// Groups in flight at once.
    pub active: u32,
    /// Registers that a younger group leaves free.
    pub reserve: u32,
    /// Operands that are used once come from memory within the instruction that uses them.
    pub fold: bool,
    /// The kernel's own order instead of a schedule: what has more values than there are registers keeps them near
    /// their uses.
    pub source: bool,
    /// Of groups that keep the kernel's own order: by how many nodes each one goes ahead of the next; 0: one after the
    /// other.
    pub lag: u32,
    /// Loops of a bit-sliced kernel stay loops: short code, and what lives from one iteration to the next in memory.
    /// One group, in the kernel's own order.
    pub rolled: bool,
}

impl Shape {
    /// One group, nothing repeated: what a rest of fewer elements takes.
    pub fn single(width: Width) -> Shape {
        Shape {
            width,
            groups: 1,
            iterations: 1,
            active: 1,
            reserve: 0,
            fold: false,
            source: false,
            lag: 0,
            rolled: false,
        }
    }

    /// Groups of a call.
    pub fn groups(self) -> u32 {
        self.groups * self.iterations
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width.prefix();
        let word = |set: bool, word: &'static str| if set { word } else { "" };
        let order = if self.rolled {
            " rolled".to_string()
        } else if self.source {
            if self.lag > 0 { format!(" source lag {}", self.lag) } else { " source".to_string() }
        } else {
            format!(" active {} reserve {}", self.active, self.reserve)
        };
        write!(f, "{width} {}x{}{order}{}", self.iterations, self.groups, word(self.fold, " fold"))
    }
}

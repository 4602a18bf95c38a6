//! Instructions of a program by class: counted, not measured.

use std::fmt;

/// How many instructions of each class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All.
    pub instructions: u32,
    /// Multiplications.
    pub products: u32,
    /// Additions and subtractions that take a carry.
    pub carries: u32,
    /// Moves between registers, and of constants into them.
    pub moves: u32,
    /// Instructions that read memory.
    pub loads: u32,
    /// Instructions that write memory.
    pub stores: u32,
    /// Values that went to the stack, saved registers included.
    pub spills: u32,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} instructions: {} products, {} sums with a carry, {} moves, {} loads, {} stores ({} to the stack)",
            self.instructions, self.products, self.carries, self.moves, self.loads, self.stores, self.spills
        )
    }
}

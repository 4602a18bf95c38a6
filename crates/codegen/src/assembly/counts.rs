//! Instructions of a program by class: counted, not measured.

use std::fmt;

/// How many instructions of each class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All.
    pub instructions: u32,
    /// Multiplications.
    pub products: u32,
    /// Operations that groups of ports take, with the group's name: those that compete for something.
    pub ports: Vec<(&'static str, u32)>,
    /// Moves between registers, and of constants into them.
    pub moves: u32,
    /// Instructions that read memory.
    pub loads: u32,
    /// Instructions that write memory.
    pub stores: u32,
    /// Values that went to the stack, saved registers included.
    pub spills: u32,
    /// Slots of the rename stage.
    pub slots: u32,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instructions: {} products, ", self.instructions, self.products)?;
        for (ports, operations) in &self.ports {
            write!(f, "{operations} on {ports}, ")?;
        }
        write!(
            f,
            "{} moves, {} loads, {} stores ({} to the stack), {} slots",
            self.moves, self.loads, self.stores, self.spills, self.slots
        )
    }
}

//! Where elements and what has no register lie.

use super::finish::POINTERS;
use crate::graph::Graph;
use crate::x86_64::instruction::Gpr;

/// The least bytes of a frame of a routine, which begins at a multiple of as many.
pub(super) const FRAME: u32 = 64;

/// Where the arrays of a body and its slots lie.
pub(super) struct Places {
    /// Of each parameter of the graph: a register and bytes from where it points to.
    pub(super) arrays: Vec<(Gpr, i32)>,
    /// Bytes from the stack pointer to the first slot.
    pub(super) slots: i32,
    /// How the words of elements lie there.
    pub(super) elements: Elements,
}

/// How elements lie in memory, and what a register holds of a word that is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// Word by word, each a vector of the lanes' words.
    Vectors,
    /// One element, whose words lie one after the other: in the lowest word of a register.
    Lowest,
    /// The same, in every word of a register; what is stored is the lowest.
    Everywhere,
}

impl Places {
    /// Those of a function without a frame but its slots.
    pub(super) fn of_function(graph: &Graph, elements: Elements) -> Places {
        Places { arrays: POINTERS.iter().take(graph.params.len()).map(|r| (*r, 0)).collect(), slots: 0, elements }
    }
}

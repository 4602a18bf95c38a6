//! What code of a processor costs, by tables: nothing is run and nothing is measured.

use std::error::Error;

use evariste_ir::Kernel;

use crate::isa::Isa;

/// An instruction set whose processors have a table.
pub trait Costs: Isa {
    /// Cycles of one call of a kernel by each limit of scalar code, named; the greatest is the bound.
    fn limits(kernel: &Kernel) -> Vec<(&'static str, f64)>;

    /// The least cycles of one call of a kernel whose code for one element is not scalar. `None`: it is.
    fn bound(_: &Kernel, _: Self::Features) -> Option<f64> {
        None
    }

    /// About how many instructions the code of one element has.
    ///
    /// # Errors
    /// A kernel without a form.
    fn instructions(kernel: &Kernel, features: Self::Features) -> Result<usize, Box<dyn Error + Send + Sync>>;

    /// What the table of scalar code says.
    fn speeds() -> Speeds;
}

/// The speeds of a machine, to be shown.
#[derive(Clone, Debug)]
pub struct Speeds {
    /// What it stands for.
    pub description: &'static str,
    /// Slots a cycle, by name.
    pub per_cycle: Vec<(&'static str, f64)>,
    /// The table of vector instructions; none for scalar machines.
    pub vectors: Vec<VectorRow>,
}

/// What a vector instruction costs, registers as operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorRow {
    /// Its name.
    pub name: String,
    /// Numbers of the ports that take it; none: it is done by renaming, or by the ports of loads.
    pub ports: Vec<u32>,
    /// Cycles until the result.
    pub latency: u8,
    /// Slots of the rename stage.
    pub slots: u8,
}

//! What code of a processor costs, by tables: nothing is run and nothing is measured.

use std::error::Error;

use evariste_cores::Core;
use evariste_ir::Kernel;

use crate::aim::Aim;
use crate::isa::Isa;

/// An instruction set whose processors have a table.
pub trait Costs: Isa {
    /// Cycles of one call of a kernel as scalar code by each resource of a core, named; the greatest is the bound.
    fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)>;

    /// The least cycles of one call of a kernel whose code for one element is not scalar. `None`: it is.
    fn bound(_: &Kernel, _: Self::Features, _: &Core) -> Option<f64> {
        None
    }

    /// About how many cycles one of many independent calls of a kernel takes as scalar code, in the heuristic's order, by
    /// the [model](crate::simulate) of a core. `None`: its code is not straight, not scalar, or too long for the model.
    fn modelled(_: &Kernel, _: Aim<'_, Self::Features>) -> Option<f64> {
        None
    }

    /// About how many instructions the code of one element has.
    ///
    /// # Errors
    /// A kernel without a form.
    fn instructions(kernel: &Kernel, features: Self::Features) -> Result<usize, Box<dyn Error + Send + Sync>>;

    /// What a core's table says of scalar code.
    fn speeds(core: &Core) -> Speeds;
}

/// The speeds of a core, to be shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Speeds {
    /// What they stand for.
    pub description: String,
    /// How many a cycle, by name.
    pub per_cycle: Vec<(&'static str, f64)>,
    /// The table of vector instructions; none for scalar machines.
    pub vectors: Vec<VectorRow>,
}

/// What a vector instruction costs, registers as operands.
#[derive(Clone, PartialEq, Debug)]
pub struct VectorRow {
    /// Its name.
    pub name: String,
    /// Cycles a copy, of many independent ones.
    pub cycles: f64,
    /// Cycles until the result.
    pub latency: Option<f64>,
    /// Cycles that it keeps each resource busy.
    pub uses: Vec<(String, f64)>,
}

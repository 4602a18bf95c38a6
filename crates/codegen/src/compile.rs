//! From a proved kernel to a checked program for one element, whatever the processor: what an instruction set supplies,
//! and what follows from it.

use std::error::Error;
use std::fmt;

use evariste_ir::Kernel;
use evariste_proof::Proved;

use crate::aim::Aim;
use crate::check::machine::Meaning;
use crate::check::{CheckError, Checked, check};
use crate::graph::Graph;
use crate::lower::{MOST_NODES, lower};
use crate::program::{Lanes, Program};
use crate::schedule::{Resources, Schedule};

/// Makes programs of a graph, one for each order, and `None` where an order has none; `true`: none whose code has to
/// save flags.
pub type Allocator<'g, I> = Box<dyn FnMut(&Schedule, bool) -> Option<Program<I>> + 'g>;

/// An instruction set that kernels are compiled for.
pub trait Compile: Meaning {
    /// Why a kernel has no program.
    type Error: Error + Send + Sync + 'static;

    /// The program of a proved kernel for one element, in the given order or in the heuristic one. Nothing of it is
    /// believed before it is [checked](Compile::checked).
    ///
    /// # Errors
    /// When the kernel is too long or has no form for one element, or the schedule is not its own.
    fn compile(
        proved: &Proved,
        aim: Aim<'_, Self::Features>,
        schedule: Option<&Schedule>,
    ) -> Result<Program<Self>, Self::Error>;

    /// What orders of a graph go by.
    fn resources(aim: Aim<'_, Self::Features>) -> Resources;

    /// The order that is taken where nobody searched.
    fn heuristic(graph: &Graph, aim: Aim<'_, Self::Features>) -> Schedule;

    /// Programs of a graph, in the orders of a search.
    fn allocator<'g>(graph: &'g Graph, features: Self::Features) -> Allocator<'g, Self>;

    /// The program of a proved kernel for so many elements, one after the other in each array: the code of one, written
    /// out for each. `None`: it has no order of ours, the schedule is not its own, or that is too long.
    fn repeated(
        proved: &Proved,
        aim: Aim<'_, Self::Features>,
        schedule: Option<&Schedule>,
        times: u32,
    ) -> Option<Program<Self>> {
        let graph = Some(proved.kernel()).filter(|kernel| Self::has_orders(kernel)).and_then(|k| lower(k).ok())?;
        let short = graph.nodes.len().checked_mul(times as usize).is_some_and(|nodes| nodes <= MOST_NODES);
        let schedule = match schedule {
            Some(own) => Some(own.clone()).filter(|own| own.fits(&graph)),
            None => Some(Self::heuristic(&graph, aim)),
        };
        let (graph, schedule) = (graph.repeated(times), schedule.filter(|_| short)?.repeated(times));
        let program = Self::allocator(&graph, aim.features)(&schedule, false)?;
        Some(Program { lanes: Lanes { count: 1, groups: times }, ..program })
    }

    /// As what a kernel's code is ranked where it has instructions that [most packages](crate::assembly::Assembly::PACKAGED)
    /// are made without: the name of a line of its own.
    fn ranked_apart(_: &Kernel, _: Self::Features) -> Option<&'static str> {
        None
    }

    /// The bits of digits whose products are computed side by side, calls of them being so; those that lanes have.
    /// `None`: one element has no such products.
    fn radix_abreast(_: Self::Features) -> Option<u32> {
        None
    }

    /// Is a kernel's code that of its graph, in an order that may be chosen?
    fn has_orders(_: &Kernel) -> bool {
        true
    }

    /// [`Compile::compile`], and the checker.
    ///
    /// # Errors
    /// As that; a program that the checker refuses.
    fn checked(
        proved: &Proved,
        aim: Aim<'_, Self::Features>,
        schedule: Option<&Schedule>,
    ) -> Result<Checked<Self>, NoProgram<Self::Error>> {
        let program = Self::compile(proved, aim, schedule).map_err(NoProgram::Compile)?;
        check(proved, &program).map_err(NoProgram::Check)
    }
}

/// Why there is no checked program.
#[derive(Debug)]
pub enum NoProgram<E> {
    /// It could not be written.
    Compile(E),
    /// The checker refuses it: none, unless what writes programs is wrong, or the checker does not recognise it.
    Check(CheckError),
}

impl<E: fmt::Display> fmt::Display for NoProgram<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProgram::Compile(e) => write!(f, "{e}"),
            NoProgram::Check(e) => write!(f, "{e}"),
        }
    }
}

impl<E: Error> Error for NoProgram<E> {}

//! What a back end is: everything that other rooms ask of who makes code.

use std::fmt;
use std::sync::Arc;

use evariste_algorithms::Layout;
use evariste_codegen::FoundOrders;
use evariste_codegen::assembly::{Printable, Target};
use evariste_codegen::costs::Speeds;
use evariste_codegen::graph::Graph;
use evariste_codegen::schedule::Schedule;
use evariste_cores::{Core, Fingerprint};
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_probe::{ProbeError, Probed};
use evariste_proof::Proved;
use evariste_run::{Compiler, NativeFunction, RunError};
use thiserror::Error;

use crate::made::Made;

/// A line of the table of back ends.
#[derive(Debug)]
pub struct Entry {
    /// Its name in rankings and options.
    pub name: &'static str,
    /// Its name in titles.
    pub title: &'static str,
    /// What kind of code it makes.
    pub kind: Kind,
    /// The back end on this machine, with those of the machine's instruction sets that a text names (`None`: all), as
    /// `show program` prints them.
    pub find: fn(Option<&str>) -> Result<Arc<dyn Backend>, Refusal>,
    /// The table of its machine.
    pub machine: Option<&'static MachineTable>,
    /// Assembly in packages.
    pub package: Option<&'static Packaged>,
}

impl Entry {
    /// Is its code for the processor that this process runs on?
    pub fn is_native(&self) -> bool {
        self.machine.is_some_and(|machine| (machine.native)())
    }
}

/// What kind of code a back end makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Source text that a compiler translates.
    Compiled,
    /// Machine code of our own for one element, or for 64 of one bit.
    Scalar,
    /// Machine code of our own for many elements, in vectors of so many bits.
    Lanes {
        /// Bits of a vector.
        bits: u32,
    },
    /// No code at all: only when it is asked for.
    Interpreted,
}

impl Kind {
    /// Is it machine code of our own?
    pub fn is_machine_code(self) -> bool {
        matches!(self, Kind::Scalar | Kind::Lanes { .. })
    }

    /// Does a call compute many elements, whatever their words are?
    pub fn has_lanes(self) -> bool {
        matches!(self, Kind::Lanes { .. })
    }
}

/// What is known of a machine without running anything.
pub struct MachineTable {
    /// Does this process run on such a machine?
    pub native: fn() -> bool,
    /// What is wrong with a list of instruction sets to do without, with help.
    pub misnamed: fn(&str) -> Option<String>,
    /// Cycles of one call of a kernel by each resource of a core, named; the greatest is the bound. `None`: bounds need
    /// a graph.
    pub limits: Option<fn(&Kernel, &Core) -> Vec<(String, f64)>>,
    /// The back end for a processor with all that it can use, whatever this one is: for estimates, since its code may
    /// not run here.
    pub model: fn() -> Arc<dyn Backend>,
    /// What a core's table says, to be shown.
    pub speeds: fn(&Core) -> Speeds,
    /// Measures the core at hand; `None`: another line does.
    pub probe: Option<Measuring>,
}

/// How a core is measured.
#[derive(Clone, Copy)]
pub struct Measuring {
    /// A whole table, in seconds. The closure is told which part is done, from 0 to 1, and says whether to go on.
    pub table: fn(&mut dyn FnMut(f64) -> bool) -> Result<Probed, ProbeError>,
    /// By what the core is known again, in milliseconds.
    pub fingerprint: fn() -> Result<Fingerprint, ProbeError>,
}

impl fmt::Debug for MachineTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineTable").finish_non_exhaustive()
    }
}

/// Machine code for packages: for the processors that a package is for, whatever this one is.
pub struct Packaged {
    /// What its files say of the processor.
    pub target: &'static Target,
    /// The instruction sets that schedules of packages are for.
    pub sets: &'static str,
    /// All sets under which schedules may be kept.
    pub known_sets: &'static [&'static str],
    /// The program of a kernel.
    pub make: Make,
    /// What packages have beside that.
    pub apart: Option<&'static Apart>,
}

/// The checked program of a kernel, in the order of a schedule that was found or else of the heuristic's; its routines in
/// orders that were found for them.
pub type Make = fn(&Proved, Option<&Schedule>, &FoundOrders) -> Result<Printable, Refusal>;

/// Machine code that packages have beside that for most processors, for those that have more instructions.
pub struct Apart {
    /// The line that it is ranked as.
    pub code: &'static str,
    /// Does a kernel gain by these instructions? No other has such code.
    pub gains: fn(&Kernel) -> bool,
    /// The least cycles of a call of such code on a core, as far as its table knows them.
    pub bound: fn(&Kernel, &Core) -> Option<f64>,
    /// Layouts of a field for such code alone.
    pub layouts: fn(&Field) -> Vec<Layout>,
    /// The program of a kernel.
    pub make: Make,
}

impl fmt::Debug for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Apart").field("code", &self.code).finish_non_exhaustive()
    }
}

impl fmt::Debug for Packaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packaged").field("sets", &self.sets).finish_non_exhaustive()
    }
}

/// Why there is no code of a kernel, or no back end.
#[derive(Debug, Error)]
pub enum Refusal {
    /// No machine code: no program, a program that the checker refused, or one that this machine cannot run.
    #[error("no machine code: {0}")]
    Code(String),
    /// The kernel has no form on these vectors.
    #[error("no code on vectors: {0}")]
    NoVectors(String),
    /// The compiler, the loader or the harness.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Refusal {
    /// [`Refusal::Code`] of an error of codegen or jit.
    pub(crate) fn code(why: &dyn fmt::Display) -> Refusal {
        Refusal::Code(why.to_string())
    }
}

/// What may be chosen of the code of a kernel; by default what the back end holds likeliest to be fast.
#[derive(Clone, Copy, Default, Debug)]
pub struct Choice<'a> {
    /// A schedule that was found for it.
    pub schedule: Option<&'a Schedule>,
    /// One of its [shapes](Backend::shapes), as text; another text is none of them, and the first one is taken.
    pub shape: Option<&'a str>,
    /// Elements of a call, where it computes many.
    pub repeat: Repeat,
    /// Also kernels whose check takes many seconds.
    pub long: bool,
}

/// How many groups of lanes, or elements of scalar code, a call computes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Repeat {
    /// As the shape says.
    #[default]
    Usual,
    /// The groups that the shape has side by side, without a loop.
    Once,
    /// So many groups.
    Groups(u32),
    /// One group, in the simplest shape.
    Single,
}

/// About how much a kernel costs, without code of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Operations of one group of lanes.
    pub operations: usize,
    /// The least cycles of a group by the core's table; where there is none, as many as operations.
    pub cycles: f64,
    /// Of code of routines: the groups that a call computes side by side, where nothing is measured.
    pub beside: Option<u32>,
}

/// What makes code of proved kernels on this machine.
pub trait Backend: fmt::Debug + Send + Sync {
    /// Its line of the table.
    fn entry(&self) -> &'static Entry;

    /// What its code depends on, beside the machine: instruction sets, flags.
    fn setting(&self) -> String;

    /// The line that its code of a kernel is ranked as: another where it has instructions that most packages are made without.
    fn ranked_as(&self, _: &Kernel) -> &'static Entry {
        self.entry()
    }

    /// The same for a machine with that core: what is ordered for one machine, and not for packages, goes by the core's
    /// table, and not by the [reference](evariste_cores::reference()). `None`: it looks at no table.
    fn on(&self, _: &Arc<Core>) -> Option<Arc<dyn Backend>> {
        None
    }

    /// The same with orders that were found for routines of long kernels. `None`: it has no routines.
    fn with_found(&self, _: &Arc<FoundOrders>) -> Option<Arc<dyn Backend>> {
        None
    }

    /// Does it make code of kernels of this field in this layout, with floats or without? What it says yes to has code of
    /// a product, a square and a sum, by some plan.
    fn takes(&self, field: &Field, layout: &Layout, floats: bool) -> bool;

    /// Layouts of a field for its code alone, beside those for words of 64 and 32 bits.
    fn layouts(&self, _: &Field) -> Vec<Layout> {
        Vec::new()
    }

    /// Layouts that its code can compute in beside those, which take more time there: for who asks for one by name.
    fn further_layouts(&self, _: &Field) -> Vec<Layout> {
        Vec::new()
    }

    /// The least cycles of a call for each lane on a core; 0 where there is no code. `None`: those of scalar code (see
    /// [`bound`](crate::bound)).
    fn bound(&self, _: &Kernel, _: &Core) -> Option<f64> {
        None
    }

    /// About what a kernel costs on it.
    ///
    /// # Errors
    /// A kernel without a form there.
    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal>;

    /// Does the checker accept its code of a kernel? What runs here is not asked.
    fn has_code(&self, proved: &Proved) -> bool {
        self.make(proved, &Choice::default()).is_ok()
    }

    /// The shapes of code that are worth timing, the likeliest first; none where there is no choice.
    fn shapes(&self, _: &Kernel) -> Vec<String> {
        Vec::new()
    }

    /// Checked code of a kernel as a function.
    ///
    /// # Errors
    /// Why there is none.
    fn make(&self, proved: &Proved, choice: &Choice) -> Result<Made, Refusal>;

    /// The same of many kernels, in their order, by the choices that are likeliest to be fast: what each would be alone,
    /// made at once where that is less work.
    fn make_many(&self, kernels: &[&Proved]) -> Vec<Result<Made, Refusal>> {
        kernels.iter().map(|proved| self.make(proved, &Choice::default())).collect()
    }

    /// Hands the orders of a kernel's instructions to a search.
    ///
    /// # Errors
    /// Code without an order of ours, or a kernel without code.
    fn with_orders(&self, _: &Proved, _: &mut dyn FnMut(&mut dyn Orders)) -> Result<(), Refusal> {
        Err(Refusal::Code(format!("the order of {} code is not ours", self.entry().title)))
    }

    /// Has the code of a kernel an order that a search may look for?
    fn has_orders(&self, _: &Kernel) -> bool {
        false
    }

    /// About how many cycles one of many independent calls of a kernel takes, by a model of its core; `None`: nothing
    /// better is known than the [estimate](Backend::estimate).
    fn modelled(&self, _: &Kernel) -> Option<f64> {
        None
    }

    /// The instruction sets under which schedules of its code are kept; `None`: it takes no schedules.
    fn schedule_sets(&self) -> Option<String> {
        None
    }

    /// Instructions of straight-line code of one group of lanes, counted by class.
    ///
    /// # Errors
    /// Code whose instructions are not ours, or a kernel without code.
    fn instructions(&self, _: &Proved) -> Result<Vec<(&'static str, u64)>, Refusal> {
        Err(Refusal::Code(format!("instructions of {} code are not counted", self.entry().title)))
    }

    /// The compiler that it calls.
    fn compiler(&self) -> Option<&Compiler> {
        None
    }
}

/// Orders of one kernel's instructions, and the code of each.
pub trait Orders {
    /// What is ordered.
    fn graph(&self) -> &Graph;

    /// The order that is taken without a search.
    fn heuristic(&self) -> Schedule;

    /// Orders that are worth timing, without doubles.
    fn candidates(&self) -> Vec<Schedule>;

    /// Checked code in that order. `strict` refuses orders whose code has to save flags.
    ///
    /// # Errors
    /// Code that this machine cannot run.
    fn make(&mut self, schedule: &Schedule, strict: bool) -> Result<Ordered, Refusal>;
}

/// The code of an order.
pub enum Ordered {
    /// The function, and how many instructions it has.
    Made(NativeFunction, usize),
    /// No registers, or no flags, for that order.
    Infeasible,
    /// The checker refused the program: none, unless the allocator is wrong.
    Wrong,
}

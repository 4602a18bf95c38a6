//! From a kernel to a program on vectors: one element a lane, many groups of lanes a call.
//!
//! A group is what one set of registers holds. The `schedule` interleaves two groups: the older one goes first, the
//! younger one takes the cycles that it leaves, so that no resource of the core waits for a latency; `allocate` gives
//! registers to that order. Both work on all groups of an iteration at once; a loop of constant length repeats it. With 16
//! registers groups keep the kernel's own order, one after the other or, two by two, one ahead of the other. Code of routines
//! computes one group a call, or several operation by operation ([`Routines::of_groups`]).
//!
//! S. Gueron and V. Krasnov, "Accelerating big integer arithmetic using Intel IFMA extensions" (ARITH 2016) lay
//! elements out the same way.

mod allocate;
mod assemble;
mod cost;
mod finish;
mod places;
mod routines;
mod schedule;
mod shape;

use std::collections::BTreeMap;

use evariste_cores::Core;
use evariste_ir::count::count_operations;
use evariste_ir::{Kernel, Op};
use evariste_proof::Proved;

use super::Program;
use super::error::CompileError;
use super::instruction::Features;
use super::vector::Width;
use crate::aim::Aim;
use crate::check::machine::MOST_STACK;
use crate::graph::Graph;
use crate::lower::{Limits, LowerError, MOST_NODES, Vectors, lower_one, lower_vector, outline_vector, roll_vector};
use crate::outline::{Body as OutlineBody, Routine};
use crate::program::{Lanes, Parameter};
use finish::{BESIDE, Body, Heading};
use places::{Elements, Places};
use schedule::{MOST_INSTRUCTIONS, is_logic};
pub use shape::Shape;

/// About how many nodes the groups of a call of a bit-sliced kernel have: longer calls gain nothing, and take long to
/// check.
const NODES_OF_A_CALL: u32 = 1 << 12;

/// A kernel of fewer nodes needs few registers for a group.
const SHORT: u32 = 32;

/// On vectors of 16 registers, a kernel of more nodes than that has more values alive than registers: it keeps its own
/// order too, in loops of one group, since what caches of decoded instructions hold is short there.
const LONG_OF_FEW: u32 = 1 << 7;

/// The shapes that are worth timing for a kernel with that graph, the likeliest first.
pub fn shapes(kernel: &Kernel, graph: &Graph, width: Width) -> Vec<Shape> {
    let mut all = shapes_with_memory(kernel, graph, width);
    all.retain(|shape| !(shape.fold && width.two_operands()));
    all
}

/// [`shapes`] where operands may come from memory.
fn shapes_with_memory(kernel: &Kernel, graph: &Graph, width: Width) -> Vec<Shape> {
    let nodes = graph.nodes.len().max(1) as u32;
    let groups = (MOST_INSTRUCTIONS / (nodes + nodes / 8)).clamp(1, 16);
    let iterations = 16u32.div_ceil(groups);
    // No more groups than that many of each iteration: the checker runs them all.
    let groups = 16u32.div_ceil(iterations);
    let shape = |groups, iterations, active, reserve, fold| Shape {
        width,
        groups,
        iterations,
        active,
        reserve,
        fold,
        source: false,
        lag: 0,
        rolled: false,
    };
    let logic = is_logic(graph);
    let long = nodes > MOST_INSTRUCTIONS;
    let source = |fold| Shape {
        source: true,
        ..shape(1, if logic { (NODES_OF_A_CALL / nodes).clamp(1, 16) } else { 16 }, 1, 0, fold)
    };
    let mut all = Vec::new();
    if long && matches!(roll_vector(kernel, width.has_masks()), Ok(Some(_))) {
        all.extend([true, false].map(|fold| Shape { rolled: true, ..source(fold) }));
    }
    if long || logic {
        all.extend([source(true), source(false)]);
    }
    if schedule::keeps_order(graph) {
        return all;
    }
    if width.registers() < 32 && nodes > LONG_OF_FEW {
        all.extend([true, false].into_iter().filter(|_| !logic).map(source));
        // Two groups, of which one goes ahead: by half of the kernel, or by as much as it waits for at the end.
        let skewed = |lag| Shape { source: true, lag, ..shape(2, 8, 1, 0, true) };
        all.extend([nodes / 2, nodes / 8].into_iter().filter(|_| !logic).map(skewed));
        all.extend([shape(1, 16, 1, 0, true), shape(groups, iterations, 2, 5, true)]);
        return all;
    }
    // Short kernels wait for latencies: more groups at once.
    if nodes < SHORT {
        all.push(shape(groups, iterations, 4, 2, false));
    }
    all.extend([
        shape(groups, iterations, 2, 5, false),
        shape(groups, iterations, 2, 3, false),
        shape(groups, iterations, 2, 8, false),
        shape(groups, iterations, 3, 6, false),
        shape(groups, iterations, 1, 0, false),
        shape(1, 16, 1, 0, false),
        shape(groups, iterations, 2, 5, true),
        shape(groups, iterations, 1, 0, true),
        source(false),
        source(true),
    ]);
    different(all)
}

/// Each shape once, without several active groups where there is one.
fn different(all: Vec<Shape>) -> Vec<Shape> {
    let mut seen: Vec<Shape> = Vec::new();
    for shape in all.into_iter().filter(|s| s.active == 1 || s.groups > 1) {
        if !seen.contains(&shape) {
            seen.push(shape);
        }
    }
    seen
}

/// The program of a proved kernel on vectors in that shape.
///
/// # Errors
/// When the kernel is too long or has no form on vectors of that width, or needs more registers of a kind than there
/// are.
pub fn compile<'c>(proved: &Proved, aim: impl Into<Aim<'c, Features>>, shape: Shape) -> Result<Program, CompileError> {
    compile_kernel(proved.kernel(), aim, shape)
}

/// [`compile`] for kernels that nobody proved: tests only.
///
/// # Errors
/// As [`compile`].
#[doc(hidden)]
pub fn compile_kernel<'c>(
    kernel: &Kernel,
    aim: impl Into<Aim<'c, Features>>,
    shape: Shape,
) -> Result<Program, CompileError> {
    let aim = aim.into();
    let graph = graph(kernel, aim.features, shape.width)?;
    if !shape.rolled {
        return compile_graph(&graph, aim.core, shape);
    }
    let routine = roll_vector(kernel, shape.width.has_masks())?.ok_or(LowerError::NoLoops)?;
    let shape = Shape { groups: 1, source: true, ..shape };
    let body = assemble::assemble(&routine, shape).map_err(CompileError::Infeasible)?;
    let heading = Heading { name: &routine.name, params: &routine.params, disjoint: &routine.disjoint };
    Ok(finish::program(&heading, shape, lanes(&routine.params, shape), body))
}

/// Does the kernel compute what general registers have no instruction for: carry-less products, products in GF(2^8),
/// doubles?
pub fn needs_vectors(kernel: &Kernel) -> bool {
    kernel.uses_floats()
        || count_operations(kernel, &|op| matches!(op, Op::Clmul | Op::RijndaelMul | Op::BitMatrix(_))) > 0
}

/// The program of a kernel for one element, which lies in memory as for scalar code: what has carry-less products or
/// doubles needs these registers for one element too.
///
/// # Errors
/// As [`compile`].
pub fn compile_one<'c>(kernel: &Kernel, aim: impl Into<Aim<'c, Features>>) -> Result<Program, CompileError> {
    compile_one_within(kernel, aim.into(), MOST_NODES)
}

/// [`compile_one`] of a kernel of at most so many nodes.
///
/// # Errors
/// As [`compile`]; more nodes.
pub fn compile_one_within(kernel: &Kernel, aim: Aim<'_, Features>, most: usize) -> Result<Program, CompileError> {
    compile_graph_one(lower_one(kernel, most)?, aim)
}

/// The program of a graph for one element in the lowest 64 bits of 128.
///
/// # Errors
/// As [`compile`].
pub fn compile_graph_one(graph: Graph, aim: Aim<'_, Features>) -> Result<Program, CompileError> {
    let graph = in_registers(cost::offered(graph, aim.features, Width::X)?)?;
    let (shape, places) = (Shape::single(Width::X), Places::of_function(&graph, Elements::Lowest));
    body(&graph, aim.core, shape, Lanes::ONE, &places)
}

/// The name that code with calls side by side goes by in rankings: packages have it beside code for more processors.
pub const ABREAST: &str = "x86-64-ifma";

/// Are there products of 52 bits in registers of four words?
pub fn has_products_abreast(features: Features) -> bool {
    features.ifma && features.avx512
}

/// Does a kernel gain by calls that are computed side by side in the words of one register? One with products of 52 bits,
/// which general registers do not have.
pub fn gains_abreast(kernel: &Kernel, features: Features) -> bool {
    let has = has_products_abreast(features) && !needs_vectors(kernel);
    has && count_operations(kernel, &|op| matches!(op, Op::MaddLo(52) | Op::MaddHi(52))) > 0
}

/// The program of a graph for one element, whose values are the four words of a register.
///
/// # Errors
/// As [`compile`].
pub fn compile_graph_abreast(graph: Graph, aim: Aim<'_, Features>) -> Result<Program, CompileError> {
    let graph = in_registers(cost::offered(graph, aim.features, Width::Y)?)?;
    // In its own order, since there are more values than registers, and each operation is ahead of the next by itself.
    let shape = Shape { fold: true, source: true, ..Shape::single(Width::Y) };
    body(&graph, aim.core, shape, Lanes::ONE, &Places::of_function(&graph, Elements::Everywhere))
}

/// The graph of a kernel for one element in the lowest 64 bits of 128.
///
/// # Errors
/// As [`compile`].
pub fn graph_one(kernel: &Kernel, features: Features) -> Result<Graph, CompileError> {
    in_registers(cost::offered(lower_one(kernel, MOST_NODES)?, features, Width::X)?)
}

/// What is compiled of a kernel that calls others and is too long to be one graph: routines, of which each call computes
/// one group of lanes. The function may compute several, operation by operation, so that the start of one group's overlaps
/// with the end of another's.
pub struct Routines {
    all: Vec<Routine>,
    width: Width,
}

/// Groups that a call of a kernel's routines computes where nothing is measured. With 16 registers an operation keeps the
/// kernel's own order, and waits for its own carries at the end; with 32 its instructions are scheduled. `None`: one, in any
/// case, since neither logic nor carry-less products have carries.
pub fn groups_of_routines(kernel: &Kernel, width: Width) -> Option<u32> {
    let has_carries = kernel.word > 1 && count_operations(kernel, &|op| matches!(op, Op::Clmul)) == 0;
    has_carries.then(|| if width.registers() < 32 { 2 } else { 1 })
}

/// Nodes up to which a routine that calls others is in one piece, six times as many, where groups are computed side by side:
/// a window of a processor holds one operation and the start of the next, so what is longer has to be in parts.
const STRAIGHT_BESIDE: usize = 6 << 10;

/// About how many instructions of each group a function of several may have: a longer one is read more slowly than it
/// computes, and takes long to check. (Pairings are longer. Their products wait for few others: the loop of Miller alone
/// side by side, or all of it in code of 1.5 MB, gained 0 to 6 per cent with AVX2.)
const MOST_BESIDE: usize = 1 << 13;

/// Nodes up to which a kernel that calls others is one graph.
pub const MOST_IN_ONE: usize = 5120;

/// The routines of a kernel, where it has any and a processor with these features has all its operations. Shorter kernels
/// are one graph.
///
/// # Errors
/// As [`compile`].
pub fn routines(kernel: &Kernel, features: Features, width: Width) -> Result<Option<Routines>, CompileError> {
    if kernel.callees.is_empty() || matches!(lower_vector_within(kernel, features, width, MOST_IN_ONE), Ok(Some(_))) {
        return Ok(None);
    }
    routines_within(kernel, features, width, &Limits::default())
}

/// [`routines`] by other limits, of short kernels too: for tests.
///
/// # Errors
/// As [`compile`].
#[doc(hidden)]
pub fn routines_within(
    kernel: &Kernel,
    features: Features,
    width: Width,
    limits: &Limits,
) -> Result<Option<Routines>, CompileError> {
    let all = outline_vector(kernel, vectors(features, width), limits)?;
    let Some(all) = all else { return Ok(None) };
    for graph in routines::graphs(&all) {
        cost::offered(graph.clone(), features, width)?;
    }
    Ok(Some(Routines { all, width }))
}

impl Routines {
    /// Nodes of all graphs.
    pub fn nodes(&self) -> usize {
        routines::graphs(&self.all).iter().map(|graph| graph.nodes.len()).sum()
    }

    /// The least cycles of a group of lanes, by a core's table, and a few for each call.
    pub fn bound_of_group(&self, core: &Core) -> f64 {
        routines::total(&self.all, &|graph| bound_of_group(graph, self.width, core))
    }

    /// The routines of a function of so many groups of that kernel, the program of [`evariste_ir::times`] of it. `None`: it
    /// has none, or the function is too long.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn of_groups(
        kernel: &Kernel,
        features: Features,
        width: Width,
        groups: u32,
    ) -> Result<Option<Routines>, CompileError> {
        let limits = Limits { straight: STRAIGHT_BESIDE, ..Limits::default() };
        Ok(routines_within(kernel, features, width, &limits)?.and_then(|one| one.beside(groups)))
    }

    /// The same routines for so many groups.
    #[doc(hidden)]
    pub fn beside(&self, groups: u32) -> Option<Routines> {
        Some(Routines { all: crate::groups::beside(&self.all, groups, MOST_BESIDE)?, width: self.width })
    }

    /// The program.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn compile(&self, aim: Aim<'_, Features>) -> Result<Program, CompileError> {
        routines::compile(&self.all, aim, self.width)
    }
}

fn vectors(features: Features, width: Width) -> Vectors {
    Vectors { masks: width.has_masks(), funnel: features.vbmi2 && width.has_masks() }
}

/// The graph of a kernel, if it has at most so many nodes.
fn lower_vector_within(
    kernel: &Kernel,
    features: Features,
    width: Width,
    most: usize,
) -> Result<Option<Graph>, LowerError> {
    match lower_vector(kernel, vectors(features, width), most) {
        Err(LowerError::TooLong { .. }) => Ok(None),
        graph => graph.map(Some),
    }
}

/// The graph of a kernel on vectors, when a processor with these features has all its operations.
///
/// # Errors
/// As [`compile`].
pub fn graph(kernel: &Kernel, features: Features, width: Width) -> Result<Graph, CompileError> {
    in_registers(cost::offered(lower_vector(kernel, vectors(features, width), MOST_NODES)?, features, width)?)
}

/// A graph whose arrays all have a register.
fn in_registers(graph: Graph) -> Result<Graph, CompileError> {
    if graph.params.len() > finish::POINTERS.len() {
        let most = finish::POINTERS.len();
        return Err(LowerError::Unsupported(format!("a kernel of more than {most} arrays on vectors")).into());
    }
    Ok(graph)
}

/// The program of a graph on vectors.
///
/// # Errors
/// When it needs more mask registers than there are, or more stack than is safe.
pub fn compile_graph(graph: &Graph, core: &Core, shape: Shape) -> Result<Program, CompileError> {
    body(graph, core, shape, lanes(&graph.params, shape), &Places::of_function(graph, Elements::Vectors))
}

fn body(graph: &Graph, core: &Core, shape: Shape, lanes: Lanes, places: &Places) -> Result<Program, CompileError> {
    let order = schedule::order(graph, core, shape);
    let allocated = allocate::allocate(graph, shape, &order, places).map_err(CompileError::Infeasible)?;
    let body =
        Body { code: allocated.code, constants: allocated.constants, frame: allocated.slots * shape.width.bytes() };
    if i64::from(body.frame) > MOST_STACK - BESIDE {
        return Err(CompileError::Frame(body.frame));
    }
    Ok(finish::program(
        &Heading { name: &graph.name, params: &graph.params, disjoint: &graph.disjoint },
        shape,
        lanes,
        body,
    ))
}

/// Instructions of one group of lanes that compute: all but loads, stores and moves.
pub fn operations(graph: &Graph) -> u32 {
    graph.nodes.iter().filter(|node| cost::computes(graph, node)).count() as u32
}

/// The least cycles of one element, by a core's table.
pub fn bound(graph: &Graph, width: Width, core: &Core) -> f64 {
    bound_of_group(graph, width, core) / f64::from(lanes(&graph.params, Shape::single(width)).count)
}

/// [`bound`] of a program of [`compile_one`].
pub fn bound_one(graph: &Graph, core: &Core) -> f64 {
    bound_of_group(graph, Width::X, core)
}

/// The least cycles of a call of routines of which some compute [side by side](compile_graph_abreast): of these alone, as
/// far as a core's table knows their instructions.
pub fn bound_abreast(routines: &[Routine], core: &Core) -> f64 {
    let is_abreast = |graph: &Graph| {
        routines.iter().any(|r| matches!(&r.body, OutlineBody::Abreast(own) if std::ptr::eq(own, graph)))
    };
    let least = |graph: &Graph| if is_abreast(graph) { bound_of_group(graph, Width::Y, core) } else { 0.0 };
    routines::total(routines, &least)
}

/// The least cycles of a group of lanes, by a core's table: what its busiest resource takes for all operations and
/// stores.
pub fn bound_of_group(graph: &Graph, width: Width, core: &Core) -> f64 {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for name in graph.nodes.iter().filter_map(|node| cost::name(graph, node, width, core)) {
        *counts.entry(name).or_default() += 1.0;
    }
    core.load(counts.iter().map(|(name, count)| (name.as_str(), *count))).cycles
}

/// Lanes of a program of that shape for those parameters.
fn lanes(params: &[Parameter], shape: Shape) -> Lanes {
    let element = params.first().map_or(8, |p| p.element_bytes);
    Lanes { count: shape.width.bytes() / element, groups: shape.groups() }
}

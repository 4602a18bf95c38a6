//! From a proved kernel to a program.

use evariste_ir::Kernel;
use evariste_proof::Proved;

use super::Program;
use super::allocate::{Allocated, Allocator};
use super::assemble::{Unfit, assemble};
use super::error::CompileError;
use super::instruction::{Features, Inst};
use super::lanes;
use super::schedule::heuristic;
use super::table::row;
use crate::aim::Aim;
use crate::graph::Graph;
use crate::lower::{LowerError, lower, outline, outline_abreast, outline_with_lanes};
use crate::outline::{Limits, Outline, Routine, callers_first};
use crate::program::Lanes;
use crate::schedule::Schedule;

/// The program of a proved kernel for one element, in the given order or in the heuristic one. It is scalar, but that
/// carry-less products and doubles are computed in [one lane](lanes::compile_one) of vector registers, in an order of
/// its own, and calls with products of 52 bits [side by side](lanes::compile_graph_abreast) in their words.
///
/// # Errors
/// When the kernel is too long or has no form for one element, or the schedule is not its own.
pub fn compile<'c>(
    proved: &Proved,
    aim: impl Into<Aim<'c, Features>>,
    schedule: Option<&Schedule>,
) -> Result<Program, CompileError> {
    compile_kernel(proved.kernel(), aim, schedule)
}

/// [`compile`] for kernels that nobody proved: tests only. The intervals that the kernel states are believed.
///
/// # Errors
/// As [`compile`].
#[doc(hidden)]
pub fn compile_kernel<'c>(
    kernel: &Kernel,
    aim: impl Into<Aim<'c, Features>>,
    schedule: Option<&Schedule>,
) -> Result<Program, CompileError> {
    compile_within(kernel, aim, schedule, &Limits::default())
}

/// [`compile_kernel`] with other limits of straight-line code: tests and measurements only.
///
/// # Errors
/// As [`compile`].
#[doc(hidden)]
pub fn compile_within<'c>(
    kernel: &Kernel,
    aim: impl Into<Aim<'c, Features>>,
    schedule: Option<&Schedule>,
    limits: &Limits,
) -> Result<Program, CompileError> {
    let aim = aim.into();
    if lanes::needs_vectors(kernel) {
        return match schedule {
            None => compile_on_vectors(kernel, aim, limits),
            Some(_) => Err(CompileError::Schedule),
        };
    }
    let gains = |kernel: &Kernel| lanes::gains_abreast(kernel, aim.features);
    let outlined = if gains(kernel) { outline_abreast(kernel, limits, &gains)? } else { outline(kernel, limits)? };
    match (outlined, schedule) {
        (Outline::Straight(graph), Some(schedule)) if !schedule.fits(&graph) => Err(CompileError::Schedule),
        (Outline::Straight(graph), Some(schedule)) => compile_graph(&graph, aim.features, schedule),
        (Outline::Straight(graph), None) => compile_graph(&graph, aim.features, &heuristic(&graph, aim)),
        (Outline::Rolled(_), Some(_)) => Err(CompileError::Lower(LowerError::Rolled)),
        (Outline::Rolled(routines), None) => compile_routines(kernel, &routines, aim),
    }
}

/// The program of a kernel that is made of calls, which are computed side by side whatever they are, with what calls it:
/// tests only.
///
/// # Errors
/// As [`compile`]; a kernel of another kind.
#[doc(hidden)]
pub fn compile_abreast<'c>(kernel: &Kernel, aim: impl Into<Aim<'c, Features>>) -> Result<Program, CompileError> {
    match outline_abreast(kernel, &Limits::default(), &|_| true)? {
        Outline::Rolled(routines) => compile_routines(kernel, &routines, aim.into()),
        Outline::Straight(_) => Err(LowerError::Unsupported("a kernel that is not made of calls".into()).into()),
    }
}

/// A program with vector registers: short ones in one piece where that has a form, else routines, of which those that
/// need vectors have [one lane](lanes::compile_one); where nothing can be rolled, in one piece after all.
fn compile_on_vectors(kernel: &Kernel, aim: Aim<'_, Features>, limits: &Limits) -> Result<Program, CompileError> {
    if kernel.callees.is_empty() {
        return lanes::compile_one(kernel, aim);
    }
    match lanes::compile_one_within(kernel, aim, limits.straight) {
        // (Too long, or it has what one lane has not.)
        Err(CompileError::Lower(_)) => match outline_with_lanes(kernel, limits, &lanes::needs_vectors) {
            Ok(Outline::Rolled(routines)) => compile_routines(kernel, &routines, aim),
            _ => lanes::compile_one(kernel, aim),
        },
        program => program,
    }
}

/// The program of a kernel's routines, each in the order that was found for it, segments in the heuristic's.
fn compile_routines(kernel: &Kernel, routines: &[Routine], aim: Aim<'_, Features>) -> Result<Program, CompileError> {
    let found: Vec<Option<&Schedule>> =
        routines.iter().map(|routine| aim.found.of(kernel.at(&routine.path)?)).collect();
    let assembled = assemble(routines, &found, aim).map_err(|e| match e {
        Unfit::Segment(e) => CompileError::Infeasible(e),
        Unfit::Frame { bytes } => CompileError::Frame(bytes),
        Unfit::OnVectors(e) => *e,
    })?;
    let (function, features) = (&routines[0], needed(&assembled.code));
    Ok(Program {
        name: function.name.clone(),
        features,
        lanes: Lanes::ONE,
        params: function.params.clone(),
        disjoint: function.disjoint.clone(),
        constants: assembled.constants,
        code: assembled.code,
        callees: callers_first(routines).into_iter().map(|at| routines[at].callee(at as u32)).collect(),
    })
}

/// The program of a graph.
///
/// # Errors
/// When the order does not respect the graph.
pub fn compile_graph(graph: &Graph, features: Features, schedule: &Schedule) -> Result<Program, CompileError> {
    let allocated = Allocator::new(graph, features).run(schedule, false).map_err(CompileError::Infeasible)?;
    Ok(program(graph, allocated))
}

/// A program around allocated code.
pub fn program(graph: &Graph, allocated: Allocated) -> Program {
    let features = needed(&allocated.code);
    Program {
        name: graph.name.clone(),
        features,
        lanes: Lanes::ONE,
        params: graph.params.clone(),
        disjoint: graph.disjoint.clone(),
        constants: allocated.constants,
        code: allocated.code,
        callees: Vec::new(),
    }
}

/// What a processor must offer to run the code.
fn needed(code: &[Inst]) -> Features {
    code.iter().map(|inst| row(inst.op).needs).fold(Features::BASELINE, Features::and)
}

/// The schedule that the heuristic chooses.
///
/// # Errors
/// When the kernel has no graph.
pub fn heuristic_schedule<'c>(proved: &Proved, aim: impl Into<Aim<'c, Features>>) -> Result<Schedule, CompileError> {
    let graph = lower(proved.kernel())?;
    Ok(heuristic(&graph, aim.into()))
}

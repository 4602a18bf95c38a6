//! From a proved kernel to a program.

use evariste_ir::Kernel;

use super::Program;
use super::allocate::{Allocated, Allocator};
use super::assemble::{MOST_FRAME, assemble};
use super::error::CompileError;
use super::instruction::Features;
use super::schedule::heuristic;
use crate::aim::Aim;
use crate::graph::Graph;
use crate::lower::{LowerError, outline};
use crate::outline::{Limits, Outline, callers_first};
use crate::program::Lanes;
use crate::schedule::Schedule;

/// The program of a kernel for one element, in the given order or in the heuristic one. The intervals that the kernel
/// states are believed: what is not proved is for tests only.
///
/// # Errors
/// When the kernel is too long or has no form for one element, or the schedule is not its own.
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
/// As [`compile_kernel`].
#[doc(hidden)]
pub fn compile_within<'c>(
    kernel: &Kernel,
    aim: impl Into<Aim<'c, Features>>,
    schedule: Option<&Schedule>,
    limits: &Limits,
) -> Result<Program, CompileError> {
    let aim = aim.into();
    // There is no instruction here that takes the address of a table.
    let limits = Limits { data: u32::MAX, ..*limits };
    match (outline(kernel, &limits)?, schedule) {
        (Outline::Straight(graph), Some(schedule)) if !schedule.fits(&graph) => Err(CompileError::Schedule),
        (Outline::Straight(graph), Some(schedule)) => compile_graph(&graph, schedule),
        (Outline::Straight(graph), None) => compile_graph(&graph, &heuristic(&graph, aim)),
        (Outline::Rolled(_), Some(_)) => Err(CompileError::Lower(LowerError::Rolled)),
        (Outline::Rolled(routines), None) => {
            let assembled = assemble(&routines, aim)?;
            let function = &routines[0];
            Ok(Program {
                name: function.name.clone(),
                features: Features,
                lanes: Lanes::ONE,
                params: function.params.clone(),
                disjoint: function.disjoint.clone(),
                constants: assembled.constants,
                code: assembled.code,
                callees: callers_first(&routines).into_iter().map(|at| routines[at].callee(at as u32)).collect(),
            })
        }
    }
}

fn compile_graph(graph: &Graph, schedule: &Schedule) -> Result<Program, CompileError> {
    let allocated = Allocator::new(graph).run(schedule, false).map_err(CompileError::Infeasible)?;
    program(graph, allocated)
}

/// A program around allocated code.
///
/// # Errors
/// Its frame is too large.
pub(super) fn program(graph: &Graph, allocated: Allocated) -> Result<Program, CompileError> {
    if allocated.frame > MOST_FRAME {
        return Err(CompileError::Frame(allocated.frame));
    }
    Ok(Program {
        name: graph.name.clone(),
        features: Features,
        lanes: Lanes::ONE,
        params: graph.params.clone(),
        disjoint: graph.disjoint.clone(),
        constants: allocated.constants,
        code: allocated.code,
        callees: Vec::new(),
    })
}

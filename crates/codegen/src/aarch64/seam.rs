//! AArch64 as a caller of any processor's compiler sees it.

use std::error::Error;

use evariste_cores::Core;
use evariste_ir::Kernel;
use evariste_ir::count::count as count_kernel;
use evariste_proof::Proved;

use super::allocate::Allocator;
use super::compile::{compile_kernel, program};
use super::error::CompileError;
use super::instruction::Features;
use super::schedule::{heuristic, heuristic_within, resources};
use super::{Aarch64, Program, cost, limits, speeds};
use crate::aim::Aim;
use crate::compile::{self, Compile};
use crate::costs::{Costs, Speeds};
use crate::graph::Graph;
use crate::lower::lower;
use crate::schedule::{Resources, Schedule};

/// Nodes of the longest graph whose code is modelled: some milliseconds.
const MODELLED: usize = 4096;

impl Compile for Aarch64 {
    type Error = CompileError;

    fn compile(proved: &Proved, aim: Aim<'_, Features>, schedule: Option<&Schedule>) -> Result<Program, CompileError> {
        compile_kernel(proved.kernel(), aim, schedule)
    }

    fn resources(aim: Aim<'_, Features>) -> Resources {
        resources(aim)
    }

    fn heuristic(graph: &Graph, aim: Aim<'_, Features>) -> Schedule {
        heuristic(graph, aim)
    }

    fn allocator<'g>(graph: &'g Graph, _: Features) -> compile::Allocator<'g, Aarch64> {
        let mut allocator = Allocator::new(graph);
        Box::new(move |schedule, strict| program(graph, allocator.run(schedule, strict).ok()?).ok())
    }
}

impl Costs for Aarch64 {
    fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)> {
        limits(kernel, core)
    }

    fn modelled(kernel: &Kernel, aim: Aim<'_, Features>) -> Option<f64> {
        let graph = lower(kernel).ok().filter(|graph| graph.nodes.len() <= MODELLED)?;
        let mut allocator = Allocator::new(&graph);
        let schedule = heuristic_within(&mut allocator, aim);
        let code = allocator.run(&schedule, false).ok()?.code;
        let core = cost::of(aim.core);
        // No table of these is measured, and none says how the window ends: the busiest resource is all that is asked.
        Some(cost::cycles(&code, core))
    }

    fn instructions(kernel: &Kernel, _: Features) -> Result<usize, Box<dyn Error + Send + Sync>> {
        Ok(count_kernel(kernel).operations() as usize)
    }

    fn speeds(core: &Core) -> Speeds {
        speeds::scalar(core)
    }
}

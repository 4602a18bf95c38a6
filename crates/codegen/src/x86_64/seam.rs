//! x86-64 as a caller of any processor's compiler sees it.

use std::error::Error;

use evariste_cores::Core;
use evariste_ir::Kernel;
use evariste_ir::count::count as count_kernel;
use evariste_proof::Proved;

use super::allocate::Allocator;
use super::compile::{compile, program};
use super::error::CompileError;
use super::instruction::Features;
use super::schedule::{heuristic, heuristic_of, resources};
use super::steps::{steps, window};
use super::{Program, X86_64, lanes, limits, speeds};
use crate::aim::Aim;
use crate::compile::{self, Compile};
use crate::costs::{Costs, Speeds};
use crate::graph::Graph;
use crate::lower::{Limits, lower, outline_abreast};
use crate::outline::Outline;
use crate::schedule::{Resources, Schedule};
use crate::simulate::throughput;

/// Nodes of the longest graph whose code is modelled: some milliseconds.
const MODELLED: usize = 4096;

impl Compile for X86_64 {
    type Error = CompileError;

    fn compile(proved: &Proved, aim: Aim<'_, Features>, schedule: Option<&Schedule>) -> Result<Program, CompileError> {
        compile(proved, aim, schedule)
    }

    fn resources(aim: Aim<'_, Features>) -> Resources {
        resources(aim)
    }

    fn heuristic(graph: &Graph, aim: Aim<'_, Features>) -> Schedule {
        heuristic(graph, aim)
    }

    fn allocator<'g>(graph: &'g Graph, features: Features) -> compile::Allocator<'g, X86_64> {
        let mut allocator = Allocator::new(graph, features);
        Box::new(move |schedule, strict| Some(program(graph, allocator.run(schedule, strict).ok()?)))
    }

    fn ranked_apart(kernel: &Kernel, features: Features) -> Option<&'static str> {
        lanes::gains_abreast(kernel, features).then_some(lanes::ABREAST)
    }

    fn radix_abreast(features: Features) -> Option<u32> {
        lanes::has_products_abreast(features).then_some(52)
    }

    // What is computed in vector registers has an order of its own.
    fn has_orders(kernel: &Kernel) -> bool {
        !lanes::needs_vectors(kernel)
    }
}

impl Costs for X86_64 {
    fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)> {
        limits(kernel, core)
    }

    fn bound(kernel: &Kernel, features: Features, core: &Core) -> Option<f64> {
        if lanes::gains_abreast(kernel, features) {
            let gains = |kernel: &Kernel| lanes::gains_abreast(kernel, features);
            return match outline_abreast(kernel, &Limits::default(), &gains) {
                Ok(Outline::Rolled(routines)) => Some(lanes::bound_abreast(&routines, core)),
                _ => None,
            };
        }
        let one = || lanes::graph_one(kernel, features).ok();
        one().filter(|_| lanes::needs_vectors(kernel)).map(|graph| lanes::bound_one(&graph, core))
    }

    fn modelled(kernel: &Kernel, aim: Aim<'_, Features>) -> Option<f64> {
        let graph =
            Some(kernel).filter(|kernel| !lanes::needs_vectors(kernel)).and_then(|kernel| lower(kernel).ok())?;
        let mut allocator = Some(&graph)
            .filter(|graph| graph.nodes.len() <= MODELLED)
            .map(|graph| Allocator::new(graph, aim.features))?;
        let schedule = heuristic_of(&mut allocator, aim.core);
        let code = allocator.run(&schedule, false).ok()?.code;
        Some(throughput(&steps(&code, aim.core), window(aim.core)))
    }

    fn instructions(kernel: &Kernel, features: Features) -> Result<usize, Box<dyn Error + Send + Sync>> {
        if lanes::needs_vectors(kernel) {
            return match lanes::graph_one(kernel, features) {
                // Routines, where it calls any.
                Err(CompileError::Lower(_)) if !kernel.callees.is_empty() => {
                    Ok(count_kernel(kernel).operations() as usize)
                }
                graph => Ok(graph?.nodes.len()),
            };
        }
        Ok(count_kernel(kernel).operations() as usize)
    }

    fn speeds(core: &Core) -> Speeds {
        speeds::scalar(core)
    }
}

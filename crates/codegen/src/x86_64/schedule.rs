//! Orders of straight-line code: what they go by here, and the one that is taken where nobody searched.

use evariste_cores::Core;

use super::allocate::Allocator;
use super::cost;
use super::instruction::Features;
use super::steps;
use crate::aim::Aim;
use crate::graph::{Graph, Operation};
use crate::schedule::{self, Latencies, Resources, Schedule};
use crate::simulate;

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 2] = [10, 13];

/// Code of more instructions is not modelled.
const MOST_MODELLED: usize = 1 << 13;

/// What orders go by.
pub fn resources(aim: Aim<'_, Features>) -> Resources {
    let Aim { features, core } = aim;
    let latency = |instruction| cost::latency(core, instruction);
    let product = if features.bmi2 { "mulx" } else { "mul" };
    let latencies = Latencies {
        // The high word comes a cycle later.
        product: latency(product) + 1,
        low_product: latency("imul"),
        funnel: latency("shld"),
        other: 1,
    };
    let is_quiet: fn(Operation) -> bool =
        if features.bmi2 { |op| matches!(op, Operation::Mul | Operation::Not) } else { |op| op == Operation::Not };
    Resources { is_quiet, latencies, alive: &ALIVE, two_flags: features.adx }
}

/// The candidate whose code takes the fewest cycles by the core's table; of those the one of the fewest instructions.
pub fn heuristic(graph: &Graph, aim: Aim<'_, Features>) -> Schedule {
    let mut allocator = Allocator::new(graph, aim.features);
    schedule::heuristic(graph, resources(aim), &mut |schedule| {
        let code = allocator.run(schedule, false).ok()?.code;
        Some((cost::cycles(&code, aim.core), code.len()))
    })
}

/// The candidate whose code has its last result first by a model of the core: what routines and their segments compute is
/// waited for. Of equals, and of code that is too long for the model, as [`heuristic`].
pub fn heuristic_within(allocator: &mut Allocator<'_>, core: &Core) -> Schedule {
    let (graph, features) = (allocator.graph(), allocator.features());
    let window = steps::window(core);
    schedule::heuristic(graph, resources(Aim { features, core }), &mut |schedule| {
        let code = allocator.run(schedule, false).ok()?.code;
        let latency =
            if code.len() > MOST_MODELLED { 0.0 } else { simulate::latency(&steps::steps(&code, core), window) };
        Some((latency, cost::cycles(&code, core), code.len()))
    })
}

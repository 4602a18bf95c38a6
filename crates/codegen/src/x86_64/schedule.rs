//! Orders of straight-line code: what they go by here, and the one that is taken where nobody searched.

use evariste_cores::Core;

use super::allocate::Allocator;
use super::cost;
use super::instruction::Features;
use crate::aim::Aim;
use crate::graph::{Graph, Operation};
use crate::schedule::{self, Latencies, Resources, Schedule};

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 2] = [10, 13];

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
    heuristic_within(&mut Allocator::new(graph, aim.features), aim.core)
}

/// [`heuristic`] where the code stands in some setting.
pub fn heuristic_within(allocator: &mut Allocator<'_>, core: &Core) -> Schedule {
    let (graph, features) = (allocator.graph(), allocator.features());
    schedule::heuristic(graph, resources(Aim { features, core }), &mut |schedule| {
        let code = allocator.run(schedule, false).ok()?.code;
        Some((cost::cycles(&code, core), code.len()))
    })
}

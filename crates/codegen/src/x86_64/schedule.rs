//! Orders of straight-line code: what they go by here, and the one that is taken where nobody searched.

use super::allocate::Allocator;
use super::count::count_code;
use super::instruction::Features;
use crate::graph::{Graph, Operation};
use crate::schedule::{self, Resources, Schedule};

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 2] = [10, 13];

/// Cycles until a node's results are there.
fn latency(op: Operation) -> u32 {
    match op {
        Operation::Mul => 4,
        Operation::MulLow | Operation::Funnel(_) => 3,
        _ => 1,
    }
}

/// What orders go by.
pub fn resources(features: Features) -> Resources {
    Resources { quiet_products: features.bmi2, latency, alive: &ALIVE }
}

/// The candidate with the fewest slots of the rename stage.
pub fn heuristic(graph: &Graph, features: Features) -> Schedule {
    heuristic_within(&mut Allocator::new(graph, features))
}

/// [`heuristic`] where the code stands in some setting.
pub fn heuristic_within(allocator: &mut Allocator<'_>) -> Schedule {
    let (graph, features) = (allocator.graph(), allocator.features());
    schedule::heuristic(graph, resources(features), &mut |schedule| {
        allocator.run(schedule, false).ok().map(|allocated| count_code(&allocated.code).slots)
    })
}

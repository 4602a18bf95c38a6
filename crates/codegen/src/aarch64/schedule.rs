//! Orders of straight-line code: what they go by here, and the one that is taken where nobody searched.

use super::allocate::Allocator;
use super::cost;
use super::instruction::Features;
use crate::aim::Aim;
use crate::graph::{Graph, Operation};
use crate::schedule::{self, Latencies, Resources, Schedule};

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 3] = [12, 18, 22];

/// Products, shifts and operations on bits leave the flags alone.
fn is_quiet(operation: Operation) -> bool {
    !matches!(
        operation,
        Operation::Add
            | Operation::Sub
            | Operation::FlagOfWord
            | Operation::WordOfFlag
            | Operation::MaskOfFlag
            | Operation::Select
    )
}

/// What orders go by.
pub fn resources(aim: Aim<'_, Features>) -> Resources {
    let latency = |instruction| cost::latency(cost::of(aim.core), instruction);
    let latencies = Latencies {
        product: latency("umulh"),
        low_product: latency("mul"),
        funnel: latency("extr"),
        other: latency("add"),
    };
    Resources { is_quiet, latencies, alive: &ALIVE, two_flags: false, funnels_apart: false }
}

/// The candidate whose code takes the fewest cycles by the core's table; of those the one of the fewest instructions.
pub fn heuristic(graph: &Graph, aim: Aim<'_, Features>) -> Schedule {
    heuristic_within(&mut Allocator::new(graph), aim)
}

/// [`heuristic`] where the code stands in some setting.
pub fn heuristic_within(allocator: &mut Allocator<'_>, aim: Aim<'_, Features>) -> Schedule {
    let core = cost::of(aim.core);
    schedule::heuristic(allocator.graph(), resources(aim), &mut |schedule| {
        let code = allocator.run(schedule, false).ok()?.code;
        Some((cost::cycles(&code, core), code.len()))
    })
}

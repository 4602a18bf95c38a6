//! Orders of straight-line code: what they go by here, and the one that is taken where nobody searched.

use evariste_cores::Core;

use super::allocate::Allocator;
use super::cost;
use super::instruction::{Features, Inst};
use super::steps;
use crate::aim::Aim;
use crate::graph::{Graph, Operation};
use crate::schedule::{self, Latencies, Resources, Schedule};
use crate::simulate;

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 2] = [10, 13];

/// Code of more instructions is not modelled.
const MOST_MODELLED: usize = 1 << 13;
/// Code up to so many windows runs for the most part beside what comes before and after it. On Zen 5, whose window has
/// 448 instructions, products of Fp2 over 381 bits, of 670, are faster by the table alone; a ladder's step on 25519, of
/// 990, by the model.
const BESIDE: f64 = 1.6;

/// What orders go by.
pub fn resources(aim: Aim<'_, Features>) -> Resources {
    let Aim { features, core, .. } = aim;
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
    let cycles = |instruction| core.cost(instruction).map(|cost| cost.cycles);
    let parts = ["shl", "shr", "or"].into_iter().map(cycles).sum::<Option<f64>>();
    let funnels_apart = cycles("shld").zip(parts).is_some_and(|(whole, parts)| whole > parts);
    Resources { is_quiet, latencies, alive: &ALIVE, two_flags: features.adx, funnels_apart }
}

/// The candidate whose code takes the fewest cycles by the core's table; of those the one of the fewest instructions.
pub fn heuristic(graph: &Graph, aim: Aim<'_, Features>) -> Schedule {
    heuristic_of(&mut Allocator::new(graph, aim.features), aim.core)
}

/// [`heuristic`] of an allocator's graph.
pub fn heuristic_of(allocator: &mut Allocator<'_>, core: &Core) -> Schedule {
    best(allocator, core, &|_| 0.0)
}

/// [`heuristic`] where the code is a routine or a segment of one. Of code that is much longer than the core's window the
/// last result is waited for: the candidate that has it first by a model of the core.
pub fn heuristic_within(allocator: &mut Allocator<'_>, core: &Core) -> Schedule {
    let window = steps::window(core);
    let beside = (BESIDE * window.instructions as f64) as usize;
    best(allocator, core, &|code| {
        let is_waited_for = code.len() > beside && code.len() <= MOST_MODELLED;
        if is_waited_for { simulate::latency(&steps::steps(code, core), window) } else { 0.0 }
    })
}

/// The candidate of the least time, of those the one of the fewest cycles by the core's table, then of the fewest
/// instructions.
fn best(allocator: &mut Allocator<'_>, core: &Core, time: &dyn Fn(&[Inst]) -> f64) -> Schedule {
    let (graph, features) = (allocator.graph(), allocator.features());
    schedule::heuristic(graph, resources(Aim::of_core(features, core)), &mut |schedule| {
        let code = allocator.run(schedule, false).ok()?.code;
        Some((time(&code), cost::cycles(&code, core), code.len()))
    })
}

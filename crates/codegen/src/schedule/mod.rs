//! Orders of a graph's nodes, without timing anything. A search starts from them.

mod critical;
mod demand;
pub mod lists;
mod moves;
mod stores;

use crate::graph::{Graph, Operation};
pub use lists::{NotASchedule, Schedule};

pub use critical::critical_order;
pub use demand::demand_order;
pub use moves::{Moves, Random};

/// What orders go by, of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Do products of words leave the flags as they are?
    pub quiet_products: bool,
    /// Cycles until the results of an operation are there.
    pub latency: fn(Operation) -> u32,
    /// Words that the critical order keeps alive at most, in each order that it gives.
    pub alive: &'static [usize],
}

/// The orders worth timing, without doubles: by demand, and by the critical path with few or many words alive.
pub fn candidates(graph: &Graph, resources: Resources) -> Vec<Schedule> {
    let mut orders = vec![demand_order(graph, resources)];
    for most in resources.alive {
        if let Some(order) = critical_order(graph, resources, *most)
            && !orders.contains(&order)
        {
            orders.push(order);
        }
    }
    for i in 0..orders.len() {
        let order = stores::early(graph, &orders[i]);
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders.into_iter().map(|order| Schedule::of_order(graph, order)).collect()
}

/// The candidate whose code takes the fewest slots of the rename stage, the earlier one among equals: deterministic, and
/// nothing is measured. `slots`: those of the code in an order; `None`: it gives none.
pub fn heuristic(graph: &Graph, resources: Resources, slots: &mut dyn FnMut(&Schedule) -> Option<u32>) -> Schedule {
    let mut best: Option<(u32, Schedule)> = None;
    for schedule in candidates(graph, resources) {
        let slots = slots(&schedule).unwrap_or(u32::MAX);
        if best.as_ref().is_none_or(|(least, _)| slots < *least) {
            best = Some((slots, schedule));
        }
    }
    best.map_or_else(|| Schedule::of_order(graph, demand_order(graph, resources)), |(_, schedule)| schedule)
}

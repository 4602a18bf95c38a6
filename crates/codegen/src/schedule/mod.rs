//! Orders of a graph's nodes, without timing anything. A search starts from them.

mod critical;
mod demand;
pub mod lists;
mod moves;
mod side_by_side;
mod stores;

use crate::graph::{Graph, Operation};
pub use lists::{NotASchedule, Schedule};

pub use critical::critical_order;
pub use demand::demand_order;
pub use moves::{Moves, Random};

/// What orders go by, of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Does the operation leave the flags as they are, and read none?
    pub is_quiet: fn(Operation) -> bool,
    /// Cycles until results are there.
    pub latencies: Latencies,
    /// Words that the critical order keeps alive at most, in each order that it gives.
    pub alive: &'static [usize],
    /// Are there two carry flags?
    pub two_flags: bool,
    /// Is a shift through two words slower than a shift of each and their union?
    pub funnels_apart: bool,
}

/// Cycles until the results of operations are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latencies {
    /// Of both words of a product.
    pub product: u32,
    /// Of the low word of a product alone.
    pub low_product: u32,
    /// Of a shift through two words.
    pub funnel: u32,
    /// Of anything else.
    pub other: u32,
}

impl Latencies {
    /// Those of an operation.
    pub fn of(self, operation: Operation) -> u32 {
        match operation {
            Operation::Mul => self.product,
            Operation::MulLow => self.low_product,
            Operation::Funnel(_) => self.funnel,
            _ => self.other,
        }
    }
}

/// The orders worth timing, without doubles: those that the heuristic chooses from, each also with its products with
/// powers of two by shifts.
pub fn candidates(graph: &Graph, resources: Resources) -> Vec<Schedule> {
    let mut all = orders(graph, resources);
    let shifts: Vec<usize> = (0..graph.nodes.len()).filter(|n| graph.shift_of(&graph.nodes[*n]).is_some()).collect();
    if !shifts.is_empty() {
        let mut shifted = all.clone();
        shifted.iter_mut().for_each(|schedule| shifts.iter().for_each(|n| schedule.swaps[*n] = 1));
        all.extend(shifted);
    }
    all
}

/// Orders in one flag and, where there are two, with chains side by side.
fn orders(graph: &Graph, resources: Resources) -> Vec<Schedule> {
    let mut all = in_one_flag(graph, resources);
    if resources.two_flags {
        let pairs = side_by_side::side_by_side(graph, resources);
        all.extend(pairs.into_iter().filter(|order| !all.contains(order)).collect::<Vec<_>>());
    }
    if resources.funnels_apart {
        let is_funnel = |n: &usize| matches!(graph.nodes[*n].op, Operation::Funnel(_));
        for n in (0..graph.nodes.len()).filter(is_funnel) {
            all.iter_mut().for_each(|schedule| schedule.swaps[n] = 1);
        }
    }
    all
}

/// Orders by demand, and by the critical path with few or many words alive, without doubles.
fn in_one_flag(graph: &Graph, resources: Resources) -> Vec<Schedule> {
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

/// The candidate whose code costs least, the earlier one among equals: deterministic, and nothing is measured. `cost`:
/// that of the code in an order; `None`: it gives none.
pub fn heuristic<C: PartialOrd>(
    graph: &Graph,
    resources: Resources,
    cost: &mut dyn FnMut(&Schedule) -> Option<C>,
) -> Schedule {
    let mut best: Option<(C, Schedule)> = None;
    for schedule in orders(graph, resources) {
        let Some(cost) = cost(&schedule) else { continue };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, schedule));
        }
    }
    best.map_or_else(|| Schedule::of_order(graph, demand_order(graph, resources)), |(_, schedule)| schedule)
}

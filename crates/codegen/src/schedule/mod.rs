//! Orders of a graph's nodes, without timing anything. A search starts from them.

mod critical;
mod demand;
pub mod genes;
mod moves;
mod stores;

use crate::graph::Graph;
use crate::x86_64::allocate::Allocator;
use crate::x86_64::count::count_code;
use crate::x86_64::program::Features;
pub use genes::Genes;

pub use critical::critical_order;
pub use demand::demand_order;
pub use moves::{Moves, Random};

/// Words that the critical order keeps alive at most.
const ALIVE: [usize; 2] = [10, 13];

/// The orders worth timing, without doubles: by demand, and by the critical path with few or many words alive.
pub fn candidates(graph: &Graph, features: Features) -> Vec<Genes> {
    let mut orders = vec![demand_order(graph, features)];
    for most in ALIVE {
        if let Some(order) = critical_order(graph, features, most)
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
    orders.into_iter().map(|order| Genes::of_order(graph, order)).collect()
}

/// The candidate with the fewest slots of the rename stage, the earlier one among equals: deterministic, and nothing is
/// measured.
pub fn heuristic(graph: &Graph, features: Features) -> Genes {
    heuristic_within(&mut Allocator::new(graph, features))
}

/// [`heuristic`] where the code stands in some setting.
pub fn heuristic_within(allocator: &mut Allocator<'_>) -> Genes {
    let (graph, features) = (allocator.graph(), allocator.features());
    let mut best: Option<(u32, Genes)> = None;
    for genes in candidates(graph, features) {
        let slots = allocator.run(&genes, false).map_or(u32::MAX, |a| count_code(&a.code).slots);
        if best.as_ref().is_none_or(|(least, _)| slots < *least) {
            best = Some((slots, genes));
        }
    }
    best.map_or_else(|| Genes::of_order(graph, demand_order(graph, features)), |(_, genes)| genes)
}

//! Orders of a graph's nodes.

mod demand;

use super::genes::Genes;
use super::graph::Graph;
use super::program::Features;

pub use demand::demand_order;

/// The order of a graph without looking at timing: chains in the order in which the kernel computes them, products just before the sum that wants them.
pub fn heuristic(graph: &Graph, features: Features) -> Genes {
    Genes::of_order(graph, demand_order(graph, features))
}

//! Carry chains: maximal sequences of sums and differences in which each one's carry is the next one's carry in (a
//! difference `0 − x` may start a chain of sums: its borrow is `x ≠ 0`).

use super::{Graph, NONE};

/// The chains of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chains {
    /// For each node its chain; [`NONE`] for nodes that neither take nor give a carry.
    pub of: Vec<u32>,
    /// For each chain its nodes, first to last.
    pub nodes: Vec<Vec<u32>>,
}

impl Chains {
    /// Finds the chains. Where a carry goes into several sums, the first of them continues the chain and the others
    /// begin new ones.
    pub fn of(graph: &Graph) -> Chains {
        let defined = graph.definitions();
        let mut chains = Chains { of: vec![NONE; graph.nodes.len()], nodes: Vec::new() };
        for (i, node) in graph.nodes.iter().enumerate() {
            if !node.is_sum() || node.args[2] == NONE && node.results[1] == NONE {
                continue;
            }
            let before = if node.args[2] == NONE { NONE } else { defined[node.args[2] as usize] };
            let continued = before != NONE && {
                let c = chains.of[before as usize];
                c != NONE && chains.nodes[c as usize].last() == Some(&before)
            };
            let chain = if continued { chains.of[before as usize] } else { chains.nodes.len() as u32 };
            if !continued {
                chains.nodes.push(Vec::new());
            }
            chains.of[i] = chain;
            chains.nodes[chain as usize].push(i as u32);
        }
        chains
    }

    /// Is the node the first of its chain?
    pub fn is_start(&self, node: u32) -> bool {
        let chain = self.of[node as usize];
        chain != NONE && self.nodes[chain as usize].first() == Some(&node)
    }
}

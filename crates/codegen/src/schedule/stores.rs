//! Stores as early as they may stand: a word that is stored for good needs no register any more, and no place on the
//! stack.

use crate::graph::{Graph, NONE, Operation};

/// The order with each store right behind what it waits for. It respects the graph if the given one does.
pub(super) fn early(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let defined = graph.definitions();
    let is_store = |n: u32| matches!(graph.nodes[n as usize].op, Operation::Store { .. });
    // For each store how many nodes it waits for; for each node the stores that wait for it.
    let mut waits = vec![0u32; graph.nodes.len()];
    let mut followers: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
    let values = (0..graph.nodes.len() as u32)
        .filter(|n| is_store(*n))
        .flat_map(|n| graph.nodes[n as usize].args().map(move |v| (v, n)));
    let needs = values.map(|(v, n)| (defined[v as usize], n)).filter(|(d, _)| *d != NONE);
    for (before, after) in needs.chain(graph.edges.iter().copied().filter(|(_, after)| is_store(*after))) {
        waits[after as usize] += 1;
        followers[before as usize].push(after);
    }
    let mut early = Vec::with_capacity(order.len());
    let mut ready: Vec<u32> = order.iter().rev().copied().filter(|n| is_store(*n) && waits[*n as usize] == 0).collect();
    for n in order.iter().copied().filter(|n| !is_store(*n)).map(Some).chain([None]) {
        // Stores that wait for nothing stay where they are: in front.
        while let Some(store) = ready.pop() {
            early.push(store);
            release(&followers[store as usize], &mut waits, &mut ready);
        }
        if let Some(n) = n {
            early.push(n);
            release(&followers[n as usize], &mut waits, &mut ready);
        }
    }
    early
}

/// One thing less to wait for.
fn release(followers: &[u32], waits: &mut [u32], ready: &mut Vec<u32>) {
    for store in followers {
        waits[*store as usize] -= 1;
        if waits[*store as usize] == 0 {
            ready.push(*store);
        }
    }
}

//! The critical order: list scheduling of chains and of single nodes between them, the longest path to the end first,
//! as long as registers last.
//!
//! What is scheduled are units: a chain with the products that only it wants, or a node that touches the flags. Among
//! the units whose needs are computed, the one with the longest way to a result comes next; when more words are alive
//! than there are registers, the one that frees most.

use crate::graph::{Chains, Graph, Kind, NONE, Operation};

use super::Resources;
use super::demand::{demand_in_order, is_quiet};

/// Graphs beyond this take the demand order: the search for the next unit is quadratic.
const MOST_NODES: usize = 4096;

/// The critical order with that many words alive at most where it can be helped; `None` for graphs that are too long
/// for it.
pub fn critical_order(graph: &Graph, resources: Resources, most_alive: usize) -> Option<Vec<u32>> {
    if graph.nodes.len() > MOST_NODES {
        return None;
    }
    let defined = graph.definitions();
    let height = heights(graph, resources, &defined);
    let (units, unit_of) = units(graph, resources, &defined);
    let waits = waits(graph, &defined, &units, &unit_of);
    let is_wanted = |n: &u32| {
        let node = &graph.nodes[*n as usize];
        !is_quiet(node, resources) || matches!(node.op, Operation::Store { .. })
    };
    let mut uses = graph.use_counts();
    let mut done = vec![false; units.len()];
    let mut alive = 0usize;
    let mut wanted = Vec::new();
    for _ in 0..units.len() {
        let ready = (0..units.len()).filter(|u| !done[*u] && waits[*u].iter().all(|d| done[*d as usize]));
        let grows = |u: usize| growth(graph, &units[u], &uses);
        let tall = |u: &usize| (units[*u].iter().map(|n| height[*n as usize]).max(), std::cmp::Reverse(*u));
        let next = if alive >= most_alive {
            ready.min_by_key(|u| (grows(*u), std::cmp::Reverse(tall(u))))
        } else {
            ready.max_by_key(tall)
        };
        // Units that wait for each other: the kernel's own order.
        let next = next.or_else(|| (0..units.len()).find(|u| !done[*u]))?;
        alive = (alive as i64 + growth(graph, &units[next], &uses)).max(0) as usize;
        for n in &units[next] {
            graph.nodes[*n as usize].args().for_each(|v| uses[v as usize] -= 1);
        }
        done[next] = true;
        let mut nodes: Vec<u32> = units[next].iter().copied().filter(is_wanted).collect();
        nodes.sort_unstable();
        wanted.extend(nodes);
    }
    Some(demand_in_order(graph, resources, wanted.into_iter()))
}

/// The nodes that define a node's operands.
fn sources<'a>(graph: &'a Graph, defined: &'a [u32], n: u32) -> impl Iterator<Item = u32> + 'a {
    graph.nodes[n as usize].args().map(|v| defined[v as usize]).filter(|d| *d != NONE)
}

/// The longest way from each node to the end, in cycles.
fn heights(graph: &Graph, resources: Resources, defined: &[u32]) -> Vec<u32> {
    let mut height = vec![0u32; graph.nodes.len()];
    for (i, node) in graph.nodes.iter().enumerate().rev() {
        height[i] += resources.latencies.of(node.op);
        for d in sources(graph, defined, i as u32) {
            height[d as usize] = height[d as usize].max(height[i]);
        }
    }
    height
}

/// The units' nodes, and the unit of each node; a quiet node belongs to the first unit that wants it.
fn units(graph: &Graph, resources: Resources, defined: &[u32]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let chains = Chains::of(graph);
    let mut unit_of = vec![NONE; graph.nodes.len()];
    let mut units: Vec<Vec<u32>> = Vec::new();
    let mut of_chain = vec![NONE; chains.nodes.len()];
    for (i, node) in graph.nodes.iter().enumerate() {
        if is_quiet(node, resources) && !matches!(node.op, Operation::Store { .. }) {
            continue;
        }
        let known = of_chain.get_mut(chains.of[i] as usize);
        let unit = known.as_ref().map_or(NONE, |unit| **unit);
        let unit = if unit == NONE { units.len() as u32 } else { unit };
        if unit as usize == units.len() {
            units.push(Vec::new());
        }
        if let Some(known) = known {
            *known = unit;
        }
        units[unit as usize].push(i as u32);
        unit_of[i] = unit;
    }
    for (u, unit) in units.iter_mut().enumerate() {
        let mut next = 0;
        while let Some(n) = unit.get(next).copied() {
            next += 1;
            for d in sources(graph, defined, n) {
                if unit_of[d as usize] == NONE {
                    unit_of[d as usize] = u as u32;
                    unit.push(d);
                }
            }
        }
    }
    (units, unit_of)
}

/// The units that each unit waits for.
fn waits(graph: &Graph, defined: &[u32], units: &[Vec<u32>], unit_of: &[u32]) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    graph.edges.iter().for_each(|(a, b)| before[*b as usize].push(*a));
    let of = |(u, nodes): (usize, &Vec<u32>)| {
        let needs = nodes.iter().flat_map(|n| sources(graph, defined, *n).chain(before[*n as usize].iter().copied()));
        let others = needs.map(|d| unit_of[d as usize]).filter(|d| *d != u as u32 && *d != NONE);
        let mut waits: Vec<u32> = others.collect();
        waits.sort_unstable();
        waits.dedup();
        waits
    };
    units.iter().enumerate().map(of).collect()
}

/// Words that are alive after a unit and were not before, less those that it uses last.
fn growth(graph: &Graph, unit: &[u32], uses: &[u32]) -> i64 {
    let mut change = 0;
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for n in unit {
        let node = &graph.nodes[*n as usize];
        change += node.results().filter(|v| graph.values[*v as usize] == Kind::Word).count() as i64;
        for v in node.args().filter(|v| graph.values[*v as usize] == Kind::Word) {
            match seen.iter_mut().find(|(w, _)| *w == v) {
                Some((_, count)) => *count += 1,
                None => seen.push((v, 1)),
            }
        }
    }
    change - seen.iter().filter(|(v, count)| uses[*v as usize] == *count).count() as i64
}

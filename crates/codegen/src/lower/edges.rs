//! What must stay in order though no value goes from one to the other: stores wait for the readers of the words that
//! they may overwrite.

use crate::graph::{Graph, Kind, Operation};

/// How two parameters of a graph may overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// Not at all.
    Never,
    /// They may be the same: an element of one is that of the same index in the other.
    Same,
    /// Any element of one may be any of the other.
    Any,
}

/// A store waits for the readers of, and for the earlier stores to, what may be the same element.
pub fn memory_edges(graph: &Graph, overlap: impl Fn(u16, u16) -> Overlap) -> Vec<(u32, u32)> {
    let mut stores: Vec<(u32, u16, u32)> = Vec::new();
    let mut readers: Vec<(u32, u16, u32)> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Operation::Store { param, index } = node.op {
            stores.push((i as u32, param, index));
        }
        for v in node.args() {
            if let Kind::Input { param, index } = graph.values[v as usize] {
                readers.push((i as u32, param, index));
            }
        }
    }
    // By element, so that the pairs are found without looking at all of them.
    readers.sort_by_key(|(_, _, index)| *index);
    let params = graph.params.len() as u16;
    let mut edges = Vec::new();
    let mut earlier: std::collections::HashMap<u32, Vec<(u32, u16)>> = std::collections::HashMap::new();
    for (store, param, index) in &stores {
        let from = readers.partition_point(|(_, _, i)| i < index);
        for (reader, other, i) in &readers[from..] {
            if i != index {
                break;
            }
            if reader != store && overlap(*param, *other) == Overlap::Same {
                edges.push((*reader, *store));
            }
        }
        let same = earlier.entry(*index).or_default();
        edges.extend(
            same.iter()
                .filter(|(_, other)| overlap(*param, *other) == Overlap::Same)
                .map(|(before, _)| (*before, *store)),
        );
        same.push((*store, *param));
    }
    // Of two regions of one array only one is written in a segment.
    for written in 0..params {
        let mixed: Vec<bool> = (0..params).map(|other| overlap(written, other) == Overlap::Any).collect();
        if !mixed.contains(&true) {
            continue;
        }
        for (store, ..) in stores.iter().filter(|(_, p, _)| *p == written) {
            edges.extend(
                readers
                    .iter()
                    .filter(|(reader, other, _)| mixed[*other as usize] && reader != store)
                    .map(|(reader, ..)| (*reader, *store)),
            );
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

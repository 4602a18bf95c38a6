//! Who wants a value next.

use super::fold::Folded;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// No further use.
pub(super) const NEVER: u32 = u32::MAX;

/// Uses of value `v`: `places[start[v]..start[v + 1]]`, positions in the order, ascending. After the graph's values come
/// pointers.
pub(super) struct Uses {
    start: Vec<u32>,
    places: Vec<u32>,
    cursor: Vec<u32>,
    /// Where the pass is.
    pub(super) at: u32,
}

impl Uses {
    pub(super) fn new(graph: &Graph, folded: &Folded) -> Uses {
        let all = graph.values.len() + graph.params.len();
        let mut start = vec![0u32; all + 1];
        for (_, node) in graph.nodes.iter().enumerate().filter(|(n, _)| !folded.is_folded(graph, *n as u32)) {
            arguments(graph, folded, node).for_each(|v| start[v as usize + 1] += 1);
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let places = vec![0; start[all] as usize];
        Uses { start, places, cursor: vec![0; all], at: 0 }
    }

    /// Another order, without the nodes that have no instruction.
    pub(super) fn reset(&mut self, graph: &Graph, folded: &Folded, order: &[u32]) {
        let all = self.cursor.len();
        self.cursor.copy_from_slice(&self.start[..all]);
        for (at, n) in order.iter().enumerate() {
            for v in arguments(graph, folded, &graph.nodes[*n as usize]) {
                let cursor = &mut self.cursor[v as usize];
                self.places[*cursor as usize] = at as u32;
                *cursor += 1;
            }
        }
        self.cursor.copy_from_slice(&self.start[..all]);
        self.at = 0;
    }

    /// Does anybody want it at all?
    pub(super) fn any(&self, v: Id) -> bool {
        self.start[v as usize] < self.start[v as usize + 1]
    }

    /// The next position after the current one that wants the value.
    pub(super) fn next(&mut self, v: Id) -> u32 {
        let (end, mut cursor) = (self.start[v as usize + 1], self.cursor[v as usize]);
        while cursor < end && self.places[cursor as usize] <= self.at {
            cursor += 1;
        }
        self.cursor[v as usize] = cursor;
        if cursor == end { NEVER } else { self.places[cursor as usize] }
    }

    /// Is the current node the last that wants the value?
    pub(super) fn dies(&mut self, v: Id) -> bool {
        self.next(v) == NEVER
    }
}

/// What a node reads, pointers included, each once.
pub(super) fn arguments(graph: &Graph, folded: &Folded, node: &Node) -> impl Iterator<Item = Id> + use<> {
    let pointer = |param: u16| (graph.values.len() + param as usize) as Id;
    let mut all = [NONE; 6];
    let mut n = 0;
    let mut add = |v: Id| {
        if !all[..n].contains(&v) {
            all[n] = v;
            n += 1;
        }
    };
    for v in node.args().map(|v| folded.source(v)) {
        add(v);
        if let Kind::Input { param, .. } = graph.values[v as usize] {
            add(pointer(param));
        }
    }
    if let Operation::Store { param, .. } = node.op {
        add(pointer(param));
    }
    all.into_iter().take_while(|v| *v != NONE)
}

//! The graph of many elements, one after the other in each array: that of one, once for each.

use std::collections::HashMap;

use super::{Graph, Id, Kind, NONE, Node, Operation};

impl Graph {
    /// The graph of so many elements. Constants are shared; nothing goes from one element to another.
    pub fn repeated(&self, times: u32) -> Graph {
        let mut all = Graph {
            name: self.name.clone(),
            disjoint: self.disjoint.clone(),
            lines: self.lines.clone(),
            ..Graph::empty()
        };
        all.params = self.params.clone();
        all.params.iter_mut().for_each(|param| param.len = param.len.saturating_mul(times));
        let mut shared: HashMap<Kind, Id> = HashMap::new();
        for element in 0..times {
            let moved = |param: u16, index: u32| index + element * self.params[param as usize].len;
            let mut value = |kind: Kind| {
                all.values.push(kind);
                all.values.len() as Id - 1
            };
            let own = |kind: &Kind| match *kind {
                Kind::Constant(_) | Kind::Line(_) => *shared.entry(*kind).or_insert_with(|| value(*kind)),
                Kind::Input { param, index } => value(Kind::Input { param, index: moved(param, index) }),
                Kind::Word | Kind::Flag => value(*kind),
            };
            let values: Vec<Id> = self.values.iter().map(own).collect();
            let of = |v: Id| if v == NONE { NONE } else { values[v as usize] };
            let first = all.nodes.len() as u32;
            all.nodes.extend(self.nodes.iter().map(|node| {
                let op = match node.op {
                    Operation::Store { param, index } => Operation::Store { param, index: moved(param, index) },
                    other => other,
                };
                Node { op, args: node.args.map(of), results: node.results.map(of), ..*node }
            }));
            all.edges.extend(self.edges.iter().map(|(before, after)| (before + first, after + first)));
        }
        all
    }
}

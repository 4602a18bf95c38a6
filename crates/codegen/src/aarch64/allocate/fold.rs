//! Shifts that are part of the operation that wants them.

use std::collections::HashMap;

use crate::aarch64::instruction::Shift;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// A value that is a shift of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    pub(super) source: Id,
    pub(super) shift: Shift,
    pub(super) amount: u8,
}

/// The shifts of a graph that have no instruction of their own.
pub(super) struct Folded(HashMap<Id, Fold>);

/// The shift that a node is.
fn shift(node: &Node) -> Option<(Shift, u8)> {
    match node.op {
        Operation::Shl(k) => Some((Shift::Left, k)),
        Operation::Shr(k) => Some((Shift::Right, k)),
        Operation::Sar(k) => Some((Shift::Signed, k)),
        Operation::Rol(k) => Some((Shift::Rotate, 64 - k)),
        _ => None,
    }
}

/// Where the operation takes a shifted operand: the last one of these that may be; of no carry, and of no immediate.
fn takes(graph: &Graph, node: &Node, rotated: bool) -> &'static [usize] {
    let constant = (0..2).any(|i| node.args[i] != NONE && graph.constant(node.args[i]).is_some());
    match node.op {
        _ if constant => &[],
        Operation::Add if node.args[2] == NONE && !rotated => &[0, 1],
        Operation::Sub if node.args[2] == NONE && !rotated => &[1],
        Operation::And | Operation::Or | Operation::Xor => &[0, 1],
        Operation::AndNot => &[1],
        _ => &[],
    }
}

impl Folded {
    pub(super) fn of(graph: &Graph) -> Folded {
        let (uses, defined) = (graph.use_counts(), graph.definitions());
        let mut folded = HashMap::new();
        for node in &graph.nodes {
            let candidate = |i: usize| {
                let v = node.args[i];
                let place = *defined.get(v as usize)?;
                let maker = graph.nodes.get(place as usize)?;
                let (shift, amount) = shift(maker)?;
                let allowed = takes(graph, node, shift == Shift::Rotate).contains(&i) && uses[v as usize] == 1;
                // What stays where it was at entry may be overwritten before the operation's turn.
                let source = maker.args[0];
                let lasts = matches!(graph.values[source as usize], Kind::Word);
                (allowed && lasts).then_some((v, Fold { source, shift, amount }))
            };
            // One operand alone is shifted, and not one that is a shift of a shift.
            let found = [1, 0].into_iter().filter(|i| node.args[*i] != NONE).find_map(candidate);
            if let Some((v, fold)) = found.filter(|(_, fold)| !folded.contains_key(&fold.source)) {
                folded.insert(v, fold);
            }
        }
        Folded(folded)
    }

    /// How a value is shifted where it is wanted.
    pub(super) fn get(&self, v: Id) -> Option<Fold> {
        self.0.get(&v).copied()
    }

    /// The value that is read for a value.
    pub(super) fn source(&self, v: Id) -> Id {
        self.get(v).map_or(v, |fold| fold.source)
    }

    /// Has the node no instruction of its own?
    pub(super) fn is_folded(&self, graph: &Graph, node: u32) -> bool {
        let result = graph.nodes[node as usize].results[0];
        result != NONE && self.0.contains_key(&result)
    }
}

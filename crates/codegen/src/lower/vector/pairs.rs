//! Look-ups of both halves of a word at once.

use crate::check::tables::{HALF_BITS, OF_HALVES, OF_MASKED_HALVES};
use crate::graph::{Graph, Id, NONE, Node, Operation};

/// The lower half of a word.
const HALF: u64 = u32::MAX as u64;

/// A graph in which two look-ups are one.
struct Pairs<'g> {
    graph: &'g Graph,
    defined: Vec<Id>,
    uses: Vec<u32>,
}

impl Pairs<'_> {
    fn node(&self, v: Id) -> Option<Node> {
        let d = *self.defined.get(v as usize)?;
        (d != NONE).then(|| self.graph.nodes[d as usize])
    }

    /// The word of which these bits are all that counts.
    fn beneath(&self, v: Id, bits: u64) -> Id {
        let cut = self.node(v).filter(|n| n.op == Operation::And);
        let covers = |n: &Node| self.graph.constant(n.args[1]).is_some_and(|c| c & bits == bits);
        cut.filter(covers).map_or(v, |n| n.args[0])
    }

    /// A look-up of halves whose upper half does not count and which nobody else wants.
    fn look_up(&self, v: Id) -> Option<Node> {
        let found = self.beneath(v, HALF);
        let own = self.uses[v as usize] == 1 && self.uses[found as usize] == 1;
        self.node(found).filter(|n| own && entries(n.op).is_some())
    }

    /// The look-up that is both of a sum.
    fn both(&self, node: &Node) -> Option<Node> {
        if !matches!(node.op, Operation::Add | Operation::Or) || node.args[2] != NONE {
            return None;
        }
        let [x, y, _] = node.args;
        [(x, y), (y, x)].into_iter().find_map(|(low, high)| {
            let moved =
                self.node(high).filter(|n| n.op == Operation::Shl(HALF_BITS as u8) && self.uses[high as usize] == 1)?;
            let (a, b) = (self.look_up(low)?, self.look_up(moved.args[0])?);
            // One index is at the lowest bits of the half above the other's, whatever there is above both.
            let bits = entries(a.op)? as u64 - 1;
            let [word, above] = [a, b].map(|found| self.beneath(found.args[0], bits));
            let half = self.node(above).filter(|n| n.op == Operation::Shr(HALF_BITS as u8) && n.args[0] == word);
            let same = a.op == b.op && a.args[1..] == b.args[1..];
            (same && half.is_some()).then_some(Node { op: a.op, args: [word, a.args[1], a.args[2]], ..*node })
        })
    }
}

/// How many entries halves are looked up among.
fn entries(op: Operation) -> Option<usize> {
    match op {
        Operation::LookUpHalves => Some(OF_HALVES),
        Operation::LookUpHalvesOfTwo => Some(OF_MASKED_HALVES),
        _ => None,
    }
}

/// Two look-ups in one table, at the lowest bits of the halves of a word, whose entries are put side by side, are one.
pub(crate) fn side_by_side(graph: &mut Graph) {
    if graph.nodes.iter().all(|n| entries(n.op).is_none()) {
        return;
    }
    let pairs = Pairs { defined: graph.definitions(), uses: graph.use_counts(), graph };
    let found: Vec<Option<Node>> = pairs.graph.nodes.iter().map(|node| pairs.both(node)).collect();
    for (node, found) in graph.nodes.iter_mut().zip(found) {
        if let Some(found) = found {
            *node = found;
        }
    }
}

//! What one instruction on vectors does at once.

use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// The table of a two-input operation: bit 2x + y.
fn table_of(op: Operation) -> Option<u8> {
    match op {
        Operation::And => Some(0b1000),
        Operation::Or => Some(0b1110),
        Operation::Xor => Some(0b0110),
        Operation::AndNot => Some(0b0100),
        _ => None,
    }
}

/// A graph while nodes are merged into those that use them.
struct Fusion<'g> {
    graph: &'g mut Graph,
    /// The node that defines a value, and how many operands it still is.
    defined: Vec<Id>,
    uses: Vec<u32>,
}

impl Fusion<'_> {
    /// The node whose result is `v`, where nobody else wants it.
    fn inner(&self, v: Id) -> Option<Node> {
        let d = *self.defined.get(v as usize)?;
        (d != NONE && self.uses[v as usize] == 1).then(|| self.graph.nodes[d as usize])
    }

    /// Node i takes the place of its operand `merged` too.
    fn replace(&mut self, i: usize, merged: Id, op: Operation, args: [Id; 3]) {
        self.uses[merged as usize] = 0;
        self.graph.nodes[i] = Node { op, args, ..self.graph.nodes[i] };
    }

    /// `y` where a flag is set, else 0, written as a conjunction with a mask.
    fn selection(&mut self, i: usize, node: Node) -> bool {
        let short = self.graph.params.first().is_some_and(|p| p.element_bytes == 4);
        let ones =
            |v: Id| self.graph.constant(v).is_some_and(|c| if short { c as u32 == u32::MAX } else { c == u64::MAX });
        let found = [1, 0].into_iter().find_map(|side| {
            let merged = self.inner(node.args[side])?;
            let is_mask = merged.op == Operation::Select
                && ones(merged.args[1])
                && self.graph.constant(merged.args[2]) == Some(0);
            is_mask.then_some((side, merged))
        });
        let Some((side, merged)) = found else { return false };
        self.replace(i, node.args[side], Operation::Select, [merged.args[0], node.args[1 - side], merged.args[2]]);
        true
    }

    /// Logic of three words; `outer` is the table of the node's own operation.
    fn ternary(&mut self, i: usize, node: Node, outer: u8) {
        // The second operand first: sums of products are written with the new product last.
        let found = [1, 0].into_iter().find_map(|side| {
            let merged = self.inner(node.args[side])?;
            let table = table_of(merged.op)?;
            Some((side, merged, table))
        });
        let Some((side, merged, inner)) = found else { return };
        let value = |t: u8, x: u8, y: u8| t >> (2 * x + y) & 1;
        let table = (0..8u8).fold(0u8, |t, i| {
            let (d, a, b) = (i >> 2, i >> 1 & 1, i & 1);
            let z = value(inner, a, b);
            t | (if side == 1 { value(outer, d, z) } else { value(outer, z, d) }) << i
        });
        let args = [node.args[1 - side], merged.args[0], merged.args[1]];
        self.replace(i, node.args[side], Operation::Ternary(table), args);
    }

    /// `x ± y` where the flag is set, else `x`.
    fn chosen_sum(&mut self, i: usize, node: Node) {
        let Some(merged) = self.inner(node.args[1]) else { return };
        let other = node.args[2];
        let (op, y) = match merged.op {
            Operation::Add if merged.args[0] == other => (Operation::AddWhere, merged.args[1]),
            Operation::Add if merged.args[1] == other => (Operation::AddWhere, merged.args[0]),
            Operation::Sub if merged.args[0] == other => (Operation::SubWhere, merged.args[1]),
            _ => return,
        };
        self.replace(i, node.args[1], op, [node.args[0], other, y]);
        self.uses[other as usize] -= 1;
    }

    /// `x + (0 + half of a product)`: the multiply-add begins at x.
    fn multiply_add(&mut self, i: usize, node: Node) -> bool {
        let found = [1, 0].into_iter().find_map(|side| {
            let merged = self.inner(node.args[side])?;
            let is_half = matches!(merged.op, Operation::MaddLow | Operation::MaddHigh);
            (is_half && self.graph.constant(merged.args[0]) == Some(0)).then_some((side, merged))
        });
        let Some((side, merged)) = found.filter(|_| node.op == Operation::Add) else { return false };
        self.replace(i, node.args[side], merged.op, [node.args[1 - side], merged.args[1], merged.args[2]]);
        true
    }

    /// `x ± (y where the flag is set, else 0)`.
    fn sum_of_chosen(&mut self, i: usize, node: Node) {
        let sides: &[usize] = if node.op == Operation::Add { &[1, 0] } else { &[1] };
        let found = sides.iter().find_map(|side| {
            let merged = self.inner(node.args[*side])?;
            let zero = merged.op == Operation::Select && self.graph.constant(merged.args[2]) == Some(0);
            zero.then_some((*side, merged))
        });
        let Some((side, merged)) = found else { return };
        let op = if node.op == Operation::Add { Operation::AddWhere } else { Operation::SubWhere };
        self.replace(i, node.args[side], op, [merged.args[0], node.args[1 - side], merged.args[1]]);
    }
}

/// Merges what one instruction does: logic of three words (where the machine has that, `three`) where nobody else wants
/// the inner result, sums and differences under a condition.
pub(crate) fn fuse(graph: &mut Graph, three: bool) {
    if graph.nodes.iter().any(|n| n.op == Operation::Not) {
        graph.values.push(Kind::Constant(u64::MAX));
        let ones = graph.values.len() as Id - 1;
        for node in graph.nodes.iter_mut().filter(|n| n.op == Operation::Not) {
            *node = Node { op: Operation::Xor, args: [node.args[0], ones, NONE], ..*node };
        }
    }
    let (defined, uses) = (graph.definitions(), graph.use_counts());
    let mut fusion = Fusion { graph, defined, uses };
    for i in 0..fusion.graph.nodes.len() {
        let node = fusion.graph.nodes[i];
        if node.op == Operation::And && fusion.selection(i, node) || fusion.multiply_add(i, node) {
            continue;
        }
        match (node.op, table_of(node.op).filter(|_| three)) {
            (_, Some(outer)) => fusion.ternary(i, node, outer),
            (Operation::Select, _) => fusion.chosen_sum(i, node),
            (Operation::Add | Operation::Sub, _) => fusion.sum_of_chosen(i, node),
            _ => {}
        }
    }
}

//! Folds flags that are added as words into the carry of a sum, and removes what nobody needs.
//!
//! * `x + word(f)` becomes `x + 0 + f`, `x − word(f)` becomes `x − 0 − f`;
//! * `(x + y) + word(f)` becomes `x + y + f`, and `p + (x + 0 + f)` becomes `x + p + f`, where nobody else wants the
//!   inner sum.
//!
//! All of them modulo 2^64; carries stay what they were. A word that is computed from later sums of f's own chain is
//! left alone: the flag would have to wait for it in a register.

use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// Folds flags into carries.
pub fn fuse(graph: &mut Graph) {
    let zero = match graph.values.iter().position(|k| *k == Kind::Constant(0)) {
        Some(z) => z as Id,
        None => {
            graph.values.push(Kind::Constant(0));
            graph.values.len() as Id - 1
        }
    };
    let defined = graph.definitions();
    let mut uses = live_uses(graph);
    let mut pass = Fuse { defined, zero, stamp: vec![0; graph.nodes.len()], round: 0 };
    for i in 0..graph.nodes.len() {
        let node = &graph.nodes[i];
        if node.is_sum() && node.args[2] == NONE && node.results().any(|v| uses[v as usize] > 0) {
            pass.fold(graph, &mut uses, i);
        }
    }
}

struct Fuse {
    defined: Vec<u32>,
    zero: Id,
    /// Round in which a node was marked.
    stamp: Vec<u32>,
    round: u32,
}

impl Fuse {
    fn node<'g>(&self, graph: &'g Graph, v: Id) -> Option<&'g Node> {
        graph.nodes.get(*self.defined.get(v as usize)? as usize)
    }

    /// The flag whose word this is.
    fn flag_of(&self, graph: &Graph, v: Id) -> Option<Id> {
        self.node(graph, v).filter(|n| n.op == Operation::WordOfFlag).map(|n| n.args[0])
    }

    fn fold(&mut self, graph: &mut Graph, uses: &mut [u32], i: usize) {
        let node = graph.nodes[i];
        let [x, y, _] = node.args;
        let adds = node.op == Operation::Add;
        let candidates = if adds { [(x, y), (y, x)] } else { [(x, y), (NONE, NONE)] };
        for (other, word) in candidates {
            if word == NONE || other == word {
                continue;
            }
            let Some(flag) = self.flag_of(graph, word) else { continue };
            if self.waits(graph, other, flag) {
                continue;
            }
            uses[word as usize] -= 1;
            let mut args = [other, self.zero, flag];
            let mut exact = node.no_carry;
            // The word that the flag is added to, itself a sum that nobody else wants.
            if let Some(inner) = self
                .node(graph, other)
                .filter(|n| adds && n.op == Operation::Add && n.args[2] == NONE && uses[other as usize] == 1)
            {
                let no_inner = inner.results[1] == NONE || uses[inner.results[1] as usize] == 0;
                let wanted = node.results[1] != NONE && uses[node.results[1] as usize] > 0 && !node.no_carry;
                if no_inner && (inner.no_carry || !wanted) {
                    args = [inner.args[0], inner.args[1], flag];
                    exact &= inner.no_carry;
                    uses[other as usize] = 0;
                }
            }
            graph.nodes[i] = Node { args, no_carry: exact, ..node };
            return;
        }
        // p + (x + 0 + f), both carries unwanted.
        let unwanted = |n: &Node, uses: &[u32]| n.no_carry || n.results[1] == NONE || uses[n.results[1] as usize] == 0;
        if !adds || !unwanted(&node, uses) {
            return;
        }
        for (p, sum) in candidates {
            let Some(inner) = self
                .node(graph, sum)
                .filter(|n| n.op == Operation::Add && n.args[2] != NONE && uses[sum as usize] == 1)
                .copied()
            else {
                continue;
            };
            let Some(free) = (0..2).find(|k| inner.args[*k] == self.zero) else { continue };
            if p == sum || !unwanted(&inner, uses) || self.waits(graph, p, inner.args[2]) {
                continue;
            }
            let args = [inner.args[1 - free], p, inner.args[2]];
            uses[sum as usize] = 0;
            graph.nodes[i] = Node { args, no_carry: node.no_carry && inner.no_carry, ..node };
            return;
        }
    }

    /// Is `v` computed, by other nodes, from a sum of the chain that ends with `flag`?
    fn waits(&mut self, graph: &Graph, v: Id, flag: Id) -> bool {
        let last = self.defined[flag as usize];
        if last == NONE {
            return false;
        }
        self.round += 1;
        let mut first = last;
        let mut at = last;
        loop {
            let node = &graph.nodes[at as usize];
            if !node.is_sum() {
                // A flag that is no carry: whoever wants it waits for nothing else.
                return self.defined[v as usize] != NONE && self.defined[v as usize] > last;
            }
            self.stamp[at as usize] = self.round;
            first = first.min(at);
            match node.args[2] {
                NONE => break,
                f => match self.defined[f as usize] {
                    NONE => break,
                    before => at = before,
                },
            }
        }
        let direct = self.defined[v as usize];
        if direct != NONE && self.stamp[direct as usize] == self.round {
            // A word of the chain itself is there before the flag.
            return false;
        }
        let mut stack = vec![v];
        let mut seen = 0;
        while let Some(v) = stack.pop() {
            let d = self.defined[v as usize];
            if d == NONE || d < first {
                continue;
            }
            if self.stamp[d as usize] == self.round {
                return true;
            }
            seen += 1;
            if seen > 400 {
                return true;
            }
            stack.extend(graph.nodes[d as usize].args());
        }
        false
    }
}

/// How often each value is wanted by a node that is needed itself.
fn live_uses(graph: &Graph) -> Vec<u32> {
    let mut uses = vec![0u32; graph.values.len()];
    let mut live = vec![false; graph.nodes.len()];
    for (i, node) in graph.nodes.iter().enumerate().rev() {
        live[i] = matches!(node.op, Operation::Store { .. }) || node.results().any(|v| uses[v as usize] > 0);
        if live[i] {
            node.args().for_each(|v| uses[v as usize] += 1);
        }
    }
    uses
}

/// Removes results, nodes and values that no store needs; a product whose high word nobody wants becomes a low product.
pub fn remove_dead(graph: &mut Graph) {
    let mut wanted = vec![false; graph.values.len()];
    let mut nodes = Vec::with_capacity(graph.nodes.len());
    for node in graph.nodes.iter().rev() {
        let mut node = *node;
        for r in &mut node.results {
            if *r != NONE && !wanted[*r as usize] {
                *r = NONE;
            }
        }
        if node.results == [NONE; 2] && !matches!(node.op, Operation::Store { .. }) {
            continue;
        }
        if node.op == Operation::Mul && node.results[1] == NONE {
            node.op = Operation::MulLow;
        }
        node.args().for_each(|v| wanted[v as usize] = true);
        nodes.push(node);
    }
    nodes.reverse();
    let mut places = vec![NONE; graph.values.len()];
    let mut values = Vec::new();
    for node in &mut nodes {
        for v in node.args.iter_mut().chain(node.results.iter_mut()).filter(|v| **v != NONE) {
            let place = &mut places[*v as usize];
            if *place == NONE {
                *place = values.len() as Id;
                values.push(graph.values[*v as usize]);
            }
            *v = *place;
        }
    }
    graph.nodes = nodes;
    graph.values = values;
}

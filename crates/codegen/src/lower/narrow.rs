//! Bits that nobody reads: masks of them fall away, and words put together from two become one funnel shift.
//!
//! * `x and c` is `x`, and `x ± c` too, where those who want the result read low bits only, all of which c keeps or
//!   leaves alone: a multiply-add reads 52 bits of its factors, a shift left pushes the upper ones out;
//! * `h·2^s + ⌊l/2^(64−s)⌋` is a funnel shift;
//! * `h·2^s + ⌊(x mod 2^m)/2^(m−s)⌋` is one of h and `x·2^(64−m)`: the shift takes the place of the mask.
//!
//! Words of 64 bits only. That low bits of a sum, of logic and of a shift left come from low bits alone: Warren,
//! Hacker's Delight, section 2-1.

use super::fuse::remove_dead;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// Bits of the factors of a multiply-add.
const FACTOR: u32 = 52;

/// Simplifies; `funnel`: the machine has funnel shifts. What nobody wants any more stays for [`remove_dead`].
pub fn narrow(graph: &mut Graph, funnel: bool) {
    if graph.params.iter().any(|p| p.element_bytes != 8) {
        return;
    }
    pass_by(graph);
    if funnel {
        remove_dead(graph);
        join(graph);
    }
}

/// Lets every node read what its operands are as far as it reads them.
fn pass_by(graph: &mut Graph) {
    let mut read = vec![0u32; graph.values.len()];
    let bits: Vec<[u32; 3]> = graph
        .nodes
        .iter()
        .rev()
        .map(|node| {
            let bits = operand_bits(graph, node, node.results().map(|v| read[v as usize]).max().unwrap_or(64));
            for (v, bits) in node.args.iter().zip(bits).filter(|(v, _)| **v != NONE) {
                read[*v as usize] = bits.max(read[*v as usize]);
            }
            bits
        })
        .collect();
    let defined = graph.definitions();
    for (i, bits) in bits.into_iter().rev().enumerate() {
        for (k, bits) in bits.into_iter().enumerate() {
            let mut v = graph.nodes[i].args[k];
            while let Some(x) = defined
                .get(v as usize)
                .filter(|d| **d != NONE)
                .and_then(|d| unchanged(graph, &graph.nodes[*d as usize], bits))
            {
                v = x;
            }
            graph.nodes[i].args[k] = v;
        }
    }
}

/// How many low bits of each operand a node reads of whose results so many are read.
fn operand_bits(graph: &Graph, node: &Node, wanted: u32) -> [u32; 3] {
    match node.op {
        Operation::Add | Operation::Sub if is_plain(node) => [wanted; 3],
        Operation::And => {
            // A mask hides what it clears. Logic of two words is an atom to the checker: it must be that of the same
            // words.
            let read = |other: Id| graph.constant(other).map_or(64, |c| wanted.min(64 - c.leading_zeros()));
            [read(node.args[1]), read(node.args[0]), 64]
        }
        Operation::Shl(k) => [wanted.saturating_sub(u32::from(k)), 64, 64],
        Operation::Shr(k) => [(wanted + u32::from(k)).min(64), 64, 64],
        Operation::MaddLow | Operation::MaddHigh => [wanted, FACTOR, FACTOR],
        Operation::MulHalf => [32; 3],
        _ => [64; 3],
    }
}

/// A sum or difference of two words of which nobody wants the carry.
fn is_plain(node: &Node) -> bool {
    node.results[1] == NONE && node.args[2] == NONE
}

/// The operand of which a node keeps the low bits, so many of them.
fn unchanged(graph: &Graph, node: &Node, bits: u32) -> Option<Id> {
    let wanted = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    let [x, y, _] = node.args;
    let constant = |v: Id| graph.constant(v).map(|c| c & wanted);
    match node.op {
        Operation::And if constant(y) == Some(wanted) => Some(x),
        Operation::And if constant(x) == Some(wanted) => Some(y),
        Operation::Add | Operation::Sub if is_plain(node) && constant(y) == Some(0) => Some(x),
        Operation::Add if is_plain(node) && constant(x) == Some(0) => Some(y),
        _ => None,
    }
}

/// Makes funnel shifts.
fn join(graph: &mut Graph) {
    let (defined, uses) = (graph.definitions(), graph.use_counts());
    let mut nodes: Vec<Node> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let single = |v: Id| {
            (defined[v as usize] != NONE && uses[v as usize] == 1).then(|| &graph.nodes[defined[v as usize] as usize])
        };
        let Some((high, low, up)) = joined(graph, node, single) else {
            nodes.push(*node);
            continue;
        };
        let low = match low {
            Low::Shifted(l) => l,
            Low::Masked(x, bits) => {
                graph.values.push(Kind::Word);
                let moved = graph.values.len() as Id - 1;
                nodes.push(Node {
                    op: Operation::Shl((64 - bits) as u8),
                    args: [x, NONE, NONE],
                    results: [moved, NONE],
                    no_carry: true,
                });
                moved
            }
        };
        nodes.push(Node {
            op: Operation::Funnel((64 - up) as u8),
            args: [high, low, NONE],
            results: [node.results[0], NONE],
            no_carry: true,
        });
    }
    graph.nodes = nodes;
}

/// The lower word of a funnel shift.
enum Low {
    /// As it is.
    Shifted(Id),
    /// The low bits of a word, to be moved to its upper end.
    Masked(Id, u32),
}

/// A sum without carries of a word moved up and the upper part of what another one holds: the upper word, the lower
/// one, by how much the upper one moves.
fn joined<'g>(graph: &Graph, node: &Node, single: impl Fn(Id) -> Option<&'g Node>) -> Option<(Id, Low, u32)> {
    if node.op != Operation::Or && !(node.op == Operation::Add && is_plain(node)) {
        return None;
    }
    let bits =
        |v: Id| graph.constant(v).filter(|c| (1..u64::MAX).contains(c) && c & (c + 1) == 0).map(u64::trailing_ones);
    let mask = |n: &Node| {
        let [x, y, _] = n.args;
        let found = bits(y).map(|bits| (x, bits)).or_else(|| bits(x).map(|bits| (y, bits)));
        found.filter(|_| n.op == Operation::And)
    };
    let [x, y, _] = node.args;
    [(x, y), (y, x)].into_iter().find_map(|(h, l)| {
        let (high, low) = (single(h)?, single(l)?);
        let Operation::Shl(up) = high.op else { return None };
        let up = u32::from(up);
        let (below, down) = if let Operation::Shr(down) = low.op { (low.args[0], u32::from(down)) } else { (l, 0) };
        let found = if up + down == 64 {
            Some(Low::Shifted(below))
        } else {
            single(below).and_then(mask).filter(|(_, bits)| up + down == *bits).map(|(x, bits)| Low::Masked(x, bits))
        };
        Some((high.args[0], found?, up))
    })
}

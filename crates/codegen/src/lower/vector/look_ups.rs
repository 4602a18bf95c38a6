//! Look-ups in tables of constants.

use evariste_ir::{Array, ArrayKind};
use num_traits::ToPrimitive;

use super::super::lane::{Lane, pattern};
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::{cut, one};
use crate::check::tables::{ENTRIES, ENTRY_BITS, HALF_BITS, OF_HALVES, OF_MASKED_HALVES};
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// How a machine looks up: the operation, how many entries its lines hold together, and how many bits an entry has.
struct Means {
    op: Operation,
    entries: usize,
    bits: u32,
    lines: usize,
}

const QUARTERS: Means = Means { op: Operation::LookUp, entries: ENTRIES, bits: ENTRY_BITS, lines: 2 };
const HALVES: Means = Means { op: Operation::LookUpHalves, entries: OF_HALVES, bits: HALF_BITS, lines: 1 };
const MASKED_HALVES: Means =
    Means { op: Operation::LookUpHalvesOfTwo, entries: OF_MASKED_HALVES, bits: HALF_BITS, lines: 2 };

impl Means {
    /// What has room for entries; where there are masks, short ones in preference.
    fn of(entries: &[u64], lane: Lane) -> Option<&'static Means> {
        let all: &[&Means] = if lane.masks { &[&QUARTERS, &MASKED_HALVES] } else { &[&HALVES] };
        let fits = |means: &&&Means| entries.len() <= means.entries && entries.iter().all(|e| e >> means.bits == 0);
        all.iter().find(fits).copied()
    }

    /// The entries as lines.
    fn lines(&self, entries: &[u64]) -> Vec<[u64; 8]> {
        let in_a_word = 64 / self.bits as usize;
        let line = |entries: &[u64]| {
            let mut line = [0; 8];
            for (i, entry) in entries.iter().enumerate() {
                line[i / in_a_word] |= entry << (self.bits * (i % in_a_word) as u32);
            }
            line
        };
        entries.chunks_exact(self.entries / self.lines).map(line).collect()
    }
}

impl Lowering<'_, '_> {
    /// The entry of a table that is short enough. `None`: it is longer, or the machine has no way.
    pub(super) fn lane_looked_up(&mut self, on: &Site<'_>, table: Array, index: Id, lane: Lane) -> Option<Vec<Rep>> {
        let ArrayKind::Table(entries) = &on.kernel.array(table).kind else { return None };
        let mut entries: Vec<u64> = entries.iter().map(ToPrimitive::to_u64).collect::<Option<_>>()?;
        let means = Means::of(&entries, lane).filter(|_| !lane.alone && lane.bits == 64)?;
        // The proof says that no index is beyond the table.
        entries.resize(means.entries, 0);
        let lines = means.lines(&entries).into_iter().map(|line| self.writer.line(line));
        let operands: Vec<Id> = [index].into_iter().chain(lines).collect();
        // The bits above the index are 0, and look up the first entry.
        let found = self.writer.vector_word(means.op, &operands);
        Some(one(cut(&mut self.writer, found, means.bits, entries[0] == 0, lane)))
    }
}

impl super::Writer {
    /// A constant that a register holds.
    fn line(&mut self, line: [u64; 8]) -> Id {
        let known = self.graph.lines.iter().position(|other| *other == line);
        let number = known.unwrap_or_else(|| {
            self.graph.lines.push(line);
            self.graph.lines.len() - 1
        });
        let kind = Kind::Line(number as u32);
        let value = self.graph.values.iter().position(|other| *other == kind);
        value.map_or_else(|| self.value(kind), |value| value as Id)
    }
}

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
        let found = self.beneath(v, pattern(HALF_BITS));
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
    [&HALVES, &MASKED_HALVES].into_iter().find(|means| means.op == op).map(|means| means.entries)
}

/// Two look-ups in one table, at the lowest bits of the halves of a word, whose entries are put side by side, are one.
pub(in crate::lower) fn side_by_side(graph: &mut Graph) {
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

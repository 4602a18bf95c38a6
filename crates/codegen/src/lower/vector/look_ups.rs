//! Look-ups in tables of constants.

use evariste_ir::{Array, ArrayKind};
use num_traits::ToPrimitive;

use super::super::lane::{Lane, pattern};
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::{cut, one};
use crate::check::tables::{ENTRIES, ENTRY_BITS, HALF_BITS, OF_HALVES};
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// Entries of a line.
const OF_A_LINE: usize = ENTRIES / 2;

impl Lowering<'_, '_> {
    /// The entry of a table of [`ENTRIES`] at most, each of [`ENTRY_BITS`]; where there are no masks, of [`OF_HALVES`] and
    /// [`HALF_BITS`]. `None`: it is longer, or the machine has no way.
    pub(super) fn lane_looked_up(&mut self, on: &Site<'_>, table: Array, index: Id, lane: Lane) -> Option<Vec<Rep>> {
        let ArrayKind::Table(entries) = &on.kernel.array(table).kind else { return None };
        let mut entries: Vec<u64> = entries.iter().map(ToPrimitive::to_u64).collect::<Option<_>>()?;
        let (most, bits) = if lane.masks { (ENTRIES, ENTRY_BITS) } else { (OF_HALVES, HALF_BITS) };
        if lane.alone || lane.bits != 64 || entries.len() > most || entries.iter().any(|e| e >> bits != 0) {
            return None;
        }
        // The proof says that no index is beyond the table.
        entries.resize(most, 0);
        if !lane.masks {
            let mut line = [0; 8];
            for (i, entry) in entries.iter().enumerate() {
                line[i / 2] |= entry << (HALF_BITS * (i as u32 % 2));
            }
            let line = self.writer.line(line);
            let found = self.writer.vector_word(Operation::LookUpHalves, &[index, line]);
            return Some(one(cut(&mut self.writer, found, HALF_BITS, entries[0] == 0, lane)));
        }
        let [low, high] = [0, 1].map(|half| {
            let mut line = [0; 8];
            for (i, entry) in entries[half * OF_A_LINE..][..OF_A_LINE].iter().enumerate() {
                line[i / 4] |= entry << (ENTRY_BITS * (i as u32 % 4));
            }
            self.writer.line(line)
        });
        // The bits above the index are 0, and look up the first entry.
        let found = self.writer.vector_word(Operation::LookUp, &[index, low, high]);
        Some(one(cut(&mut self.writer, found, ENTRY_BITS, entries[0] == 0, lane)))
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

    /// Index and line of a look-up whose upper half does not count and which nobody else wants.
    fn look_up(&self, v: Id) -> Option<(Id, Id)> {
        let found = self.beneath(v, pattern(HALF_BITS));
        let own = self.uses[v as usize] == 1 && self.uses[found as usize] == 1;
        let node = self.node(found).filter(|n| own && n.op == Operation::LookUpHalves)?;
        Some((node.args[0], node.args[1]))
    }

    /// Index and line of the look-up that is both of a sum.
    fn both(&self, node: &Node) -> Option<(Id, Id)> {
        if !matches!(node.op, Operation::Add | Operation::Or) || node.args[2] != NONE {
            return None;
        }
        let [x, y, _] = node.args;
        [(x, y), (y, x)].into_iter().find_map(|(low, high)| {
            let moved =
                self.node(high).filter(|n| n.op == Operation::Shl(HALF_BITS as u8) && self.uses[high as usize] == 1)?;
            let ((a, line), (b, other)) = (self.look_up(low)?, self.look_up(moved.args[0])?);
            // One index is at the lowest bits of the half above the other's, whatever there is above both.
            let [word, above] = [a, b].map(|index| self.beneath(index, OF_HALVES as u64 - 1));
            let half = self.node(above).filter(|n| n.op == Operation::Shr(HALF_BITS as u8) && n.args[0] == word);
            (line == other && half.is_some()).then_some((word, line))
        })
    }
}

/// Two look-ups in one table, at the lowest bits of the halves of a word, whose entries are put side by side, are one.
pub(super) fn side_by_side(graph: &mut Graph) {
    if graph.nodes.iter().all(|n| n.op != Operation::LookUpHalves) {
        return;
    }
    let pairs = Pairs { defined: graph.definitions(), uses: graph.use_counts(), graph };
    let found: Vec<Option<(Id, Id)>> = pairs.graph.nodes.iter().map(|node| pairs.both(node)).collect();
    for (node, found) in graph.nodes.iter_mut().zip(found) {
        if let Some((index, line)) = found {
            *node = Node { op: Operation::LookUpHalves, args: [index, line, NONE], ..*node };
        }
    }
}

//! Look-ups in tables of constants.

use evariste_ir::{Array, ArrayKind};
use num_traits::ToPrimitive;

use super::super::lane::Lane;
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::{cut, one};
use crate::check::tables::{ENTRIES, ENTRY_BITS, HALF_BITS, OF_HALVES, OF_MASKED_HALVES};
use crate::graph::{Id, Kind, Operation};

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

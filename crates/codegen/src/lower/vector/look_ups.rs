//! Look-ups in tables of constants.

use evariste_ir::{Array, ArrayKind};
use num_traits::ToPrimitive;

use super::super::lane::Lane;
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::{cut, one};
use crate::check::tables::{ENTRIES, ENTRY_BITS};
use crate::graph::{Id, Kind, Operation};

/// Entries of a line.
const OF_A_LINE: usize = ENTRIES / 2;

impl Lowering<'_, '_> {
    /// The entry of a table of [`ENTRIES`] at most, each of [`ENTRY_BITS`]. `None`: it is longer, or the machine has no way.
    pub(super) fn lane_looked_up(&mut self, on: &Site<'_>, table: Array, index: Id, lane: Lane) -> Option<Vec<Rep>> {
        let ArrayKind::Table(entries) = &on.kernel.array(table).kind else { return None };
        let mut entries: Vec<u64> = entries.iter().map(ToPrimitive::to_u64).collect::<Option<_>>()?;
        if !lane.masks || lane.bits != 64 || entries.len() > ENTRIES || entries.iter().any(|e| e >> ENTRY_BITS != 0) {
            return None;
        }
        // The proof says that no index is beyond the table.
        entries.resize(ENTRIES, 0);
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

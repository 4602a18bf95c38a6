//! What a node takes of the machine.

use super::allocate::opcode;
use crate::x86_64::graph::{Graph, Kind, Node, Operation};
use crate::x86_64::table::Row;
use crate::x86_64::vector::{Width, row as of};

/// The row of the machine table for a node; `None`: it only moves.
pub(super) fn row(graph: &Graph, node: &Node, width: Width) -> Option<Row> {
    let row = of(opcode(node.op)?, width);
    // A load that copies halves is a load like any other.
    let loaded = node.op == Operation::CopyHigh && matches!(graph.values[node.args[0] as usize], Kind::Input { .. });
    Some(if loaded { Row { ports: 0, ..row } } else { row })
}

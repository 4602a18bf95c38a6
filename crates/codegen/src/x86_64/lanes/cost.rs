//! What a node takes of the machine.

use crate::graph::{Graph, Kind, Node, Operation};
use crate::x86_64::table::Row;
use crate::x86_64::vector::{Comparison, Vector, Width, row as of};

/// The row of the machine table for a node; `None`: it only moves.
pub(super) fn row(graph: &Graph, node: &Node, width: Width) -> Option<Row> {
    let row = of(opcode(node.op)?, width);
    Some(if is_load(graph, node) { Row { ports: 0, ..row } } else { row })
}

/// The instruction of a node as core tables name it, without its registers; `None`: it only moves.
pub(super) fn name(graph: &Graph, node: &Node, width: Width) -> Option<String> {
    let op = opcode(node.op).filter(|_| !is_load(graph, node))?;
    let element = graph.params.first().map_or(64, |p| 8 * p.element_bytes as u8);
    let sizes = op.element_bits(width);
    let bits = sizes.iter().find(|bits| **bits == element).or(sizes.first())?;
    Some(op.name(*bits, width))
}

/// A load that copies halves is a load like any other.
fn is_load(graph: &Graph, node: &Node) -> bool {
    node.op == Operation::CopyHigh && matches!(graph.values[node.args[0] as usize], Kind::Input { .. })
}

/// The instruction of an operation; `None`: it only moves.
pub(super) fn opcode(op: Operation) -> Option<Vector> {
    Some(match op {
        Operation::Add | Operation::AddWhere => Vector::Add,
        Operation::Sub | Operation::SubWhere => Vector::Sub,
        Operation::And => Vector::And,
        Operation::Or => Vector::Or,
        Operation::Xor => Vector::Xor,
        Operation::AndNot => Vector::AndNot,
        Operation::Ternary(table) => Vector::Ternary(table),
        Operation::Shl(k) => Vector::Shl(k),
        Operation::Shr(k) => Vector::Shr(k),
        Operation::Sar(k) => Vector::Sar(k),
        Operation::Rol(k) => Vector::Rol(k),
        Operation::Funnel(k) => Vector::Funnel(k),
        Operation::MulHalf => Vector::MulHalf,
        Operation::Greater => Vector::Greater,
        Operation::MulLow => Vector::MulLow,
        Operation::ClmulEven => Vector::ClmulEven,
        Operation::ClmulOdd => Vector::ClmulOdd,
        Operation::RijndaelMul => Vector::RijndaelMul,
        Operation::BitMatrix(_) => Vector::BitMatrix,
        Operation::UnpackEven => Vector::UnpackEven,
        Operation::UnpackOdd => Vector::UnpackOdd,
        Operation::CopyHigh | Operation::MergeHigh => Vector::CopyHigh,
        Operation::CopyLow | Operation::MergeLow => Vector::CopyLow,
        Operation::JoinHalves => Vector::BlendHalves(true),
        Operation::MaddLow => Vector::MaddLow,
        Operation::MaddHigh => Vector::MaddHigh,
        Operation::FloatAdd => Vector::FloatAdd,
        Operation::FloatSub => Vector::FloatSub,
        Operation::FloatMul => Vector::FloatMul,
        Operation::FloatFma => Vector::FloatFma,
        Operation::Less => Vector::Compare(Comparison::Less),
        Operation::Equal => Vector::Compare(Comparison::Equal),
        Operation::Select => Vector::Blend,
        Operation::FlagAnd => Vector::MaskAnd,
        Operation::FlagOr => Vector::MaskOr,
        Operation::FlagXor => Vector::MaskXor,
        Operation::FlagNot => Vector::MaskNot,
        _ => return None,
    })
}

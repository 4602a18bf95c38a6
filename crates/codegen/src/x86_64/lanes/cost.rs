//! What a node is in the tables.

use evariste_cores::Core;

use crate::graph::{Graph, Kind, Node, Operation};
use crate::lower::LowerError;
use crate::x86_64::error::CompileError;
use crate::x86_64::instruction::Features;
use crate::x86_64::table::Row;
use crate::x86_64::vector::{Comparison, Vector, Width, row as of};

/// The row of a node's instruction; `None`: it only moves.
pub(super) fn row(node: &Node, width: Width) -> Option<Row> {
    Some(of(opcode(node.op)?, width))
}

/// The instruction of a node as a core's table names it; `None`: it only moves. Vectors of 128 bits cost what those of 256
/// do, but for those of SSE2 where the table has them; the copies that SSE2 needs are not counted, since cores rename
/// registers.
pub(super) fn name(graph: &Graph, node: &Node, width: Width, core: &Core) -> Option<String> {
    let own = name_as(graph, node, width).filter(|name| width.two_operands() && core.cost(name).is_some());
    let wide = if width.bytes() < Width::Y.bytes() { Width::Y } else { width };
    own.or_else(|| name_as(graph, node, wide))
}

/// The same of vectors of that width.
fn name_as(graph: &Graph, node: &Node, width: Width) -> Option<String> {
    let registers = width.prefix();
    if matches!(node.op, Operation::Store { .. }) {
        return Some(format!("store.{registers}"));
    }
    let op = opcode(node.op).filter(|_| !is_load(graph, node))?;
    let element = graph.params.first().map_or(64, |p| 8 * p.element_bytes as u8);
    let sizes = op.element_bits(width);
    let bits = sizes.iter().find(|bits| **bits == element).or(sizes.first())?;
    Some(format!("{}.{registers}", op.name(*bits, width)))
}

/// Does a node compute? Loads, stores and moves do not.
pub(super) fn computes(graph: &Graph, node: &Node) -> bool {
    opcode(node.op).is_some() && !is_load(graph, node)
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
        Operation::Lesser => Vector::Lesser,
        Operation::MulLow => Vector::MulLow,
        Operation::ClmulEven => Vector::ClmulEven,
        Operation::ClmulOdd => Vector::ClmulOdd,
        Operation::RijndaelMul => Vector::RijndaelMul,
        Operation::BitMatrix(_) => Vector::BitMatrix,
        Operation::LookUp => Vector::LookUp,
        Operation::LookUpHalves => Vector::LookUpHalves,
        Operation::LookUpHalvesOfTwo => Vector::LookUpHalvesOfTwo,
        Operation::UnpackEven => Vector::UnpackEven,
        Operation::UnpackOdd => Vector::UnpackOdd,
        Operation::PermuteWords(places) => Vector::PermuteWords(places),
        Operation::BlendWords(words) => Vector::BlendWords(words),
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

/// The graph, when a processor with these features has all its operations.
pub(super) fn offered(graph: Graph, features: Features, width: Width) -> Result<Graph, CompileError> {
    for node in &graph.nodes {
        let needs = row(node, width).map(|row| row.needs);
        let narrow = matches!(
            node.op,
            Operation::Less
                | Operation::Equal
                | Operation::Select
                | Operation::AddWhere
                | Operation::SubWhere
                | Operation::FlagAnd
                | Operation::FlagOr
                | Operation::FlagXor
                | Operation::FlagNot
                | Operation::Rol(_)
                | Operation::Funnel(_)
                | Operation::BitMatrix(_)
                | Operation::LookUp
                | Operation::LookUpHalvesOfTwo
        );
        let element = graph.params.first().map_or(8, |p| p.element_bytes);
        let short = element == 4;
        // SSE2 has few forms, of which these here are for whole words.
        let has_form = element == 8 && opcode(node.op).is_none_or(|op| !op.element_bits(width).is_empty());
        let halves = node.op == Operation::LookUpHalves && (width != Width::Y || element != 8);
        let madd = matches!(node.op, Operation::MaddLow | Operation::MaddHigh);
        let missing = halves
            || madd && opcode(node.op).is_some_and(|op| op.element_bits(width).is_empty())
            || !width.has_masks() && (narrow || matches!(node.op, Operation::Sar(_) | Operation::MulLow) && !short);
        if missing || width.two_operands() && !has_form || needs.is_some_and(|needs| !features.covers(needs)) {
            return Err(LowerError::Unsupported(format!(
                "the operation {} on vectors of {} bits of a processor with {features}",
                node.op.name(),
                8 * width.bytes()
            ))
            .into());
        }
    }
    Ok(graph)
}

//! A whole kernel as one graph, in lanes of vectors, and what ends every graph.

use evariste_ir::{ArrayKind, Kernel, Type};

use super::edges::{Overlap, memory_edges};
use super::error::LowerError;
use super::fuse::remove_dead;
use super::lane::Lane;
use super::lowering::{Lowering, Wanted};
use super::narrow::narrow;
use super::vector::{fuse, side_by_side};
use crate::graph::Graph;

/// The graph of a kernel in such lanes, of at most so many nodes.
///
/// # Errors
/// A kernel that is longer, or has no form there.
pub(super) fn in_lanes(kernel: &Kernel, lane: Lane, most: usize) -> Result<Graph, LowerError> {
    let kernel = &*kernel.all_written_out();
    let wanted = Wanted { kernel, bytes: None, element: Some(lane) };
    let mut graph = Lowering::new(&wanted, is_sliced(kernel), most, None)?.graph();
    simplify(&mut graph, lane);
    ordered(&mut graph);
    Ok(graph)
}

/// Operations as vectors have them.
pub(super) fn simplify(graph: &mut Graph, lane: Lane) {
    remove_dead(graph);
    side_by_side(graph);
    narrow(graph, lane.funnel);
    remove_dead(graph);
    fuse(graph, lane.masks);
}

/// Without what nobody needs; with what must stay in order.
pub(super) fn ordered(graph: &mut Graph) {
    remove_dead(graph);
    let apart = |a: u16, b: u16| graph.disjoint.contains(&(u32::from(a.min(b)), u32::from(a.max(b))));
    graph.edges = memory_edges(graph, |a, b| if apart(a, b) { Overlap::Never } else { Overlap::Same });
}

/// Bit-sliced exactly when words, values and parameters all have one bit.
pub(super) fn is_sliced(kernel: &Kernel) -> bool {
    let single = |ty: Type| ty.bits() == 1;
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).all(|a| single(a.ty));
    kernel.word == 1
        && arrays
        && kernel.values.iter().all(|v| single(v.ty))
        && kernel.callees.iter().all(|k| is_sliced(k))
}

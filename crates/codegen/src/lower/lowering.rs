//! One routine while it is lowered: its open segment, its arrays, the pieces that are finished.

use std::collections::HashMap;

use evariste_ir::{Array, ArrayInfo, Kernel, Parameter, Type, Value};

use super::error::{LowerError, MOST_NODES};
use super::index::Terms;
use super::lane::Lane;
use super::memory::Storage;
use super::size::Callable;
use super::values::{Activation, Export};
use super::words::Limbs;
use super::writer::{Flag, Writer};
use crate::graph::Graph;
use crate::outline::{Limits, Pointer};

/// A value of the kernel in machine words.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rep {
    Limbs(Limbs),
    Flag(Flag),
    Mask(Flag),
}

/// How a parameter lies in memory; `element`: what a lane is, on vectors; `bytes`: where the caller decides the size of
/// an element.
pub(super) fn param(
    info: &ArrayInfo,
    lanes: bool,
    element: Option<Lane>,
    bytes: Option<u32>,
) -> Result<Parameter, LowerError> {
    let element_bytes = match info.ty.bits() {
        _ if lanes => 8,
        _ if matches!(info.ty, Type::Float(_)) => {
            return Err(LowerError::Unsupported(format!("the floating-point array {}", info.name)));
        }
        0..=64 if element.is_some() => element.map_or(8, |lane| lane.bits / 8),
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        bits => return Err(LowerError::Unsupported(format!("the array {} of {bits}-bit elements", info.name))),
    };
    let role = info.role().ok_or(LowerError::Malformed("an array that no caller sees"))?;
    Ok(Parameter { name: info.name.clone(), element_bytes: bytes.unwrap_or(element_bytes), len: info.len, role })
}

/// The parameters that a routine has: ghosts are none.
pub(super) fn visible(kernel: &Kernel) -> Vec<Array> {
    kernel.visible().collect()
}

/// Pairs of parameters that never overlap: the kernel says so, or they differ in type or length.
pub(super) fn disjoint_pairs(kernel: &Kernel, params: &[Array]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (j, y) in params.iter().enumerate() {
        for (i, x) in params[..j].iter().enumerate() {
            if kernel.are_disjoint(*x, *y) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// A routine that somebody calls: its kernel, and the bytes of its parameters' elements where the caller decides them.
#[derive(Clone)]
pub(super) struct Wanted<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) bytes: Option<Vec<u32>>,
    /// On vectors: what a lane is.
    pub(super) element: Option<Lane>,
}

/// A piece of a routine while it is lowered.
pub(super) enum Piece {
    /// A closed segment.
    Segment(usize),
    /// A loop.
    Loop { counter: u32, step: u32, limit: u32, body: Vec<Piece> },
    /// A call.
    Call { routine: usize, args: Vec<Pointer> },
}

/// A segment whose end is reached. Later ones may still ask for its values.
pub(super) struct Closed {
    pub(super) writer: Writer,
    pub(super) regions: Vec<(u32, Terms)>,
    pub(super) exports: Vec<Export>,
}

/// What rolling needs; straight code has none of it.
pub(super) struct Rolling<'k, 'w> {
    pub(super) limits: Limits,
    /// Kernels that could be routines, and their nodes.
    pub(super) callable: &'w HashMap<*const Kernel, Callable>,
    pub(super) wanted: &'w mut Vec<Wanted<'k>>,
}

/// One routine while it is lowered.
pub(super) struct Lowering<'k, 'w> {
    /// The open segment.
    pub(super) writer: Writer,
    /// Its parameters: storage and terms.
    pub(super) regions: Vec<(u32, Terms)>,
    /// All arrays that there ever were, and those that somebody may still read.
    pub(super) storages: Vec<Storage<'k>>,
    pub(super) live: Vec<u32>,
    pub(super) params: Vec<Parameter>,
    pub(super) disjoint: Vec<(u32, u32)>,
    pub(super) name: String,
    pub(super) lanes: bool,
    /// On vectors: what a lane is.
    pub(super) element: Option<Lane>,
    pub(super) rolling: Option<Rolling<'k, 'w>>,
    pub(super) closed: Vec<Closed>,
    pub(super) pieces: Vec<Piece>,
    /// Sums of counters that indices have; the first is the empty one.
    pub(super) terms: Vec<Vec<(u32, i64)>>,
    /// Words of the frame so far.
    pub(super) words: u32,
    /// Nodes of closed segments, and steps made.
    pub(super) nodes: usize,
    pub(super) steps: usize,
    pub(super) most: usize,
}

impl<'k, 'w> Lowering<'k, 'w> {
    /// Walks the whole kernel.
    pub(super) fn new(
        wanted: &Wanted<'k>,
        lanes: bool,
        most: usize,
        rolling: Option<Rolling<'k, 'w>>,
    ) -> Result<Lowering<'k, 'w>, LowerError> {
        let kernel = wanted.kernel;
        let arrays = visible(kernel);
        let bytes = |i: usize| wanted.bytes.as_ref().map(|b| b[i]);
        let params = arrays
            .iter()
            .enumerate()
            .map(|(i, a)| param(kernel.array(*a), lanes, wanted.element, bytes(i)))
            .collect::<Result<Vec<Parameter>, LowerError>>()?;
        let mut lowering = Lowering {
            writer: Writer::new(Graph::empty(), wanted.element.map_or(64, |lane| lane.bits)),
            regions: Vec::new(),
            storages: Vec::new(),
            live: Vec::new(),
            disjoint: disjoint_pairs(kernel, &arrays),
            name: kernel.name.clone(),
            lanes,
            element: wanted.element,
            rolling,
            closed: Vec::new(),
            pieces: Vec::new(),
            terms: vec![Vec::new()],
            // A pointer to each parameter.
            words: params.len() as u32,
            params,
            nodes: 0,
            steps: 0,
            most,
        };
        let mut activation = Activation::new(kernel);
        for (i, info) in kernel.arrays.iter().enumerate() {
            let place = arrays.iter().position(|p| p.0 as usize == i).map(|p| p as u16);
            let binding = lowering.array(info, place);
            if let (Some(_), None) = (place, &lowering.rolling) {
                lowering.region(binding.storage, Terms::NONE);
            }
            activation.bindings.push(binding);
        }
        lowering.block(&mut activation, &kernel.body)?;
        // Nobody reads the routine's local arrays any more.
        lowering.forget(0);
        lowering.close()?;
        Ok(lowering)
    }

    /// A step is made: is there room for it?
    pub(super) fn step(&mut self, steps: usize) -> Result<(), LowerError> {
        self.steps += steps;
        let nodes = self.nodes + self.writer.graph.nodes.len();
        // What is rolled has more steps than nodes: elements that calls are shown.
        let most_steps = if self.rolling.is_some() { 4 * MOST_NODES } else { MOST_NODES };
        if self.steps > most_steps || nodes > self.most {
            Err(LowerError::TooLong { most: MOST_NODES })
        } else {
            Ok(())
        }
    }

    /// Nodes of all segments.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// The value as a constant, when its proved interval is one point.
    pub(super) fn known(&mut self, kernel: &Kernel, v: Value) -> Option<Rep> {
        let info = kernel.value(v);
        let c = info.range.constant()?;
        self.constant(c, info.ty).ok()
    }
}

//! From a kernel to a graph: calls inlined, loops unrolled, local arrays gone, types of all widths in words of 64 bits,
//! flags folded into carries. A kernel that is too long for that becomes an [`Outline`]: segments, loops and calls.
//!
//! What a proof knows is used: a value whose interval is one point is a constant, a sum that is known to fit carries
//! nothing.

mod edges;
mod finish;
mod flags;
mod floats;
mod fuse;
mod halves;
mod index;
mod lanes;
mod memory;
mod narrow;
mod operations;
mod size;
mod values;
mod vector;
mod walk;
mod words;
mod writer;

use std::fmt;

use evariste_ir::{Array, ArrayInfo, ArrayKind, Kernel, Type, Value};

use super::graph::Graph;
pub use super::outline::Limits;
use super::outline::{Body, Outline, Part, Pointer, Routine};
use super::program::{Features, Param};
use super::vector::Width;
use edges::{Overlap, memory_edges};
use index::Terms;
use memory::Storage;
use values::{Activation, Export};
use words::Limbs;
use writer::{Flag, Writer};

/// On vectors a loop of at most that many nodes is unrolled.
const VECTOR_SEGMENT: u64 = 1 << 7;

/// The most nodes of a program, and a bound on the steps that are lowered.
pub const MOST_NODES: usize = 1 << 16;

/// Why a kernel has no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LowerError {
    /// The code is too long, even with what loops and calls there may be.
    TooLong {
        /// The most nodes.
        most: usize,
    },
    /// The kernel is compiled with loops and calls, not as one graph.
    Rolled,
    /// Nothing of the kernel can stay a loop on vectors.
    NoLoops,
    /// An operation or a type that scalar x86-64 code has no form for.
    Unsupported(String),
    /// The kernel breaks a rule of the language; the verifier would say which.
    Malformed(&'static str),
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LowerError::TooLong { most } => write!(f, "the kernel has more than {most} operations where it cannot be rolled: too long for machine code"),
            LowerError::Rolled => f.write_str("the kernel is long and becomes loops and calls, which have no schedule: each piece has the heuristic's"),
            LowerError::NoLoops => f.write_str("no loop of the kernel can stay one on vectors: only long ones of bit-sliced kernels do"),
            LowerError::Unsupported(what) => write!(f, "{what} has no scalar x86-64 form"),
            LowerError::Malformed(what) => write!(f, "the kernel does not verify: {what}"),
        }
    }
}

/// A value of the kernel in machine words.
#[derive(Clone, Copy, Debug)]
enum Rep {
    Limbs(Limbs),
    Flag(Flag),
    Mask(Flag),
}

/// The graph of a kernel.
///
/// # Errors
/// When it is too long, or uses what the machine has not.
pub fn lower(kernel: &Kernel) -> Result<Graph, LowerError> {
    match outline(kernel, &Limits::default())? {
        Outline::Straight(graph) => Ok(*graph),
        Outline::Rolled(_) => Err(LowerError::Rolled),
    }
}

/// The graph of a kernel, or its routines where it is too long.
///
/// # Errors
/// As [`lower`].
pub fn outline(kernel: &Kernel, limits: &Limits) -> Result<Outline, LowerError> {
    let lanes = is_sliced(kernel);
    let function = Wanted { kernel, bytes: None, element: None };
    if let Some(graph) = straight(&function, lanes, limits.straight)? {
        return Ok(Outline::Straight(Box::new(graph)));
    }
    let mut wanted = vec![function];
    let mut routines: Vec<Routine> = Vec::new();
    let mut left = MOST_NODES;
    while let Some(next) = wanted.get(routines.len()).cloned() {
        let graph = if routines.is_empty() { None } else { straight(&next, lanes, limits.straight.min(left))? };
        let routine = match graph {
            Some(graph) => {
                left = left.saturating_sub(graph.nodes.len());
                Routine {
                    name: graph.name.clone(),
                    params: graph.params.clone(),
                    disjoint: graph.disjoint.clone(),
                    body: Body::Straight(graph),
                }
            }
            None => {
                let lowering = Lowering::new(&next, lanes, left, Some((*limits, &mut wanted)))?;
                left = left.saturating_sub(lowering.nodes());
                lowering.routine()?
            }
        };
        routines.push(routine);
    }
    let rolled =
        matches!(&routines[0].body, Body::Parts { parts, .. } if parts.iter().any(|p| !matches!(p, Part::Segment(_))));
    if rolled {
        return Ok(Outline::Rolled(routines));
    }
    // Nothing could be rolled: all in one piece.
    let graph = straight(&wanted[0], lanes, MOST_NODES)?;
    graph.map(|g| Outline::Straight(Box::new(g))).ok_or(LowerError::TooLong { most: MOST_NODES })
}

/// The graph of a routine, if it has at most that many nodes.
fn straight(wanted: &Wanted<'_>, lanes: bool, most: usize) -> Result<Option<Graph>, LowerError> {
    match Lowering::new(wanted, lanes, most, None) {
        Ok(lowering) => {
            let mut graph = lowering.graph();
            fuse::fuse(&mut graph);
            finish(&mut graph);
            Ok(Some(graph))
        }
        Err(LowerError::TooLong { .. }) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Bits of a lane: 32 or 8 for elements of one word of so many bits, else 64 for all words, so that every operation of
/// a layout finds its elements in the same places.
fn lane_bits(kernel: &Kernel) -> u32 {
    let one_word = |bits: u32| {
        visible(kernel).iter().all(|a| kernel.array(*a).ty == Type::Word(bits as u8) && kernel.array(*a).len == 1)
    };
    if matches!(kernel.word, 8 | 32) && one_word(kernel.word) { kernel.word } else { 64 }
}

/// The graph of a kernel on vectors, for a processor with these features: its words are what one lane holds.
///
/// # Errors
/// As [`lower`].
pub fn lower_vector(kernel: &Kernel, features: Features, width: Width) -> Result<Graph, LowerError> {
    in_lanes(
        kernel,
        vector::Lane { bits: lane_bits(kernel), masks: width.has_masks(), alone: false },
        features.vbmi2 && width.has_masks(),
    )
}

/// The same of one element in the lowest 64 bits of 128.
///
/// # Errors
/// As [`lower`].
pub fn lower_one(kernel: &Kernel) -> Result<Graph, LowerError> {
    let other =
        visible(kernel).into_iter().map(|a| kernel.array(a)).find(|info| !matches!(info.ty, Type::Word(33..=64)));
    if let Some(info) = other {
        return Err(LowerError::Unsupported(format!(
            "one lane with the array {} of {}-bit elements",
            info.name,
            info.ty.bits()
        )));
    }
    in_lanes(kernel, vector::Lane { bits: 64, masks: false, alone: true }, false)
}

fn in_lanes(kernel: &Kernel, lane: vector::Lane, funnel: bool) -> Result<Graph, LowerError> {
    let wanted = Wanted { kernel, bytes: None, element: Some(lane) };
    let mut graph = Lowering::new(&wanted, is_sliced(kernel), MOST_NODES, None)?.graph();
    fuse::remove_dead(&mut graph);
    narrow::narrow(&mut graph, funnel);
    fuse::remove_dead(&mut graph);
    vector::fuse(&mut graph, lane.masks);
    finish(&mut graph);
    Ok(graph)
}

/// A bit-sliced kernel on vectors with its loops, those that are worth one: elements and words of the frame are
/// vectors. `None`: nothing to roll.
///
/// # Errors
/// As [`lower`].
pub fn roll_vector(kernel: &Kernel, width: Width) -> Result<Option<Routine>, LowerError> {
    if !is_sliced(kernel) {
        return Ok(None);
    }
    let wanted = Wanted {
        kernel,
        bytes: None,
        element: Some(vector::Lane { bits: 64, masks: width.has_masks(), alone: false }),
    };
    let limits = Limits { segment: VECTOR_SEGMENT, inline: u64::MAX, ..Limits::default() };
    let routine = match Lowering::new(&wanted, true, MOST_NODES, Some((limits, &mut Vec::new()))) {
        Err(LowerError::TooLong { .. }) => return Ok(None),
        lowering => lowering?.routine()?,
    };
    let rolled =
        matches!(&routine.body, Body::Parts { parts, .. } if parts.iter().any(|p| !matches!(p, Part::Segment(_))));
    Ok(rolled.then_some(routine))
}

/// Without what nobody needs; with what must stay in order.
fn finish(graph: &mut Graph) {
    fuse::remove_dead(graph);
    let apart = |a: u16, b: u16| graph.disjoint.contains(&(u32::from(a.min(b)), u32::from(a.max(b))));
    graph.edges = memory_edges(graph, |a, b| if apart(a, b) { Overlap::Never } else { Overlap::Same });
}

/// Bit-sliced exactly when words, values and parameters all have one bit.
fn is_sliced(kernel: &Kernel) -> bool {
    let single = |ty: Type| ty.bits() == 1;
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).all(|a| single(a.ty));
    kernel.word == 1
        && arrays
        && kernel.values.iter().all(|v| single(v.ty))
        && kernel.callees.iter().all(|k| is_sliced(k))
}

/// How a parameter lies in memory; `element`: what a lane is, on vectors; `bytes`: where the caller decides the size of
/// an element.
fn param(
    info: &ArrayInfo,
    lanes: bool,
    element: Option<vector::Lane>,
    bytes: Option<u32>,
) -> Result<Param, LowerError> {
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
    let (written, read) = match info.kind {
        ArrayKind::Input => (false, true),
        ArrayKind::InOut => (true, true),
        _ => (true, false),
    };
    Ok(Param { name: info.name.clone(), element_bytes: bytes.unwrap_or(element_bytes), len: info.len, written, read })
}

/// The parameters that a routine has: ghosts are none.
fn visible(kernel: &Kernel) -> Vec<Array> {
    kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost).collect()
}

/// Pairs of parameters that never overlap: the kernel says so, or they differ in type or length.
fn disjoint_pairs(kernel: &Kernel, params: &[Array]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (j, y) in params.iter().enumerate() {
        for (i, x) in params[..j].iter().enumerate() {
            let (p, q) = (kernel.array(*x), kernel.array(*y));
            if p.ty != q.ty || p.len != q.len || kernel.disjoint.iter().any(|d| *d == (*x, *y) || *d == (*y, *x)) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// A routine that somebody calls: its kernel, and the bytes of its parameters' elements where the caller decides them.
#[derive(Clone)]
struct Wanted<'k> {
    kernel: &'k Kernel,
    bytes: Option<Vec<u32>>,
    /// On vectors: what a lane is.
    element: Option<vector::Lane>,
}

/// A piece of a routine while it is lowered.
enum Piece {
    /// A closed segment.
    Segment(usize),
    /// A loop.
    Loop { counter: u32, step: u32, limit: u32, body: Vec<Piece> },
    /// A call.
    Call { routine: usize, args: Vec<Pointer> },
}

/// A segment whose end is reached. Later ones may still ask for its values.
struct Closed {
    writer: Writer,
    regions: Vec<(u32, Terms)>,
    exports: Vec<Export>,
}

/// What rolling needs; straight code has none of it.
struct Rolling<'k, 'w> {
    limits: Limits,
    wanted: &'w mut Vec<Wanted<'k>>,
}

/// One routine while it is lowered.
struct Lowering<'k, 'w> {
    /// The open segment.
    writer: Writer,
    /// Its parameters: storage and terms.
    regions: Vec<(u32, Terms)>,
    /// All arrays that there ever were, and those that somebody may still read.
    storages: Vec<Storage<'k>>,
    live: Vec<u32>,
    params: Vec<Param>,
    disjoint: Vec<(u32, u32)>,
    name: String,
    lanes: bool,
    /// On vectors: what a lane is.
    element: Option<vector::Lane>,
    rolling: Option<Rolling<'k, 'w>>,
    closed: Vec<Closed>,
    pieces: Vec<Piece>,
    /// Sums of counters that indices have; the first is the empty one.
    terms: Vec<Vec<(u32, i64)>>,
    /// Words of the frame so far.
    words: u32,
    /// Nodes of closed segments, and steps made.
    nodes: usize,
    steps: usize,
    most: usize,
}

impl<'k, 'w> Lowering<'k, 'w> {
    /// Walks the whole kernel.
    fn new(
        wanted: &Wanted<'k>,
        lanes: bool,
        most: usize,
        rolling: Option<(Limits, &'w mut Vec<Wanted<'k>>)>,
    ) -> Result<Lowering<'k, 'w>, LowerError> {
        let kernel = wanted.kernel;
        let arrays = visible(kernel);
        let bytes = |i: usize| wanted.bytes.as_ref().map(|b| b[i]);
        let params = arrays
            .iter()
            .enumerate()
            .map(|(i, a)| param(kernel.array(*a), lanes, wanted.element, bytes(i)))
            .collect::<Result<Vec<Param>, LowerError>>()?;
        let mut lowering = Lowering {
            writer: Writer::new(Graph::empty()),
            regions: Vec::new(),
            storages: Vec::new(),
            live: Vec::new(),
            disjoint: disjoint_pairs(kernel, &arrays),
            name: kernel.name.clone(),
            lanes,
            element: wanted.element,
            rolling: rolling.map(|(limits, wanted)| Rolling { limits, wanted }),
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
    fn step(&mut self, steps: usize) -> Result<(), LowerError> {
        self.steps += steps;
        let nodes = self.nodes + self.writer.graph.nodes.len();
        if self.steps > MOST_NODES || nodes > self.most {
            Err(LowerError::TooLong { most: MOST_NODES })
        } else {
            Ok(())
        }
    }

    /// Nodes of all segments.
    fn nodes(&self) -> usize {
        self.nodes
    }

    /// The value as a constant, when its proved interval is one point.
    fn known(&mut self, kernel: &Kernel, v: Value) -> Option<Rep> {
        let info = kernel.value(v);
        let c = info.range.constant()?;
        self.constant(c, info.ty).ok()
    }
}

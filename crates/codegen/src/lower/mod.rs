//! From a kernel to a graph: calls inlined, loops unrolled, local arrays gone, types of all widths in words of 64 bits,
//! flags folded into carries. A kernel that is too long for that becomes an [`Outline`]: segments, loops and calls.
//!
//! Operations that are defined by a body are written out. What a proof knows is used: a value whose interval is one point is a constant, a sum that is known to fit carries
//! nothing.

mod abreast;
mod edges;
mod error;
mod finish;
mod flags;
mod floats;
mod fuse;
mod halves;
mod index;
mod lane;
mod lanes;
mod lowering;
mod memory;
mod narrow;
mod operations;
mod site;
mod size;
mod values;
mod vector;
mod walk;
mod whole;
mod words;
mod writer;

use std::cell::RefCell;
use std::collections::HashMap;

use evariste_ir::{ArrayKind, Kernel, Type};

use crate::graph::Graph;
pub use crate::outline::Limits;
use crate::outline::{Body, Outline, Part, Routine};
pub use error::{LowerError, MOST_NODES};
use lane::Lane;
use lowering::{Lowering, Rolling, Wanted, visible};
use whole::{in_lanes, is_sliced, ordered};

/// On vectors a loop of at most that many nodes is unrolled.
const VECTOR_SEGMENT: u64 = 1 << 7;

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
    outline_with_lanes(kernel, limits, &|_| false)
}

/// [`outline`] where kernels that are so, for what they call too, need vector registers: those that call nothing become
/// routines of one lane, and the others are never in one piece.
///
/// # Errors
/// As [`lower`].
pub fn outline_with_lanes(
    kernel: &Kernel,
    limits: &Limits,
    on_vectors: &dyn Fn(&Kernel) -> bool,
) -> Result<Outline, LowerError> {
    let is = |kernel: &Kernel| on_vectors(kernel) && in_one_lane(kernel, limits);
    outline_apart(kernel, limits, on_vectors, &is, &|wanted| one_lane(wanted).map(Body::OneLane))
}

/// [`outline`] where kernels that are so, for what they call too, gain by calls side by side: those that are made of calls
/// alone become routines of that kind, and the others are never in one piece.
///
/// # Errors
/// As [`lower`].
pub fn outline_abreast(
    kernel: &Kernel,
    limits: &Limits,
    gains: &dyn Fn(&Kernel) -> bool,
) -> Result<Outline, LowerError> {
    let bodies = Bodies { gains, known: RefCell::default() };
    let body = |wanted: &Wanted<'_>| abreast::graph(wanted).map(Body::Abreast);
    outline_apart(kernel, limits, &|kernel| bodies.is_or_calls(kernel), &|kernel| bodies.is(kernel), &body)
}

/// Which kernels have calls side by side; each is asked once.
struct Bodies<'g> {
    gains: &'g dyn Fn(&Kernel) -> bool,
    known: RefCell<HashMap<*const Kernel, bool>>,
}

impl Bodies<'_> {
    fn is(&self, kernel: &Kernel) -> bool {
        if let Some(is) = self.known.borrow().get(&std::ptr::from_ref(kernel)) {
            return *is;
        }
        let is = (self.gains)(kernel) && abreast::graph(&Wanted { kernel, bytes: None, element: None }).is_ok();
        self.known.borrow_mut().insert(kernel, is);
        is
    }

    fn is_or_calls(&self, kernel: &Kernel) -> bool {
        self.is(kernel) || kernel.callees.iter().any(|callee| self.is_or_calls(callee))
    }
}

/// [`outline`] where some kernels have a body of another kind. `apart`: kernels that are such or call such, which are never
/// in one piece otherwise; `is`: those that are; `body`: the body of one.
fn outline_apart(
    kernel: &Kernel,
    limits: &Limits,
    apart: &dyn Fn(&Kernel) -> bool,
    is: &dyn Fn(&Kernel) -> bool,
    body: &dyn Fn(&Wanted<'_>) -> Result<Body, LowerError>,
) -> Result<Outline, LowerError> {
    let kernel = &*kernel.all_written_out();
    let lanes = is_sliced(kernel);
    let function = Wanted { kernel, bytes: None, element: None };
    let mut callable = size::callable_in_pieces(kernel, limits);
    size::always_routines(kernel, is, &mut callable);
    let whole = if apart(kernel) { None } else { straight(&function, lanes, size::most_straight(&callable, limits))? };
    if let Some(graph) = whole {
        return Ok(Outline::Straight(Box::new(graph)));
    }
    let mut wanted = vec![function];
    let mut routines: Vec<Routine> = Vec::new();
    let mut left = MOST_NODES;
    while let Some(next) = wanted.get(routines.len()).cloned() {
        let most = size::most_straight(&size::callable(next.kernel, limits), limits);
        let whole = if is(next.kernel) {
            Some(body(&next)?)
        } else if routines.is_empty() || apart(next.kernel) {
            None
        } else {
            straight(&next, lanes, most.min(left))?.map(Body::Straight)
        };
        let routine = match whole {
            Some(body) => {
                let routine = in_one_piece(body)?;
                left = left.saturating_sub(routine.nodes());
                routine
            }
            None => {
                let lowering = Lowering::new(
                    &next,
                    lanes,
                    left,
                    Some(Rolling { limits: *limits, callable: &callable, wanted: &mut wanted }),
                )?;
                left = left.saturating_sub(lowering.nodes());
                lowering.routine()?
            }
        };
        let path = size::path(kernel, next.kernel).ok_or(LowerError::Malformed("a call of no kernel"))?;
        routines.push(Routine { path, ..routine });
    }
    let rolled = match &routines[0].body {
        Body::Parts { parts, .. } => parts.iter().any(|p| !matches!(p, Part::Segment(_))),
        Body::Abreast(_) => true,
        Body::Straight(_) | Body::OneLane(_) => false,
    };
    if rolled {
        return Ok(Outline::Rolled(routines));
    }
    // Nothing could be rolled: all in one piece.
    let graph = straight(&wanted[0], lanes, MOST_NODES)?;
    graph.map(|g| Outline::Straight(Box::new(g))).ok_or(LowerError::TooLong { most: MOST_NODES })
}

/// The routine of a graph.
///
/// # Errors
/// Parts.
fn in_one_piece(body: Body) -> Result<Routine, LowerError> {
    let graph = body.graph().ok_or(LowerError::Malformed("a routine of parts, where one of a graph is wanted"))?;
    Ok(Routine {
        name: graph.name.clone(),
        path: Vec::new(),
        params: graph.params.clone(),
        disjoint: graph.disjoint.clone(),
        tables: Vec::new(),
        body,
    })
}

/// Vector registers of code without AVX-512.
const REGISTERS: u64 = 16;

/// Is this kernel one piece of code where it needs vector registers? So is what calls nothing, and what is short with all
/// that it calls and reads no more than the registers hold: values stay there from one callee to the next. (A step of a
/// ladder on a binary curve of three words, which reads 15; one of four words is slower so, for its spills.)
fn in_one_lane(kernel: &Kernel, limits: &Limits) -> bool {
    let read = kernel.visible().map(|a| kernel.array(a)).filter(|info| info.kind != ArrayKind::Output);
    kernel.callees.is_empty()
        || read.map(|info| u64::from(info.len)).sum::<u64>() <= REGISTERS
            && size::Sizes::default().of_kernel(kernel) <= limits.segment
            && lower_one(kernel, MOST_NODES).is_ok()
}

/// The graph of a routine for one lane; its caller has elements of 64 bits.
fn one_lane(wanted: &Wanted<'_>) -> Result<Graph, LowerError> {
    if wanted.bytes.iter().flatten().any(|bytes| *bytes != 8) {
        return Err(LowerError::Unsupported("one lane with elements of fewer than 64 bits".to_string()));
    }
    lower_one(wanted.kernel, MOST_NODES)
}

/// The graph of a routine, if it has at most that many nodes.
fn straight(wanted: &Wanted<'_>, lanes: bool, most: usize) -> Result<Option<Graph>, LowerError> {
    match Lowering::new(wanted, lanes, most, None) {
        Ok(lowering) => {
            let mut graph = lowering.graph();
            fuse::fuse(&mut graph);
            ordered(&mut graph);
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

/// What a processor has on its vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vectors {
    /// Registers of one bit for each lane, which comparisons write and selections read.
    pub masks: bool,
    /// Shifts of double words.
    pub funnel: bool,
}

/// The graph of a kernel on such vectors, of at most so many nodes: its words are what one lane holds.
///
/// # Errors
/// As [`lower`].
pub fn lower_vector(kernel: &Kernel, vectors: Vectors, most: usize) -> Result<Graph, LowerError> {
    in_lanes(kernel, Lane::of(kernel, vectors), most)
}

impl Lane {
    fn of(kernel: &Kernel, vectors: Vectors) -> Lane {
        Lane { bits: lane_bits(kernel), masks: vectors.masks, alone: false, funnel: vectors.funnel }
    }
}

/// The graph of one element, in the lowest 64 bits of vectors of 128.
///
/// # Errors
/// As [`lower`].
pub fn lower_one(kernel: &Kernel, most: usize) -> Result<Graph, LowerError> {
    let other =
        visible(kernel).into_iter().map(|a| kernel.array(a)).find(|info| !matches!(info.ty, Type::Word(33..=64)));
    if let Some(info) = other {
        return Err(LowerError::Unsupported(format!(
            "one lane with the array {} of {}-bit elements",
            info.name,
            info.ty.bits()
        )));
    }
    in_lanes(kernel, Lane { bits: 64, masks: false, alone: true, funnel: false }, most)
}

/// The most parameters of a routine on vectors: all of them have a register.
const MOST_IN_REGISTERS: usize = 6;

/// A kernel that is too long for one graph as routines on such vectors: elements and words of the frame are vectors.
/// `None`: it calls nothing, and has no loop, that could be rolled.
///
/// # Errors
/// As [`lower`]; lanes that are no words of 64 bits.
pub fn outline_vector(kernel: &Kernel, vectors: Vectors, limits: &Limits) -> Result<Option<Vec<Routine>>, LowerError> {
    let kernel = &*kernel.all_written_out();
    let (lane, sliced) = (Lane::of(kernel, vectors), is_sliced(kernel));
    if lane.bits != 64 {
        return Err(LowerError::Unsupported("routines on vectors of other lanes than those of 64 bits".to_string()));
    }
    // Bit-sliced loops stay loops where that keeps the code short.
    let limits = &Limits { segment: if sliced { VECTOR_SEGMENT } else { limits.segment }, ..*limits };
    let mut callable = size::callable(kernel, limits);
    // Also what is called once: a kernel that is checked by itself leaves short forms to its caller.
    let is_long = |kernel: &Kernel| size::Sizes::default().of_kernel(kernel) > limits.inline;
    size::always_routines(kernel, &is_long, &mut callable);
    let mut wanted = vec![Wanted { kernel, bytes: None, element: Some(lane) }];
    let mut routines: Vec<Routine> = Vec::new();
    let mut left = MOST_NODES;
    while let Some(next) = wanted.get(routines.len()).cloned() {
        let most = size::most_straight(&size::callable(next.kernel, limits), limits);
        let graph = match in_lanes(next.kernel, lane, most.min(left)) {
            _ if routines.is_empty() => None,
            Err(LowerError::TooLong { .. }) => None,
            graph => Some(graph?),
        };
        let routine = match graph {
            Some(graph) => {
                left = left.saturating_sub(graph.nodes.len());
                in_one_piece(Body::Straight(graph))?
            }
            None => {
                let rolling = Rolling { limits: *limits, callable: &callable, wanted: &mut wanted };
                let lowering = Lowering::new(&next, sliced, left, Some(rolling))?;
                left = left.saturating_sub(lowering.nodes());
                lowering.routine()?
            }
        };
        let path = size::path(kernel, next.kernel).ok_or(LowerError::Malformed("a call of no kernel"))?;
        routines.push(Routine { path, ..routine });
    }
    let is_rolled = |part: &Part| !matches!(part, Part::Segment(_));
    let rolled = matches!(&routines[0].body, Body::Parts { parts, .. } if parts.iter().any(is_rolled));
    Ok(rolled.then_some(routines))
}

/// A bit-sliced kernel on vectors with its loops, those that are worth one: elements and words of the frame are
/// vectors, with masks or without. `None`: nothing to roll.
///
/// # Errors
/// As [`lower`].
pub fn roll_vector(kernel: &Kernel, masks: bool) -> Result<Option<Routine>, LowerError> {
    let kernel = &*kernel.all_written_out();
    if !is_sliced(kernel) {
        return Ok(None);
    }
    let wanted = Wanted { kernel, bytes: None, element: Some(Lane { bits: 64, masks, alone: false, funnel: false }) };
    let limits = Limits { segment: VECTOR_SEGMENT, inline: u64::MAX, ..Limits::default() };
    let rolling = Rolling { limits, callable: &HashMap::new(), wanted: &mut Vec::new() };
    let routine = match Lowering::new(&wanted, true, MOST_NODES, Some(rolling)) {
        Err(LowerError::TooLong { .. }) => return Ok(None),
        lowering => lowering?.routine()?,
    };
    let rolled =
        matches!(&routine.body, Body::Parts { parts, .. } if parts.iter().any(|p| !matches!(p, Part::Segment(_))));
    Ok(rolled.then_some(routine))
}

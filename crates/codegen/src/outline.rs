//! A kernel that is too long for straight-line code, as routines of straight segments, loops and calls.
//!
//! All that lives from one part to the next lies in the routine's stack frame, which is numbered in words: first a
//! pointer to each parameter, then values, counters, local arrays and computed pointers. A segment is a graph as any
//! other; its parameters are pieces of memory, which [`Place`] finds.

use crate::graph::Graph;
use crate::program::{Callee, Parameter};

/// What is compiled of a kernel.
#[derive(Clone, Debug)]
pub enum Outline {
    /// One graph: a function without branches.
    Straight(Box<Graph>),
    /// Routines, the first of which is the function.
    Rolled(Vec<Routine>),
}

/// When code is rolled. Sizes are in nodes: of the graph, or as estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A kernel of at most that many nodes is straight-line code; of a sixth, where it has routines to call instead.
    pub straight: usize,
    /// A loop of at most that many nodes is unrolled; the body of a longer one is repeated until it has about so many.
    pub segment: u64,
    /// A callee of more nodes becomes a routine if it occurs more than once, or would be rolled by itself; a shorter one,
    /// if it occurs so often that all of it has a dozen times as many.
    pub inline: u64,
    /// In rolled code a table of more entries is data, which loops read at their counters; a shorter one is part of the code.
    pub data: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { straight: 3 << 12, segment: 1 << 11, inline: 40, data: 1 << 8 }
    }
}

/// A function or what it calls. Parameters are pointers, in the registers and stack places of a function's; a routine
/// that is called keeps no register but the stack pointer.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Name of its kernel.
    pub name: String,
    /// Which kernel that is: a callee of the function's kernel, by its number there, a callee of that one, and so on.
    pub path: Vec<u32>,
    /// Parameters in calling order.
    pub params: Vec<Parameter>,
    /// Pairs of parameters that must not overlap.
    pub disjoint: Vec<(u32, u32)>,
    /// Tables of words that it reads at counters.
    pub tables: Vec<Vec<u64>>,
    /// What it does.
    pub body: Body,
}

/// What a routine does.
#[derive(Clone, Debug)]
pub enum Body {
    /// One graph.
    Straight(Graph),
    /// One graph for vector registers, of which the lowest 64 bits compute: what general registers have no instruction
    /// for.
    OneLane(Graph),
    /// One graph for vector registers of four words, whose values are four numbers of one element side by side.
    Abreast(Graph),
    /// Parts, one after the other.
    Parts {
        /// The parts.
        parts: Vec<Part>,
        /// Words of the frame.
        words: u32,
    },
}

/// A part of a routine.
#[derive(Clone, Debug)]
pub enum Part {
    /// Straight-line code.
    Segment(Segment),
    /// `for counter in (0..limit).step_by(step)`; at least one iteration.
    Loop {
        /// Word of the frame that holds the counter.
        counter: u32,
        /// What the counter grows by.
        step: u32,
        /// Where it ends, a multiple of the step.
        limit: u32,
        /// The body.
        body: Vec<Part>,
    },
    /// A call.
    Call {
        /// Which routine.
        routine: usize,
        /// A pointer for each of its parameters.
        args: Vec<Pointer>,
    },
}

/// Straight-line code over memory.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The graph.
    pub graph: Graph,
    /// Where each of its parameters lies.
    pub places: Vec<Place>,
}

/// Where a parameter of a segment lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the frame, from that word on.
    Frame(u32),
    /// Where that word of the frame points to.
    Through(u32),
    /// Where the pointer goes, also into tables, which is computed before the segment into that word of the frame.
    Computed(u32, Pointer),
}

/// An address: a base, counters times bytes, bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// What it starts from.
    pub base: PointerBase,
    /// Words of the frame with counters, and bytes that one unit of the counter is worth.
    pub terms: Vec<(u32, i64)>,
    /// Bytes added.
    pub bytes: i64,
}

/// What a pointer starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerBase {
    /// The pointer in that word of the frame.
    Through(u32),
    /// The frame, from that word on.
    Frame(u32),
    /// That table of the routine.
    Table(u32),
}

impl Body {
    /// The graph of one that is in one piece.
    pub fn graph(&self) -> Option<&Graph> {
        match self {
            Body::Straight(graph) | Body::OneLane(graph) | Body::Abreast(graph) => Some(graph),
            Body::Parts { .. } => None,
        }
    }
}

impl Routine {
    /// Nodes of all its graphs.
    pub fn nodes(&self) -> usize {
        fn parts(all: &[Part]) -> usize {
            all.iter()
                .map(|part| match part {
                    Part::Segment(s) => s.graph.nodes.len(),
                    Part::Loop { body, .. } => parts(body),
                    Part::Call { .. } => 0,
                })
                .sum()
        }
        match &self.body {
            Body::Parts { parts: all, .. } => parts(all),
            body => body.graph().map_or(0, |graph| graph.nodes.len()),
        }
    }

    /// What a program says of the routine that begins at a label.
    pub fn callee(&self, label: u32) -> Callee {
        Callee { label, path: self.path.clone(), params: self.params.clone(), disjoint: self.disjoint.clone() }
    }
}

/// The routines that a function calls, by their numbers, each before what it calls itself.
pub fn callers_first(routines: &[Routine]) -> Vec<usize> {
    fn called(parts: &[Part], visit: &mut dyn FnMut(usize)) {
        for part in parts {
            match part {
                Part::Segment(_) => {}
                Part::Loop { body, .. } => called(body, visit),
                Part::Call { routine, .. } => visit(*routine),
            }
        }
    }
    fn after_callees(routines: &[Routine], at: usize, done: &mut Vec<usize>) {
        if let Body::Parts { parts, .. } = &routines[at].body {
            called(parts, &mut |callee| {
                if !done.contains(&callee) {
                    after_callees(routines, callee, done);
                }
            });
        }
        done.push(at);
    }
    let mut done = Vec::new();
    after_callees(routines, 0, &mut done);
    done.into_iter().rev().filter(|at| *at > 0).collect()
}

impl Outline {
    /// Nodes of all graphs.
    pub fn nodes(&self) -> usize {
        match self {
            Outline::Straight(graph) => graph.nodes.len(),
            Outline::Rolled(routines) => routines.iter().map(Routine::nodes).sum(),
        }
    }
}

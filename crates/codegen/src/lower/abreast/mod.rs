//! A kernel for one element that is made of calls, its calls of one callee side by side: up to four that do not wait for
//! each other are the callee's graph once, in the four words of a register.
//!
//! * **computes** the kernel's [calls](calls) with what each reads; [groups](groups) of those that go together; the word of
//!   a register that each call of a group is; the callee's graph for each group, on registers that [gather](gather) brings
//!   the operands to. What is called often may be one call with all that it calls, whichever makes the shorter graph.
//! * **needs** a kernel whose statements are calls, constants, loads and stores, and so its callees down to those that call
//!   nothing; no loops, views from constant places on.
//! * **gives** a graph whose words are four words side by side, loads of one word being the same in all, stores being of
//!   the lowest.
//! * **cost** the callee's nodes for each group; up to four permutations and three blends for each operand's word.
//! * **source** Hisil, Egrice, Yassi, "Fast 4 way vectorized ladder for the complete set of Montgomery curves" (2020), and
//!   Nath, Sarkar, "Efficient 4-way vectorizations of the Montgomery ladder" (2022), of one step by hand; Larsen,
//!   Amarasinghe, "Exploiting superword level parallelism with multimedia instruction sets" (2000), of statements.
//!
//! Nothing here is trusted: what a word of a register holds is the checker's matter, which follows each of the four.

mod calls;
mod gather;
mod groups;

use std::collections::{HashMap, HashSet};

use evariste_ir::{Kernel, Stmt};

use self::calls::{Calls, Source};
use self::gather::{Gather, Word};
use super::error::LowerError;
use super::lane::Lane;
use super::lowering::{Wanted, disjoint_pairs, param, visible};
use super::whole::{in_lanes, ordered};
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

/// Words of a register.
const WORDS: usize = 4;
/// Nodes that a routine of this kind may have: products in towers of twelve coordinates have about ten thousand, which are
/// read from the second cache as fast as they are computed.
const MOST: usize = 1 << 14;
/// What a word of a callee is here.
const LANE: Lane = Lane { bits: 64, masks: false, alone: false, funnel: false };

fn unsupported(what: &str) -> LowerError {
    LowerError::Unsupported(format!("{what}, where calls are computed side by side"))
}

/// The graph of a kernel that calls others: of its calls down to those of kernels that call nothing, or with what is
/// called often taken whole, whichever is shorter.
///
/// # Errors
/// A kernel that is not made of calls alone, or has too many; callers whose elements are no words.
pub(super) fn graph(wanted: &Wanted<'_>) -> Result<Graph, LowerError> {
    let kernel = wanted.kernel;
    if kernel.callees.is_empty() {
        return Err(unsupported("a kernel that calls nothing"));
    }
    if wanted.bytes.iter().flatten().any(|bytes| *bytes != 8) {
        return Err(unsupported("elements of fewer than 64 bits"));
    }
    let flat = of_calls(kernel, &Calls::of(kernel, &|_| false)?);
    let often = often(kernel);
    if often.is_empty() {
        return flat;
    }
    let whole = of_calls(kernel, &Calls::of(kernel, &|callee| often.contains(&std::ptr::from_ref(callee)))?);
    match (flat, whole) {
        (Ok(flat), Ok(whole)) if flat.nodes.len() <= whole.nodes.len() => Ok(flat),
        (flat, whole) => whole.or(flat),
    }
}

/// Callees of several calls that are called often enough to fill registers.
fn often(kernel: &Kernel) -> HashSet<*const Kernel> {
    fn add(kernel: &Kernel, times: &mut HashMap<*const Kernel, usize>) {
        for stmt in &kernel.body {
            if let Stmt::Call { callee, .. } = stmt {
                let callee = &*kernel.callees[*callee as usize];
                if callee.body.iter().filter(|stmt| matches!(stmt, Stmt::Call { .. })).count() > 1 {
                    *times.entry(callee).or_default() += 1;
                }
                add(callee, times);
            }
        }
    }
    let mut times = HashMap::new();
    add(kernel, &mut times);
    times.into_iter().filter(|(_, times)| *times > WORDS / 2).map(|(callee, _)| callee).collect()
}

/// The graph of a kernel that is made of these calls.
fn of_calls(kernel: &Kernel, calls: &Calls<'_>) -> Result<Graph, LowerError> {
    let templates: Vec<Template> =
        calls.callees.iter().map(|callee| Template::new(callee)).collect::<Result<_, _>>()?;
    let sizes: Vec<usize> = templates.iter().map(|template| template.graph.nodes.len()).collect();
    let groups = groups::groups(&calls.all, &sizes);
    if groups.iter().map(|group| sizes[calls.all[group[0] as usize].callee]).sum::<usize>() > MOST {
        return Err(LowerError::TooLong { most: MOST });
    }
    let places = gather::places(calls, &groups);
    let arrays = visible(kernel);
    let graph = Graph {
        name: kernel.name.clone(),
        params: arrays.iter().map(|a| param(kernel.array(*a), false, Some(LANE), None)).collect::<Result<_, _>>()?,
        disjoint: disjoint_pairs(kernel, &arrays),
        ..Graph::empty()
    };
    let mut writer = Writer { graph, constants: HashMap::new(), inputs: HashMap::new(), made: HashMap::new() };
    // What each group leaves, word by word.
    let mut left: Vec<Vec<Id>> = Vec::with_capacity(groups.len());
    for group in &groups {
        let callee = calls.all[group[0] as usize].callee;
        let operands = gather::operands(&calls.all, group, &places);
        left.push(writer.instance(&templates[callee], &operands, &left)?);
    }
    for (p, words) in (0u16..).zip(&calls.outputs) {
        for (index, source) in (0u32..).zip(words) {
            let Some(source) = source else { continue };
            let lowest = [Some(places.word(*source)), None, None, None];
            let value = writer.gathered(&lowest, &left);
            writer.store(p, index, value);
        }
    }
    let mut graph = writer.graph;
    ordered(&mut graph);
    if graph.nodes.len() > MOST {
        return Err(LowerError::TooLong { most: MOST });
    }
    Ok(graph)
}

/// The graph of a callee.
struct Template {
    graph: Graph,
    /// How many words it writes.
    outputs: usize,
}

impl Template {
    fn new(callee: &Kernel) -> Result<Template, LowerError> {
        let graph = in_lanes(callee, LANE, MOST)?;
        let simple = |kind: &Kind| matches!(kind, Kind::Word | Kind::Constant(_) | Kind::Input { .. });
        let used = |v: &Id| graph.nodes.iter().any(|n| n.args().chain(n.results()).any(|w| w == *v));
        if (0..graph.values.len() as Id).any(|v| !simple(&graph.values[v as usize]) && used(&v)) {
            return Err(unsupported("a callee with flags or tables"));
        }
        // What works on pairs of words has another meaning where each word is a call.
        let of_pairs = |op| {
            matches!(op, Operation::ClmulEven | Operation::ClmulOdd | Operation::UnpackEven | Operation::UnpackOdd)
        };
        if graph.nodes.iter().any(|node| of_pairs(node.op)) {
            return Err(unsupported("a callee with carry-less products"));
        }
        let outputs = graph.params.iter().filter(|p| p.role.is_written()).map(|p| p.len as usize).sum();
        Ok(Template { graph, outputs })
    }

    /// The how many-th of the words that it reads (or writes) an element of a parameter is.
    fn place(&self, written: bool, param: u16, index: u32) -> usize {
        let counts = |p: &&crate::program::Parameter| if written { p.role.is_written() } else { p.role.is_read() };
        let before = self.graph.params[..usize::from(param)].iter().filter(counts).map(|p| p.len as usize);
        before.sum::<usize>() + index as usize
    }
}

struct Writer {
    graph: Graph,
    constants: HashMap<u64, Id>,
    inputs: HashMap<(u16, u32), Id>,
    /// Permutations and blends that there are.
    made: HashMap<(Operation, Id, Id), Id>,
}

impl Writer {
    fn value(&mut self, kind: Kind) -> Id {
        self.graph.values.push(kind);
        self.graph.values.len() as Id - 1
    }

    fn constant(&mut self, c: u64) -> Id {
        if let Some(v) = self.constants.get(&c) {
            return *v;
        }
        let v = self.value(Kind::Constant(c));
        self.constants.insert(c, v);
        v
    }

    /// The register that holds a source in all of its words; `None`: it is a call's result.
    fn everywhere(&mut self, source: Source) -> Option<Id> {
        match source {
            Source::Constant(c) => Some(self.constant(c)),
            Source::Input { param, index } => Some(match self.inputs.get(&(param, index)) {
                Some(v) => *v,
                None => {
                    let v = self.value(Kind::Input { param, index });
                    self.inputs.insert((param, index), v);
                    v
                }
            }),
            Source::Result { .. } => None,
        }
    }

    fn moved(&mut self, op: Operation, x: Id, y: Id) -> Id {
        if let Some(v) = self.made.get(&(op, x, y)) {
            return *v;
        }
        let v = self.value(Kind::Word);
        self.graph.nodes.push(Node { op, args: [x, y, NONE], results: [v, NONE], no_carry: true });
        self.made.insert((op, x, y), v);
        v
    }

    /// The register that has these words; `left`: what each group left.
    fn gathered(&mut self, words: &[Option<Word>; WORDS], left: &[Vec<Id>]) -> Id {
        let mut all: Option<Id> = None;
        for Gather { from, places, words } in gather::gathers(words) {
            let from = match from {
                Word::Of { group, word, .. } => left[group][word],
                Word::Everywhere(source) => match self.everywhere(source) {
                    Some(v) => v,
                    None => unreachable!("results are words of a group"),
                },
            };
            let part = places.map_or(from, |places| self.moved(Operation::PermuteWords(places), from, NONE));
            all = Some(all.map_or(part, |all| self.moved(Operation::BlendWords(words), all, part)));
        }
        // Words that nobody wants may be anything.
        all.unwrap_or_else(|| self.constant(0))
    }

    /// The callee's nodes on registers that hold the words that it reads, each brought there where it is first read; the
    /// registers of those that it writes. `left`: what each group left.
    fn instance(
        &mut self,
        template: &Template,
        operands: &[[Option<Word>; WORDS]],
        left: &[Vec<Id>],
    ) -> Result<Vec<Id>, LowerError> {
        let graph = &template.graph;
        let mut known: Vec<Id> = vec![NONE; graph.values.len()];
        let mut outputs = vec![NONE; template.outputs];
        for node in &graph.nodes {
            for v in node.args().map(|v| v as usize) {
                match graph.values[v] {
                    Kind::Constant(c) => known[v] = self.constant(c),
                    Kind::Input { param, index } if known[v] == NONE => {
                        known[v] = self.gathered(&operands[template.place(false, param, index)], left);
                    }
                    _ => {}
                }
            }
            let args = node.args.map(|v| if v == NONE { NONE } else { known[v as usize] });
            match node.op {
                Operation::Store { param, index } => outputs[template.place(true, param, index)] = args[0],
                Operation::Load => known[node.results[0] as usize] = args[0],
                _ => {
                    let mut results = [NONE; 2];
                    for (v, result) in node.results.iter().zip(&mut results).filter(|(v, _)| **v != NONE) {
                        *result = self.value(Kind::Word);
                        known[*v as usize] = *result;
                    }
                    self.graph.nodes.push(Node { args, results, ..*node });
                }
            }
        }
        if outputs.contains(&NONE) {
            return Err(LowerError::Malformed("an output that is not written"));
        }
        Ok(outputs)
    }

    fn store(&mut self, param: u16, index: u32, value: Id) {
        // An input that is stored is read before others write there.
        let value = match self.graph.values[value as usize] {
            Kind::Word => value,
            _ => {
                let v = self.value(Kind::Word);
                let load = Node { op: Operation::Load, args: [value, NONE, NONE], results: [v, NONE], no_carry: true };
                self.graph.nodes.push(load);
                v
            }
        };
        let op = Operation::Store { param, index };
        self.graph.nodes.push(Node { op, args: [value, NONE, NONE], results: [NONE; 2], no_carry: true });
    }
}

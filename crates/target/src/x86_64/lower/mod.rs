//! From a kernel to a graph: calls inlined, loops unrolled, local arrays gone, types of all widths in words of 64 bits, flags folded into carries.
//!
//! What a proof knows is used: a value whose interval is one point is a constant, a sum that is known to fit carries nothing.

mod fuse;
mod lanes;
mod operations;
mod vector;
mod words;
mod writer;

use std::fmt;

use evariste_ir::unroll::{Event, trace};
use evariste_ir::{Array, ArrayInfo, ArrayKind, Kernel, Loop, Op, Type, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::graph::{Graph, NONE};
use super::program::Param;
use super::vector::Width;
use words::Limbs;
use writer::{Flag, Writer};

/// The most nodes of a graph, and a bound on the steps of a kernel that is unrolled.
pub const MOST_NODES: usize = 1 << 16;

/// Why a kernel has no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LowerError {
    /// The unrolled kernel is too long for straight-line code.
    TooLong {
        /// The most nodes.
        most: usize,
    },
    /// An operation or a type that scalar x86-64 code has no form for.
    Unsupported(String),
    /// The kernel breaks a rule of the language; the verifier would say which.
    Malformed(&'static str),
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LowerError::TooLong { most } => write!(f, "the unrolled kernel has more than {most} operations: too long for straight-line machine code"),
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

/// An array while the kernel runs: what its elements hold now.
struct Storage {
    /// The parameter of the program, if it is one.
    param: Option<u16>,
    cells: Vec<Option<Rep>>,
    written: Vec<bool>,
    ty: Type,
}

/// One kernel's view of the memory: for each of its arrays and elements the storage and the cell.
type Views = Vec<Vec<(u32, u32)>>;

/// The graph of a kernel.
///
/// # Errors
/// When it is too long, or uses what the machine has not.
pub fn lower(kernel: &Kernel) -> Result<Graph, LowerError> {
    let mut graph = write(kernel, None)?;
    fuse::fuse(&mut graph);
    fuse::remove_dead(&mut graph);
    graph.edges = memory_edges(&graph);
    Ok(graph)
}

/// The graph of a kernel on vectors: its words are what one lane holds.
///
/// # Errors
/// As [`lower`].
pub fn lower_vector(kernel: &Kernel, width: Width) -> Result<Graph, LowerError> {
    let mut graph = write(kernel, Some(vector::element_bits(kernel)))?;
    fuse::remove_dead(&mut graph);
    vector::fuse(&mut graph, width == Width::Z);
    fuse::remove_dead(&mut graph);
    graph.edges = memory_edges(&graph);
    Ok(graph)
}

/// The graph as the kernel says it. `element`: bits of a lane's word, on vectors.
fn write(kernel: &Kernel, element: Option<u32>) -> Result<Graph, LowerError> {
    let lanes = is_sliced(kernel);
    let params: Vec<Array> = kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost).collect();
    let described = params.iter().map(|a| param(kernel, *a, lanes, element)).collect::<Result<Vec<Param>, LowerError>>()?;
    let graph = Graph { name: kernel.name.clone(), params: described, values: Vec::new(), nodes: Vec::new(), edges: Vec::new(), disjoint: disjoint_pairs(kernel, &params) };
    let mut lowering = Lowering { writer: Writer::new(graph), storages: Vec::new(), lanes, element, steps: MOST_NODES as u64, problem: None };
    let mut views = Views::new();
    for (i, info) in kernel.arrays.iter().enumerate() {
        let place = params.iter().position(|p| p.0 as usize == i).map(|p| p as u16);
        views.push(lowering.array(info, place)?);
    }
    lowering.run(kernel, &views)?;
    lowering.write_outputs();
    Ok(lowering.writer.graph)
}

/// Bit-sliced exactly when words, values and parameters all have one bit.
fn is_sliced(kernel: &Kernel) -> bool {
    let single = |ty: Type| ty.bits() == 1;
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).all(|a| single(a.ty));
    kernel.word == 1 && arrays && kernel.values.iter().all(|v| single(v.ty)) && kernel.callees.iter().all(|k| is_sliced(k))
}

fn param(kernel: &Kernel, array: Array, lanes: bool, element: Option<u32>) -> Result<Param, LowerError> {
    let info = kernel.array(array);
    let element_bytes = match info.ty.bits() {
        _ if lanes => 8,
        _ if matches!(info.ty, Type::Float(_)) => return Err(LowerError::Unsupported(format!("the floating-point array {}", info.name))),
        0..=64 if element.is_some() => element.unwrap_or(64) / 8,
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
    Ok(Param { name: info.name.clone(), element_bytes, len: info.len, written, read })
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

/// Stores wait for the readers of the words that they may overwrite: the same element of an array that may be the same memory.
fn memory_edges(graph: &Graph) -> Vec<(u32, u32)> {
    use super::graph::{Kind, Operation};
    let may_alias = |a: u16, b: u16| !graph.disjoint.contains(&(u32::from(a.min(b)), u32::from(a.max(b))));
    let mut stores: Vec<(u32, u16, u32)> = Vec::new();
    let mut readers: Vec<(u32, u16, u32)> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Operation::Store { param, index } = node.op {
            stores.push((i as u32, param, index));
        }
        for v in node.args() {
            if let Kind::Input { param, index } = graph.values[v as usize] {
                readers.push((i as u32, param, index));
            }
        }
    }
    // By element, so that the pairs are found without looking at all of them.
    readers.sort_by_key(|(_, _, index)| *index);
    let mut edges = Vec::new();
    for (n, (store, param, index)) in stores.iter().enumerate() {
        let from = readers.partition_point(|(_, _, i)| i < index);
        for (reader, other, i) in &readers[from..] {
            if i != index {
                break;
            }
            if reader != store && may_alias(*param, *other) {
                edges.push((*reader, *store));
            }
        }
        for (earlier, other, i) in &stores[..n] {
            if i == index && may_alias(*param, *other) {
                edges.push((*earlier, *store));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

struct Lowering {
    writer: Writer,
    storages: Vec<Storage>,
    lanes: bool,
    /// On vectors: bits of a lane's word.
    element: Option<u32>,
    /// Steps that may still be made.
    steps: u64,
    problem: Option<LowerError>,
}

impl Lowering {
    /// Memory of an array: parameters as the caller left them, tables as they are, the rest undefined.
    fn array(&mut self, info: &ArrayInfo, param: Option<u16>) -> Result<Vec<(u32, u32)>, LowerError> {
        let s = self.storages.len() as u32;
        let cells = match &info.kind {
            ArrayKind::Table(entries) => entries.iter().map(|c| self.constant(c, info.ty).map(Some)).collect::<Result<_, _>>()?,
            _ => vec![None; info.len as usize],
        };
        self.storages.push(Storage { param, cells, written: vec![false; info.len as usize], ty: info.ty });
        Ok((0..info.len).map(|i| (s, i)).collect())
    }

    fn run(&mut self, kernel: &Kernel, views: &Views) -> Result<(), LowerError> {
        let mut values: Vec<Option<Rep>> = vec![None; kernel.values.len()];
        let limit = self.steps;
        let mut steps = 0u64;
        let traced = trace(kernel, limit, |_, event| {
            steps += 1;
            if self.problem.is_none() && self.writer.graph.nodes.len() > MOST_NODES {
                self.problem = Some(LowerError::TooLong { most: MOST_NODES });
            }
            if self.problem.is_none() {
                if let Err(problem) = self.event(kernel, views, &mut values, event) {
                    self.problem = Some(problem);
                }
            }
        });
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        self.steps = self.steps.saturating_sub(steps);
        traced.map_err(|_| LowerError::TooLong { most: MOST_NODES })
    }

    fn event(&mut self, kernel: &Kernel, views: &Views, values: &mut [Option<Rep>], event: Event<'_>) -> Result<(), LowerError> {
        match event {
            Event::Op { op, args, results, amount } => self.operation(kernel, values, op, args, results, amount),
            Event::Load { result, array, index } => {
                let rep = self.load(cell(views, array, index)?)?;
                values[result.0 as usize] = Some(self.known(kernel, result).unwrap_or(rep));
                Ok(())
            }
            Event::Store { array, index, value } => {
                let rep = values[value.0 as usize].ok_or(LowerError::Malformed("a value is used before it is computed"))?;
                let (s, i) = cell(views, array, index)?;
                let storage = &mut self.storages[s as usize];
                storage.cells[i as usize] = Some(rep);
                storage.written[i as usize] = true;
                Ok(())
            }
            Event::Begin(l) => {
                step(l, values, |c| (c.inner, c.init));
                Ok(())
            }
            Event::Again(l) => {
                step(l, values, |c| (c.inner, c.next));
                Ok(())
            }
            Event::End(l) => {
                step(l, values, |c| (c.result, c.next));
                Ok(())
            }
            Event::Call { callee, views: shown } => {
                let callee = &kernel.callees[callee as usize];
                let mut shown = shown.into_iter();
                let mut inner = Views::new();
                for info in &callee.arrays {
                    inner.push(if info.is_param() {
                        let (array, elements) = shown.next().ok_or(LowerError::Malformed("a call without a view of each parameter"))?;
                        elements.into_iter().map(|i| cell(views, array, i)).collect::<Result<_, _>>()?
                    } else {
                        self.array(info, None)?
                    });
                }
                self.run(callee, &inner)
            }
        }
    }

    /// What an element holds now.
    fn load(&mut self, (s, i): (u32, u32)) -> Result<Rep, LowerError> {
        let storage = &self.storages[s as usize];
        if let Some(rep) = storage.cells[i as usize] {
            return Ok(rep);
        }
        let Some(param) = storage.param.filter(|p| self.writer.graph.params[*p as usize].read) else {
            return Err(LowerError::Malformed("an element is read before it is written"));
        };
        let ty = storage.ty;
        let word = self.writer.input(param, i);
        let rep = match ty {
            _ if self.lanes => Rep::Limbs([word, NONE]),
            Type::Flag => Rep::Flag(Flag::Bit(word)),
            Type::Mask(_) => {
                let one = self.writer.constant(1);
                Rep::Mask(Flag::Bit(self.writer.and(word, one)))
            }
            _ => Rep::Limbs([word, NONE]),
        };
        self.storages[s as usize].cells[i as usize] = Some(rep);
        Ok(rep)
    }

    /// Stores the last content of every element that was written.
    fn write_outputs(&mut self) {
        for storage in std::mem::take(&mut self.storages) {
            let Some(param) = storage.param else { continue };
            for (i, rep) in storage.cells.iter().enumerate().filter(|(i, _)| storage.written[*i]) {
                let word = match (rep, storage.ty) {
                    (Some(Rep::Limbs(x)), _) => x[0],
                    (Some(Rep::Flag(f)), _) => self.writer.word_of(*f),
                    (Some(Rep::Mask(f)), ty) => self.writer.mask_limbs(*f, ty.bits())[0],
                    (None, _) => continue,
                };
                self.writer.store(param, i as u32, word);
            }
        }
    }

    /// The value as a constant, when its proved interval is one point.
    fn known(&mut self, kernel: &Kernel, v: Value) -> Option<Rep> {
        let info = kernel.value(v);
        let c = info.range.constant()?;
        self.constant(c, info.ty).ok()
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Result<Rep, LowerError> {
        let bits = ty.bits();
        let modulus = evariste_ir::range::pow2(bits);
        let pattern = ((c % &modulus) + &modulus) % &modulus;
        let pattern = pattern.to_u128().ok_or(LowerError::Malformed("a constant wider than its type"))?;
        Ok(match ty {
            _ if self.lanes => Rep::Limbs([self.writer.constant(if pattern & 1 == 1 { u64::MAX } else { 0 }), NONE]),
            Type::Float(_) => return Err(LowerError::Unsupported("a floating-point constant".into())),
            Type::Flag => Rep::Flag(Flag::Known(pattern & 1 == 1)),
            Type::Mask(_) => Rep::Mask(Flag::Known(pattern & 1 == 1)),
            _ => Rep::Limbs(self.writer.constant_limbs(pattern, bits)),
        })
    }

    fn operation(&mut self, kernel: &Kernel, values: &mut [Option<Rep>], op: &Op, args: &[Value], results: &[Value], amount: Option<i64>) -> Result<(), LowerError> {
        let mut operands = [Rep::Flag(Flag::Known(false)); 4];
        let reps = args.iter().map(|v| values[v.0 as usize].ok_or(LowerError::Malformed("a value is used before it is computed")));
        let many: Vec<Rep>;
        let reps: &[Rep] = if args.len() <= 4 {
            for (place, rep) in operands.iter_mut().zip(reps) {
                *place = rep?;
            }
            &operands[..args.len()]
        } else {
            many = reps.collect::<Result<_, _>>()?;
            &many
        };
        let amount = u32::try_from(amount.unwrap_or(0)).map_err(|_| LowerError::Malformed("a negative amount"))?;
        let computed = self.compute(kernel, op, args, reps, results, amount)?;
        for (v, rep) in results.iter().zip(computed) {
            values[v.0 as usize] = Some(self.known(kernel, *v).unwrap_or(rep));
        }
        Ok(())
    }
}

/// All at once: a carried value may be another one's next.
fn step(l: &Loop, values: &mut [Option<Rep>], pair: impl Fn(&evariste_ir::Carried) -> (Value, Value)) {
    let next: Vec<Option<Rep>> = l.carried.iter().map(|c| values[pair(c).1.0 as usize]).collect();
    for (c, rep) in l.carried.iter().zip(next) {
        values[pair(c).0.0 as usize] = rep;
    }
}

fn cell(views: &Views, array: Array, index: Option<i64>) -> Result<(u32, u32), LowerError> {
    let index = usize::try_from(index.unwrap_or(-1)).ok();
    index.and_then(|i| views[array.0 as usize].get(i)).copied().ok_or(LowerError::Malformed("an index outside of its array"))
}

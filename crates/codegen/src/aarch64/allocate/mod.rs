//! One pass over an order of a graph that decides registers, flags and instructions at once.
//!
//! Which instruction computes a node depends on what the carry and the registers hold when its turn comes. Any order that
//! respects the graph gives correct code: a flag that would be lost while somebody still wants it goes to a register and
//! comes back from there, a value without a register goes to the stack. In strict mode (for a search) a lost flag is an
//! error instead.
//!
//! Products, shifts and operations on bits leave the flags alone, and so do moves: only sums take part in that. A shift
//! that one operation alone wants is that operation's ([`fold`]).

mod arithmetic;
pub(super) mod finish;
mod flags;
mod fold;
mod logic;
mod pairs;
pub(super) mod registers;
mod uses;

use std::collections::HashMap;
use std::fmt;

use super::instruction::{Gpr, Inst, Logic, Shift};
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};
use crate::schedule::Schedule;
use fold::Folded;
use uses::Uses;

/// Not on the stack.
const NO_SLOT: i32 = i32::MIN;

/// Why an order gives no code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infeasible {
    /// The node that could not be placed.
    pub node: u32,
    /// What was in the way.
    pub why: Why,
}

/// What was in the way of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A flag that somebody still wants would have been lost (strict mode).
    LiveFlag,
    /// A value is used before it is computed: the order does not respect the graph.
    Undefined,
    /// The operation is one on vectors.
    Vector,
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::LiveFlag => "it would destroy a flag that is still wanted",
            Why::Undefined => "it uses a value that is not computed yet",
            Why::Vector => "it is an operation on vectors",
        };
        write!(f, "node {} cannot stand here: {why}", self.node)
    }
}

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct Allocated {
    /// The code, from entry to return.
    pub code: Vec<Inst>,
    /// Constants that the code reads.
    pub constants: Vec<u64>,
    /// Words of stack, saved registers not counted.
    pub slots: u32,
    /// Bytes of the whole frame.
    pub frame: u32,
}

/// What the code of a graph stands in.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A function: pointers in registers, saved registers come back, a return at the end.
    Function,
    /// A routine of the program's own: the same, but no register is saved.
    Routine,
    /// A piece of a routine with a frame: nothing is in registers or flags before and after it.
    Segment {
        /// Where each parameter lies.
        places: Vec<Place>,
        /// Bytes from the stack pointer to where values without a register go.
        spills: i32,
    },
}

/// Where a parameter of a segment lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// That many bytes from the stack pointer.
    Stack(i32),
    /// Where the pointer that many bytes from the stack pointer goes.
    Through(i32),
}

/// What the carry holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carry {
    Garbage,
    /// A flag of the graph, or its complement, as after a difference.
    Holds {
        flag: Id,
        inverted: bool,
    },
}

/// Registers that values may live in, the most welcome first: those that nobody wants back, then those that must be
/// saved. `x18` and `x29` are not ours, `x30` is where a function returns to.
const POOL: [u8; 28] =
    [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 7, 6, 5, 4, 3, 2, 1, 0, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28];

/// Registers of the pool that a function must save.
pub const SAVED: [u8; 10] = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28];

/// Registers of the first parameters.
pub const PARAMETERS: usize = 8;

/// Registers, flags and stack of one graph.
pub struct Allocator<'g> {
    graph: &'g Graph,
    setting: Setting,
    folded: Folded,
    /// The value of each input word, by parameter and element.
    inputs: HashMap<(u16, u32), Id>,
    /// Parameters that are written.
    written: Vec<u16>,
    /// By parameter: was its pointer's register given away?
    left: Vec<bool>,
    uses: Uses,
    strict: bool,
    register_of: Vec<Option<Gpr>>,
    slot_of: Vec<i32>,
    /// What each register holds, by its number.
    held: [Id; 31],
    locked: u32,
    free_slots: Vec<i32>,
    slots: u32,
    constants: Vec<u64>,
    code: Vec<Inst>,
    carry: Carry,
    node: u32,
}

impl<'g> Allocator<'g> {
    /// Prepares the graph of a function.
    pub fn new(graph: &'g Graph) -> Allocator<'g> {
        Allocator::within(graph, Setting::Function)
    }

    /// Prepares a graph for where its code stands.
    pub fn within(graph: &'g Graph, setting: Setting) -> Allocator<'g> {
        let folded = Folded::of(graph);
        let all = graph.values.len() + graph.params.len();
        let inputs = graph.values.iter().enumerate().filter_map(|(v, kind)| match kind {
            Kind::Input { param, index } => Some(((*param, *index), v as Id)),
            _ => None,
        });
        let written = graph.nodes.iter().filter_map(|node| match node.op {
            Operation::Store { param, .. } => Some(param),
            _ => None,
        });
        Allocator {
            graph,
            setting,
            inputs: inputs.collect(),
            written: written.collect(),
            left: vec![false; graph.params.len()],
            uses: Uses::new(graph, &folded),
            folded,
            strict: false,
            register_of: vec![None; all],
            slot_of: vec![NO_SLOT; all],
            held: [NONE; 31],
            locked: 0,
            free_slots: Vec::new(),
            slots: 0,
            constants: Vec::new(),
            code: Vec::with_capacity(2 * graph.nodes.len() + 32),
            carry: Carry::Garbage,
            node: 0,
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Code for the schedule, which must fit the graph ([`Schedule::fits`]).
    ///
    /// # Errors
    /// In strict mode when a flag that is still wanted would be lost; otherwise only when the order does not respect
    /// the graph.
    pub fn run(&mut self, schedule: &Schedule, strict: bool) -> Result<Allocated, Infeasible> {
        self.strict = strict;
        let mut order = pairs::stores_side_by_side(self.graph, &schedule.order);
        order.retain(|n| !self.folded.is_folded(self.graph, *n));
        self.reset(&order);
        for (at, n) in order.iter().enumerate() {
            self.uses.at = at as u32;
            self.node = *n;
            self.locked = 0;
            let node = self.graph.nodes[*n as usize];
            self.lock_arguments(&node);
            self.emit(&node)?;
            self.release_dead(&node);
            self.locked = 0;
        }
        Ok(self.finish())
    }

    fn reset(&mut self, order: &[u32]) {
        self.uses.reset(self.graph, &self.folded, order);
        self.register_of.fill(None);
        self.slot_of.fill(NO_SLOT);
        self.held = [NONE; 31];
        self.free_slots.clear();
        self.slots = 0;
        self.left.fill(false);
        self.constants.clear();
        self.code.clear();
        self.carry = Carry::Garbage;
        let pointers = self.graph.values.len();
        for i in 0..self.graph.params.len() {
            let v = (pointers + i) as Id;
            if !self.uses.any(v) {
                continue;
            }
            match &self.setting {
                Setting::Segment { places, .. } => {
                    if let Place::Through(slot) = places[i] {
                        self.slot_of[v as usize] = slot;
                    }
                }
                _ if i < PARAMETERS => self.define(v, Gpr::x(i as u8)),
                // Where the stack pointer was at entry.
                _ => self.slot_of[v as usize] = 8 * (i - PARAMETERS) as i32,
            }
        }
    }

    fn emit(&mut self, node: &Node) -> Result<(), Infeasible> {
        match node.op {
            Operation::Mul => self.product(node),
            Operation::MulLow => self.product(node),
            Operation::Add => self.sum(node),
            Operation::Sub => self.difference(node),
            Operation::And => self.bitwise(Logic::And, node),
            Operation::Or => self.bitwise(Logic::Or, node),
            Operation::Xor => self.bitwise(Logic::Xor, node),
            Operation::AndNot => self.bitwise(Logic::AndNot, node),
            Operation::Not => self.complement(node),
            Operation::Shl(k) => self.shift(Shift::Left, k, node),
            Operation::Shr(k) => self.shift(Shift::Right, k, node),
            Operation::Sar(k) => self.shift(Shift::Signed, k, node),
            Operation::Rol(k) => self.shift(Shift::Rotate, 64 - k, node),
            Operation::Funnel(k) => self.funnel(k, node),
            Operation::WordOfFlag => self.word_of_flag(node),
            Operation::MaskOfFlag => self.mask_of_flag(node),
            Operation::FlagOfWord => self.flag_of_word(node),
            Operation::Select => self.select(node),
            Operation::Load => self.copy_of(node),
            Operation::Store { param, index } => self.store(node, param, index),
            _ => self.fail(Why::Vector),
        }
    }

    fn fail<T>(&self, why: Why) -> Result<T, Infeasible> {
        Err(Infeasible { node: self.node, why })
    }
}

//! One pass over an order of a graph that decides registers, flags and instructions at once.
//!
//! Which instruction computes a node depends on what the flags and registers hold when its turn comes, so there is no
//! selection before and no repair after. Any order that respects the graph gives correct code: a flag that would be
//! lost while somebody still wants it goes to a register and comes back from there, a value without a register goes to
//! the stack. In strict mode (for a search) a lost flag is an error instead.
//!
//! Tables are dense and belong to the [`Allocator`], which is made once for a graph and runs many times.

mod arithmetic;
mod finish;
mod flags;
mod logic;
mod products;
mod registers;

use std::fmt;

use super::instruction::{Features, Gpr, Inst, Opcode, Operand};
use crate::graph::{Chains, Graph, Id, Kind, NONE, Node, Operation};
use crate::schedule::Schedule;

/// No further use.
const NEVER: u32 = u32::MAX;
/// The end of the function: where saved registers are wanted again.
const AT_END: u32 = u32::MAX - 1;
/// Not in a register.
const NOWHERE: u8 = u8::MAX;
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
    /// More conditions are alive than there are mask registers.
    Masks,
    /// More counters and addresses are alive than there are general registers.
    Registers,
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::LiveFlag => "it would destroy a flag that is still wanted",
            Why::Undefined => "it uses a value that is not computed yet",
            Why::Vector => "it is an operation on vectors",
            Why::Masks => "more conditions are alive than there are mask registers",
            Why::Registers => "more counters and addresses are alive than there are general registers",
        };
        write!(f, "node {} cannot stand here: {why}", self.node)
    }
}

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct Allocated {
    /// The code, from entry to return.
    pub code: Vec<Inst>,
    /// Constants that the code reads relative to the instruction pointer.
    pub constants: Vec<u64>,
    /// Words of stack.
    pub slots: u32,
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
        /// Bytes from `rsp` to where values without a register go.
        spills: i32,
    },
}

/// Where a parameter of a segment lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// That many bytes from `rsp`.
    Stack(i32),
    /// Where the pointer that many bytes from `rsp` goes.
    Through(i32),
}

/// What a flag of the processor holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FlagState {
    Garbage,
    /// 0, whatever was computed before.
    Zero,
    /// 0, as what was computed last leaves it: who reads it waits for that.
    ZeroAfter,
    Holds(Id),
}

impl FlagState {
    fn is_zero(self) -> bool {
        matches!(self, FlagState::Zero | FlagState::ZeroAfter)
    }
}

/// Registers, flags and stack of one graph.
pub struct Allocator<'g> {
    graph: &'g Graph,
    setting: Setting,
    chains: Chains,
    features: Features,
    strict: bool,
    /// Registers that values may live in, the most welcome first.
    pool: &'static [Gpr],
    /// Uses of value v: `uses[start[v]..start[v + 1]]`, positions in the order, ascending. After the graph's values
    /// come pointers and saved registers.
    start: Vec<u32>,
    uses: Vec<u32>,
    cursor: Vec<u32>,
    /// For each position the next position of a product after it.
    next_product: Vec<u32>,
    reg_of: Vec<u8>,
    slot_of: Vec<i32>,
    /// Place of a constant in the table.
    constant_of: Vec<u32>,
    in_reg: [Id; 16],
    /// The position of the node since which a register has held its value.
    since: [u32; 16],
    /// A value that rdx holds beside the value's own register or home.
    copy: Id,
    locked: u16,
    free_slots: Vec<i32>,
    slots: u32,
    constants: Vec<u64>,
    code: Vec<Inst>,
    carry: FlagState,
    overflow: FlagState,
    at: u32,
    node: u32,
}

const POOL: [Gpr; 14] = [
    Gpr::Rax,
    Gpr::Rcx,
    Gpr::R8,
    Gpr::R9,
    Gpr::R10,
    Gpr::R11,
    Gpr::Rsi,
    Gpr::Rdi,
    Gpr::Rbx,
    Gpr::Rbp,
    Gpr::R12,
    Gpr::R13,
    Gpr::R14,
    Gpr::R15,
];
const POOL_WITH_RDX: [Gpr; 15] = [
    Gpr::Rcx,
    Gpr::R8,
    Gpr::R9,
    Gpr::R10,
    Gpr::R11,
    Gpr::Rsi,
    Gpr::Rdi,
    Gpr::Rax,
    Gpr::Rdx,
    Gpr::Rbx,
    Gpr::Rbp,
    Gpr::R12,
    Gpr::R13,
    Gpr::R14,
    Gpr::R15,
];

impl<'g> Allocator<'g> {
    /// Prepares the graph of a function for a processor with these features.
    pub fn new(graph: &'g Graph, features: Features) -> Allocator<'g> {
        Allocator::within(graph, features, Setting::Function)
    }

    /// Prepares a graph for where its code stands.
    pub fn within(graph: &'g Graph, features: Features, setting: Setting) -> Allocator<'g> {
        let values = graph.values.len();
        let all = values + graph.params.len() + Gpr::SAVED.len();
        let mut start = vec![0u32; all + 1];
        for node in &graph.nodes {
            for v in arguments(graph, node).into_iter().filter(|v| *v != NONE) {
                start[v as usize + 1] += 1;
            }
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let uses = vec![0; start[all] as usize];
        // rdx is kept for the multiplicands of mulx, where there are any.
        let keeps_rdx = features.bmi2 && graph.nodes.iter().any(|n| matches!(n.op, Operation::Mul | Operation::MulLow));
        Allocator {
            graph,
            setting,
            chains: Chains::of(graph),
            features,
            strict: false,
            pool: if keeps_rdx { &POOL } else { &POOL_WITH_RDX },
            start,
            uses,
            cursor: vec![0; all],
            next_product: vec![NEVER; graph.nodes.len()],
            reg_of: vec![NOWHERE; all],
            slot_of: vec![NO_SLOT; all],
            constant_of: vec![NONE; values],
            in_reg: [NONE; 16],
            since: [0; 16],
            copy: NONE,
            locked: 0,
            free_slots: Vec::new(),
            slots: 0,
            constants: Vec::new(),
            code: Vec::with_capacity(2 * graph.nodes.len() + 32),
            carry: FlagState::Garbage,
            overflow: FlagState::Garbage,
            at: 0,
            node: 0,
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// The processor's features.
    pub fn features(&self) -> Features {
        self.features
    }

    /// Its chains.
    pub fn chains(&self) -> &Chains {
        &self.chains
    }

    /// Code for the schedule, which must fit the graph ([`Schedule::fits`]).
    ///
    /// # Errors
    /// In strict mode when a flag that is still wanted would be lost; otherwise only when the order does not respect
    /// the graph.
    pub fn run(&mut self, schedule: &Schedule, strict: bool) -> Result<Allocated, Infeasible> {
        self.strict = strict;
        self.reset(schedule);
        for (at, n) in schedule.order.iter().enumerate() {
            self.at = at as u32;
            self.node = *n;
            self.locked = 0;
            let node = self.graph.nodes[*n as usize];
            self.lock_arguments(&node);
            self.emit(&node, schedule)?;
            self.release_dead(&node);
        }
        Ok(self.finish())
    }

    fn reset(&mut self, schedule: &Schedule) {
        let graph = self.graph;
        let all = self.reg_of.len();
        self.cursor.copy_from_slice(&self.start[..all]);
        for (at, n) in schedule.order.iter().enumerate() {
            for v in arguments(graph, &graph.nodes[*n as usize]) {
                if v != NONE {
                    let cursor = &mut self.cursor[v as usize];
                    self.uses[*cursor as usize] = at as u32;
                    *cursor += 1;
                }
            }
        }
        self.cursor.copy_from_slice(&self.start[..all]);
        let mut next = NEVER;
        for (at, n) in schedule.order.iter().enumerate().rev() {
            self.next_product[at] = next;
            if graph.nodes[*n as usize].op == Operation::Mul {
                next = at as u32;
            }
        }
        self.reg_of.fill(NOWHERE);
        self.slot_of.fill(NO_SLOT);
        self.constant_of.fill(NONE);
        self.in_reg = [NONE; 16];
        self.since = [0; 16];
        self.at = 0;
        self.copy = NONE;
        self.free_slots.clear();
        self.slots = 0;
        self.constants.clear();
        self.code.clear();
        self.carry = FlagState::Garbage;
        self.overflow = FlagState::Garbage;
        let pointers = graph.values.len();
        for i in 0..graph.params.len() {
            let v = (pointers + i) as Id;
            if self.start[v as usize] == self.start[v as usize + 1] {
                continue;
            }
            match (&self.setting, Gpr::PARAMETERS.get(i)) {
                (Setting::Segment { places, .. }, _) => {
                    if let Place::Through(slot) = places[i] {
                        self.slot_of[v as usize] = slot;
                    }
                }
                (_, Some(r)) => self.define(v, *r),
                // Above the return address.
                (_, None) => self.slot_of[v as usize] = 8 * (i as i32 - Gpr::PARAMETERS.len() as i32) + 8,
            }
        }
        if !matches!(self.setting, Setting::Function) {
            return;
        }
        for (i, r) in Gpr::SAVED.iter().enumerate() {
            self.define((pointers + graph.params.len() + i) as Id, *r);
        }
    }

    fn emit(&mut self, node: &Node, schedule: &Schedule) -> Result<(), Infeasible> {
        match node.op {
            Operation::Mul => self.product(node, schedule.swaps[self.node as usize] == 1),
            Operation::MulLow => self.low_product(node),
            Operation::Add | Operation::Sub => {
                let chain = self.chains.of[self.node as usize];
                let style = if chain == NONE { 0 } else { schedule.chains[chain as usize] };
                if node.op == Operation::Add { self.sum(node, style) } else { self.difference(node, style) }
            }
            Operation::And => self.bitwise(Opcode::And, node),
            Operation::Or => self.bitwise(Opcode::Or, node),
            Operation::Xor => self.bitwise(Opcode::Xor, node),
            Operation::AndNot => self.and_not(node),
            Operation::Not => self.complement(node),
            Operation::Shl(k) => self.shift(Opcode::Shl, k, node),
            Operation::Shr(k) => self.shift(Opcode::Shr, k, node),
            Operation::Sar(k) => self.shift(Opcode::Sar, k, node),
            Operation::Rol(k) => self.shift(Opcode::Rol, k, node),
            Operation::Funnel(k) if schedule.swaps[self.node as usize] == 1 => self.funnel_apart(k, node),
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

    fn inst(&mut self, op: Opcode, operands: &[Operand]) {
        self.code.push(Inst::new(op, operands));
    }

    fn fail<T>(&self, why: Why) -> Result<T, Infeasible> {
        Err(Infeasible { node: self.node, why })
    }

    /// The next position after the current one that wants the value.
    fn next_use(&mut self, v: Id) -> u32 {
        let v = v as usize;
        if v >= self.graph.values.len() + self.graph.params.len() {
            return AT_END;
        }
        let end = self.start[v + 1];
        let mut cursor = self.cursor[v];
        while cursor < end && self.uses[cursor as usize] <= self.at {
            cursor += 1;
        }
        self.cursor[v] = cursor;
        if cursor == end { NEVER } else { self.uses[cursor as usize] }
    }

    /// Is the current node the last that wants the value?
    fn dies(&mut self, v: Id) -> bool {
        self.next_use(v) == NEVER
    }

    fn pointer(&self, param: u16) -> Id {
        (self.graph.values.len() + param as usize) as Id
    }
}

/// What a node reads, pointers included, each once.
fn arguments(graph: &Graph, node: &Node) -> [Id; 6] {
    let mut all = [NONE; 6];
    let pointer = |param: u16| (graph.values.len() + param as usize) as Id;
    let mut n = 0;
    let mut add = |v: Id| {
        if !all[..n].contains(&v) {
            all[n] = v;
            n += 1;
        }
    };
    for v in node.args() {
        add(v);
        if let Kind::Input { param, .. } = graph.values[v as usize] {
            add(pointer(param));
        }
    }
    if let Operation::Store { param, .. } = node.op {
        add(pointer(param));
    }
    all
}

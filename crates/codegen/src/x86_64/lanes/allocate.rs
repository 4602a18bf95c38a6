//! Registers for an order of nodes: one pass, the uses to come known, the farthest evicted (L. Belady 1966), what was
//! evicted stored where it is made. Inputs and constants are loaded again rather than kept on the stack.

use std::collections::{BinaryHeap, HashMap};

use super::cost::opcode;
use super::places::{Elements, Places};
use super::schedule::Step;
use super::shape::Shape;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};
use crate::x86_64::allocate::{Infeasible, Why};
use crate::x86_64::instruction::{Address, Gpr, Inst, Opcode, Operand};
use crate::x86_64::vector::{Vector, Width};

/// The matrix of a linear map of bytes as the instruction takes it: byte 7 − i says which bits of the operand bit i of
/// the result is the sum of.
fn matrix(images: u64) -> u64 {
    (0..64).filter(|at| images >> at & 1 == 1).fold(0, |all, at| all | 1 << (8 * (7 - at % 8) + at / 8))
}

/// An order with its registers.
pub(super) struct Allocated {
    pub(super) code: Vec<Inst>,
    pub(super) constants: Vec<u64>,
    /// Vectors on the stack.
    pub(super) slots: u32,
}

/// A value of one group: constants and lines are the same in all.
type Key = u32;

/// No further use.
const NEVER: u32 = u32::MAX;
/// How much nearer the next use of a value may be that would have to be stored.
const STORE_WEIGHT: u32 = 4;
/// A value that is wanted again within so many nodes is worth a register.
const SOON: u32 = 48;

struct Allocator<'g> {
    graph: &'g Graph,
    shape: Shape,
    places: &'g Places,
    /// Positions of the uses of each key, ascending, and how many of them are gone.
    uses: Vec<Vec<u32>>,
    gone: Vec<usize>,
    register: Vec<Option<u8>>,
    slot: Vec<Option<u32>>,
    /// What loses its register while it is still wanted, so far and (known from a first pass) at all.
    evicted: Vec<bool>,
    early: Vec<bool>,
    /// Where results lie that were stored, and whether what is stored there stays.
    stored: Vec<Option<Address>>,
    stays: bool,
    holds: Vec<Option<Key>>,
    masks: [Option<Key>; 8],
    locked: u32,
    /// The lowest first: near places have short addresses.
    free_slots: BinaryHeap<std::cmp::Reverse<u32>>,
    slots: u32,
    constants: Vec<u64>,
    place_of: HashMap<u64, usize>,
    code: Vec<Inst>,
    at: u32,
    node: u32,
}

/// Gives registers to an order. What has to go to the stack is stored where it is made, which a first pass finds out: a
/// store of an old register holds up the ports.
///
/// # Errors
/// When more conditions are alive than there are mask registers.
pub(super) fn allocate(graph: &Graph, shape: Shape, order: &[Step], places: &Places) -> Result<Allocated, Infeasible> {
    let first = run(graph, shape, order, places, Vec::new())?;
    let last = run(graph, shape, order, places, first.evicted)?;
    Ok(Allocated { code: last.code, constants: last.constants, slots: last.slots })
}

fn run<'g>(
    graph: &'g Graph,
    shape: Shape,
    order: &[Step],
    places: &'g Places,
    mut early: Vec<bool>,
) -> Result<Allocator<'g>, Infeasible> {
    let keys = graph.values.len() * shape.groups as usize;
    early.resize(keys, false);
    let mut allocator = Allocator {
        graph,
        shape,
        places,
        uses: vec![Vec::new(); keys],
        gone: vec![0; keys],
        register: vec![None; keys],
        slot: vec![None; keys],
        evicted: vec![false; keys],
        early,
        stored: vec![None; keys],
        stays: places.elements == Elements::Vectors && stores_stay(graph),
        holds: vec![None; shape.width.registers()],
        masks: [None; 8],
        locked: 0,
        free_slots: BinaryHeap::new(),
        slots: 0,
        constants: Vec::new(),
        place_of: HashMap::new(),
        code: Vec::new(),
        at: 0,
        node: 0,
    };
    for (at, step) in order.iter().enumerate() {
        for v in graph.nodes[step.node as usize].args() {
            let key = allocator.key(step.group, v);
            allocator.uses[key as usize].push(at as u32);
        }
    }
    for (at, step) in order.iter().enumerate() {
        (allocator.at, allocator.node, allocator.locked) = (at as u32, step.node, 0);
        allocator.step(step.group, &graph.nodes[step.node as usize])?;
    }
    Ok(allocator)
}

/// Do stored results stay where they are: one array is written, each element once?
fn stores_stay(graph: &Graph) -> bool {
    let mut places: Vec<(u16, u32)> = graph
        .nodes
        .iter()
        .filter_map(|n| if let Operation::Store { param, index } = n.op { Some((param, index)) } else { None })
        .collect();
    places.sort_unstable();
    places.windows(2).all(|pair| pair[0] != pair[1] && pair[0].0 == pair[1].0)
}

impl Allocator<'_> {
    fn key(&self, group: u32, v: Id) -> Key {
        match self.graph.values[v as usize] {
            Kind::Constant(_) | Kind::Line(_) => v,
            _ => group * self.graph.values.len() as u32 + v,
        }
    }

    fn kind(&self, key: Key) -> Kind {
        self.graph.values[key as usize % self.graph.values.len()]
    }

    /// The next node after this one that wants the value.
    fn next_use(&mut self, key: Key) -> u32 {
        let (uses, gone) = (&self.uses[key as usize], &mut self.gone[key as usize]);
        while uses.get(*gone).is_some_and(|at| *at <= self.at) {
            *gone += 1;
        }
        uses.get(*gone).copied().unwrap_or(NEVER)
    }

    fn emit(&mut self, op: Vector, operands: &[Operand]) {
        let bits = match op {
            // Products of 32 bits fill 64.
            Vector::MulHalf => 64,
            _ => match self.graph.params.first().map(|p| p.element_bytes) {
                Some(4) => 32,
                // What works bit by bit has no form for bytes, and needs none.
                Some(1) if op.counts_bytes() => 8,
                _ => 64,
            },
        };
        // Of the lowest word there is one form.
        let width = if op == Vector::MoveLowest { Width::X } else { self.shape.width };
        self.code.push(Inst::sized(Opcode::Vector(op, width), bits, operands));
    }

    /// Where a value can be read in memory; `None`: nowhere.
    fn home(&mut self, key: Key) -> Option<Operand> {
        match self.kind(key) {
            Kind::Input { param, index } => {
                Some(Operand::Memory(self.element(key / self.graph.values.len() as u32, param, index)))
            }
            Kind::Constant(c) => Some(Operand::Broadcast(self.constant(c))),
            Kind::Line(line) => Some(Operand::Memory(self.line(line))),
            _ => self.slot[key as usize]
                .map(|slot| self.in_slot(slot))
                .or(self.stored[key as usize])
                .map(Operand::Memory),
        }
    }

    /// Where an element of a parameter lies.
    fn element(&self, group: u32, param: u16, index: u32) -> Address {
        let word = match self.places.elements {
            Elements::Vectors => self.shape.width.bytes(),
            Elements::Lowest | Elements::Everywhere => self.graph.params[param as usize].element_bytes,
        };
        let at = (group * self.graph.params[param as usize].len + index) * word;
        let (register, bytes) = self.places.arrays[param as usize];
        Address::at(register, bytes + at as i32)
    }

    /// What loads an element of an array.
    fn element_load(&self) -> Vector {
        match self.places.elements {
            Elements::Vectors => Vector::Move,
            Elements::Lowest => Vector::MoveLowest,
            Elements::Everywhere => Vector::Broadcast,
        }
    }

    /// What stores one.
    fn element_store(&self) -> Vector {
        if self.places.elements == Elements::Vectors { Vector::Move } else { Vector::MoveLowest }
    }

    fn in_slot(&self, slot: u32) -> Address {
        Address::at(Gpr::Rsp, self.places.slots + (slot * self.shape.width.bytes()) as i32)
    }

    /// Takes a register: a free one, or that of the value that is wanted last.
    fn take(&mut self) -> u8 {
        let free = (0..self.holds.len()).find(|r| self.holds[*r].is_none() && self.locked >> r & 1 == 0);
        if let Some(r) = free {
            return r as u8;
        }
        let mut best: Option<(u32, usize)> = None;
        for r in 0..self.holds.len() {
            let Some(key) = self.holds[r].filter(|_| self.locked >> r & 1 == 0) else { continue };
            let distance = self.next_use(key) - self.at.min(self.next_use(key));
            let stored = !matches!(self.kind(key), Kind::Word)
                || self.evicted[key as usize]
                || self.stored[key as usize].is_some();
            let weight = if stored { distance } else { distance / STORE_WEIGHT };
            if best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, r));
            }
        }
        // An instruction locks three registers at most, so there is one.
        let r = best.map_or(0, |(_, r)| r);
        if let Some(key) = self.holds[r].take() {
            self.register[key as usize] = None;
            if matches!(self.kind(key), Kind::Word)
                && self.next_use(key) != NEVER
                && self.stored[key as usize].is_none()
            {
                self.evicted[key as usize] = true;
                self.save(r as u8, key);
            }
        }
        r as u8
    }

    /// Stores a register to the stack, unless the value is there.
    fn save(&mut self, r: u8, key: Key) {
        if self.slot[key as usize].is_some() {
            return;
        }
        let slot = self.free_slots.pop().map_or(self.slots, |slot| slot.0);
        self.slots = self.slots.max(slot + 1);
        self.slot[key as usize] = Some(slot);
        let place = self.in_slot(slot);
        self.emit(Vector::Move, &[Operand::Memory(place), Operand::Vector(r)]);
    }

    fn hold(&mut self, r: u8, key: Key) {
        self.holds[r as usize] = Some(key);
        self.register[key as usize] = Some(r);
        if self.early[key as usize] {
            self.save(r, key);
        }
    }

    fn lock(&mut self, r: u8) {
        self.locked |= 1 << r;
    }

    /// Loads a value that lies in memory.
    fn load(&mut self, r: u8, key: Key) -> Result<(), Infeasible> {
        let d = Operand::Vector(r);
        match (self.kind(key), self.home(key)) {
            (Kind::Constant(0), _) if self.shape.width.two_operands() => self.emit(Vector::Xor, &[d, d]),
            (Kind::Constant(0), _) => self.emit(Vector::Xor, &[d, d, d]),
            (_, Some(Operand::Broadcast(address))) => {
                let op = if self.shape.width.two_operands() { Vector::Move } else { Vector::Broadcast };
                self.emit(op, &[d, Operand::Memory(address)]);
            }
            (Kind::Input { .. }, Some(place)) => self.emit(self.element_load(), &[d, place]),
            (_, Some(place)) => self.emit(Vector::Move, &[d, place]),
            (_, None) => return Err(Infeasible { node: self.node, why: Why::Undefined }),
        }
        Ok(())
    }

    /// A register that holds the value, locked.
    fn need(&mut self, key: Key) -> Result<u8, Infeasible> {
        if let Some(r) = self.register[key as usize] {
            self.lock(r);
            return Ok(r);
        }
        let r = self.take();
        self.load(r, key)?;
        self.hold(r, key);
        self.lock(r);
        Ok(r)
    }

    /// The value as a last operand: its register, or its place in memory where that is asked for and it is not wanted
    /// soon.
    fn operand(&mut self, key: Key, op: Vector) -> Result<Operand, Infeasible> {
        let bytes = self.graph.params.first().is_some_and(|p| p.element_bytes == 1);
        let wide = self.shape.width.has_masks() && op.takes_broadcast() && !bytes;
        // One element's word is no whole vector.
        let is_word = self.places.elements != Elements::Vectors && matches!(self.kind(key), Kind::Input { .. });
        // Tables of halves stay there: there are more of them than registers.
        if matches!(self.kind(key), Kind::Line(_))
            || self.register[key as usize].is_none()
                && self.shape.fold
                && !is_word
                && !self.shape.width.two_operands()
                && self.kind(key) != Kind::Constant(0)
                && self.next_use(key) > self.at.saturating_add(SOON)
        {
            let home = self.home(key);
            if let Some(place) = home.filter(|place| wide || matches!(place, Operand::Memory(_))) {
                return Ok(place);
            }
        }
        Ok(Operand::Vector(self.need(key)?))
    }

    /// A register with the value that the instruction may overwrite: its own if nobody else wants it (`others`: the
    /// same instruction's other operands), else a copy.
    fn own(&mut self, key: Key, others: &[Key]) -> Result<u8, Infeasible> {
        let last = self.next_use(key) == NEVER && !others.contains(&key);
        match self.register[key as usize] {
            Some(r) if last => {
                self.lock(r);
                Ok(r)
            }
            Some(source) => {
                self.lock(source);
                let r = self.take();
                self.emit(Vector::Move, &[Operand::Vector(r), Operand::Vector(source)]);
                self.lock(r);
                Ok(r)
            }
            None => {
                let r = self.take();
                self.load(r, key)?;
                self.lock(r);
                Ok(r)
            }
        }
    }

    /// Frees the registers and slots of operands that nobody wants any more.
    fn release(&mut self, keys: &[Key]) {
        self.release_registers(keys);
        for key in keys {
            if self.next_use(*key) == NEVER
                && let Some(slot) = self.slot[*key as usize].take()
            {
                self.free_slots.push(std::cmp::Reverse(slot));
            }
        }
    }

    /// Their registers alone: what an instruction still reads from the stack keeps its place until it is written.
    fn release_registers(&mut self, keys: &[Key]) {
        for key in keys {
            if self.next_use(*key) != NEVER {
                continue;
            }
            if let Some(r) = self.register[*key as usize].take() {
                if self.holds[r as usize] == Some(*key) {
                    self.holds[r as usize] = None;
                }
                self.locked &= !(1 << r);
            }
            if let Some(k) = self.masks.iter().position(|held| *held == Some(*key)) {
                self.masks[k] = None;
            }
        }
    }

    fn mask(&self, key: Key) -> Result<u8, Infeasible> {
        self.masks
            .iter()
            .position(|held| *held == Some(key))
            .map(|k| k as u8)
            .ok_or(Infeasible { node: self.node, why: Why::Undefined })
    }

    /// The mask that is the same for all, of the low or of the high halves of 64 bits.
    fn half_mask(&mut self, high: bool) -> Result<u8, Infeasible> {
        // No value has such a key.
        let key = Key::MAX - Key::from(high);
        if let Ok(k) = self.mask(key) {
            return Ok(k);
        }
        let k = self.take_mask(key)?;
        let place = self.constant(if high { 0xaaaa } else { 0x5555 });
        self.emit(Vector::MaskConstant, &[Operand::Mask(k), Operand::Memory(place)]);
        Ok(k)
    }

    /// Where a constant lies.
    fn constant(&mut self, c: u64) -> Address {
        let next = self.constants.len();
        let place = *self.place_of.entry(c).or_insert(next);
        if place == next {
            self.constants.extend(std::iter::repeat_n(c, self.shape.width.words_of_constant()));
        }
        Address::constant(place)
    }

    /// Where a line lies: at a multiple of its length.
    fn line(&mut self, line: u32) -> Address {
        let line = self.graph.lines[line as usize];
        let known = (0..self.constants.len()).step_by(line.len()).find(|at| self.constants[*at..].starts_with(&line));
        Address::constant(known.unwrap_or_else(|| {
            let at = self.constants.len().next_multiple_of(line.len());
            self.constants.resize(at, 0);
            self.constants.extend(line);
            at
        }))
    }

    fn take_mask(&mut self, key: Key) -> Result<u8, Infeasible> {
        let k = (1..8).find(|k| self.masks[*k].is_none()).ok_or(Infeasible { node: self.node, why: Why::Masks })?;
        self.masks[k] = Some(key);
        Ok(k as u8)
    }

    fn step(&mut self, group: u32, node: &Node) -> Result<(), Infeasible> {
        let keys: Vec<Key> = node.args().map(|v| self.key(group, v)).collect();
        keys.iter().filter_map(|key| self.register[*key as usize]).for_each(|r| self.locked |= 1 << r);
        let result = node.results().next().map_or(NONE, |v| self.key(group, v));
        let Some(op) = opcode(node.op) else { return self.memory(group, node, &keys, result) };
        match node.op {
            Operation::Less
            | Operation::Equal
            | Operation::FlagAnd
            | Operation::FlagOr
            | Operation::FlagXor
            | Operation::FlagNot => self.condition(node.op, op, &keys, result),
            _ => {
                let d = self.word(node.op, op, &keys)?;
                self.release(&keys);
                self.hold(d, result);
                Ok(())
            }
        }
    }

    /// Loads and stores.
    fn memory(&mut self, group: u32, node: &Node, keys: &[Key], result: Key) -> Result<(), Infeasible> {
        match node.op {
            Operation::Store { param, index } => {
                let r = self.need(keys[0])?;
                let place = self.element(group, param, index);
                self.emit(self.element_store(), &[Operand::Memory(place), Operand::Vector(r)]);
                if self.stays {
                    self.stored[keys[0] as usize] = Some(place);
                }
                self.release(keys);
            }
            Operation::Load => {
                let r = self.own(keys[0], &[])?;
                self.release(keys);
                self.hold(r, result);
            }
            _ => return Err(Infeasible { node: self.node, why: Why::Vector }),
        }
        Ok(())
    }

    /// What gives a flag: a mask register.
    fn condition(&mut self, operation: Operation, op: Vector, keys: &[Key], result: Key) -> Result<(), Infeasible> {
        let sources: Vec<Operand> = if matches!(operation, Operation::Less | Operation::Equal) {
            let a = self.need(keys[0])?;
            vec![Operand::Vector(a), self.operand(keys[1], op)?]
        } else {
            keys.iter().map(|key| self.mask(*key).map(Operand::Mask)).collect::<Result<_, _>>()?
        };
        self.release(keys);
        let k = self.take_mask(result)?;
        self.emit(op, &[&[Operand::Mask(k)], sources.as_slice()].concat());
        Ok(())
    }

    /// What gives a word: the register that holds it. The operands are still to be released, but for those that the
    /// result may take the place of.
    fn word(&mut self, operation: Operation, op: Vector, keys: &[Key]) -> Result<u8, Infeasible> {
        match operation {
            Operation::Select => {
                let k = self.mask(keys[0])?;
                let otherwise = self.need(keys[2])?;
                let chosen = self.operand(keys[1], op)?;
                self.release_registers(keys);
                let d = self.take();
                self.emit(op, &[Operand::Masked(d, k), Operand::Vector(otherwise), chosen]);
                Ok(d)
            }
            Operation::AddWhere | Operation::SubWhere => {
                let k = self.mask(keys[0])?;
                let b = self.operand(keys[2], op)?;
                let d = self.own(keys[1], &keys[2..])?;
                self.emit(op, &[Operand::Masked(d, k), Operand::Vector(d), b]);
                Ok(d)
            }
            Operation::BitMatrix(images) => {
                let a = self.need(keys[0])?;
                let matrix = self.constant(matrix(images));
                self.release(keys);
                let d = self.take();
                self.emit(op, &[Operand::Vector(d), Operand::Vector(a), Operand::Broadcast(matrix)]);
                Ok(d)
            }
            Operation::CopyHigh if matches!(self.kind(keys[0]), Kind::Input { .. }) => {
                // A load that copies takes no port of the vectors.
                let home = self.home(keys[0]).ok_or(Infeasible { node: self.node, why: Why::Undefined })?;
                self.release(keys);
                let d = self.take();
                self.emit(op, &[Operand::Vector(d), home]);
                Ok(d)
            }
            Operation::MergeLow | Operation::MergeHigh => {
                // The half that stays where it is, and the one that moves.
                let low = operation == Operation::MergeLow;
                let (stays, moves) = if low { (keys[0], keys[1]) } else { (keys[1], keys[0]) };
                let k = self.half_mask(low)?;
                let b = self.need(moves)?;
                let d = self.own(stays, &[moves])?;
                self.emit(op, &[Operand::Masked(d, k), Operand::Vector(b)]);
                Ok(d)
            }
            Operation::LookUp | Operation::LookUpHalvesOfTwo => {
                let (low, high) = (self.need(keys[1])?, self.need(keys[2])?);
                let d = self.own(keys[0], &keys[1..])?;
                self.emit(op, &[Operand::Vector(d), Operand::Vector(low), Operand::Vector(high)]);
                Ok(d)
            }
            Operation::MaddLow | Operation::MaddHigh | Operation::FloatFma | Operation::Ternary(_) => {
                self.accumulated(operation, op, keys)
            }
            _ => self.plain(operation, op, keys),
        }
    }

    /// An instruction whose destination is its first operand.
    fn accumulated(&mut self, operation: Operation, op: Vector, keys: &[Key]) -> Result<u8, Infeasible> {
        // The one that stays in memory goes last, where the two may change places.
        let is_held = |key: Key| self.register[key as usize].is_some();
        let commutes = !matches!(operation, Operation::Ternary(_));
        let swaps = commutes && !is_held(keys[1]) && is_held(keys[2]);
        let (x, y) = if swaps { (keys[2], keys[1]) } else { (keys[1], keys[2]) };
        let a = self.need(x)?;
        let b = self.operand(y, op)?;
        let d = self.own(keys[0], &keys[1..])?;
        self.emit(op, &[Operand::Vector(d), Operand::Vector(a), b]);
        Ok(d)
    }

    /// An instruction of one or two operands and a destination of its own.
    fn plain(&mut self, operation: Operation, op: Vector, keys: &[Key]) -> Result<u8, Infeasible> {
        let (first, second) = match operation {
            // The instruction complements its first operand; a funnel shift has the low word first.
            Operation::AndNot | Operation::Funnel(_) => (keys[1], Some(keys[0])),
            op if op.commutes() && self.register[keys[0] as usize].is_none() => (keys[1], Some(keys[0])),
            _ => (keys[0], keys.get(1).copied()),
        };
        if self.shape.width.two_operands() {
            return self.overwriting(op, first, second, operation.commutes());
        }
        // What moves words reads them wherever they lie.
        let in_place = second.is_none() && op.moves_words();
        let a = if in_place { self.operand(first, op)? } else { Operand::Vector(self.need(first)?) };
        let mut operands = vec![Operand::Vector(0), a];
        if let Some(second) = second {
            operands.push(self.operand(second, op)?);
        }
        self.release_registers(keys);
        let d = self.take();
        operands[0] = Operand::Vector(d);
        self.emit(op, &operands);
        Ok(d)
    }

    /// An instruction that writes over its first operand: over that which nobody wants any more, where it may be either.
    fn overwriting(&mut self, op: Vector, first: Key, second: Option<Key>, commutes: bool) -> Result<u8, Infeasible> {
        let Some(second) = second else {
            let d = self.own(first, &[])?;
            self.emit(op, &[Operand::Vector(d)]);
            return Ok(d);
        };
        let swaps = commutes && self.next_use(first) != NEVER && self.next_use(second) == NEVER;
        let (first, second) = if swaps { (second, first) } else { (first, second) };
        let b = self.need(second)?;
        let d = self.own(first, &[second])?;
        self.emit(op, &[Operand::Vector(d), Operand::Vector(b)]);
        Ok(d)
    }
}

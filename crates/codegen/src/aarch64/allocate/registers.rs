//! Where values are: registers, stack slots, memory, constants.

use super::uses::{NEVER, arguments};
use super::{Allocator, Infeasible, NO_SLOT, POOL, Place, SAVED, Setting, Why};
use crate::aarch64::instruction::{Address, Gpr, Inst, Logic, Shifted, Sum, Wide, is_pattern};
use crate::graph::{Id, Kind, NONE, Node};

/// Registers that stay free when a word is loaded beside its neighbour, before anybody wants it.
const SPARE: usize = 3;

/// The greatest offset of a load or store, in elements, and of a pair, in words.
const FURTHEST: u32 = 4095;
const FURTHEST_PAIR: u32 = 63;

/// The one instruction that makes a constant, if there is one.
pub(crate) fn constant(to: Gpr, c: u64) -> Option<Inst> {
    let part = |c: u64| (0..4u8).find(|place| c & !(0xffff << (16 * place)) == 0);
    let of = |wide, c: u64, place: u8| Inst::Move { wide, to, value: (c >> (16 * place)) as u16, place };
    part(c)
        .map(|place| of(Wide::Zeros, c, place))
        .or_else(|| part(!c).map(|place| of(Wide::Ones, !c, place)))
        .or_else(|| is_pattern(c).then_some(Inst::LogicOf { op: Logic::Or, to, left: Gpr::ZERO, value: c }))
}

impl Allocator<'_> {
    pub(super) fn register(&self, v: Id) -> Option<Gpr> {
        self.register_of[v as usize]
    }

    pub(super) fn lock(&mut self, r: Gpr) {
        self.locked |= 1 << r.number();
    }

    /// The register now holds the value, and is its home.
    pub(super) fn define(&mut self, v: Id, r: Gpr) {
        self.held[r.number() as usize] = v;
        self.register_of[v as usize] = Some(r);
    }

    /// Registers that the node reads stay as they are until it has read them.
    pub(super) fn lock_arguments(&mut self, node: &Node) {
        for v in arguments(self.graph, &self.folded, node) {
            if let Some(r) = self.register(v) {
                self.lock(r);
            }
        }
    }

    /// Registers of what the node reads last may take its results: the instruction reads before it writes.
    pub(super) fn unlock_dying(&mut self, node: &Node) {
        for v in arguments(self.graph, &self.folded, node) {
            if self.uses.dies(v)
                && let Some(r) = self.register(v)
            {
                self.forget(v);
                self.locked &= !(1 << r.number());
            }
        }
    }

    /// Frees what held values that nobody wants any more.
    pub(super) fn release_dead(&mut self, node: &Node) {
        for v in arguments(self.graph, &self.folded, node) {
            if self.uses.dies(v) {
                self.forget(v);
            }
        }
    }

    fn forget(&mut self, v: Id) {
        if let Some(r) = self.register_of[v as usize].take() {
            self.held[r.number() as usize] = NONE;
        }
        let slot = std::mem::replace(&mut self.slot_of[v as usize], NO_SLOT);
        if slot != NO_SLOT && slot < 0 {
            self.free_slots.push(slot);
        }
    }

    /// Takes the register away from a value that the current node uses last.
    pub(super) fn take(&mut self, v: Id) -> Option<Gpr> {
        if !self.uses.dies(v) {
            return None;
        }
        let r = self.register_of[v as usize].take()?;
        self.held[r.number() as usize] = NONE;
        self.lock(r);
        Some(r)
    }

    /// Is the value in memory, so that its register may be given away?
    pub(super) fn has_home(&self, v: Id) -> bool {
        self.slot_of[v as usize] != NO_SLOT
            || match self.graph.values.get(v as usize) {
                Some(Kind::Input { param, .. }) => !self.left[*param as usize],
                Some(Kind::Constant(_)) => true,
                _ => false,
            }
    }

    fn is_free(&self, r: Gpr) -> bool {
        self.held[r.number() as usize] == NONE && self.locked >> r.number() & 1 == 0
    }

    /// A register whose content nobody needs there; it is locked for the current node. A free one if there is one, else
    /// that of the value that is wanted last.
    pub(super) fn alloc(&mut self) -> Gpr {
        let pool = POOL.map(Gpr::x);
        let free = pool.iter().copied().find(|r| self.is_free(*r));
        let free = free.filter(|r| !SAVED.contains(&r.number())).or_else(|| self.leave_pointer()).or(free);
        let r = free.unwrap_or_else(|| {
            let mut best = (pool[0], 0);
            for r in pool.into_iter().filter(|r| self.locked >> r.number() & 1 == 0) {
                let next = self.uses.next(self.held[r.number() as usize]);
                if next >= best.1 {
                    best = (r, next);
                }
            }
            best.0
        });
        self.evict(r);
        self.lock(r);
        r
    }

    /// The register of a pointer to words that are all in registers, as far as they are wanted. From then on they have
    /// no other place.
    fn leave_pointer(&mut self) -> Option<Gpr> {
        let pointers = self.graph.values.len();
        let node = self.graph.nodes[self.node as usize];
        for param in 0..self.graph.params.len() {
            let Some(r) = self.register((pointers + param) as Id) else { continue };
            if self.written.contains(&(param as u16)) || !self.words_in_registers(param as u16, &node) {
                continue;
            }
            self.left[param] = true;
            self.forget((pointers + param) as Id);
            return Some(r);
        }
        None
    }

    /// Are the words of a parameter that this node or a later one reads in registers?
    fn words_in_registers(&mut self, param: u16, node: &Node) -> bool {
        let read = |v: Id| arguments(self.graph, &self.folded, node).any(|argument| argument == v);
        let missing: Vec<Id> = self
            .inputs
            .iter()
            .filter(|((p, _), v)| *p == param && self.register_of[**v as usize].is_none())
            .map(|(_, v)| *v)
            .collect();
        !missing.iter().any(|v| read(*v)) && missing.into_iter().all(|v| self.uses.next(v) == NEVER)
    }

    /// Empties a register; the value goes to memory if that is its only place.
    fn evict(&mut self, r: Gpr) {
        let v = std::mem::replace(&mut self.held[r.number() as usize], NONE);
        if v == NONE {
            return;
        }
        self.register_of[v as usize] = None;
        if !self.has_home(v) {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                -8 * self.slots as i32
            });
            self.slot_of[v as usize] = slot;
            self.code.push(Inst::Store { bytes: 8, from: r, address: Address { base: Gpr::SP, offset: slot } });
        }
    }

    /// Memory of an element of a parameter; the pointer comes to a register.
    pub(super) fn element(&mut self, param: u16, index: u32) -> Result<Address, Infeasible> {
        let bytes = self.graph.element_bytes(param);
        if let Setting::Segment { places, .. } = &self.setting
            && let Place::Stack(offset) = places[param as usize]
        {
            return Ok(Address { base: Gpr::SP, offset: offset + (bytes * index) as i32 });
        }
        let base = self.to_register((self.graph.values.len() + param as usize) as Id)?;
        if index <= FURTHEST {
            return Ok(Address { base, offset: (bytes * index) as i32 });
        }
        // Further away than an instruction says: the pointer moves by a multiple of 2^12, which is one of the element.
        let (far, near) = (bytes * index >> 12, bytes * index & 0xfff);
        let to = self.alloc();
        self.code.extend(add_constant(to, base, u64::from(far) << 12));
        Ok(Address { base: to, offset: near as i32 })
    }

    /// A value in a register, or the zero register; locked.
    pub(super) fn operand(&mut self, v: Id) -> Result<Gpr, Infeasible> {
        if self.graph.constant(v) == Some(0) { Ok(Gpr::ZERO) } else { self.to_register(v) }
    }

    /// The same of a right operand, as it is shifted.
    pub(super) fn right(&mut self, v: Id) -> Result<Shifted, Infeasible> {
        match self.folded.get(v) {
            None => Ok(self.operand(v)?.into()),
            Some(fold) => {
                let register = self.to_register(fold.source)?;
                Ok(Shifted { register, shift: fold.shift, amount: fold.amount })
            }
        }
    }

    /// The value in a register of its own, locked.
    pub(super) fn to_register(&mut self, v: Id) -> Result<Gpr, Infeasible> {
        if let Some(r) = self.register(v) {
            self.lock(r);
            return Ok(r);
        }
        let slot = self.slot_of[v as usize];
        if slot != NO_SLOT {
            let to = self.alloc();
            self.code.push(Inst::Load { bytes: 8, to, address: Address { base: Gpr::SP, offset: slot } });
            self.define(v, to);
            return Ok(to);
        }
        match self.graph.values.get(v as usize) {
            Some(Kind::Constant(c)) => {
                let to = self.alloc();
                self.load_constant(to, *c);
                self.define(v, to);
                Ok(to)
            }
            Some(Kind::Input { param, index }) => self.load(v, *param, *index),
            _ => self.fail(Why::Undefined),
        }
    }

    /// Loads a word of a parameter, and its neighbour beside it if somebody will want that.
    fn load(&mut self, v: Id, param: u16, index: u32) -> Result<Gpr, Infeasible> {
        let address = self.element(param, index)?;
        let to = self.alloc();
        let bytes = self.graph.element_bytes(param);
        match self.neighbour(param, index, address) {
            Some((other, is_before)) if bytes == 8 => {
                let beside = self.alloc();
                let (first, second, offset) =
                    if is_before { (beside, to, address.offset - 8) } else { (to, beside, address.offset) };
                let address = Address { base: address.base, offset };
                self.code.push(Inst::LoadPair { first, second, address });
                self.define(other, beside);
            }
            _ => self.code.push(Inst::Load { bytes: bytes as u8, to, address }),
        }
        self.define(v, to);
        Ok(to)
    }

    /// The word behind that of a parameter, or the one before it, that is not loaded and will be wanted; of the two the
    /// one that makes a pair at an even place. With it: is it the one before?
    fn neighbour(&mut self, param: u16, index: u32, address: Address) -> Option<(Id, bool)> {
        let free = POOL.iter().filter(|r| self.is_free(Gpr::x(**r))).count();
        if free <= SPARE || !(8..=8 * FURTHEST_PAIR as i32).contains(&(address.offset + 8)) {
            return None;
        }
        let mut wanted = |is_before: bool| {
            let beside =
                if is_before { index.checked_sub(1).filter(|_| address.offset >= 8) } else { index.checked_add(1) };
            let v = *self.inputs.get(&(param, beside?))?;
            (self.register_of[v as usize].is_none() && self.uses.next(v) != NEVER).then_some((v, is_before))
        };
        let odd = index % 2 == 1;
        wanted(odd).or_else(|| wanted(!odd))
    }

    /// A constant into a register; the flags stay.
    pub(super) fn load_constant(&mut self, to: Gpr, c: u64) {
        let inst = constant(to, c).unwrap_or_else(|| {
            let place = self.constants.iter().position(|d| *d == c).unwrap_or_else(|| {
                self.constants.push(c);
                self.constants.len() - 1
            });
            Inst::Constant { to, offset: 8 * place as u32 }
        });
        self.code.push(inst);
    }

    /// A register for a result of the node, which has read all that it reads.
    pub(super) fn result(&mut self, node: &Node) -> Gpr {
        if node.results[0] == NONE {
            return Gpr::ZERO;
        }
        self.unlock_dying(node);
        let to = self.alloc();
        self.define(node.results[0], to);
        to
    }
}

/// A register plus a constant below 2^24, in one or two instructions.
pub(crate) fn add_constant(to: Gpr, from: Gpr, value: u64) -> Vec<Inst> {
    parts(Sum::Add, to, from, value)
}

/// A register less such a constant.
pub(crate) fn subtract_constant(to: Gpr, from: Gpr, value: u64) -> Vec<Inst> {
    parts(Sum::Sub, to, from, value)
}

fn parts(op: Sum, to: Gpr, from: Gpr, value: u64) -> Vec<Inst> {
    debug_assert!(value < 1 << 24, "two immediates of 12 bits");
    let (high, low) = ((value >> 12) as u16, (value & 0xfff) as u16);
    let mut code = Vec::new();
    let mut left = from;
    if high > 0 {
        code.push(Inst::SumOf { op, to, left, value: high, high: true });
        left = to;
    }
    if low > 0 || high == 0 {
        code.push(Inst::SumOf { op, to, left, value: low, high: false });
    }
    code
}

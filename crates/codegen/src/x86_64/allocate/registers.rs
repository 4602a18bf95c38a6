//! Where values are: registers, stack slots, memory, constants.

use super::{Allocator, Infeasible, NEVER, NO_SLOT, NOWHERE, Place, Setting, Why};
use crate::graph::{Id, Kind, NONE, Node};
use crate::x86_64::instruction::{Address, Gpr, Inst, Opcode, Operand};

impl Allocator<'_> {
    pub(super) fn register(&self, v: Id) -> Option<Gpr> {
        match self.reg_of[v as usize] {
            NOWHERE => None,
            r => Some(Gpr::ALL[r as usize]),
        }
    }

    pub(super) fn lock(&mut self, r: Gpr) {
        self.locked |= 1 << r.number();
    }

    fn is_locked(&self, r: Gpr) -> bool {
        self.locked >> r.number() & 1 == 1
    }

    /// The register now holds the value, and is its home.
    pub(super) fn define(&mut self, v: Id, r: Gpr) {
        self.in_reg[r as usize] = v;
        self.reg_of[v as usize] = r.number();
        self.since[r as usize] = self.at;
    }

    /// Takes the register away from a value that the current node uses last.
    pub(super) fn take(&mut self, v: Id) -> Option<Gpr> {
        let r = self.register(v)?;
        self.in_reg[r as usize] = NONE;
        self.reg_of[v as usize] = NOWHERE;
        self.lock(r);
        Some(r)
    }

    /// Registers that the node reads stay as they are until it has read them.
    pub(super) fn lock_arguments(&mut self, node: &Node) {
        for v in super::arguments(self.graph, node).into_iter().take_while(|v| *v != NONE) {
            if let Some(r) = self.register(v) {
                self.lock(r);
            }
            if self.copy == v {
                self.lock(Gpr::Rdx);
            }
        }
    }

    /// Registers of words that the node reads last may take its results: the instruction reads before it writes.
    pub(super) fn unlock_dying(&mut self, words: &[Id]) {
        for v in words {
            if self.dies(*v)
                && let Some(r) = self.register(*v)
                && r != Gpr::Rdx
            {
                self.forget(*v);
                self.locked &= !(1 << r.number());
            }
        }
    }

    /// Frees what held values that nobody wants any more.
    pub(super) fn release_dead(&mut self, node: &Node) {
        for v in super::arguments(self.graph, node).into_iter().take_while(|v| *v != NONE) {
            if self.dies(v) {
                self.forget(v);
            }
        }
    }

    fn forget(&mut self, v: Id) {
        if let Some(r) = self.register(v) {
            self.in_reg[r as usize] = NONE;
            self.reg_of[v as usize] = NOWHERE;
        }
        if self.copy == v {
            self.copy = NONE;
        }
        let slot = self.slot_of[v as usize];
        if slot != NO_SLOT {
            self.slot_of[v as usize] = NO_SLOT;
            if slot < 0 {
                self.free_slots.push(slot);
            }
        }
    }

    /// Is the value in memory, so that its register may be given away?
    fn has_home(&self, v: Id) -> bool {
        self.slot_of[v as usize] != NO_SLOT
            || matches!(self.graph.values.get(v as usize), Some(Kind::Input { .. } | Kind::Constant(_)))
    }

    fn new_slot(&mut self) -> i32 {
        self.free_slots.pop().unwrap_or_else(|| {
            self.slots += 1;
            -8 * self.slots as i32
        })
    }

    /// The register of the pool whose value is wanted last, and when; free ones come first.
    pub(super) fn victim(&mut self) -> (Gpr, u32) {
        let mut best = (Gpr::Rax, 0);
        let mut found = false;
        for r in self.pool.iter().copied() {
            if self.is_locked(r) {
                continue;
            }
            let v = self.in_reg[r as usize];
            if v == NONE && !(r == Gpr::Rdx && self.copy != NONE) {
                return (r, NEVER);
            }
            let next = if v == NONE { self.at } else { self.next_use(v) };
            if !found || next > best.1 {
                best = (r, next);
                found = true;
            }
        }
        best
    }

    /// A register whose content nobody needs there; it is locked for the current node.
    pub(super) fn alloc(&mut self) -> Gpr {
        let (r, _) = self.victim();
        self.evict(r);
        self.lock(r);
        r
    }

    /// Empties a register; the value goes to memory if that is its only place.
    pub(super) fn evict(&mut self, r: Gpr) {
        if r == Gpr::Rdx {
            self.copy = NONE;
        }
        let v = self.in_reg[r as usize];
        if v == NONE {
            return;
        }
        self.in_reg[r as usize] = NONE;
        self.reg_of[v as usize] = NOWHERE;
        if self.copy == v {
            // rdx has it too, and is now its home.
            self.copy = NONE;
            self.define(v, Gpr::Rdx);
        } else if !self.has_home(v) {
            let slot = self.new_slot();
            self.slot_of[v as usize] = slot;
            self.inst(Opcode::Mov, &[Operand::Memory(Address::at(Gpr::Rsp, slot)), Operand::Register(r)]);
        }
    }

    /// Empties a register that the processor itself wants; a value that is wanted soon goes to another register.
    pub(super) fn vacate(&mut self, r: Gpr) {
        let v = self.in_reg[r as usize];
        self.lock(r);
        if r == Gpr::Rdx {
            self.copy = NONE;
        }
        if v == NONE {
            return;
        }
        let node = &self.graph.nodes[self.node as usize];
        let now = super::arguments(self.graph, node).contains(&v);
        let next = if now { self.at } else { self.next_use(v) };
        if next == NEVER {
            self.in_reg[r as usize] = NONE;
            self.reg_of[v as usize] = NOWHERE;
            return;
        }
        let (other, when) = self.victim();
        if when <= next {
            self.evict(r);
            return;
        }
        self.evict(other);
        self.inst(Opcode::Mov, &[Operand::Register(other), Operand::Register(r)]);
        self.in_reg[r as usize] = NONE;
        self.define(v, other);
    }

    /// Memory of a constant.
    fn constant_address(&mut self, v: Id, c: u64) -> Operand {
        let place = self.constant_of[v as usize];
        if place != NONE {
            return Operand::Memory(Address::constant(place as usize));
        }
        let place = self.place_of_constant(c);
        self.constant_of[v as usize] = place as u32;
        Operand::Memory(Address::constant(place))
    }

    fn place_of_constant(&mut self, c: u64) -> usize {
        self.constants.iter().position(|d| *d == c).unwrap_or_else(|| {
            self.constants.push(c);
            self.constants.len() - 1
        })
    }

    /// Memory of a constant that is no value of the graph.
    pub(super) fn constant(&mut self, c: u64) -> Operand {
        Operand::Memory(Address::constant(self.place_of_constant(c)))
    }

    /// The value as an operand that may be a register, memory or an immediate of 32 bits; registers that it needs are
    /// locked.
    pub(super) fn operand(&mut self, v: Id) -> Result<Operand, Infeasible> {
        match self.graph.constant(v) {
            Some(c) if self.register(v).is_none() && i32::try_from(c as i64).is_ok() => {
                Ok(Operand::Immediate(c as i64))
            }
            _ => self.place(v),
        }
    }

    /// The value as a register or memory.
    pub(super) fn place(&mut self, v: Id) -> Result<Operand, Infeasible> {
        if let Some(r) = self.register(v) {
            self.lock(r);
            return Ok(Operand::Register(r));
        }
        if self.copy == v {
            self.lock(Gpr::Rdx);
            return Ok(Operand::Register(Gpr::Rdx));
        }
        let slot = self.slot_of[v as usize];
        if slot != NO_SLOT {
            return Ok(Operand::Memory(Address::at(Gpr::Rsp, slot)));
        }
        match self.graph.values.get(v as usize) {
            Some(Kind::Constant(c)) => Ok(self.constant_address(v, *c)),
            Some(Kind::Input { param, .. }) if self.graph.element_bytes(*param) != 8 => {
                Ok(Operand::Register(self.to_register(v)?))
            }
            Some(Kind::Input { param, index }) => {
                let address = self.element(*param, *index)?;
                Ok(Operand::Memory(address))
            }
            _ => self.fail(Why::Undefined),
        }
    }

    /// Memory of an element of a parameter; the pointer comes to a register.
    pub(super) fn element(&mut self, param: u16, index: u32) -> Result<Address, Infeasible> {
        let bytes = self.graph.element_bytes(param);
        if let Setting::Segment { places, .. } = &self.setting
            && let Place::Stack(offset) = places[param as usize]
        {
            return Ok(Address::at(Gpr::Rsp, offset + (bytes * index) as i32));
        }
        let pointer = self.pointer(param);
        let base = self.to_register(pointer)?;
        Ok(Address::at(base, (bytes * index) as i32))
    }

    /// The value in a register of its own (or rdx, when that has a copy), locked.
    pub(super) fn to_register(&mut self, v: Id) -> Result<Gpr, Infeasible> {
        if let Some(r) = self.register(v) {
            self.lock(r);
            return Ok(r);
        }
        if self.copy == v {
            self.lock(Gpr::Rdx);
            return Ok(Gpr::Rdx);
        }
        let r = self.alloc();
        self.load(r, v)?;
        self.define(v, r);
        Ok(r)
    }

    /// Copies the value into a register.
    pub(super) fn load(&mut self, r: Gpr, v: Id) -> Result<(), Infeasible> {
        if let (Some(Kind::Input { param, index }), None, NO_SLOT) =
            (self.graph.values.get(v as usize), self.register(v), self.slot_of[v as usize])
        {
            let bytes = self.graph.element_bytes(*param);
            if bytes != 8 {
                let address = self.element(*param, *index)?;
                self.code.push(Inst::sized(
                    Opcode::MovZeroExtend,
                    8 * bytes as u8,
                    &[Operand::Register(r), Operand::Memory(address)],
                ));
                return Ok(());
            }
        }
        if let (Some(c), None) = (self.graph.constant(v), self.register(v))
            && self.copy != v
        {
            self.load_constant(r, c);
            return Ok(());
        }
        let from = self.place(v)?;
        if from != Operand::Register(r) {
            self.inst(Opcode::Mov, &[Operand::Register(r), from]);
        }
        Ok(())
    }

    /// A constant into a register; the flags stay.
    pub(super) fn load_constant(&mut self, r: Gpr, c: u64) {
        let bits = if c <= i32::MAX as u64 { 32 } else { 64 };
        self.code.push(Inst::sized(Opcode::Mov, bits, &[Operand::Register(r), Operand::Immediate(c as i64)]));
    }

    /// A register with x in it that the node may overwrite, and the other operand, as `operand` or (with `plain`)
    /// without immediates. Commuting operands change places where that saves a copy.
    pub(super) fn destination(
        &mut self,
        x: Id,
        y: Id,
        commutes: bool,
        plain: bool,
    ) -> Result<(Gpr, Operand), Infeasible> {
        let ends = |s: &mut Self, v: Id| s.register(v).is_some() && s.dies(v);
        let (base, other, taken) = if ends(self, x) {
            (x, y, self.take(x))
        } else if commutes && ends(self, y) {
            (y, x, self.take(y))
        } else if commutes && self.register(x).is_none() && self.register(y).is_some() {
            (y, x, None)
        } else {
            (x, y, None)
        };
        let d = match taken {
            Some(r) => r,
            None => {
                let r = self.alloc();
                self.load(r, base)?;
                r
            }
        };
        let other = match () {
            _ if other == base => Operand::Register(d),
            _ if plain => self.place(other)?,
            _ => self.operand(other)?,
        };
        Ok((d, other))
    }

    /// A register with x in it that the node may overwrite.
    pub(super) fn own(&mut self, x: Id) -> Result<Gpr, Infeasible> {
        if self.register(x).is_some()
            && self.dies(x)
            && let Some(r) = self.take(x)
        {
            return Ok(r);
        }
        let r = self.alloc();
        self.load(r, x)?;
        Ok(r)
    }
}

//! Loops of a bit-sliced kernel on vectors: each segment with registers of its own, what lives from one to the next in
//! the frame.
//!
//! The frame lies from `rsp` up, in vectors: slots of the segments, then the routine's words. Counters and addresses
//! are in general registers; an address is computed where a segment begins.

use super::allocate::allocate;
use super::finish::{Body as Finished, LOOP, POINTERS};
use super::places::{Elements, Places};
use super::schedule;
use super::shape::Shape;
use crate::outline::{Body, Part, Place, Pointer, PointerBase, Routine, Segment};
use crate::x86_64::allocate::{Infeasible, Why};
use crate::x86_64::instruction::{Address, Base, Condition, Gpr, Inst, Opcode, Operand};

/// Registers for counters and addresses, those first that need not be saved; the parameters' are left out.
const POOL: [Gpr; 13] = [
    Gpr::Rax,
    Gpr::R9,
    Gpr::R8,
    Gpr::Rcx,
    Gpr::Rdx,
    Gpr::Rsi,
    Gpr::Rdi,
    Gpr::Rbx,
    Gpr::Rbp,
    Gpr::R12,
    Gpr::R13,
    Gpr::R14,
    Gpr::R15,
];

struct Assembler {
    shape: Shape,
    code: Vec<Inst>,
    constants: Vec<u64>,
    /// Vectors on the stack that a segment takes, and how many lie below the words.
    slots: u32,
    below: u32,
    labels: u32,
    free: Vec<Gpr>,
    /// Registers of the counters in work, by their word.
    counters: Vec<(u32, Gpr)>,
}

/// The code of a routine for one group.
///
/// # Errors
/// When a segment has no code, or more loops and arrays meet than there are general registers.
pub(super) fn assemble(routine: &Routine, shape: Shape) -> Result<Finished, Infeasible> {
    let Body::Parts { parts, words } = &routine.body else { return Err(Infeasible { node: 0, why: Why::Undefined }) };
    let free: Vec<Gpr> = POOL.iter().rev().copied().filter(|r| !POINTERS[..routine.params.len()].contains(r)).collect();
    let new = |below| Assembler {
        shape,
        code: Vec::new(),
        constants: Vec::new(),
        slots: 0,
        below,
        labels: LOOP + 1,
        free: free.clone(),
        counters: Vec::new(),
    };
    // How many slots there are is known when all segments have registers.
    let mut first = new(0);
    first.parts(parts)?;
    let mut last = new(first.slots);
    last.parts(parts)?;
    Ok(Finished { frame: (last.below + words) * shape.width.bytes(), code: last.code, constants: last.constants })
}

fn register(r: Gpr) -> Operand {
    Operand::Register(r)
}

impl Assembler {
    fn push(&mut self, op: Opcode, operands: &[Operand]) {
        self.code.push(Inst::new(op, operands));
    }

    fn take(&mut self) -> Result<Gpr, Infeasible> {
        self.free.pop().ok_or(Infeasible { node: 0, why: Why::Registers })
    }

    fn parts(&mut self, parts: &[Part]) -> Result<(), Infeasible> {
        for part in parts {
            match part {
                Part::Segment(segment) => self.segment(segment)?,
                Part::Loop { counter, step, limit, body } => {
                    let (r, label) = (self.take()?, self.labels);
                    self.labels += 1;
                    self.counters.push((*counter, r));
                    self.push(Opcode::Mov, &[register(r), Operand::Immediate(0)]);
                    self.push(Opcode::Label, &[Operand::Label(label)]);
                    self.parts(body)?;
                    self.push(Opcode::Add, &[register(r), Operand::Immediate(i64::from(*step))]);
                    self.push(Opcode::Cmp, &[register(r), Operand::Immediate(i64::from(*limit))]);
                    self.push(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(label)]);
                    self.counters.pop();
                    self.free.push(r);
                }
                Part::Call { .. } => return Err(Infeasible { node: 0, why: Why::Undefined }),
            }
        }
        Ok(())
    }

    /// Bytes from `rsp` to a word of the frame.
    fn word(&self, word: u32) -> i32 {
        ((self.below + word) * self.shape.width.bytes()) as i32
    }

    fn segment(&mut self, segment: &Segment) -> Result<(), Infeasible> {
        let before = self.free.clone();
        let mut arrays = Vec::new();
        for (param, place) in segment.graph.params.iter().zip(&segment.places) {
            arrays.push(match place {
                Place::Through(p) => (POINTERS[*p as usize], 0),
                // Near addresses are short; single values are few.
                Place::Frame(word) if param.len == 0 || self.free.len() < 3 => (Gpr::Rsp, self.word(*word)),
                Place::Frame(word) => {
                    (self.address(&Pointer { base: PointerBase::Frame(*word), terms: Vec::new(), bytes: 0 })?, 0)
                }
                Place::Computed(_, pointer) => (self.address(pointer)?, 0),
            });
        }
        let shape = Shape { groups: 1, iterations: 1, ..self.shape };
        let order = schedule::in_source_order(&segment.graph, shape.groups);
        let body = allocate(&segment.graph, shape, &order, &Places { arrays, slots: 0, elements: Elements::Vectors })?;
        self.slots = self.slots.max(body.slots);
        let constants: Vec<i32> = body.constants.iter().map(|c| 8 * self.constant(*c) as i32).collect();
        for mut inst in body.code {
            for operand in inst.operands.iter_mut().flatten() {
                if let Operand::Memory(a) | Operand::Broadcast(a) = operand
                    && a.base == Base::Constants
                {
                    a.displacement = constants[a.displacement as usize / 8];
                }
            }
            self.code.push(inst);
        }
        self.free = before;
        Ok(())
    }

    fn constant(&mut self, c: u64) -> usize {
        self.constants.iter().position(|d| *d == c).unwrap_or_else(|| {
            let at = self.constants.len();
            self.constants.extend(std::iter::repeat_n(c, self.shape.width.words_of_constant()));
            at
        })
    }

    /// A register that holds an address.
    fn address(&mut self, pointer: &Pointer) -> Result<Gpr, Infeasible> {
        let to = self.take()?;
        // Pointers count elements of eight bytes, which are vectors here.
        let scale = i64::from(self.shape.width.bytes()) / 8;
        let bytes = pointer.bytes * scale;
        let (base, bytes) = match pointer.base {
            PointerBase::Through(p) => (POINTERS[p as usize], bytes as i32),
            PointerBase::Frame(word) => (Gpr::Rsp, self.word(word) + bytes as i32),
            // (On vectors tables are parts of the code.)
            PointerBase::Table(_) => return Err(Infeasible { node: 0, why: Why::Undefined }),
        };
        self.push(Opcode::Lea, &[register(to), Operand::Memory(Address::at(base, bytes))]);
        for (word, n) in &pointer.terms {
            let missing = Infeasible { node: 0, why: Why::Undefined };
            let counter = self.counters.iter().find(|(w, _)| w == word).map(|(_, r)| *r).ok_or(missing)?;
            let step = *self.free.last().ok_or(Infeasible { node: 0, why: Why::Registers })?;
            self.push(Opcode::Imul, &[register(step), register(counter), Operand::Immediate(n * scale)]);
            self.push(Opcode::Add, &[register(to), register(step)]);
        }
        Ok(to)
    }
}
